"""Kernels shared by the trick-taking games, driven by tables.

A contract fixes three tables: CLASS[card] (the suit a card counts as, trumps being a suit of their own), POWER[led, card]
(how strong a card is when class `led` was led; 0 for a card that cannot win) and POINTS[card].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest
from kibitz.core.jit import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def class_masks(classes: Ints, count: int) -> Ints:
    """int64[count]: the cards of every class, from CLASS[card]."""
    masks = np.zeros(count, np.int64)
    for card, suit in enumerate(classes):
        masks[suit] |= 1 << card
    return masks


def power_table(classes: Ints, strength: Ints, count: int, trumps: int) -> Ints:
    """int64[count, cards]: POWER from classes and strengths (from 1 up); `trumps` is the trump class or -1."""
    power = np.zeros((count, len(classes)), np.int64)
    for led in range(count):
        for card, suit in enumerate(classes):
            if suit == trumps:
                power[led, card] = 100 + strength[card]
            elif suit == led:
                power[led, card] = strength[card]
    return power


@kernel
def follow(hand: int, led: int, trumps: int) -> int:
    """The cards that follow the class led, else the trumps (pass 0 where there is no duty to trump), else all."""
    if hand & led:
        return hand & led
    if hand & trumps:
        return hand & trumps
    return hand


@kernel
def winner(trick: Ints, n: int, power: Ints) -> int:
    """Which of the first n cards of a trick wins, by POWER[led]."""
    best = 0
    for k in range(1, n):
        if power[trick[k]] > power[trick[best]]:
            best = k
    return best


@kernel
def stronger(cards: int, than: int, power: Ints) -> int:
    """Those cards whose power is above a number."""
    found = 0
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if power[card] > than:
            found |= 1 << card
    return found


@kernel
def total(cards: int, points: Floats) -> float:
    """The points of a set of cards."""
    worth = 0.0
    left = cards
    while left:
        worth += points[lowest(left)]
        left &= left - 1
    return worth
