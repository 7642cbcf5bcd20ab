"""The whole game of Cego at a table: who deals, and the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.game import State, Value
from kibitz.games.cego.words import session_dealer
from kibitz.games.tricks import layout as at

SHEET = "session"


def marks(words: Any, s: State, lang: str) -> list[list[str]]:
    """Who deals."""
    return [["dealer"] if seat == s[at.DEALER] else [] for seat in range(4)]


def deal_options(words: Any, options: Mapping[str, Value], deal: int, totals: Sequence[float]) -> dict[str, Value]:
    """Rule 6.2: the deal goes round."""
    return {"dealer": session_dealer(deal)}
