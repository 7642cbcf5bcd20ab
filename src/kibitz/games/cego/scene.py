"""The whole game of Cego at a table: who deals, what lies aside, what was paid, and the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.game import State, Value
from kibitz.games.cego.rules import DEALER
from kibitz.games.cego.words import session_dealer
from kibitz.games.cego_deals.scene import piles_in
from kibitz.games.tarock import SEATS

SHEET = "session"


def marks(words: Any, s: State, lang: str) -> list[list[str]]:
    """Who deals."""
    return [["dealer"] if seat == s[DEALER] else [] for seat in range(SEATS)]


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The blind, or the Legage, as far as the seat knows it."""
    return piles_in(words.show(s, seat))


def deal_options(words: Any, options: Mapping[str, Value], deal: int, totals: Sequence[float]) -> dict[str, Value]:
    """Rule 6.2: the deal goes round."""
    return {"dealer": session_dealer(deal)}
