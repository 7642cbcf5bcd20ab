"""Leduc poker at a table: the board and the chips in the middle."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import State
from kibitz.games.leduc.rules import BOARD, CALL, PAID, RAISE, UNKNOWN
from kibitz.games.leduc.words import CARD_NAMES


def chips(words: Any, s: State) -> list[int]:
    """What each seat has put in."""
    return [int(s[PAID]), int(s[PAID + 1])]


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The board."""
    return [] if s[BOARD] == UNKNOWN else [{"name": "board", "cards": [CARD_NAMES[s[BOARD]]], "count": 1}]


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """A move as people say it: where nothing is owed, one checks or bets."""
    if s[PAID] == s[PAID + 1]:
        return {CALL: "check", RAISE: "bet"}.get(action, "")
    return ""
