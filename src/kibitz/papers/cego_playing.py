"""Cego: the shipped models at a table, and the published numbers of Tables V to VII."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Score, WinRate
from kibitz.bots import make_bot
from kibitz.core.errors import MissingExtra
from kibitz.core.game import make
from kibitz.core.shipped import shipped_folder
from kibitz.papers.cego import SPREAD
from kibitz.papers.experiment import Asked, Published, Scale

if TYPE_CHECKING:
    from kibitz.core.policy import Bot
    from kibitz.learn.selfplay import Actor

SEEDS_5 = (12, 17, 20, 30, 33)
SEEDS_7 = (31, 43, 67, 78, 112)
GAMES, QUICK, QUICK_7 = 50_000, 4_000, 1_000  # per seed; the paper's and ours for a quick look
PAPER_GAMES = 250_000
"""Five seeds of 50,000 games: what the errors beside the published values come from; the paper prints none."""
PARTS = 5  # a seed's games are played in so many rounds
ALL_POINTS = 79

TABLE_5 = {"DMC": (46.462, 69.958), "DQN": (43.843, 62.761), "NFSP": (42.509, 57.658)}
"""Points per game and per cent of games won in the soloist's seat against three random players."""
TABLE_6 = {
    ("DQN", "DMC"): (42.133, 57.115), ("DQN", "NFSP"): (44.033, 63.506), ("DMC", "DQN"): (46.54, 70.139),
    ("DMC", "NFSP"): (46.787, 70.85), ("NFSP", "DQN"): (42.52, 57.94), ("NFSP", "DMC"): (40.771, 51.871),
}  # fmt: skip
"""(soloist, seat 2) with random players in seats 3 and 4: the soloist's points and per cent of games won."""
MEANS_6 = {"DMC": 42.105, "DQN": 38.777, "NFSP": 37.618}
"""Points of each method's own side over the four pairs it is in."""
TABLE_7: dict[str, tuple[float, ...]] = {
    "standard": (46.48, 38.02, 43.20, 37.98),
    "solo": (54.26, 46.01, 51.42, 44.93),
    "ultimo": (94.74, 7.61, 88.06, 69.42),
    "bettel": (78.94, 67.30, 75.79, 60.78),
    "piccolo": (47.65, 34.32, 43.76, 28.76),
}
"""The soloist's points or per cent of games won in set-ups 1 to 4."""
TABLE_7_RAEUBER = ((85.70, 71.52, 71.36, 71.41), (82.94, 83.85, 66.97, 66.25), (74.46, 74.26, 75.02, 76.27))
"""Per cent of games won by position in set-ups 1 to 3."""


def per_seed(scale: Scale) -> int:
    """Games per seed in Tables V and VI."""
    return scale.pick(quick=QUICK, full=GAMES)


def per_seed_7(scale: Scale) -> int:
    """Games per seed in Table VII, which has many rows."""
    return scale.pick(quick=QUICK_7, full=GAMES)


def published(subgame: str, value: float) -> Published:
    """A value of Tables V to VII in its unit, with the error that the paper's games leave."""
    if subgame in SPREAD:
        return Published(value, round(SPREAD[subgame] / math.sqrt(PAPER_GAMES), 3))
    return Published(value, round(math.sqrt(value * (100 - value) / PAPER_GAMES), 3), "%")


def is_shipped(name: str) -> bool:
    """Whether a model of that name comes with kibitz; tables leave out rows of those that do not."""
    return (shipped_folder() / name / "card.json").exists()


@dataclass(frozen=True)
class Seated:
    """A shipped model as a player; `as_seat` lets it play as if it sat elsewhere."""

    name: str
    as_seat: int | None = None
    samples: bool = False


@cache
def seated(who: Seated) -> Actor:
    """The player itself."""
    needs_torch()
    name, as_seat, samples = who.name, who.as_seat, who.samples
    from kibitz.learn.model import drawn, load_model, softmax
    from kibitz.learn.selfplay import Actor
    from kibitz.learn.senses.rows import ObservationBatch

    model = load_model(shipped_folder() / name)

    def choose(observed: Any) -> Any:
        seats = observed.seats if as_seat is None else np.full(len(observed), as_seat)
        own = ObservationBatch(
            observed.rows, seats, observed.observation, observed.allowed, observed.real, observed.luck
        )
        values = model.values(own)
        return drawn(softmax(values.astype(np.float64)), observed.luck[:, 0]) if samples else values.argmax(axis=1)

    return Actor(choose, sense=model.sense)


def everybody(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> list[WinRate]:
    """Games won by each seat; None is a random player."""
    parts = _parts(subgame, players, seeds, games, scale)
    played = sum(part["games"] for part in parts)
    return [WinRate(sum(part["won"][seat] for part in parts), played) for seat in range(4)]


def soloist(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> tuple[Score, WinRate]:
    """The soloist's points and games won; None is a random player."""
    parts = _parts(subgame, players, seeds, games, scale)
    played, total, squares = (sum(part[name] for part in parts) for name in ("games", "points", "squares"))
    mean = total / played
    error = np.sqrt(max(0.0, squares - total * mean) / (played - 1) / played)
    return Score(mean, float(error), played), WinRate(sum(part["won"][0] for part in parts), played)


def _parts(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> list[dict[str, Any]]:
    """What the games of each seed add up to: the soloist's points and their squares, games won by each seat."""

    def compute(seed: int) -> dict[str, Any]:
        returns, won = play(subgame, [seated(one) if one else None for one in players], seed, games)
        points = returns[:, 0].astype(np.float64)
        sums = {"points": points.sum(), "squares": (points * points).sum()}
        return {"games": len(points), **sums, "won": won.sum(axis=0)}

    reads = [shipped_folder() / name for name in dict.fromkeys(one.name for one in players if one)]
    who = " ".join(one.name.removeprefix("cego-") if one else "random" for one in players)
    settings = [make(f"cego-{subgame}"), players, games]
    asked = [Asked(f"seed {seed} {who}", settings, partial(compute, seed), reads) for seed in seeds]
    return scale.each(asked, "seeds")


def play(subgame: str, players: Sequence[Actor | None], seed: int, games: int) -> tuple[Any, Any]:
    """Returns and wins of one seed's games."""
    from kibitz.learn.selfplay import SelfPlay
    from kibitz.learn.senses import sense

    game = make(f"cego-{subgame}")
    anybody = make_bot(game, "random")
    tables = SelfPlay(sense(game), games // PARTS)
    seats: list[Actor | Bot] = [player or anybody for player in players]
    rounds = [tables.play(seats, seed, first) for first in range(0, games, tables.games)]
    return np.concatenate([one.returns for one in rounds]), np.concatenate([one.won for one in rounds])


def needs_torch() -> None:
    """Learners need the extra `learn`; experiments leave the cores to one network call at a time."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "learn") from None
    torch.set_num_threads(1)
