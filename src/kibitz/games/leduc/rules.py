"""Leduc poker: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.game import CHANCE, OVER, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.games.betting import deal_in_order, ordered_deals, write_moves
from kibitz.games.betting import side as side

PLAYERS = 2
ACTIONS = 3
FOLD, CALL, RAISE = 0, 1, 2
CARDS = 6
CHANCES = CARDS
MOST_RAISES = 2
LONGEST = 9  # four actions a round and the board card

# The state: what is going on, both cards (rank = card // 2), the board, chips paid, then the log (the board card as 10
# + card).
MOVES, ROUND, ACTED, RAISES, FOLDED, CARD, BOARD, PAID, LOG = 0, 1, 2, 3, 4, 5, 7, 8, 10
SIZE = LOG + LONGEST
NOBODY = -1
UNKNOWN = -1
TURNED_UP = 10


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2."""
    start(s)
    s[CARD] = rng.below(r, CARDS)
    s[CARD + 1] = rng.below(r, CARDS - 1)
    if s[CARD + 1] >= s[CARD]:
        s[CARD + 1] += 1


@kernel
def start(s: State) -> None:
    """A table with antes paid and no card dealt."""
    s[: LOG + LONGEST] = 0
    s[FOLDED] = NOBODY
    s[CARD] = s[CARD + 1] = s[BOARD] = UNKNOWN
    s[PAID] = s[PAID + 1] = 1
    s[LOG : LOG + LONGEST] = UNKNOWN


@kernel
def turn(s: State) -> int:
    """Rules 3 and 4: a round ends when both have acted and nothing is owed."""
    if s[FOLDED] != NOBODY:
        return OVER
    if s[ACTED] >= 2 and s[PAID] == s[PAID + 1]:
        return CHANCE if s[ROUND] == 0 else OVER
    return s[ACTED] % 2


@kernel
def chances(s: State, p: Floats) -> int:
    """Rule 4."""
    for card in range(CARDS):
        p[card] = 0.0 if card == s[CARD] or card == s[CARD + 1] else 1.0 / (CARDS - 2)
    return CARDS


@kernel
def moves(s: State) -> int:
    """The legal actions as bits (rules 3.1 and 3.3)."""
    bits = 1 << CALL
    if s[PAID] != s[PAID + 1]:
        bits |= 1 << FOLD
    if s[RAISES] < MOST_RAISES:
        bits |= 1 << RAISE
    return bits


@kernel
def legal(s: State, mask: Bools) -> int:
    """The legal actions as a mask."""
    return write_moves(moves(s), mask)


@kernel
def step(s: State, action: int) -> None:
    """Play an action, or turn up the board card."""
    if s[ACTED] >= 2 and s[PAID] == s[PAID + 1]:
        s[LOG + s[MOVES]] = TURNED_UP + action
        s[BOARD] = action
        s[ROUND] = 1
        s[ACTED] = s[RAISES] = 0
    else:
        s[LOG + s[MOVES]] = action
        seat = s[ACTED] % 2
        if action == FOLD:
            s[FOLDED] = seat
        else:
            s[PAID + seat] = s[PAID + 1 - seat]
            if action == RAISE:
                s[PAID + seat] += 2 if s[ROUND] == 0 else 4
                s[RAISES] += 1
        s[ACTED] += 1
    s[MOVES] += 1


@kernel
def strength(s: State, seat: int) -> int:
    """Rule 5: a pair is above every single card."""
    rank = s[CARD + seat] // 2
    return rank + 3 if rank == s[BOARD] // 2 else rank


@kernel
def returns(s: State, out: Floats) -> None:
    """Rules 5 and 6."""
    loser = s[FOLDED]
    if loser == NOBODY:
        difference = strength(s, 0) - strength(s, 1)
        if difference == 0:
            out[0] = out[1] = 0.0
            return
        loser = 1 if difference > 0 else 0
    out[loser] = -s[PAID + loser]
    out[1 - loser] = s[PAID + loser]


@kernel
def deals() -> int:
    """Number of ordered deals."""
    return ordered_deals(CARDS, PLAYERS)


@kernel
def deal_at(s: State, k: int) -> None:
    """The k-th ordered deal."""
    start(s)
    deal_in_order(s, CARD, k, CARDS, PLAYERS)
