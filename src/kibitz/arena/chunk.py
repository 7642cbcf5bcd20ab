"""What a run of consecutive games gave, and who failed in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.record import Record
from kibitz.core.shapes import Bools, Floats, Ints

NO_ROLE = -1


@dataclass(frozen=True)
class Failure:
    """A game that was broken off because a bot raised, chose an illegal action or took too long."""

    bot: str
    number: int
    seat: int
    move: int
    reason: str
    record: Record
    """The game up to the move that failed; it has no returns."""


@dataclass(frozen=True)
class Chunk:
    """What a run of consecutive games gave; rows are games."""

    first: int
    returns: Floats
    """[n, PLAYERS]; nan in a game that was broken off."""
    won: Bools
    length: Ints
    """Actions, chance not counted."""
    moves: Ints
    """Moves, chance included: how much of `log` is used."""
    log: NDArray[np.int32]
    """[n, LONGEST], or [n, 0] if no log was asked for."""
    tallies: Floats
    """The game's own counters, summed over the chunk."""
    roles: NDArray[np.int8]
    """[n, PLAYERS]: what each seat turned out to be (soloist, defender, ...), NO_ROLE for nothing in particular."""
    soloist: NDArray[np.int8]
    """[n]: the seat that bot 0 sat in; 0 unless bots were seated from the soloist on."""
    seconds: float = 0.0
    failures: tuple[Failure, ...] = ()


def empty(game: Game, first: int, count: int, keep_log: bool) -> Chunk:
    """A chunk for so many games, to be filled in."""
    return Chunk(
        first,
        np.zeros((count, game.PLAYERS)),
        np.zeros((count, game.PLAYERS), np.bool_),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, game.LONGEST if keep_log else 0), np.int32),
        np.zeros(game.TALLIES),
        np.full((count, game.PLAYERS), NO_ROLE, np.int8),
        np.zeros(count, np.int8),
    )
