"""Collaborative Kuhn poker: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.game import CHANCE, OVER, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.games.betting import deal_in_order, ordered_deals, write_moves

PLAYERS = 4
ACTIONS = 3
FOLD, CALL, RAISE = 0, 1, 2
RANKS, CARDS = 3, 6
BLANK = RANKS
"""What a noisy oracle says when it says nothing."""
CHANCES = RANKS + 1
MOST_CHIPS = 3
ROUND = 10  # the longest hand: three checks, a bet, two calls, a raise, three calls
LONGEST = 2 * ROUND

# Slots of options, in the order of OPTIONS, and their values.
READING, TOPUP, REWARDS, ORACLE, ORACLE_FOR, BLUR, SCHEDULE, MEMORY = range(8)
ALL, FIRST, ONCE = range(3)
TIED = 1
PERFECT, NOISY = 1, 2
BOTH, NS, EW = range(3)
NOISE = 1
OWN_TURN = 1
REMEMBERS = 1

# The state: actions so far, chips of the highest bet, calls since it, the seat that folded, cards (ranks), chips paid,
# the actions, and what the oracle said before each of them.
MOVES, LEVEL, CALLS, FOLDED, CARD, PAID, LOG, TOLD = 8, 9, 10, 11, 12, 16, 20, 20 + ROUND
SIZE = TOLD + ROUND
NOBODY = -1
UNKNOWN = -1


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2."""
    pack = np.arange(CARDS)
    rng.shuffle(r, pack, PLAYERS)
    start(s)
    for seat in range(PLAYERS):
        s[CARD + seat] = pack[seat] // 2


@kernel
def start(s: State) -> None:
    """A table with antes paid and no card dealt."""
    s[MOVES] = s[CALLS] = 0
    s[LEVEL] = 1
    s[FOLDED] = NOBODY
    s[CARD : CARD + PLAYERS] = UNKNOWN
    s[PAID : PAID + PLAYERS] = 1
    s[LOG : LOG + ROUND] = UNKNOWN
    s[TOLD : TOLD + ROUND] = UNKNOWN


@kernel
def is_over(s: State) -> bool:
    """Rule 4."""
    if s[FOLDED] != NOBODY:
        return True
    if s[LEVEL] == 1 or s[READING] == ONCE:
        return bool(s[MOVES] == PLAYERS)
    return bool(s[CALLS] == (PLAYERS - 1 if s[READING] == ALL else 1))


@kernel
def has_oracle(s: State, seat: int) -> bool:
    """Rule 8: whether the oracle speaks to a seat."""
    return bool(s[ORACLE] != 0 and (s[ORACLE_FOR] == BOTH or (s[ORACLE_FOR] == NS) == (seat % 2 == 0)))


@kernel
def turn(s: State) -> int:
    """Rules 3 and 8."""
    if is_over(s):
        return OVER
    seat = s[MOVES] % PLAYERS
    if s[ORACLE] == NOISY and s[TOLD + s[MOVES]] == UNKNOWN and has_oracle(s, seat):
        return CHANCE
    return seat


@kernel
def trust(s: State) -> float:
    """Rule 8.2: the probability that the oracle tells the partner's card now."""
    t = s[MOVES] // PLAYERS if s[SCHEDULE] == OWN_TURN else s[MOVES]
    return min(0.25 * t, 0.9)


@kernel
def chances(s: State, p: Floats) -> int:
    """Rule 8.2."""
    right = trust(s)
    partner = s[CARD + (s[MOVES] + 2) % PLAYERS]
    for rank in range(RANKS):
        p[rank] = (1.0 - right) / RANKS if s[BLUR] == NOISE else 0.0
    p[BLANK] = 0.0 if s[BLUR] == NOISE else 1.0 - right
    p[partner] += right
    return CHANCES


@kernel
def moves(s: State) -> int:
    """The legal actions as bits (rules 3.1 and 3.2)."""
    bits = 1 << CALL
    if s[LEVEL] > 1:
        bits |= 1 << FOLD
    if s[LEVEL] < MOST_CHIPS:
        bits |= 1 << RAISE
    return bits


@kernel
def legal(s: State, mask: Bools) -> int:
    """The legal actions as a mask."""
    return write_moves(moves(s), mask)


@kernel
def step(s: State, action: int) -> None:
    """Play an action, or let the oracle speak."""
    seat = s[MOVES] % PLAYERS
    if s[ORACLE] == NOISY and s[TOLD + s[MOVES]] == UNKNOWN and has_oracle(s, seat):
        s[TOLD + s[MOVES]] = action
        return
    s[LOG + s[MOVES]] = action
    s[MOVES] += 1
    if action == FOLD:
        s[FOLDED] = seat
        return
    if action == RAISE:
        s[LEVEL] += 1
        s[CALLS] = 0
    elif s[LEVEL] > 1:
        s[CALLS] += 1
    s[PAID + seat] = s[LEVEL]


@kernel
def strength(s: State, team: int) -> int:
    """Rule 6."""
    high = max(s[CARD + team], s[CARD + team + 2])
    low = min(s[CARD + team], s[CARD + team + 2])
    return 16 + high if high == low else 4 * high + low


@kernel
def winner(s: State) -> int:
    """The team that wins the pot, NOBODY if it is shared."""
    if s[FOLDED] != NOBODY:
        return 1 - s[FOLDED] % 2
    difference = strength(s, 0) - strength(s, 1)
    return NOBODY if difference == 0 else int(difference < 0)


@kernel
def returns(s: State, out: Floats) -> None:
    """Rules 5 to 7."""
    team = winner(s)
    pot = 0
    for seat in range(PLAYERS):
        chips = s[PAID + seat]
        if s[FOLDED] == NOBODY or (s[TOPUP] == 1 and seat % 2 == team):
            chips = s[LEVEL]
        pot += chips
        out[seat] = -chips
    for seat in range(PLAYERS):
        if team == NOBODY:
            out[seat] += pot / PLAYERS
        elif seat % 2 == team:
            out[seat] += pot / 2
    if s[REWARDS] == TIED:
        for team in range(2):
            out[team] += out[team + 2]
            out[team + 2] = out[team]


@kernel
def side(s: State, seat: int) -> int:
    """Rule 2."""
    return seat % 2


@kernel
def deals() -> int:
    """Number of ordered deals of six cards to four seats."""
    return ordered_deals(CARDS, PLAYERS)


@kernel
def deal_at(s: State, k: int) -> None:
    """The k-th ordered deal, N's card changing slowest."""
    start(s)
    deal_in_order(s, CARD, k, CARDS, PLAYERS)
    for seat in range(PLAYERS):
        s[CARD + seat] //= 2
