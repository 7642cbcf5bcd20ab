"""What experiments would take: their own word for an hour of one core,
held against what pieces took that are kept here."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from kibitz.arena.cost import Cost, peak_memory
from kibitz.arena.play import play, warm
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.papers.experiment import Scale, find

PROBE = ("leduc", "random", 300_000)
"""A game, its bots and how many games: what one core's speed is measured by."""
PROBE_SECONDS = 0.045
"""What the probe takes on the core that the experiments' minutes were measured on."""
QUICK = 60.0
"""Seconds of a quick edition, as the makers of experiments are asked to keep it."""


def experiments_cost(names: Sequence[str], scale: Scale, work: Path | None) -> Cost:
    """Each experiment as one piece, less what its kept pieces took;
    independent pieces make it shorter still on a cluster."""
    pace = _pace()
    found = [one for name in names for one in find(name)]
    seconds = [pace * scale.pick(quick=min(QUICK, 60.0 * one.minutes), full=60.0 * one.minutes) for one in found]
    left = [max(0.0, whole - _kept(work, one.name)) for one, whole in zip(found, seconds, strict=True)]
    return Cost(left, 0.0, peak_memory(), peak_memory(), "experiments")


def _pace() -> float:
    """How much longer this core takes than the one that minutes were measured on: the quickest of three probes."""
    game, bots, games = make(PROBE[0]), PROBE[1], PROBE[2]
    seats = seat_bots(game, bots)
    warm(game, seats)
    best = float("inf")
    for _ in range(3):
        begun = time.thread_time()
        for _ in play(game, seats, games, 1):
            pass
        best = min(best, time.thread_time() - begun)
    return best / PROBE_SECONDS


def _kept(work: Path | None, name: str) -> float:
    """Seconds that the pieces of an experiment took which are kept."""
    total = 0.0
    for path in sorted((work / name).glob("*.json")) if work is not None and (work / name).is_dir() else []:
        with suppress(OSError, ValueError, KeyError, TypeError):
            total += float(json.loads(path.read_bytes())["seconds"])
    return total
