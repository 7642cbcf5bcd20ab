"""Coinche: is the contract made, what does the deal count, what does everybody receive (RULES.md, chapters 5 to 8)."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.belotes import ALL_TRUMPS, NO_TRUMPS, belote_points, side_points, side_tricks
from kibitz.games.coinche import layout as at

MADE_PLUS_ANNOUNCED, ANNOUNCED_PAPER, ANNOUNCED_ONLY, MADE_ONLY, COLVER = range(5)
SCORE_DIFF, CLASSIC, MIRROR, NO_DEFENSE, GOOD = range(5)
FALL = 160  # what the defence receives for breaking a contract
NORMAL = 250.0
UNBID_CAPOT = 90  # by which the last trick's 100 exceeds its 10


@kernel
def is_void(s: State) -> bool:
    """Nobody has bid (rule 3.8); asked of a deal that is over."""
    return s[at.BIDDER] == at.NOBODY


@kernel
def held_belotes(s: State, side: int) -> int:
    """Belote points of a side with the cards it was dealt (rules 5.5, 5.7, 10.3)."""
    points = 0
    if s[at.BELOTE] and s[at.CONTRACT] < NO_TRUMPS:
        points = belote_points(s, side, s[at.CONTRACT])
    elif s[at.BELOTE] and s[at.CONTRACT] == ALL_TRUMPS and s[at.TOUT_BELOTES]:
        for suit in range(4):
            points += belote_points(s, side, suit)
    return points


@kernel
def settle(s: State) -> None:
    """Write down, once, what the end of the deal depends on: both belotes and whether the contract is made."""
    s[at.BELOTES] = held_belotes(s, 0)
    s[at.BELOTES + 1] = held_belotes(s, 1)
    s[at.MADE] = keeps_promise(s)


@kernel
def is_made(s: State) -> bool:
    """Whether the contract of a deal that is over was made."""
    return s[at.MADE] == 1


@kernel
def keeps_promise(s: State) -> bool:
    """Whether the attack has taken what it bid (chapter 6)."""
    seat = s[at.DECLARER]
    attack = seat % 2
    if s[at.VALUE] == at.CAPOT:
        return side_tricks(s, attack) == at.EACH
    if s[at.VALUE] == at.GENERALE_VALUE:
        return s[at.TRICKS + seat] == at.EACH
    ours = side_points(s, attack) + s[at.BELOTES + attack]
    if s[at.BEAT_DEFENCE] and ours <= side_points(s, 1 - attack) + s[at.BELOTES + 1 - attack]:
        return False
    needed = 82 if s[at.EIGHTY_82] and s[at.VALUE] == 80 else s[at.VALUE]
    return ours >= needed


@kernel
def multiplier(s: State) -> int:
    """Rule 7.1."""
    return s[at.REDOUBLED] if s[at.COINCHED] == 2 else 1 + s[at.COINCHED]


@kernel
def base_score(s: State, side: int, made: bool) -> int:
    """What a side scores without belote and rounding (rules 7.4 to 7.8)."""
    attack = s[at.DECLARER] % 2
    has_won = (side == attack) == made
    value, m, kind = s[at.VALUE], multiplier(s), s[at.SCORING]
    slam = value in (at.CAPOT, at.GENERALE_VALUE)
    keeps = made and m == 1 and kind != ANNOUNCED_PAPER and kind != ANNOUNCED_ONLY
    if slam and (kind in (MADE_PLUS_ANNOUNCED, MADE_ONLY)):
        return 2 * m * value if has_won else 0
    if keeps:
        return side_points(s, side) + (value if has_won and kind != MADE_ONLY else 0)
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
    return (252 if made and side_tricks(s, attack) == at.EACH else 162) + (1 + s[at.COINCHED]) * value


@kernel
def score_of(s: State, side: int) -> int:
    """What a side writes down for the deal (chapter 7)."""
    if is_void(s):
        return 0
    made = is_made(s)
    score = base_score(s, side, made)
    if s[at.SCORING] != ANNOUNCED_PAPER:
        if (made and s[at.COINCHED] == 0) or s[at.BELOTE_KEPT]:
            score += s[at.BELOTES + side]
        elif (side == s[at.DECLARER] % 2) == made:
            score += s[at.BELOTES] + s[at.BELOTES + 1]
    if s[at.ROUND10]:
        score = (score + 5) // 10 * 10
    return score


@kernel
def reward_of(s: State, side: int) -> float:
    """What both seats of a side receive at the end of the deal (chapter 8)."""
    if is_void(s):
        reward = s[at.ALL_PASS]
    elif s[at.REWARD] == SCORE_DIFF:
        reward = score_of(s, side) - score_of(s, 1 - side)
    else:
        bid, made = s[at.VALUE], is_made(s)
        fall = bid if bid >= at.CAPOT else FALL
        attacks = side == s[at.DECLARER] % 2
        if made:
            reward = bid if attacks else 0 if s[at.REWARD] == CLASSIC else -bid
        elif attacks:
            reward = 0 if s[at.REWARD] == CLASSIC else -bid if s[at.REWARD] == GOOD else -fall
        else:
            reward = 0 if s[at.REWARD] == NO_DEFENSE else fall
        reward *= multiplier(s)
    return reward / NORMAL if s[at.NORMALISE] else float(reward)


@kernel
def card_points(s: State, side: int) -> int:
    """A side's points with 10 for the last trick, never 100 (rules 5.12 of PLAYERS.md and 8.7)."""
    return side_points(s, side) - (UNBID_CAPOT if side_tricks(s, side) == at.EACH else 0)


@kernel
def shaping(before: State, after: State, weight: float, zero_sum: bool, out: Floats) -> None:
    """Rule 8.7: what the step from one state to the next adds for each seat, if it has completed a trick."""
    out[:] = 0.0
    for side in range(2):
        if side_tricks(after, side) > side_tricks(before, side):
            worth = weight * (card_points(after, side) - side_points(before, side))
            for seat in range(4):
                out[seat] = worth if seat % 2 == side else -worth if zero_sum else 0.0


@kernel
def usual_target(scoring: int) -> int:
    """Rule 9.3."""
    return 2000 if scoring in (MADE_PLUS_ANNOUNCED, COLVER) else 1000
