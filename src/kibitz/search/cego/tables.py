"""The Cego solver's arena and what the aim of a sub-game puts into it.

The game's own card numbers serve: four suits of eight cards and the trumps from bit 32 up, each from the weakest card. So a higher bit
of the same suit, or a trump, is what beats a card. Cards of equal worth that stand next to each other are as good as each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.games.tarock import CARDS, CLASS, GEISS, GSTIESS, HALVES, MOND, SUITS, TRUMPS

Ints = NDArray[np.int64]

SLOTS = 1 << 17
"""Entries of the transposition table, of two words each."""
BEATEN_BY = 2 * SLOTS
WORTHS = BEATEN_BY + CARDS
FOLLOWS = WORTHS + CARDS
DEAREST = FOLLOWS + CARDS
"""int64[9, 256]: the points of the k highest cards of a plain suit."""
SUIT_KEY = DEAREST + 9 * 256
"""int64[4, 256]: the canonical pattern of the live cards of a plain suit."""
OWNER = SUIT_KEY + 4 * 256
"""int64[54]: who holds a card."""
MOVES = OWNER + CARDS
"""int64[12, 4, 16]: ordered moves by cards left and place in the trick."""
GENERATION = MOVES + 12 * 64
NODES = GENERATION + 1
AIM = NODES + 1
SINGLE = AIM + 1
"""The seat whose points or tricks are asked about, from the root's leader."""
WANTS = SINGLE + 1
"""1 if that seat wants much, 0 if it wants little."""
A_TRICK = WANTS + 1
"""What a trick is worth apart from its cards."""
RUN = A_TRICK + 1
"""How many of the lowest cards of a plain suit are worth the same."""
EQUALS = RUN + 1
"""Cards whose next higher neighbour is worth as much."""
MARKED = EQUALS + 1
"""Trumps that are not worth the same as their neighbours."""
SIZE = MARKED + 1

POINTS, TRICKS, FEW_POINTS, PICCOLO, ULTIMO = range(5)
"""Aims: many halves, no trick, few halves, exactly one trick, the last trick with the Geiss."""

# A problem: one position to solve, seats counted from the leader of the trick.
HAND, TABLE, ASKED, TAKEN, NEED, LEADER = 0, 4, 7, 8, 9, 10
"""ASKED is the seat asked about, TAKEN the tricks it has."""
PROBLEM = 11


def fresh_arena(aim: int) -> Ints:
    """An arena for one aim."""
    arena = np.zeros(SIZE, np.int64)
    counts_cards = aim in (POINTS, FEW_POINTS)
    worth = HALVES if counts_cards else np.zeros(CARDS, np.int64)
    arena[WORTHS : WORTHS + CARDS] = worth
    arena[AIM] = aim
    arena[WANTS] = aim not in (TRICKS, FEW_POINTS)
    arena[A_TRICK] = aim == TRICKS
    arena[RUN] = 4 if counts_cards else 8
    marked = (1 << GEISS | 1 << MOND | 1 << GSTIESS) if counts_cards else 1 << GEISS if aim == ULTIMO else 0
    arena[MARKED] = marked
    for card in range(CARDS):
        own = int(SUITS[CLASS[card]])
        above = own & ~((2 << card) - 1)
        arena[FOLLOWS + card] = own
        arena[BEATEN_BY + card] = above if own == TRUMPS else above | TRUMPS
        same = card + 1 < CARDS and own >> (card + 1) & 1 and worth[card] == worth[card + 1]
        if same and not (aim == ULTIMO and card == GEISS):
            arena[EQUALS] |= 1 << card
    for pattern in range(256):
        points = [int(worth[k]) for k in range(8) if pattern >> k & 1]
        for k in range(9):
            arena[DEAREST + 256 * k + pattern] = sum(points[max(0, len(points) - k) :])
    return arena
