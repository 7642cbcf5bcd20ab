"""Cheat: a handful of cards as one number, a count for every rank, and the numbering of discards."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np

from kibitz.core.jit import kernel
from kibitz.games.cheat.layout import MOST, ONE_BY_ONE, RANKS

WIDTH = min(8, 56 // RANKS)
FULL = (1 << WIDTH) - 1
ONES = sum(1 << WIDTH * rank for rank in range(RANKS))
"""One card of every rank."""

# Every second field with as much room above it, so that a borrow can be seen: bit _ROOM of each.
_APART = sum(FULL << 2 * WIDTH * k for k in range((RANKS + 1) // 2))
_ROOM = sum(1 << 2 * WIDTH * k + WIDTH for k in range((RANKS + 1) // 2))

# Each field's top bit, and the most that fits below it: no discard in the table has more of a rank.
TOPS = ONES << WIDTH - 1
CAP = ONES * ((1 << WIDTH - 1) - 1)


@kernel
def count(cards: int, rank: int) -> int:
    """How many cards of a rank are in the handful."""
    return cards >> WIDTH * rank & FULL


@kernel
def one(rank: int) -> int:
    """A handful of a single card."""
    return 1 << WIDTH * rank


@kernel
def total(cards: int) -> int:
    """How many cards are in the handful."""
    n = 0
    while cards:
        n += cards & FULL
        cards >>= WIDTH
    return n


@kernel
def _less_apart(a: int, b: int) -> int:
    difference = (a | _ROOM) - b
    enough = difference & _ROOM
    return difference & (enough - (enough >> WIDTH))


@kernel
def less(a: int, b: int) -> int:
    """a without b, rank by rank, but never below zero."""
    low = _less_apart(a & _APART, b & _APART)
    high = _less_apart(a >> WIDTH & _APART, b >> WIDTH & _APART)
    return low | high << WIDTH


@kernel
def larger(a: int, b: int) -> int:
    """The larger count of each rank."""
    return b + less(a, b)


@kernel
def turned(cards: int, rank: int) -> int:
    """The handful with its ranks turned round so that `rank` comes first (rule 7.5)."""
    low = cards & ((1 << WIDTH * rank) - 1)
    return cards >> WIDTH * rank | low << WIDTH * (RANKS - rank)


def _table() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Every discard, the short ones first, then in the order of words."""
    chosen = (cards for length in range(1, MOST + 1) for cards in combinations_with_replacement(range(RANKS), length))
    return np.array([sum(1 << WIDTH * rank for rank in cards) for cards in chosen], np.int64)


TABLE = np.zeros(1, np.int64) if ONE_BY_ONE else _table()
"""[discards]: the handful that each discard is."""
START = np.array([0, 0, *(comb(RANKS + length, length) - 1 for length in range(1, MOST + 1))])
"""[length]: the first discard of that length; [length + 1] is where they end."""
# _BEFORE[n, rank]: ascending words of n + 1 cards that begin with a lower rank.
_BEFORE = np.array([
    [sum(comb(RANKS - low + n - 1, n) for low in range(rank)) for rank in range(RANKS + 1)] for n in range(MOST)
])  # fmt: skip


@kernel
def length_of(discard: int) -> int:
    """How many cards a discard of the table has."""
    length = 1
    while discard >= START[length + 1]:
        length += 1
    return length


@kernel
def number_of(cards: int) -> int:
    """Where a handful stands in the table."""
    n = total(cards)
    number = START[n]
    before = 0
    for rank in range(RANKS):
        for _ in range(count(cards, rank)):
            n -= 1
            number += _BEFORE[n, rank] - _BEFORE[n, before]
            before = rank
    return int(number)
