"""What a card of the whole game of Cego is worth to a seat in imagined worlds: what it will be paid.

As in the sub-games, worlds are played out by the rule-based player while many cards are left and solved later. Worlds in which an
exposed card is still to fall are always played out: it can never win, which the solver does not know.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.games.cego.rules import FIXED, NOBODY, PHASE, PLAYING, SOLOIST
from kibitz.games.tarock import (
    BETTEL,
    CEGO,
    EXPOSED,
    GAME,
    HALVES_TO_WIN,
    RAEUBER,
    SINGLE,
    SOLO,
)  # fmt: skip
from kibitz.search.cego import payoff
from kibitz.search.cego.problems import live
from kibitz.search.doubledummy import solve
from kibitz.search.playouts import play_out

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RULE = "cego-rule"
MIDDLE = 79
A_HALF = 0.001
"""What half a point counts beside what is paid."""


def can_play(s: Ints) -> bool:
    """Whether a card is to be played."""
    return bool(s[PHASE] == PLAYING)


def has_sides(s: Ints) -> bool:
    """Whether two sides play against each other; in Räuber everybody plays for himself."""
    return bool(s[GAME] != RAEUBER)


def close_looks(s: Ints, worlds: int) -> int:
    """Values are exact as soon as worlds are solved."""
    return 0


def is_solved(s: Ints) -> bool:
    """Whether open cards are solved, or played out by rule."""
    return not (s[EXPOSED] and s[EXPOSED] & live(s[None])[0]) and payoff.is_solved(s)


def quick(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: what the seat is paid; in Räuber less its points when it is solved; nan where a card is not legal."""
    if not all(is_solved(s) for s in states):
        return play_out(game, RULE, states, seat)
    found = solve(game, states, threads=threads)
    kind = int(states[0, GAME])
    if kind == RAEUBER:
        worth = -found / 2.0
    elif kind == SOLO or kind >= CEGO:
        worth = paid(states[0], found) + A_HALF * found
    else:
        won = found == 0 if kind == BETTEL else found == 1
        worth = np.where(won, 1.0, -1.0) * float(FIXED[kind])
    if kind != RAEUBER:
        worth = 3.0 * worth if seat == states[0, SINGLE] else -worth
    return np.where(found >= 0, worth, np.nan)


close = quick
ended = payoff.ended


def paid(s: Ints, halves: Ints) -> Floats:
    """[...]: what each opponent pays the single player of a Solo or a Cego for his points (rule 9.3)."""
    steps = (np.abs(halves - MIDDLE) + 9) // 10
    won = halves >= HALVES_TO_WIN
    if s[GAME] == SOLO:
        multiplier = np.where(won, 2, 1)
    else:
        multiplier = np.full(halves.shape, s[GAME] - CEGO + 1 + int(s[SOLOIST] != NOBODY))
    value = (5 * steps * multiplier + 9) // 10 * 10
    return np.where(won, value, -value).astype(np.float64)
