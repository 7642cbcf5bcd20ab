"""The Coinche solver's card layout, its arena, and the tables a kind of contract puts into it.

Four suits of eight bits, each from its weakest card up; trumps, if one suit is trumps, are bits 24-31. So a higher bit of the same
suit, or a trump, is what beats a card. Everything a search reads or writes lies in one int64 array, the arena.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kibitz.games.coinche.cards import STRENGTH, WORTH
from kibitz.games.coinche.layout import ALL_TRUMPS, NO_TRUMPS

Ints = NDArray[np.int64]

SLOTS = 1 << 18
BEATEN_BY = SLOTS
"""int64[32]: the cards that beat a card, whoever led it."""
WORTHS = BEATEN_BY + 32
DEAREST = WORTHS + 32
"""int64[4, 9, 256]: the points of the k highest cards of a suit."""
PRICE = DEAREST + 4 * 9 * 256
"""Twelve pairs (cards, points of each), from the cheapest up."""
LIVE_KEY = PRICE + 24
"""int64[4, 256]: the canonical pattern of the live cards of a suit."""
MOVES = LIVE_KEY + 4 * 256
"""int64[9, 4, 8]: ordered moves by cards left and place in the trick."""
GENERATION = MOVES + 9 * 32
NODES = GENERATION + 1
TRUMPS = NODES + 1
RISING = TRUMPS + 1
"""The suits in which who follows must go over the best card if he can."""
PICOT = RISING + 1
"""1 if who cannot follow must trump even when he cannot go over, and go over his partner if he trumps."""
EQUALS = PICOT + 1
"""Cards whose next higher neighbour is worth as much."""
RUN = EQUALS + 1
"""int64[4]: how many of a suit's lowest cards are worth the same."""
BONUS = RUN + 4
"""What the last trick adds."""
SIZE = BONUS + 1

LAST_TRICK = 10

# A problem: one position to solve, seats counted from the leader of the trick.
HAND, TABLE, ATTACK, LEADER, NEED = 0, 4, 7, 8, 9
"""ATTACK is 0 where the leader's side attacks, 1 where the other does."""
PROBLEM = 10


@cache
def layout(suit: int) -> tuple[int, ...]:
    """The solver's bit of every card when a contract's suit is given."""
    others = [k for k in range(4) if k != suit]
    place = {k: 8 * i for i, k in enumerate(others)}
    if suit < NO_TRUMPS:
        place[suit] = 24
    return tuple(place[card // 8] + int(STRENGTH[suit, card]) for card in range(32))


@cache
def translation(suit: int) -> Ints:
    """int64[4, 256]: the solver's cards for each byte of a mask of the game's cards."""
    bits = layout(suit)
    return np.array(
        [
            [sum(1 << bits[8 * colour + k] for k in range(8) if byte >> k & 1) for byte in range(256)]
            for colour in range(4)
        ],
        np.int64,
    )


def fresh_arena(suit: int, picot: bool, *, by_tricks: bool = False) -> Ints:
    """An arena for contracts in a suit (any will do), without trumps or with all of them; by tricks every card counts one."""
    arena = np.zeros(SIZE, np.int64)
    bits = layout(suit)
    worth = [0] * 32
    for card, bit in enumerate(bits):
        worth[bit] = 1 if by_tricks else int(WORTH[suit, card])
    trumps = 0xFF << 24 if suit < NO_TRUMPS else 0
    arena[TRUMPS] = trumps
    arena[RISING] = 0xFFFFFFFF if suit == ALL_TRUMPS else trumps
    arena[PICOT] = picot
    arena[BONUS] = 0 if by_tricks else LAST_TRICK
    arena[WORTHS : WORTHS + 32] = worth
    for card in range(32):
        own = 0xFF << (card & ~7)
        above = own & ~((2 << card) - 1)
        arena[BEATEN_BY + card] = above if own == trumps else above | trumps
    for colour in range(4):
        mine = worth[8 * colour : 8 * colour + 8]
        run = 2 if mine[2] != mine[0] else 3
        arena[RUN + colour] = run
        arena[EQUALS] |= ((1 << (run - 1)) - 1) << 8 * colour
        for pattern in range(256):
            points = [mine[k] for k in range(8) if pattern >> k & 1]
            for k in range(9):
                arena[DEAREST + 2304 * colour + 256 * k + pattern] = sum(points[max(0, len(points) - k) :])
    prices = [(sum(1 << c for c in range(32) if worth[c] == p), p) for p in sorted(set(worth))]
    for k, (cards, price) in enumerate(prices):
        arena[PRICE + 2 * k : PRICE + 2 * k + 2] = cards, price
    return arena
