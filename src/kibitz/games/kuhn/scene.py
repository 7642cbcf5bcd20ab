"""Kuhn poker at a table: the chips in the middle."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import State
from kibitz.games.kuhn.rules import BETTOR, NOBODY, PLAYERS, paid

ANSWERS, OPENINGS = ("fold", "call"), ("check", "bet")


def chips(words: Any, s: State) -> list[int]:
    """What each seat has put in."""
    return [int(paid(s, seat)) for seat in range(PLAYERS)]


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """A move as people say it: an answer to a bet has names of its own."""
    return (OPENINGS if s[BETTOR] == NOBODY else ANSWERS)[action]
