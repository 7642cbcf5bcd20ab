"""Skat's cards, bids and declarations as tables. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.games.decks import Deck, mask_of, suited
from kibitz.games.tricks.power import class_masks, power_table

Ints = NDArray[np.int64]

SUITS: Final = "cshd"  # 1.1, the dearest first
RANKS: Final = "789QKTAJ"
DECK: Final = Deck(suited(SUITS, RANKS))  # 1.2: card = 8 * suit + rank
CARDS: Final = 32
ALL: Final = (1 << CARDS) - 1
TEN, ACE, JACK = 5, 6, 7

POINTS: Final[Ints] = np.array([0, 0, 0, 3, 4, 10, 11, 2] * 4, np.int64)  # 1.3
SUIT: Final[Ints] = np.array([0xFF << 8 * suit for suit in range(4)], np.int64)
JACKS: Final = mask_of(8 * suit + JACK for suit in range(4))

# Kinds of game: 0 to 3 a suit, then these. A Ramsch is played as a grand.
GRAND, NULL = 4, 5
KINDS: Final = "CSHDGN"
TRUMP: Final = 4
"""The class of the trumps; the classes 0 to 3 are the suits without their trumps."""
NULL_RANK: Final[Ints] = np.array([0, 1, 2, 5, 6, 3, 7, 4] * 4, np.int64)  # 1.6: 7 8 9 T J Q K A


def _class(kind: int, card: int) -> int:
    is_trump = kind != NULL and (card % 8 == JACK or card // 8 == kind)
    return TRUMP if is_trump else card // 8


def _strength(kind: int, card: int) -> int:
    if kind == NULL:
        return int(NULL_RANK[card]) + 1
    return 20 - card // 8 if card % 8 == JACK else card % 8 + 1


CLASS: Final[Ints] = np.array([[_class(kind, card) for card in range(CARDS)] for kind in range(6)], np.int64)
CLASSES: Final[Ints] = np.array([class_masks(CLASS[kind], 5) for kind in range(6)], np.int64)
"""int64[kind, class]: the cards of every class (5.2)."""
STRENGTH: Final[Ints] = np.array([[_strength(kind, card) for card in range(CARDS)] for kind in range(6)], np.int64)
POWER: Final[Ints] = np.array(
    [power_table(CLASS[kind], STRENGTH[kind], 5, -1 if kind == NULL else TRUMP) for kind in range(6)], np.int64
)
"""int64[kind, led, card]: the strongest takes the trick (5.4)."""
TOPS: Final[Ints] = np.array(
    [
        sorted((c for c in range(CARDS) if CLASS[kind, c] == TRUMP), key=lambda c: -int(STRENGTH[kind, c]))[:11]
        if kind < GRAND
        else [7, 15, 23, 31] + [0] * 7
        for kind in range(6)
    ],
    np.int64,
)
"""int64[kind, 11]: the trumps from the top, for matadors (7.1)."""
MOST_TOPS: Final[Ints] = np.array([11, 11, 11, 11, 4, 0], np.int64)

BASE: Final[Ints] = np.array([12, 11, 10, 9, 24, 0], np.int64)  # 7.4
NULL_VALUE: Final[Ints] = np.array([23, 35, 46, 59], np.int64)  # 7.5: plain, hand, ouvert, both


def _values() -> list[int]:
    """Rule 3.1: what a game can be worth. Without hand at most three levels besides matadors and game, with it at most seven."""
    suit_games = {base * (tops + levels) for base in (9, 10, 11, 12) for tops in range(1, 12) for levels in range(1, 8)}
    grands = {24 * (tops + levels) for tops in range(1, 5) for levels in range(1, 8)}
    return sorted(suit_games | grands | {int(value) for value in NULL_VALUE})


BIDS: Final[Ints] = np.array(_values(), np.int64)
BID_WORDS: Final = tuple(str(int(value)) for value in BIDS)
N_BIDS: Final = len(BIDS)

# Declarations (4.5, 4.6): first the seven after a pick-up, then the twenty-two from the hand.
HAND, SCHNEIDER, SCHWARZ, OUVERT = 1, 2, 4, 8
_LEVELS = {
    "H": HAND,
    "HS": HAND | SCHNEIDER,
    "HZ": HAND | SCHNEIDER | SCHWARZ,
    "O": HAND | SCHNEIDER | SCHWARZ | OUVERT,
}
_NULLS = {"N": 0, "NH": HAND, "NO": OUVERT, "NOH": HAND | OUVERT}
PICKUP_DECLARATIONS: Final = ("C", "S", "H", "D", "G", "N", "NO")
HAND_DECLARATIONS: Final = (*(kind + level for kind in "CSHDG" for level in _LEVELS), "NH", "NOH")
DECLARATIONS: Final = PICKUP_DECLARATIONS + HAND_DECLARATIONS
DECLARED_KIND: Final[Ints] = np.array([KINDS.index(word[0]) for word in DECLARATIONS], np.int64)
ANNOUNCED: Final[Ints] = np.array(
    [_NULLS[word] if word in _NULLS else _LEVELS.get(word[1:], 0) for word in DECLARATIONS], np.int64
)
"""int64[declaration]: hand, schneider, schwarz and ouvert as bits, with what they imply."""
DECLARED_VALUE: Final[Ints] = np.array(
    [
        int(NULL_VALUE[(_NULLS[word] & HAND) + (2 if _NULLS[word] & OUVERT else 0)]) if word in _NULLS else 1 << 20
        for word in DECLARATIONS
    ],
    np.int64,
)
"""int64[declaration]: the highest bid at which it may be declared (4.7)."""
