"""Kuhn poker: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel, size
from kibitz.core.shapes import Bools, Floats
from kibitz.games.betting import deal_in_order, ordered_deals
from kibitz.games.betting import side as side

PLAYERS = size("players", 2)
ACTIONS = 2
PASS, BET = 0, 1
CARDS = PLAYERS + 1  # rule 1
LONGEST = 2 * PLAYERS - 1

# The state: number of actions, seat that bet first (or NOBODY), cards (0 = lowest), then the actions themselves.
MOVES, BETTOR, CARD, LOG = 0, 1, 2, 2 + PLAYERS
SIZE = LOG + LONGEST
NOBODY = -1
UNKNOWN = -1


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2."""
    pack = np.arange(CARDS)
    rng.shuffle(r, pack, PLAYERS)
    _start(s)
    for seat in range(PLAYERS):
        s[CARD + seat] = pack[seat]


@kernel
def _start(s: State) -> None:
    s[MOVES] = 0
    s[BETTOR] = NOBODY
    s[LOG : LOG + LONGEST] = UNKNOWN


@kernel
def turn(s: State) -> int:
    """Rules 3 and 4."""
    if s[BETTOR] == NOBODY:
        return s[MOVES] if s[MOVES] < PLAYERS else OVER
    return s[MOVES] % PLAYERS if s[MOVES] < s[BETTOR] + PLAYERS else OVER


@kernel
def legal(s: State, mask: Bools) -> int:
    """Rule 3: both actions, always."""
    mask[:] = True
    return ACTIONS


@kernel
def moves(s: State) -> int:
    """The legal actions as bits."""
    return 3


@kernel
def step(s: State, action: int) -> None:
    """Play an action."""
    s[LOG + s[MOVES]] = action
    if action == BET and s[BETTOR] == NOBODY:
        s[BETTOR] = s[MOVES]
    s[MOVES] += 1


@kernel
def paid(s: State, seat: int) -> int:
    """Chips a seat has put in: the ante and, if it bet or called, one more."""
    for k in range(seat, s[MOVES], PLAYERS):
        if s[LOG + k] == BET:
            return 2
    return 1


@kernel
def returns(s: State, out: Floats) -> None:
    """Rules 5 and 6."""
    pot = 0
    winner = -1
    for seat in range(PLAYERS):
        chips = paid(s, seat)
        pot += chips
        out[seat] = -chips
        is_in = s[BETTOR] == NOBODY or chips == 2
        if is_in and (winner < 0 or s[CARD + seat] > s[CARD + winner]):
            winner = seat
    out[winner] += pot


@kernel
def deals() -> int:
    """Number of ordered deals."""
    return ordered_deals(CARDS, PLAYERS)


@kernel
def deal_at(s: State, k: int) -> None:
    """The k-th ordered deal, seat 0's card changing slowest."""
    _start(s)
    deal_in_order(s, CARD, k, CARDS, PLAYERS)
