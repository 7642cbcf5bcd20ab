"""What the games of the belote family share: pack, orders and points, the duty to trump, belote, the last trick."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.tables import Contract, tables

SUITS, RANKS = "shdc", "789JQKTA"
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)
DECK = Deck(suited(SUITS, RANKS))
_TRUMP_ORDER = "78QKTA9J"
_PLAIN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
_TOUT = {"J": 13, "9": 9, "A": 6, "T": 5, "K": 3, "Q": 2}
CONTRACTS = (
    *(Contract(suit, RANKS, suit, _TRUMP_ORDER, points=_PLAIN, trump_points={"J": 20, "9": 14}) for suit in SUITS),
    Contract("n", RANKS, points=_PLAIN | {"A": 19}),
    Contract("t", _TRUMP_ORDER, points=_TOUT),
)
"""Trumps of each suit, no trumps, and every suit trumps: then each is a suit of its own in which one must rise."""
NO_TRUMPS, ALL_TRUMPS = 4, 5
T = tables(DECK, SUITS, CONTRACTS)
CLASS, MASKS, TRUMPS, ABOVE, BEATEN_BY = T.classes, T.masks, T.trumps, T.above, T.beaten_by
STRENGTH, WORTH = T.strength, T.worth
TRUMP = 4
"""The class of trumps."""
SUIT_CARDS = np.array([255 << 8 * suit for suit in range(4)])
TRUMP_CARDS = np.array([*SUIT_CARDS, 0, (1 << 32) - 1])
"""[contract]: the cards that are trumps, all of them where every suit is."""
ACES = sum(1 << 8 * suit + ACE for suit in range(4))
PAIR = 1 << QUEEN | 1 << KING
LAST_TRICK, EVERY_TRICK, BELOTE_POINTS, ALL_POINTS = 10, 100, 20, 162

UNDERTRUMPS = at.OWN
"""The first option of every game of the family: 1 if who cannot overtrump must play a lower trump."""
OVER_PARTNER: Any = False  # bound by specialise: whether that option also makes who trumps his partner's trick rise


def duty(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """Follow suit, among trumps with a higher one; else, unless the partner is winning, trump and overtrump."""
    # Choices instead of branches, which a processor guesses badly here: with them a random game takes half as long
    # again.
    contract = s[at.CONTRACT]
    suit, trumps = 255 << (led & 24), TRUMPS[contract]  # a suit is a byte of cards, also in a solver's order
    above = ABOVE[contract, best]
    rises = (suit == trumps) | (contract == ALL_TRUMPS)
    under = s[UNDERTRUMPS] == 1
    if k == 0:
        wanted = allowed = above if rises else suit
    elif k == 1:
        wanted = above if trumps >> (best & 31) & 1 else trumps
        wanted = at.ANY if is_ours & (not (under and OVER_PARTNER)) else wanted
        allowed = wanted | (~trumps if is_ours else 0)
        wanted = suit if rises else wanted
        allowed = suit if rises else allowed
    else:
        wanted = trumps if under & (not is_ours) else at.ANY
        wanted = allowed = suit if rises else wanted
    return at.ANY if led < 0 else wanted, at.ANY if led < 0 else allowed


@kernel
def count_last_trick(s: State, winner: int) -> None:
    """Ten for the last trick, a hundred for a side that has taken all of them."""
    if s[at.HAND + winner] == 0:
        own = s[at.TRICKS + winner] + s[at.TRICKS + (winner + 2) % 4]
        s[at.POINTS + winner] += EVERY_TRICK if own == s[at.DONE] else LAST_TRICK


@kernel
def side_points(s: State, side: int) -> int:
    """The points in the tricks of a side."""
    return s[at.POINTS + side] + s[at.POINTS + side + 2]


@kernel
def side_tricks(s: State, side: int) -> int:
    """How many tricks a side has taken."""
    return s[at.TRICKS + side] + s[at.TRICKS + side + 2]


@kernel
def belote_points(s: State, side: int, suit: int) -> int:
    """Twenty if one seat of a side was dealt king and queen of a suit."""
    pair = PAIR << 8 * suit
    one, other = s[at.HAND + side] | s[at.PLAYED + side], s[at.HAND + side + 2] | s[at.PLAYED + side + 2]
    return BELOTE_POINTS if one & pair == pair or other & pair == pair else 0
