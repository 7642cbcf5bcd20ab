"""What a Skat card is worth to a seat in open worlds: in tournament points, the win first.

The quick look asks one question per world, whether the declarer wins (61 points, 90 where schneider was announced or the bid needs
it, every trick for schwarz); the close look takes the exact points, with schneider, and a little for every point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import popcount
from kibitz.core.game import Game
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, BASE, BIDS, HAND, NULL, OUVERT, SCHNEIDER, SCHWARZ
from kibitz.games.skat.scoring import matadors
from kibitz.search.doubledummy import reach, solve

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RULE = "skat-rule"
EVERY_TRICK = 121
OVERBID = 31
"""What the declarer of a game lost by overbidding still plays for: not to be schneider."""
A_POINT = 0.01
"""What a card point counts beside tournament points when nothing else tells cards apart."""
CLOSE_LOOKS = {10: 3, 9: 6, 8: 12}
"""Worlds solved exactly, by cards in hand; all of them with seven or fewer."""


def can_play(s: Ints) -> bool:
    """Whether a card is to be played in a game with two sides."""
    return bool(s[at.PHASE] == at.PLAYING and not s[at.IS_RAMSCH])


def has_sides(s: Ints) -> bool:
    """Whether two sides play against each other: always."""
    return True


def close_looks(s: Ints, worlds: int) -> int:
    """In how many worlds exact values can be afforded."""
    size = int(max(popcount(s[at.HAND + seat]) for seat in range(3)))
    return min(worlds, CLOSE_LOOKS.get(size, worlds))


def stakes(s: Ints) -> tuple[int, int]:
    """Points the declarer needs to win a full state, and the game value."""
    announced = int(ANNOUNCED[s[at.DECLARED]])
    declarer, kind = s[at.DECLARER], int(s[at.CONTRACT])
    run = abs(int(matadors(s[at.HAND + declarer] | s[at.PLAYED + declarer] | s[at.ASIDE], kind)))
    levels = 1 + sum(announced & level > 0 for level in (HAND, SCHNEIDER, SCHWARZ, OUVERT))
    base = int(BASE[kind])
    bid = int(BIDS[s[at.HIGH]]) if s[at.HIGH] != at.NOBODY else 0
    needs = [61, 90, EVERY_TRICK]
    if announced & SCHNEIDER:
        needs, levels = [90, 90, EVERY_TRICK], levels + 1
    if announced & SCHWARZ:
        needs, levels = [EVERY_TRICK] * 3, levels + 1
    for extra, need in enumerate(needs):
        if base * (run + levels + extra) >= bid:
            return need, base * (run + levels + extra)
    return OVERBID, (bid + base - 1) // base * base


def quick(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: tournament points for the seat if the declarer wins or does not; nan where a card is not legal."""
    if states[0, at.CONTRACT] == NULL:
        found = solve(game, states, threads=threads)
        won, value = found == 1, np.full(len(states), 23)
    else:
        needs, values = zip(*(stakes(s) for s in states))
        found = reach(game, states, np.array(needs), threads=threads)
        won, value = found == 1, np.array(values)
    worth = np.where(won, value[:, None] + 50.0, -2.0 * value[:, None] - 130.0)
    return _for_seat(states, seat, np.where(found >= 0, worth, np.nan))


def close(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: the same from exact values."""
    if states[0, at.CONTRACT] == NULL:
        return quick(game, states, seat, threads)
    points = solve(game, states, threads=threads)
    needs, values = zip(*(stakes(s) for s in states))
    need, value = np.array(needs)[:, None], np.array(values)[:, None]
    step = BASE[states[0, at.CONTRACT]]
    won = points >= np.minimum(need, 120)
    schneider = np.where(won, (points >= 90) & (need < 90), points <= 30)
    reached = value + step * schneider
    worth = np.where(won, reached + 50.0, -2.0 * reached - 130.0) + A_POINT * points
    return _for_seat(states, seat, np.where(points >= 0, worth, np.nan))


def ended(game: Game, states: Ints, seat: int) -> Floats:
    """[n]: the same as `quick` for deals that are over."""
    value = np.array([23 if s[at.CONTRACT] == NULL else stakes(s)[1] for s in states])
    worth = np.where(states[:, at.SUCCESS] == 1, value + 50.0, -2.0 * value - 130.0)
    return _for_seat(states, seat, worth)


def _for_seat(states: Ints, seat: int, worth: Floats) -> Floats:
    return worth if states[0, at.DECLARER] == seat else -worth / 2.0
