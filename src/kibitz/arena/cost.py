"""What work would cost, from a timed sample, and how large shards must be to be worth sending."""

from __future__ import annotations

import math
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.arena.games import Games, play_games
from kibitz.arena.shards import Shard, play_shard

SAMPLE = 0.2
"""Seconds of play behind an estimate, unless one deal takes longer."""
LASTING = 1.0
"""Seconds a shard should last at least, where it has to travel."""
LONGEST = 30.0
"""Seconds that one should not last longer than: what a node that dies loses."""
WORKERS = (1, 10, 100, 1000)
MEGABYTE = 1 << 20


def seconds_a_deal(whole: Shard) -> float:
    """Time a sample of a match, compiled code made before."""
    return _timed(play_shard, whole)


def seconds_a_game(whole: Games) -> float:
    """Time a sample of a simulation, compiled code made before."""
    return _timed(play_games, whole)


def _timed(play: Callable[[Any], Any], whole: Any) -> float:
    play(replace(whole, count=1))
    count = 1
    while True:
        start = time.perf_counter()
        play(replace(whole, count=count))
        spent = time.perf_counter() - start
        if spent >= SAMPLE or count >= whole.count:
            return spent / count
        count = min(whole.count, count * max(2, math.ceil(SAMPLE / max(spent, 1e-6))))


def lasting(size: int, seconds: float, most: int) -> int:
    """A size that lasts a second or more, and not too long: the usual one, doubled or halved some times."""
    while size * seconds < LASTING and size < most:
        size *= 2
    while size * seconds > LONGEST and size > 1:
        size //= 2
    return size


@dataclass(frozen=True)
class Cost:
    """What a piece of work as a whole would take."""

    pieces: list[float]
    """Seconds of each, on one core."""
    serial: float = 0.0
    """Seconds that only one process can do, before, between and after."""
    worker_memory: int = 0
    """Bytes, each."""
    driver_memory: int = 0
    what: str = "shards"
    rounds: int = 1
    """How often all this is done, one round after the other."""

    @property
    def core_hours(self) -> float:
        """All of it, on one core."""
        return self.rounds * (sum(self.pieces) + self.serial) / 3600

    def seconds_with(self, workers: int) -> float:
        """How long so many workers would take: nobody is quicker than the longest piece."""
        shared = max(sum(self.pieces) / workers, max(self.pieces)) if self.pieces else 0.0
        return self.rounds * (self.serial + shared)

    def as_json(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "what": self.what, "pieces": len(self.pieces), "rounds": self.rounds,
            "core_hours": round(self.core_hours, 6), "longest_piece_seconds": round(max(self.pieces, default=0.0), 3),
            "serial_seconds": round(self.serial, 3), "worker_megabytes": round(self.worker_memory / MEGABYTE),
            "driver_megabytes": round(self.driver_memory / MEGABYTE),
            "seconds_with_workers": {str(n): round(self.seconds_with(n), 3) for n in WORKERS},
        }  # fmt: skip

    def lines(self) -> list[str]:
        """The same for people."""
        longest = max(self.pieces, default=0.0)
        alone = f", {_told(self.serial)} for one process alone" if self.serial else ""
        often = f", {self.rounds:,} times" if self.rounds > 1 else ""
        return [
            f"{len(self.pieces):,} {self.what}, {_told(longest)} the longest{alone}{often}: {self.core_hours:,.3g} "
            "core-hours in all",
            f"memory: about {self.worker_memory // MEGABYTE:,} MB a worker, {self.driver_memory // MEGABYTE:,} MB "
            "where results are put together",
            *(f"{n:>5} worker{'s' if n > 1 else ' '} would take {_told(self.seconds_with(n))}" for n in WORKERS),
            "estimated from a timed sample on this machine; nothing was kept",
        ]


def match_cost(pieces: Sequence[Shard], wholes: Sequence[Shard]) -> Cost:
    """What these shards of these matches would take."""
    by_match = {whole.sides: seconds_a_deal(whole) for whole in wholes}
    sheet = play_shard(replace(wholes[0], count=1))
    row = sum(getattr(sheet, name).nbytes for name in vars(sheet) if hasattr(getattr(sheet, name), "nbytes"))
    text = sum(len(line) for line in sheet.lines)
    deals = sum(whole.count for whole in wholes)
    return Cost(
        [piece.count * by_match[piece.sides] for piece in pieces], 0.0, peak_memory(),
        peak_memory() + 2 * deals * (row + text),
    )  # fmt: skip


def peak_memory() -> int:
    """The most bytes this process has had."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _told(seconds: float) -> str:
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
