"""Cheat: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import mix
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.cheat.layout import (
    ACTIONS, ASKED, AT_ONCE, BASE, BOOK, CARDS_EACH, CHEAT, CLAIM, COPIES, COUNTS, DEALS, DEALT, DISCARDER, DISCARDS,
    DOUBTS, FIRST, FIRST_PLAYER, HAND, HOT, IS_OVER, LAID, LAST, LAY, LIE_MODE, LONGEST, MAX_TURNS, MEMORY, MOST,
    MOST_DEALS, NOBODY, ON_LIMIT, ONE_BY_ONE, PACK, PASS, PASSES, PAYOFF, PICK, PICKED, PILE, PLAYERS, RANK, RANKS,
    REPEATS, RESET, REVEAL, SIZE, SIZES, STACK, TRUST, TURNS, UNDEALT, WINDOW, WINNERS,
)  # fmt: skip
from kibitz.games.cheat.ledger import ANSWERS, LAYS, PASSED, PICKS, TAKES, hear, note_taking, tell
from kibitz.games.cheat.ledger import DEALT as DEALT_EVENT
from kibitz.games.cheat.multiset import CAP, ONES, START, TABLE, TOPS, count, length_of, less, one

__all__ = [
    "ACTIONS", "HOT", "LONGEST", "PLAYERS", "SIZE", "TALLIES", "block", "deal", "deal_at", "deals", "legal", "moves",
    "returns", "side", "step", "tally", "turn", "won",
]  # fmt: skip

DRAW, FEWEST = 0, 1
ZERO_SUM, WIN_LOSS, PLACES = 0, 1, 2
PURE = 1

# Behaviour counters: 21 bits each, three in a word (no game has more turns than fit).
DIGITS = 21
COUNTERS = (
    "discards", "cards", "lies", "mixed", "able", "able_lies", "asked", "lies_heard", "challenges", "right",
    "challenged", "caught",
)  # fmt: skip
TALLIES = 2 + PLAYERS * (len(COUNTERS) + 1)
"""Turns and draws, then for every seat its counters and its passes."""


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Section 2."""
    first = s[FIRST_PLAYER] - 1 if s[FIRST_PLAYER] > 0 else rng.below(r, PLAYERS)
    pack = np.arange(PACK)
    rng.shuffle(r, pack, DEALT)
    start(s, first)
    card = 0
    for seat in range(PLAYERS):
        for _ in range(share(seat, first)):
            s[HAND + seat] += one(pack[card] // COPIES)
            card += 1
    open_game(s)


@kernel
def share(seat: int, first: int) -> int:
    """How many cards a seat is dealt (rules 2.2 and 2.3)."""
    if CARDS_EACH > 0:
        return CARDS_EACH
    place = (seat - first + PLAYERS) % PLAYERS
    return (PACK - place + PLAYERS - 1) // PLAYERS


@kernel
def start(s: State, first: int) -> None:
    """An empty table with its first player (rule 2.5)."""
    s[FIRST:SIZE] = 0
    s[FIRST] = s[DISCARDER] = first
    s[ASKED] = NOBODY


@kernel
def open_game(s: State) -> None:
    """Begin once the hands are dealt: the rest is out of play (rule 2.4), everybody has seen his own hand."""
    s[UNDEALT] = ONES * COPIES
    for seat in range(PLAYERS):
        s[UNDEALT] -= s[HAND + seat]
        s[SIZES + seat] = share(seat, s[FIRST])
        s[MEMORY + seat] = mix(mix(seat + 1) ^ s[HAND + seat])
    tell(s, DEALT_EVENT, s[FIRST], 0)
    if REPEATS > 0:
        s[BOOK] = position_key(s)


@kernel
def turn(s: State) -> int:
    """Rules 3.1 and 4.1."""
    if s[IS_OVER]:
        return OVER
    return s[DISCARDER] if s[ASKED] == NOBODY else s[ASKED]


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """Rules 3.2 and 4.2."""
    mask[:BASE] = False
    if s[ASKED] != NOBODY:
        mask[BASE:] = False
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
    mask[BASE + end :] = False
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
def moves(s: State) -> int:
    """The legal actions as bits, where discards are spelled card by card."""
    if s[ASKED] != NOBODY:
        return 1 << TRUST | 1 << CHEAT
    bits = 1 << PASS if PASSES and s[PICKED] == 0 else 0
    picked = s[PICKED]
    n = 0
    for rank in range(RANKS):
        n += count(picked, rank)
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
def block(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    return 0


@kernel
def _legal_picks(s: State, mask: NDArray[np.bool_]) -> int:
    bits = moves(s)
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
        n = 0
        for rank in range(RANKS):
            n += count(s[PICKED], rank)
        _lay(s, s[PICKED], n)
        s[PICKED] = 0
    else:
        s[PICKED] += one(action - PICK)
        hear(s, s[DISCARDER], PICKS | (action - PICK) << 4)


@kernel
def _lay(s: State, cards: int, claim: int) -> None:
    """Rules 3.3 and 3.4."""
    seat = s[DISCARDER]
    _count_discard(s, cards, claim)
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
def is_lie(s: State) -> bool:
    """Whether the open claim is a lie (rule 3.5)."""
    return bool(s[LAST] != s[CLAIM] * one(s[RANK]))


@kernel
def _answer(s: State, is_cheat: bool) -> None:
    seat = s[ASKED]
    _count_answer(s, seat, is_cheat)
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
    s[COUNTS + 4 * s[DISCARDER] + 3] += 1 << DIGITS | int(is_caught) << 2 * DIGITS
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
    fewest = s[SIZES : SIZES + PLAYERS].min()
    winners = 0
    for seat in range(PLAYERS):
        if s[SIZES + seat] == fewest:
            winners |= 1 << seat
    return winners if s[ON_LIMIT] == FEWEST and winners != (1 << PLAYERS) - 1 else 0


@kernel
def position_key(s: State) -> int:
    """A hash of all cards, the rank and the discarder, at the start of a turn."""
    key = mix(s[RANK] << 8 | s[DISCARDER])
    for k in range(2 * PLAYERS):
        key = mix(key ^ s[HAND + k])  # the rows of the pile follow the hands
    return key


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
            out[seat] = 1.0 / winners if s[PAYOFF] == ZERO_SUM else 1.0
        else:
            out[seat] = -1.0 / (PLAYERS - winners) if s[PAYOFF] == ZERO_SUM else -1.0


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


@kernel
def _count_discard(s: State, cards: int, claim: int) -> None:
    at = COUNTS + 4 * s[DISCARDER]
    true = count(cards, s[RANK])
    lie = int(true < claim)
    able = int(count(s[HAND + s[DISCARDER]], s[RANK]) > 0)
    s[at] += 1 | claim << DIGITS | lie << 2 * DIGITS
    s[at + 1] += (lie & int(true > 0)) | able << DIGITS | (able & lie) << 2 * DIGITS


@kernel
def _count_answer(s: State, seat: int, is_cheat: bool) -> None:
    at = COUNTS + 4 * seat
    lie = int(is_lie(s))
    s[at + 2] += 1 | lie << DIGITS | int(is_cheat) << 2 * DIGITS
    s[at + 3] += lie & int(is_cheat)


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Section 10: add a finished game to the sums."""
    counts[0] += s[TURNS]
    counts[1] += s[WINNERS] == 0
    at = 2
    for seat in range(PLAYERS):
        for k in range(12):
            counts[at + k] += s[COUNTS + 4 * seat + k // 3] >> DIGITS * (k % 3) & ((1 << DIGITS) - 1)
        own_turns = (s[TURNS] - (seat - s[FIRST] + PLAYERS) % PLAYERS + PLAYERS - 1) // PLAYERS
        counts[at + 12] += own_turns - (s[COUNTS + 4 * seat] & ((1 << DIGITS) - 1))
        at += 13


@kernel
def deals() -> int:
    """Number of deals of single cards, for every first player: all equally likely."""
    return DEALS


@kernel
def deal_at(s: State, k: int) -> None:
    """The k-th deal of single cards."""
    first = k % PLAYERS
    k //= PLAYERS
    start(s, s[FIRST_PLAYER] - 1 if s[FIRST_PLAYER] > 0 else first)
    pack = np.arange(PACK)
    left = PACK
    for seat in range(PLAYERS):
        left, k = _choose_cards(s, seat, pack, left, k)
    open_game(s)


@kernel
def _choose_cards(s: State, seat: int, pack: NDArray[np.int64], left: int, k: int) -> tuple[int, int]:
    """Give the seat one of all choices out of the first `left` cards; returns what is left of cards and number."""
    wanted = share(seat, s[FIRST])
    kept = 0
    for card in range(left):
        skip = ways(left - card - 1, wanted)
        if wanted > 0 and k % ways(left, share(seat, s[FIRST])) >= skip:
            k -= skip
            wanted -= 1
            s[HAND + seat] += one(pack[card] // COPIES)
        else:
            pack[kept] = pack[card]
            kept += 1
    return kept, k // ways(left, share(seat, s[FIRST]))


@kernel
def ways(n: int, k: int) -> int:
    """Choices of k out of n."""
    if k > n:
        return 0
    number = 1
    for i in range(k):
        number = number * (n - i) // (i + 1)
    return number


if DEALS > MOST_DEALS:
    del deals, deal_at
if not ONE_BY_ONE:
    del block
