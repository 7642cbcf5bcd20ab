"""Skat's cards, bids and declarations as tables. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from typing import Final

import numpy as np

from kibitz.core.shapes import Ints
from kibitz.games.decks import Deck, mask_of, suited
from kibitz.games.tricks.tables import Contract, tables

SUITS: Final = "cshd"  # 1.1, the dearest first
RANKS: Final = "789QKTAJ"
DECK: Final = Deck(suited(SUITS, RANKS))  # 1.2: card = 8 * suit + rank
CARDS: Final = 32
ALL: Final = (1 << CARDS) - 1
TEN, ACE, JACK = 5, 6, 7
SUIT: Final[Ints] = np.array([0xFF << 8 * suit for suit in range(4)], np.int64)
JACKS: Final = mask_of(8 * suit + JACK for suit in range(4))

# Kinds of game: 0 to 3 a suit, then these. A Ramsch is played as a grand.
GRAND, NULL = 4, 5
KINDS: Final = "CSHDGN"
KIND_WORDS: Final = ("clubs", "spades", "hearts", "diamonds", "grand", "null")
_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}  # 1.3
CONTRACTS: Final = (
    *(Contract(KIND_WORDS[k], "789QKTA", suit, tops="Jd Jh Js Jc", points=_POINTS) for k, suit in enumerate(SUITS)),
    Contract("grand", "789QKTA", tops="Jd Jh Js Jc", points=_POINTS),
    Contract("null", "789TJQKA", points=_POINTS),
)  # 1.4 to 1.6
_MADE = tables(DECK, SUITS, CONTRACTS)
CLASS, MASKS, STRENGTH, ABOVE, BEATEN_BY = _MADE.classes, _MADE.masks, _MADE.strength, _MADE.above, _MADE.beaten_by
"""[kind, card or class]: what the kit makes of the kinds of game; class 4 are the trumps."""
TRUMP: Final = 4
WORTH: Final[Ints] = _MADE.worth[0]
NULL_RANK: Final[Ints] = STRENGTH[NULL]
MOST_TOPS: Final[Ints] = np.array([11, 11, 11, 11, 4, 0], np.int64)
TOPS: Final[Ints] = np.array(
    [
        sorted(np.flatnonzero(CLASS[kind] == TRUMP), key=lambda card: -int(STRENGTH[kind, card])) + [0] * (11 - most)
        for kind, most in enumerate(MOST_TOPS)
    ],
    np.int64,
)
"""int64[kind, 11]: the trumps from the top, for matadors (7.1)."""

BASE: Final[Ints] = np.array([12, 11, 10, 9, 24, 0], np.int64)  # 7.4
NULL_VALUE: Final[Ints] = np.array([23, 35, 46, 59], np.int64)  # 7.5: plain, hand, ouvert, both


def _values() -> list[int]:
    """Rule 3.1: what a game can be worth: without hand three levels besides matadors and game, with it seven."""
    suit_games = {base * (tops + levels) for base in (9, 10, 11, 12) for tops in range(1, 12) for levels in range(1, 8)}
    grands = {24 * (tops + levels) for tops in range(1, 5) for levels in range(1, 8)}
    return sorted(suit_games | grands | {int(value) for value in NULL_VALUE})


BIDS: Final[Ints] = np.array(_values(), np.int64)
BID_WORDS: Final = tuple(str(int(value)) for value in BIDS)
N_BIDS: Final = len(BIDS)

# Declarations (4.5, 4.6): first the seven after a pick-up, then the twenty-two from the hand.
HAND, SCHNEIDER, SCHWARZ, OUVERT = 1, 2, 4, 8
_LEVELS = {
    "H": HAND, "HS": HAND | SCHNEIDER, "HZ": HAND | SCHNEIDER | SCHWARZ, "O": HAND | SCHNEIDER | SCHWARZ | OUVERT,
}  # fmt: skip
_NULLS = {"N": 0, "NH": HAND, "NO": OUVERT, "NOH": HAND | OUVERT}
PICKUP_DECLARATIONS: Final = ("C", "S", "H", "D", "G", "N", "NO")
HAND_DECLARATIONS: Final = (*(kind + level for kind in "CSHDG" for level in _LEVELS), "NH", "NOH")
DECLARATIONS: Final = PICKUP_DECLARATIONS + HAND_DECLARATIONS
DECLARED_KIND: Final[Ints] = np.array([KINDS.index(word[0]) for word in DECLARATIONS], np.int64)
ANNOUNCED: Final[Ints] = np.array([_NULLS[w] if w in _NULLS else _LEVELS.get(w[1:], 0) for w in DECLARATIONS])
"""int64[declaration]: hand, schneider, schwarz and ouvert as bits, with what they imply."""
DECLARED_VALUE: Final[Ints] = np.array(
    [NULL_VALUE[(_NULLS[w] & HAND) + _NULLS[w] // OUVERT * 2] if w in _NULLS else 1 << 20 for w in DECLARATIONS]
)
"""int64[declaration]: the highest bid at which it may be declared (4.7)."""
CALL_WORDS: Final = ("hold", "pass", *BID_WORDS, "pickup", "hand", *DECLARATIONS)
ACTION_WORDS: Final = (*DECK.names, *CALL_WORDS)
