"""Coinche: orders in which the rule players look at cards, as tables, and the choice of the first of some cards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest
from kibitz.core.jit import kernel
from kibitz.games.belotes import RANKS, STRENGTH, TRUMP_CARDS, WORTH

LOW, WEAKEST, STRONGEST, SIMPLE_ORDER, FAITHFUL_ORDER, RICHEST = range(6)
_NATURAL = "789TJQKA"


def _order(key: Callable[[int, int, int], int]) -> list[list[int]]:
    return [[key(suit, card, int(TRUMP_CARDS[suit]) >> card & 1) for card in range(32)] for suit in range(6)]


ORDERS = np.array(
    [
        _order(lambda suit, card, trump: 16 * int(WORTH[suit, card]) + 8 * trump + card % 8),  # rule 1.5
        _order(lambda suit, card, trump: 8 * trump + int(STRENGTH[suit, card])),  # rule 3.6
        _order(lambda suit, card, trump: -int(STRENGTH[suit, card])),  # rule 3.4
        _order(lambda suit, card, trump: -8 * trump - int(STRENGTH[suit, card])),  # rule 2.6
        _order(lambda suit, card, trump: 8 * trump - _NATURAL.index(RANKS[card % 8])),  # rule 2.7
        _order(lambda suit, card, trump: -16 * int(WORTH[suit, card]) + card % 8),  # rule 4.1
    ]
)
"""[order, contract's suit, card]: the smallest number goes first."""


@kernel
def pick(cards: int, order: int, suit: int, any_suit: bool, r: rng.Rng) -> int:
    """The first of the cards in an order; of equal ones that of the first suit, or any of them (rule 1.4)."""
    found = lowest(cards)
    least = ORDERS[order, suit, found]
    equal = 1
    left = cards & (cards - 1)
    while left:
        card = lowest(left)
        left &= left - 1
        key = ORDERS[order, suit, card]
        if key < least:
            found, least, equal = card, key, 1
        elif key == least and any_suit:
            equal += 1
            if rng.below(r, equal) == 0:
                found = card
    return found
