"""What a Coinche card is worth to a seat in open worlds: the contract first, then the score.

The quick look asks whether the attack makes its contract in each world (with the belote it holds there), the close look takes exact
points and writes the deal down as the game's scoring says.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import popcount
from kibitz.core.game import Game
from kibitz.games.coinche.layout import (
    BEAT_DEFENCE,
    BELOTE,
    BELOTES,
    CAPOT,
    EIGHTY_82,
    GENERALE_VALUE,
    HAND,
    MADE,
    NO_TRUMPS,
    PHASE,
    PLAY,
    PLAYED,
    POINTS,
    SUIT,
    TRICKS,
    VALUE,
    WON,
)
from kibitz.games.coinche.scoring import PAIR, reward_of
from kibitz.search.coinche.problems import EVERY_TRICK, takers
from kibitz.search.doubledummy import reach, solve

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RULE = "coinche-strong"
ALL_POINTS = 162
UNBID_CAPOT = 90
A_POINT = 0.01
CLOSE_LOOKS = {8: 3, 7: 5, 6: 10}
"""Worlds solved exactly, by cards in hand; all of them with five or fewer."""


def can_play(s: Ints) -> bool:
    """Whether a card is to be played."""
    return bool(s[PHASE] == PLAY)


def has_sides(s: Ints) -> bool:
    """Whether two sides play against each other: always."""
    return True


def close_looks(s: Ints, worlds: int) -> int:
    """In how many worlds exact values can be afforded."""
    size = int(max(popcount(s[HAND + seat]) for seat in range(4)))
    return min(worlds, CLOSE_LOOKS.get(size, worlds))


def belotes(s: Ints, side: int) -> int:
    """Belote points of a side in a full state of a game that is under way."""
    if not s[BELOTE] or s[SUIT] >= NO_TRUMPS:
        return 0
    pair = PAIR << 8 * int(s[SUIT])
    hands = (int(s[HAND + seat] | s[PLAYED + seat]) for seat in (side, side + 2))
    return 20 * any(hand & pair == pair for hand in hands)


def needed(s: Ints, attack: int) -> int:
    """The points the attack must take itself to make the contract of a full state."""
    value = int(s[VALUE])
    if value in (CAPOT, GENERALE_VALUE):
        return EVERY_TRICK
    own, other = belotes(s, attack), belotes(s, 1 - attack)
    need = (82 if s[EIGHTY_82] and value == 80 else value) - own
    if s[BEAT_DEFENCE]:
        need = max(need, (ALL_POINTS + other - own) // 2 + 1)
    return need


def quick(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: 1 where the seat's side gets its way with the contract, 0 where not; nan where a card is not legal."""
    attack = int(takers(states[:1])[0]) % 2
    found = reach(game, states, np.array([needed(s, attack) for s in states]), threads=threads)
    made = found if attack == seat % 2 else 1 - found
    return np.where(found >= 0, made.astype(np.float64), np.nan)


def close(game: Game, states: Ints, seat: int, threads: int) -> Floats:
    """[n, ACTIONS]: the reward of the seat's side by exact points, and a little for every point."""
    attack = int(takers(states[:1])[0]) % 2
    points = solve(game, states, threads=threads)
    slams = points
    if states[0, VALUE] in (CAPOT, GENERALE_VALUE):
        slams = reach(game, states, EVERY_TRICK, threads=threads)
    worth = np.full(points.shape, np.nan)
    for row, s in enumerate(states):
        need = needed(s, attack)
        known: dict[tuple[int, bool], float] = {}
        for action in np.flatnonzero(points[row] >= 0):
            got = int(points[row, action])
            made = bool(slams[row, action] == 1) if need == EVERY_TRICK else got >= need
            if (got, made) not in known:
                known[got, made] = _reward(s, attack, got, made, seat % 2)
            worth[row, action] = known[got, made]
    return worth


def ended(game: Game, states: Ints, seat: int) -> Floats:
    """[n]: the same as `quick` for deals that are over."""
    is_attack = takers(states[:1])[0] % 2 == seat % 2
    return np.where((states[:, MADE] == 1) == is_attack, 1.0, 0.0)


def _reward(s: Ints, attack: int, got: int, made: bool, side: int) -> float:
    """What a side receives when the attack ends with so many points; taking all points is taken for a capot."""
    end = s.copy()
    for k in range(2):
        points = got if k == attack else ALL_POINTS - got
        end[POINTS + k] = points + UNBID_CAPOT * (points == ALL_POINTS)
        end[WON + k], end[WON + k + 2] = (TRICKS if points == ALL_POINTS else 1), 0
        end[BELOTES + k] = belotes(s, k)
    end[MADE] = made
    own = got if side == attack else ALL_POINTS - got
    return float(reward_of(end, side)) + A_POINT * own
