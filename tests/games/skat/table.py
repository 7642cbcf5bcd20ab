"""Deals and plays of Skat written as text, for the tests."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.games.skat.state import (
    IS_SCHNEIDER,
    IS_SCHWARZ,
    MATADORS,
    OVERBID,
    SCORE,
    SUCCESS,
    TOTAL,
    TOTAL_TRICKS,
)  # fmt: skip


def table(deal: str, words: str = "", name: str = "skat", **options: Any) -> Position:
    """A deal (hands of forehand, middlehand, rearhand, then the skat) and what was said and played on it."""
    position = Position(make(name, **options), deal=deal)
    for word in words.split():
        position.push(word)
    return position


def result(position: Position) -> dict[str, int]:
    """What came of a declared deal."""
    s = position.state
    assert position.is_over
    return {
        "score": int(s[SCORE]), "won": int(s[SUCCESS]), "matadors": int(s[MATADORS]), "overbid": int(s[OVERBID]),
        "points": int(s[TOTAL]), "tricks": int(s[TOTAL_TRICKS]), "schneider": int(s[IS_SCHNEIDER]),
        "schwarz": int(s[IS_SCHWARZ]),
    }  # fmt: skip


def settled(declaration: str, cards: str, bid: int, points: int, tricks: int, reading: str = "isko") -> dict[str, int]:
    """What a contract is worth to a declarer who had these twelve cards, with points and tricks as given (rule 7)."""
    import numpy as np

    from kibitz.games.skat import scoring
    from kibitz.games.skat.cards import BIDS, DECK, DECLARATIONS, DECLARED_KIND
    from kibitz.games.skat.state import ANNOUNCED_LOSS, CONTRACT, DECLARED, DECLARER, DONE, HAND, HIGH, SIZE

    s = np.zeros(SIZE, np.int64)
    s[ANNOUNCED_LOSS] = reading == "iss"
    s[DECLARER], s[DONE] = 0, 10
    s[DECLARED] = DECLARATIONS.index(declaration)
    s[CONTRACT] = DECLARED_KIND[s[DECLARED]]
    s[HIGH] = list(BIDS).index(bid)
    s[HAND] = sum(1 << card for card in DECK.cards(cards))
    scoring.settle(s, points, tricks, False)
    return {"score": int(s[SCORE]), "won": int(s[SUCCESS]), "matadors": int(s[MATADORS]), "overbid": int(s[OVERBID])}
