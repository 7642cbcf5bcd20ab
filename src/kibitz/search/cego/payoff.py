"""What a Cego card is worth to a seat in imagined worlds: points or the win, by sub-game.

With many cards left the play is continued by the rule-based player instead of being solved. Where the aim is all or nothing
open cards are solved from an earlier trick on than where points count.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import popcount
from kibitz.core.game import Game
from kibitz.games.cego_deals.rules import POINTS, REWARD
from kibitz.games.tarock import (
    BETTEL,
    CEGO,
    GAME,
    HALVES_TO_WIN,
    HAND,
    RAEUBER,
    SEATS,
    SINGLE,
    SOLO,
    STANDARD,
    ZWEI_VERSCHIEDENE,
)  # fmt: skip
from kibitz.search.doubledummy import reach, solve
from kibitz.search.playouts import play_out

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RULE = "cego-rule"
ALL_HALVES = 158
SOLVED_FROM = {STANDARD: 7, SOLO: 7, RAEUBER: 6, **dict.fromkeys(range(CEGO, ZWEI_VERSCHIEDENE + 1), 7)}
"""Cards in hand from which on open cards are solved, in the other sub-games from OTHERS_FROM."""
OTHERS_FROM = 9
A_HALF = 0.001


def can_play(s: Ints) -> bool:
    """Sub-games consist of cards to be played."""
    return True


def has_sides(s: Ints) -> bool:
    """Whether two sides play against each other; in Räuber everybody plays for himself."""
    return bool(s[GAME] != RAEUBER)


def close_looks(s: Ints, worlds: int) -> int:
    """In how many worlds exact values can be afforded."""
    return worlds if s[GAME] in SOLVED_FROM and s[REWARD] != POINTS and is_solved(s) else 0


def is_solved(s: Ints) -> bool:
    """Whether open cards are solved, or played out by rule."""
    size = int(max(popcount(s[HAND + seat]) for seat in range(SEATS)))
    return size <= SOLVED_FROM.get(int(s[GAME]), OTHERS_FROM)


def quick(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: the seat's points, or 1 where it gets its way and 0 where not; nan where a card is not legal."""
    aim = states[0, GAME]
    if not is_solved(states[0]):
        return play_out(game, RULE, states, seat)
    if aim in (STANDARD, SOLO):
        if states[0, REWARD] == POINTS:
            return close(game, states, seat, threads)
        found = reach(game, states, HALVES_TO_WIN, threads=threads)
    elif aim == RAEUBER:
        return close(game, states, seat, threads)
    elif aim == BETTEL:
        found = reach(game, states, 1, threads=threads)
        found = np.where(found >= 0, 1 - found, found)
    else:
        found = solve(game, states, threads=threads)
    won = found if seat == states[0, SINGLE] else 1 - found
    return np.where(found >= 0, won.astype(np.float64), np.nan)


def close(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: exact points for the seat's side; in Räuber, where they are bad, against the three others together."""
    halves = solve(game, states, threads=threads)
    worth = halves / 2.0
    if states[0, GAME] == RAEUBER:
        worth = -worth
    elif seat != states[0, SINGLE]:
        worth = (ALL_HALVES - halves) / 2.0
    return np.where(halves >= 0, worth, np.nan)


def ended(game: Game, states: Ints, seat: int) -> Floats:
    """[n]: what deals that are over have brought the seat."""
    gains = np.zeros((len(states), game.PLAYERS))
    for s, out in zip(states, gains, strict=True):
        game.returns(s, out)
    return gains[:, seat]
