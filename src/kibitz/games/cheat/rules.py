"""Cheat: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import mix
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.cheat.counters import TALLIES, count_answer, count_challenge, count_discard, is_lie, tally
from kibitz.games.cheat.dealing import deal, listed, listed_deal, position_key
from kibitz.games.cheat.layout import (
    ACTIONS,
    ASKED,
    AT_ONCE,
    BASE,
    BOOK,
    CHEAT,
    CLAIM,
    DEALS,
    DISCARDER,
    DOUBTS,
    HAND,
    IS_OVER,
    LAID,
    LAST,
    LAY,
    LIE_MODE,
    LONGEST,
    MAX_TURNS,
    MOST,
    MOST_DEALS,
    NOBODY,
    ON_LIMIT,
    ONE_BY_ONE,
    PASS,
    PASSES,
    PAYOFF,
    PICK,
    PICKED,
    PILE,
    PLAYERS,
    RANK,
    RANKS,
    REPEATS,
    RESET,
    REVEAL,
    SIZE,
    SIZES,
    STACK,
    TRUST,
    TURNS,
    WINDOW,
    WINNERS,
)
from kibitz.games.cheat.ledger import ANSWERS, LAYS, PASSED, PICKS, TAKES, hear, note_taking, tell
from kibitz.games.cheat.multiset import CAP, START, TABLE, TOPS, count, length_of, less, one, total

__all__ = [
    "ACTIONS", "LONGEST", "PLAYERS", "SIZE", "TALLIES", "deal", "legal", "returns", "side", "step",
    "tally", "turn", "won",
]  # fmt: skip

# Values of options.
PURE, FEWEST = 1, 1
EVEN, WIN_LOSS, PLACES = 0, 1, 2


@kernel
def turn(s: State) -> int:
    """Rules 3.1 and 4.1."""
    if s[IS_OVER]:
        return OVER
    return int(s[DISCARDER]) if s[ASKED] == NOBODY else int(s[ASKED])


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """Rules 3.2 and 4.2."""
    for action in range(ACTIONS if s[ASKED] != NOBODY else BASE):
        mask[action] = False
    if s[ASKED] != NOBODY:
        mask[TRUST] = mask[CHEAT] = True
        return 2
    n = 0
    if PASSES and (not ONE_BY_ONE or s[PICKED] == 0):
        mask[PASS] = True
        n = 1
    if ONE_BY_ONE:
        return n + _legal_picks(s, mask)
    n += _legal_discards(s, mask)
    if s[LIE_MODE] == PURE:
        n -= _forbid_mixed(s, mask)
    return n


@kernel
def _legal_discards(s: State, mask: NDArray[np.bool_]) -> int:
    hand = s[HAND + s[DISCARDER]]
    held = (hand - less(hand, CAP)) | TOPS
    end = START[min(s[SIZES + s[DISCARDER]], MOST) + 1]
    n = 0
    for discard in range(end):
        is_held = (held - TABLE[discard]) & TOPS == TOPS  # no rank had to borrow
        mask[BASE + discard] = is_held
        n += is_held
    for action in range(BASE + end, ACTIONS):
        mask[action] = False
    return n


@kernel
def _forbid_mixed(s: State, mask: NDArray[np.bool_]) -> int:
    """Option lie_mode = pure: strike out discards with both right and wrong cards."""
    n = 0
    for length in range(2, MOST + 1):
        for discard in range(START[length], START[length + 1]):
            true = count(TABLE[discard], s[RANK])
            if mask[BASE + discard] and 0 < true < length:
                mask[BASE + discard] = False
                n += 1
    return n


@kernel
def picks(s: State) -> int:
    """The legal actions as bits, where discards are spelled card by card."""
    if s[ASKED] != NOBODY:
        return 1 << TRUST | 1 << CHEAT
    bits = 1 << PASS if PASSES and s[PICKED] == 0 else 0
    picked = s[PICKED]
    n = total(picked)
    if n > 0:
        bits |= 1 << LAY
    if n < MOST:
        true = count(picked, s[RANK])
        for rank in range(RANKS):
            is_pure = n == 0 or (true == n) == (rank == s[RANK])
            if count(s[HAND + s[DISCARDER]], rank) > count(picked, rank) and (s[LIE_MODE] != PURE or is_pure):
                bits |= 1 << PICK + rank
    return bits


@kernel
def first_action(s: State) -> int:
    """The action that bit 0 of `picks` stands for."""
    return 0


@kernel
def _legal_picks(s: State, mask: NDArray[np.bool_]) -> int:
    bits = picks(s)
    n = 0
    for action in range(LAY, ACTIONS):
        mask[action] = bits >> action & 1
        n += bits >> action & 1
    return n


@kernel
def step(s: State, action: int) -> None:
    """Play an action."""
    if s[ASKED] != NOBODY:
        _answer(s, action == CHEAT)
    elif PASSES and action == PASS:
        tell(s, PASSED, s[DISCARDER], 0)
        _end_turn(s, False)  # rule 3.6
    elif not ONE_BY_ONE:
        _lay(s, TABLE[action - BASE], length_of(action - BASE))
    elif action == LAY:
        _lay(s, s[PICKED], total(s[PICKED]))
        s[PICKED] = 0
    else:
        s[PICKED] += one(action - PICK)
        hear(s, s[DISCARDER], PICKS | (action - PICK) << 4)


@kernel
def _lay(s: State, cards: int, claim: int) -> None:
    """Rules 3.3 and 3.4."""
    seat = s[DISCARDER]
    count_discard(s, cards, claim)
    s[HAND + seat] -= cards
    s[SIZES + seat] -= claim
    s[PILE + seat] += cards
    s[LAID + seat] += claim
    s[LAST] = cards
    s[CLAIM] = claim
    s[STACK] = mix(mix(s[STACK] ^ cards) ^ (seat + 1))
    tell(s, LAYS, seat, claim)
    hear(s, seat, cards)
    s[ASKED] = (seat + 1) % PLAYERS


@kernel
def _answer(s: State, is_cheat: bool) -> None:
    seat = s[ASKED]
    count_answer(s, seat, is_cheat)
    following = (seat + 1) % PLAYERS
    if s[AT_ONCE]:
        hear(s, seat, ANSWERS | int(is_cheat) << 8)
        s[DOUBTS] |= int(is_cheat) << seat
        if following == s[DISCARDER]:
            tell(s, ANSWERS, s[DISCARDER], s[DOUBTS])
            _settle_doubts(s)
        else:
            s[ASKED] = following
        return
    tell(s, ANSWERS, seat, int(is_cheat))  # rule 4.3
    if is_cheat:
        _challenge(s, seat)
    elif following == s[DISCARDER]:
        _end_turn(s, False)  # rule 4.6
    else:
        s[ASKED] = following


@kernel
def _settle_doubts(s: State) -> None:
    """Option simultaneous_challenge: of all who said cheat, the first to the left of the discarder challenges."""
    for k in range(1, PLAYERS):
        seat = (s[DISCARDER] + k) % PLAYERS
        if s[DOUBTS] >> seat & 1:
            _challenge(s, seat)
            return
    _end_turn(s, False)


@kernel
def _challenge(s: State, challenger: int) -> None:
    """Rules 4.4, 4.5 and 4.7."""
    is_caught = is_lie(s)
    taker = s[DISCARDER] if is_caught else challenger
    count_challenge(s, is_caught)
    note_taking(s, taker)
    tell(s, TAKES, taker, 0)
    for seat in range(PLAYERS):
        hear(s, seat, s[LAST])
        if seat == taker or s[REVEAL]:
            hear(s, seat, s[STACK])
        s[HAND + taker] += s[PILE + seat]
        s[SIZES + taker] += s[LAID + seat]
        s[PILE + seat] = s[LAID + seat] = 0
    s[STACK] = 0
    _end_turn(s, True)


@kernel
def _end_turn(s: State, is_challenged: bool) -> None:
    """Rules 4.8 and section 5."""
    s[TURNS] += 1
    s[CLAIM] = s[LAST] = s[DOUBTS] = 0
    s[ASKED] = NOBODY
    if s[SIZES + s[DISCARDER]] == 0:
        s[WINNERS] = 1 << s[DISCARDER]
        s[IS_OVER] = 1
    elif s[TURNS] >= MAX_TURNS:
        s[WINNERS] = _limit_winners(s)
        s[IS_OVER] = 1
    else:
        s[RANK] = 0 if is_challenged and s[RESET] else (s[RANK] + 1) % RANKS
        s[DISCARDER] = (s[DISCARDER] + 1) % PLAYERS
        if REPEATS > 0:
            _look_back(s)


@kernel
def _limit_winners(s: State) -> int:
    """Rules 5.3 and 8.8."""
    fewest = s[SIZES]
    for seat in range(1, PLAYERS):
        fewest = min(fewest, s[SIZES + seat])
    winners = 0
    for seat in range(PLAYERS):
        if s[SIZES + seat] == fewest:
            winners |= 1 << seat
    return winners if s[ON_LIMIT] == FEWEST and winners != (1 << PLAYERS) - 1 else 0


@kernel
def _look_back(s: State) -> None:
    """Rule 8.14: a draw when the position has occurred often enough among the last ones."""
    key = position_key(s)
    times = 1
    for k in range(min(s[TURNS], WINDOW)):
        times += s[BOOK + k] == key
    s[BOOK + s[TURNS] % WINDOW] = key
    s[IS_OVER] = times >= REPEATS


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 5.4."""
    return bool(s[WINNERS] >> seat & 1)


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Rules 5.5 and 8.13."""
    winners = 0
    for seat in range(PLAYERS):
        winners += s[WINNERS] >> seat & 1
    for seat in range(PLAYERS):
        if winners == 0:
            out[seat] = 0.0
        elif s[PAYOFF] == PLACES:
            out[seat] = _place_value(s, seat)
        elif won(s, seat):
            out[seat] = 1.0 / winners if s[PAYOFF] == EVEN else 1.0
        else:
            out[seat] = -1.0 / (PLAYERS - winners) if s[PAYOFF] == EVEN else -1.0


@kernel
def _place_value(s: State, seat: int) -> float:
    better = 0
    equal = 0
    for other in range(PLAYERS):
        better += s[SIZES + other] < s[SIZES + seat]
        equal += s[SIZES + other] == s[SIZES + seat]
    return 1.0 - (2 * better + equal - 1) / (PLAYERS - 1)


@kernel
def side(s: State, seat: int) -> int:
    """Everybody plays for himself."""
    return seat


if DEALS <= MOST_DEALS:
    deals, deal_at = listed, listed_deal
if ONE_BY_ONE:
    moves, block = picks, first_action
