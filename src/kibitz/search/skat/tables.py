"""The solver's own card layout for suit games and grand, its arena, and the tables a kind of game puts into it.

Bits 0-6, 7-13, 14-20 are three side suits 7 8 9 Q K T A, bits 21-27 the trump suit (in grand a fourth side suit), bits 28-31 the
jacks from diamonds to clubs. So a higher bit of the same class, or a trump, is what beats a card. Everything a search reads or
writes lies in one int64 array, the arena: a compiled call then carries one array instead of ten.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kibitz.games.skat.cards import CARDS, GRAND, JACK
from kibitz.games.skat.cards import WORTH as POINTS

Ints = NDArray[np.int64]

SLOTS = 1 << 19
"""Words of the transposition table: 4 MB; more of them save few positions and cost time."""
BEATEN_BY = SLOTS
"""int64[32]: the cards that beat a card, whoever led it."""
FOLLOWS = BEATEN_BY + 32
"""int64[32]: the class a card belongs to."""
WORTH = FOLLOWS + 32
DEAREST = WORTH + 32
"""int64[8, 128]: the points of the k highest cards of a suit."""
CHEAPEST = DEAREST + 8 * 128
PRICE = CHEAPEST + 8 * 128
"""Six pairs (cards, points of each), from the cheapest up."""
SIDE_KEY = PRICE + 12
"""int64[3, 128]: the canonical pattern of the live cards of a side suit."""
TRUMP_KEY = SIDE_KEY + 3 * 128
"""int64[2048]: the same for the trump suit and the jacks."""
MOVES = TRUMP_KEY + 2048
"""int64[11, 3, 16]: ordered moves by cards left and place in the trick."""
GENERATION = MOVES + 11 * 48
NODES = GENERATION + 1
SIZE = NODES + 1

SUIT_TRUMPS = 0x7FF << 21
GRAND_TRUMPS = 0xF << 28
SUIT_BITS = 0x7F
PLAIN_WORTH = (0, 0, 0, 3, 4, 10, 11)
JACK_WORTH = 2

# A problem: one position to solve, seats counted from the leader of the trick.
HAND, LED, SECOND, DECLARER, TRUMPS, NEED = 0, 3, 4, 5, 6, 7
PROBLEM = 8


@cache
def layout(kind: int) -> tuple[int, ...]:
    """The solver's bit of every card in a kind of game."""
    sides = [suit for suit in range(4) if suit != kind]
    place = {suit: 7 * k for k, suit in enumerate(sides)}
    if kind != GRAND:
        place[kind] = 21
    return tuple(31 - card // 8 if card % 8 == JACK else place[card // 8] + card % 8 for card in range(CARDS))


@cache
def translation(kind: int) -> Ints:
    """int64[4, 256]: the solver's cards for each byte of a mask of the game's cards."""
    bits = layout(kind)
    table = np.zeros((4, 256), np.int64)
    for byte in range(256):
        for k in range(8):
            if byte >> k & 1:
                for suit in range(4):
                    table[suit, byte] |= 1 << bits[8 * suit + k]
    return table


def fresh_arena(is_grand: bool, *, by_tricks: bool = False) -> Ints:
    """An arena with the tables of suit games or of grand; by tricks every card counts one point."""
    arena = np.zeros(SIZE, np.int64)
    trumps = GRAND_TRUMPS if is_grand else SUIT_TRUMPS
    classes = [SUIT_BITS << 7 * k for k in range(4 if is_grand else 3)] + [trumps]
    plain = (1,) * 7 if by_tricks else PLAIN_WORTH
    jack = 1 if by_tricks else JACK_WORTH
    for card in range(32):
        own = next(mask for mask in classes if mask >> card & 1)
        above = own & ~((2 << card) - 1)
        arena[BEATEN_BY + card] = above if own == trumps else above | trumps
        arena[FOLLOWS + card] = own
        arena[WORTH + card] = jack if card >= 28 else plain[card % 7]
    for pattern in range(128):
        points = [plain[k] for k in range(7) if pattern >> k & 1]
        for k in range(8):
            arena[CHEAPEST + 128 * k + pattern] = sum(points[:k])
            arena[DEAREST + 128 * k + pattern] = sum(points[max(0, len(points) - k) :])
    prices = [(sum(1 << c for c in range(32) if arena[WORTH + c] == p), p) for p in sorted({*plain, jack})]
    for k, (cards, price) in enumerate(prices):
        arena[PRICE + 2 * k : PRICE + 2 * k + 2] = cards, price
    return arena


assert sorted(POINTS.tolist()) == sorted([*PLAIN_WORTH, JACK_WORTH] * 4)
