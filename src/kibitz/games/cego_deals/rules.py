"""Cego's sub-games: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego_deals.deals import FIRST, exchange, fits, others, shaped_hand, share_out
from kibitz.games.tarock import (
    ALL_HALVES,
    CARDS,
    COUNT,
    GAME,
    HAND,
    HAND_CARDS,
    LONGEST_PLAY,
    NOTHING,
    RAEUBER,
    SEATS,
    SINGLE,
    SOLO,
    STANDARD,
    TABLE,
    TRICKS,
    TURN,
    WINNERS,
    clear_table,
    following,
    play_card,
    single_halves,
    winning_seats,
)

PLAYERS = SEATS
ACTIONS = CARDS
LONGEST = LONGEST_PLAY
SUBGAME, RESTRICT, REWARD, TIE = 0, 1, 2, 3
POINTS, WIN, SIGN = 0, 1, 2
LOG = TABLE
HOT = TABLE
SIZE = LOG + LONGEST
TALLIES = CARDS
"""How many tricks each card has won."""


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rules 1.7 and 4.3."""
    row = 2 * s[SUBGAME] + s[RESTRICT]
    cards = np.arange(CARDS)
    if FIRST[row] < FIRST[row + 1]:
        first = shaped_hand(r, row)
        others(first, cards)
    else:
        first = any_hand(s, r, cards)
    start(s)
    share_out(s, r, first, cards)
    if s[SUBGAME] == STANDARD:
        exchange(s)


@kernel
def any_hand(s: State, r: rng.Rng, cards: NDArray[np.int64]) -> int:
    """Eleven cards of the deck, thrown in until they fit; they come to lie in front."""
    while True:
        rng.shuffle(r, cards, HAND_CARDS)
        hand = 0
        for k in range(HAND_CARDS):
            hand |= 1 << cards[k]
        if fits(s[SUBGAME], s[RESTRICT], hand):
            return hand


@kernel
def start(s: State) -> None:
    """A table at which seat 0 is to lead and nothing is dealt (rule 4.1)."""
    clear_table(s)
    s[GAME] = s[SUBGAME]
    s[LOG:SIZE] = NOTHING


@kernel
def turn(s: State) -> int:
    """The seat to move."""
    return s[TURN]


@kernel
def moves(s: State) -> int:
    """The legal cards as a mask (rules 2.1 and 2.2)."""
    return following(s, s[HAND + s[TURN]])


@kernel
def block(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    return 0


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """The legal cards."""
    if s[TURN] < 0:
        mask[:] = False
        return 0
    cards = moves(s)
    for card in range(CARDS):
        mask[card] = cards >> card & 1
    return popcount(cards)


@kernel
def step(s: State, action: int) -> None:
    """Play a card."""
    s[LOG + SEATS * s[TRICKS] + s[COUNT]] = action
    play_card(s, action)


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Rule 4.6."""
    if s[REWARD] == POINTS:
        halves = single_halves(s)
        for seat in range(SEATS):
            out[seat] = 0.5 * (halves if seat == s[SINGLE] else ALL_HALVES - halves)
        return
    lost = 0.0 if s[REWARD] == WIN else -1.0
    winners = winning_seats(s, s[TIE])
    for seat in range(SEATS):
        out[seat] = 1.0 if winners >> seat & 1 else lost


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 3.9."""
    return winning_seats(s, s[TIE]) >> seat & 1 == 1


@kernel
def side(s: State, seat: int) -> int:
    """Rule 3.10: 0 is the single player, 1 his opponents; in Räuber every seat is a side."""
    return seat if s[SUBGAME] == RAEUBER else int(seat != s[SINGLE])


@kernel
def knows_aside(s: State, seat: int) -> bool:
    """Rule 4.8: whether the seat knows what lies aside."""
    return s[SUBGAME] == STANDARD and seat == s[SINGLE]


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Count the cards that won a trick."""
    left = s[WINNERS]
    while left:
        counts[lowest(left)] += 1.0
        left &= left - 1


@kernel
def counts_points(s: State) -> bool:
    """Whether card points decide between two sides."""
    return s[SUBGAME] == STANDARD or s[SUBGAME] == SOLO
