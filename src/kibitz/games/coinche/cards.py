"""Coinche: ranks, values and the cards above a card, as tables indexed by the contract's suit (rules 1.2, 1.3, 10.2, 10.3)."""

from __future__ import annotations

import numpy as np

from kibitz.games.coinche.layout import ALL_TRUMPS, CARDS, NO_TRUMPS

SUIT_CARDS = np.array([255 << 8 * suit for suit in range(4)])
RANKS = "789JQKTA"
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)

_TRUMP_ORDER = "78QKTA9J"
_PLAIN = dict(zip("789JQKTA", (0, 0, 0, 2, 3, 4, 10, 11), strict=True))
_TRUMP = dict(zip("789JQKTA", (0, 0, 14, 20, 3, 4, 10, 11), strict=True))
_SANS = dict(zip("789JQKTA", (0, 0, 0, 2, 3, 4, 10, 19), strict=True))
_TOUT = dict(zip("789JQKTA", (0, 0, 9, 13, 2, 3, 5, 6), strict=True))


def _is_trump(suit: int, card: int) -> bool:
    return suit in (card // 8, ALL_TRUMPS)


def _worth(suit: int, card: int) -> int:
    special = {NO_TRUMPS: _SANS, ALL_TRUMPS: _TOUT}.get(suit)
    return (special or (_TRUMP if _is_trump(suit, card) else _PLAIN))[RANKS[card % 8]]


def _strength(suit: int, card: int) -> int:
    return _TRUMP_ORDER.index(RANKS[card % 8]) if _is_trump(suit, card) else card % 8


WORTH = np.array([[_worth(suit, card) for card in range(CARDS)] for suit in range(6)])
"""[contract's suit, card]: points."""
STRENGTH = np.array([[_strength(suit, card) for card in range(CARDS)] for suit in range(6)])
"""[contract's suit, card]: place in its own suit, 0 the weakest."""
TRUMPS = np.array([*(255 << 8 * suit for suit in range(4)), 0, (1 << CARDS) - 1])
"""[contract's suit]: the cards that are trumps."""
ABOVE = np.array(
    [
        [
            sum(1 << c for c in range(CARDS) if c // 8 == card // 8 and _strength(suit, c) > _strength(suit, card))
            for card in range(CARDS)
        ]
        for suit in range(6)
    ]
)
"""[contract's suit, card]: the stronger cards of its own suit."""


BEATERS = np.array(
    [
        [
            int(ABOVE[suit, card]) | (255 << 8 * suit if suit < NO_TRUMPS and card // 8 != suit else 0)
            for card in range(CARDS)
        ]
        for suit in range(6)
    ]
)
"""[contract's suit, card]: what takes a trick from the card winning it: higher ones of its suit, and trumps (rule 5.1)."""
