"""Coinche: the hidden cards dealt anew, every world that fits what a seat knows being equally likely."""

from __future__ import annotations

from math import comb

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.coinche.layout import DEAD, HAND, LACKS, PACK, PLAYED
from kibitz.games.coinche.scoring import hand_size

CHOOSE = np.array([[float(comb(n, k)) for k in range(25)] for n in range(25)])
FIRST, SECOND, THIRD = 1, 2, 4  # the three other seats as bits: a group of cards is named by who may hold them


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Deal anew what a seat cannot see, uniformly over the worlds that fit the cards, voids, ceilings and belotes shown.

    Each hidden card may be held by some of the other three seats (LACKS tells). How many cards of each such group go to
    whom is drawn with the number of worlds in which it is so; then the cards themselves are drawn.
    """
    groups = np.zeros(8, np.int64)
    _sort_hidden(s, seat, groups)
    first, second, third = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    split = _draw_split(groups, hand_size(s, first), hand_size(s, second), hand_size(s, third), r)
    hand1, hand2, hand3 = groups[FIRST], groups[SECOND], groups[THIRD]
    part = _draw_cards(groups[FIRST | SECOND], split & 31, r)
    hand1 |= part
    hand2 |= groups[FIRST | SECOND] & ~part
    part = _draw_cards(groups[FIRST | THIRD], split >> 5 & 31, r)
    hand1 |= part
    hand3 |= groups[FIRST | THIRD] & ~part
    part = _draw_cards(groups[SECOND | THIRD], split >> 10 & 31, r)
    hand2 |= part
    hand3 |= groups[SECOND | THIRD] & ~part
    free = groups[FIRST | SECOND | THIRD]
    part = _draw_cards(free, hand_size(s, first) - popcount(hand1), r)
    hand1 |= part
    free &= ~part
    part = _draw_cards(free, hand_size(s, second) - popcount(hand2), r)
    s[HAND + first] = hand1
    s[HAND + second] = hand2 | part
    s[HAND + third] = hand3 | free & ~part


@kernel
def _sort_hidden(s: State, seat: int, groups: State) -> None:
    """Put every card the seat cannot see into the group of those who may hold it."""
    hidden = PACK & ~s[DEAD] & ~s[HAND + seat]
    for player in range(4):
        hidden &= ~s[PLAYED + player]
    while hidden:
        card = lowest(hidden)
        hidden &= hidden - 1
        group = 0
        for k in range(3):
            if not s[LACKS + (seat + 1 + k) % 4] >> card & 1:
                group |= 1 << k
        groups[group] |= 1 << card


@kernel
def _draw_split(groups: State, first: int, second: int, third: int, r: rng.Rng) -> int:
    """How many cards of the three groups of two seats go to the earlier of them: three numbers of five bits."""
    total = 0.0
    for step in range(2):
        left = rng.uniform(r) * total if step == 1 else 0.0
        last = 0
        for x in range(popcount(groups[FIRST | SECOND]) + 1):
            for y in range(popcount(groups[FIRST | THIRD]) + 1):
                for z in range(popcount(groups[SECOND | THIRD]) + 1):
                    weight = _worlds(groups, first, second, third, x, y, z)
                    if weight == 0.0:
                        continue
                    if step == 0:
                        total += weight
                        continue
                    last = x | y << 5 | z << 10
                    left -= weight
                    if left < 0.0:
                        return last
    return last


@kernel
def _worlds(groups: State, first: int, second: int, third: int, x: int, y: int, z: int) -> float:
    """The number of worlds in which the groups of two seats are split so."""
    n12, n13, n23 = popcount(groups[FIRST | SECOND]), popcount(groups[FIRST | THIRD]), popcount(groups[SECOND | THIRD])
    free = popcount(groups[FIRST | SECOND | THIRD])
    need1 = first - popcount(groups[FIRST]) - x - y
    need2 = second - popcount(groups[SECOND]) - (n12 - x) - z
    need3 = third - popcount(groups[THIRD]) - (n13 - y) - (n23 - z)
    if need1 < 0 or need2 < 0 or need3 < 0:
        return 0.0
    return CHOOSE[n12, x] * CHOOSE[n13, y] * CHOOSE[n23, z] * CHOOSE[free, need1] * CHOOSE[free - need1, need2]


@kernel
def _draw_cards(cards: int, count: int, r: rng.Rng) -> int:
    """So many of the cards, every choice equally likely."""
    drawn = 0
    left = cards
    for _ in range(count):
        card = nth(left, rng.below(r, popcount(left)))
        drawn |= 1 << card
        left &= ~(1 << card)
    return drawn
