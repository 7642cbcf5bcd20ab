"""Coinche: is the contract made, what does the deal count, what does everybody receive (chapters 5 to 8 of RULES.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.coinche.cards import KING, QUEEN
from kibitz.games.coinche.layout import (
    ALL_PASS,
    ALL_TRUMPS,
    BEAT_DEFENCE,
    BELOTE,
    BELOTE_KEPT,
    BELOTES,
    BIDDER,
    CAPOT,
    COINCHED,
    EIGHTY_82,
    GENERALE_VALUE,
    MADE,
    NO_AUCTION,
    NO_TRUMPS,
    NOBODY,
    NORMALISE,
    PLAYED,
    POINTS,
    REDOUBLED,
    REWARD,
    ROUND10,
    SCORING,
    SPEAKER,
    SUIT,
    SWAPS,
    TOUT_BELOTES,
    TRICKS,
    VALUE,
    WON,
)  # fmt: skip

MADE_PLUS_ANNOUNCED, ANNOUNCED_PAPER, ANNOUNCED_ONLY, MADE_ONLY, COLVER = range(5)
SCORE_DIFF, CLASSIC, MIRROR, NO_DEFENSE, GOOD = range(5)
PAIR = 1 << QUEEN | 1 << KING
FALL = 160  # what the defence receives for breaking a contract
NORMAL = 250.0
UNBID_CAPOT = 90  # by which the last trick's 100 exceeds its 10


@kernel
def is_void(s: State) -> bool:
    """Nobody has bid (rule 3.8); asked of a deal that is over."""
    return s[BIDDER] == NOBODY


@kernel
def taker(s: State) -> int:
    """The seat that plays the contract (rules 3.9 and 14.1)."""
    return s[SPEAKER] if s[SWAPS] and not s[NO_AUCTION] else s[BIDDER]


@kernel
def held_belotes(s: State, side: int) -> int:
    """Belote points of a side whose cards have all been played (rules 5.5, 5.7, 10.3)."""
    points = 0
    if s[SUIT] < NO_TRUMPS:
        points = 20 * has_pair(s, side, s[SUIT])
    elif s[SUIT] == ALL_TRUMPS and s[TOUT_BELOTES]:
        for suit in range(4):
            points += 20 * has_pair(s, side, suit)
    return points if s[BELOTE] else 0


@kernel
def has_pair(s: State, side: int, suit: int) -> bool:
    """Whether one seat of a side was dealt king and queen of a suit."""
    pair = PAIR << 8 * suit
    return s[PLAYED + side] & pair == pair or s[PLAYED + side + 2] & pair == pair


@kernel
def settle(s: State) -> None:
    """Write down, once, what the end of the deal depends on: both belotes and whether the contract is made."""
    s[BELOTES] = held_belotes(s, 0)
    s[BELOTES + 1] = held_belotes(s, 1)
    s[MADE] = keeps_promise(s)


@kernel
def tricks_of(s: State, side: int) -> int:
    """How many tricks a side has taken."""
    return s[WON + side] + s[WON + side + 2]


@kernel
def is_made(s: State) -> bool:
    """Whether the contract of a deal that is over was made."""
    return s[MADE] == 1


@kernel
def keeps_promise(s: State) -> bool:
    """Whether the attack has taken what it bid (chapter 6)."""
    seat = taker(s)
    attack = seat % 2
    if s[VALUE] == CAPOT:
        return tricks_of(s, attack) == TRICKS
    if s[VALUE] == GENERALE_VALUE:
        return s[WON + seat] == TRICKS
    ours = s[POINTS + attack] + s[BELOTES + attack]
    if s[BEAT_DEFENCE] and ours <= s[POINTS + 1 - attack] + s[BELOTES + 1 - attack]:
        return False
    needed = 82 if s[EIGHTY_82] and s[VALUE] == 80 else s[VALUE]
    return ours >= needed


@kernel
def multiplier(s: State) -> int:
    """Rule 7.1."""
    return s[REDOUBLED] if s[COINCHED] == 2 else 1 + s[COINCHED]


@kernel
def base_score(s: State, side: int, made: bool) -> int:
    """What a side scores without belote and rounding (rules 7.4 to 7.8)."""
    attack = taker(s) % 2
    has_won = (side == attack) == made
    value, m, kind = s[VALUE], multiplier(s), s[SCORING]
    slam = value in (CAPOT, GENERALE_VALUE)
    keeps = made and m == 1 and kind != ANNOUNCED_PAPER and kind != ANNOUNCED_ONLY
    if slam and (kind in (MADE_PLUS_ANNOUNCED, MADE_ONLY)):
        return 2 * m * value if has_won else 0
    if keeps:
        return s[POINTS + side] + (value if has_won and kind != MADE_ONLY else 0)
    if not has_won:
        return 0
    if kind == ANNOUNCED_PAPER:
        return m * (value if made or slam else FALL)
    if kind == ANNOUNCED_ONLY:
        return m * value
    if kind == MADE_PLUS_ANNOUNCED:
        return m * (FALL + value)
    if kind == MADE_ONLY:
        return m * FALL
    return (252 if made and tricks_of(s, attack) == TRICKS else 162) + (1 + s[COINCHED]) * value


@kernel
def score_of(s: State, side: int) -> int:
    """What a side writes down for the deal (chapter 7)."""
    if is_void(s):
        return 0
    made = is_made(s)
    score = base_score(s, side, made)
    if s[SCORING] != ANNOUNCED_PAPER:
        if (made and s[COINCHED] == 0) or s[BELOTE_KEPT]:
            score += s[BELOTES + side]
        elif (side == taker(s) % 2) == made:
            score += s[BELOTES] + s[BELOTES + 1]
    if s[ROUND10]:
        score = (score + 5) // 10 * 10
    return score


@kernel
def reward_of(s: State, side: int) -> float:
    """What both seats of a side receive at the end of the deal (chapter 8)."""
    if is_void(s):
        reward = s[ALL_PASS]
    elif s[REWARD] == SCORE_DIFF:
        reward = score_of(s, side) - score_of(s, 1 - side)
    else:
        bid, made = s[VALUE], is_made(s)
        fall = bid if bid >= CAPOT else FALL
        attacks = side == taker(s) % 2
        if made:
            reward = bid if attacks else 0 if s[REWARD] == CLASSIC else -bid
        elif attacks:
            reward = 0 if s[REWARD] == CLASSIC else -bid if s[REWARD] == GOOD else -fall
        else:
            reward = 0 if s[REWARD] == NO_DEFENSE else fall
        reward *= multiplier(s)
    return reward / NORMAL if s[NORMALISE] else float(reward)


@kernel
def card_points(s: State, side: int) -> int:
    """A side's points with 10 for the last trick, never 100 (rules 5.12 of PLAYERS.md and 8.7)."""
    return s[POINTS + side] - (UNBID_CAPOT if tricks_of(s, side) == TRICKS else 0)


@kernel
def shaping(before: State, after: State, weight: float, zero_sum: bool, out: NDArray[np.float64]) -> None:
    """Rule 8.7: what the step from one state to the next adds for each seat, if it has completed a trick."""
    out[:] = 0.0
    for side in range(2):
        if tricks_of(after, side) > tricks_of(before, side):
            worth = weight * (card_points(after, side) - before[POINTS + side])
            for seat in range(4):
                out[seat] = worth if seat % 2 == side else -worth if zero_sum else 0.0


@kernel
def hand_size(s: State, seat: int) -> int:
    """How many cards a seat has left, whether or not they are known."""
    return TRICKS - popcount(s[PLAYED + seat])


@kernel
def usual_target(scoring: int) -> int:
    """Rule 9.3."""
    return 2000 if scoring in (MADE_PLUS_ANNOUNCED, COLVER) else 1000
