"""Who sits beside a learner: bots by name or as objects, drawn anew for every deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import CompiledBot, make_bot
from kibitz.core import uniform
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot

ANY_SEAT = "any"
"""The learner's seat is drawn anew for every deal."""
MOST_COMPILED = 4
"""Different kernels that are compiled into the loop; further bots are asked one batch after the other."""

Others = str | Bot | Sequence[str | Bot] | Mapping[int, str | Bot]
Seats = int | str | Sequence[int]


@dataclass(frozen=True)
class Pool:
    """The bots at the tables and where they may sit."""

    bots: tuple[Bot, ...]
    """Compiled ones first."""
    compiled: int
    """How many of them are compiled into the loop."""
    choices: NDArray[np.int64]
    """[PLAYERS, k]: the bots that may sit in a seat, repeated to fill the row."""
    counts: NDArray[np.int64]
    """[PLAYERS]: how many of them there are."""
    knobs: NDArray[np.float64]
    """[compiled, most knobs]"""

    @property
    def kernels(self) -> tuple[Any, ...]:
        """The kernels of the compiled bots."""
        return tuple(bot.kernel for bot in self.bots[: self.compiled] if isinstance(bot, CompiledBot))


def learner_seats(game: Game, seats: Seats) -> NDArray[np.bool_]:
    """[PLAYERS]: where the learner sits; all false if its seat is drawn for every deal."""
    chosen = np.zeros(game.PLAYERS, np.bool_)
    if isinstance(seats, str):
        if seats != ANY_SEAT:
            raise BadInput(f"seat={seats} is not possible: it is a seat, a few seats, or {ANY_SEAT}")
        return chosen
    asked = [seats] if isinstance(seats, int) else list(seats)
    if not asked or not all(0 <= seat < game.PLAYERS for seat in asked):
        raise BadInput(f"seat={seats} is not possible: {game.name} has the seats 0 to {game.PLAYERS - 1}")
    chosen[asked] = True
    return chosen


def make_pool(game: Game, others: Others) -> Pool:
    """A pool from one bot, from several (each seat draws one for every deal), or from a bot for each seat."""
    if isinstance(others, Mapping):
        rows = [[others.get(seat, "random")] for seat in range(game.PLAYERS)]
    else:
        few = [others] if isinstance(others, str) or not isinstance(others, Sequence) else list(others)
        rows = [few] * game.PLAYERS
    if not all(rows):
        raise BadInput("an empty pool is not possible: name at least one bot")
    made: dict[Any, Bot] = {}
    for one in (one for row in rows for one in row):
        made.setdefault(_key(one), make_bot(game, one) if isinstance(one, str) else one)
    bots = sorted(made.values(), key=_place)
    kernels: list[Any] = []
    for bot in bots:
        if isinstance(bot, CompiledBot) and len(kernels) < MOST_COMPILED:
            kernels.append(bot.kernel)
    width = max(map(len, rows))
    choices = np.array([[bots.index(made[_key(row[k % len(row)])]) for k in range(width)] for row in rows])
    widest = max([1, *(len(bot.knobs) for bot in bots[: len(kernels)] if isinstance(bot, CompiledBot))])
    knobs = np.zeros((max(1, len(kernels)), widest))
    for k, bot in enumerate(bots[: len(kernels)]):
        if isinstance(bot, CompiledBot):
            knobs[k, : len(bot.knobs)] = bot.knobs
    return Pool(tuple(bots), len(kernels), choices, np.array(list(map(len, rows))), knobs)


def is_uniform(pool: Pool) -> bool:
    """Whether every compiled bot plays at random, so that the loop needs neither views nor knobs."""
    return all(kernel is uniform.choose for kernel in pool.kernels)


def _place(bot: Bot) -> tuple[bool, str]:
    """Compiled bots first, in an order of their own, so that the same bots are compiled once however they are named."""
    return (False, bot.name) if isinstance(bot, CompiledBot) else (True, "")


def _key(one: str | Bot) -> Any:
    return one if isinstance(one, str) else id(one)
