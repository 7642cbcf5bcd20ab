"""Cheat at a table: the pile with its claims, the rank that is due, and the cards of a discard."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import OVER, State
from kibitz.games.cheat.layout import (
    ASKED,
    BASE,
    CLAIM,
    DISCARDER,
    LAID,
    MAX_TURNS,
    NOBODY,
    ONE_BY_ONE,
    PILE,
    PLAYERS,
    RANK,
    TURNS,
)  # fmt: skip
from kibitz.games.cheat.rules import turn
from kibitz.games.cheat.words import ACTION_WORDS, NAMES, handful_text


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The pile: how many cards lie there, and which of them the seat has laid itself."""
    laid = int(s[LAID : LAID + PLAYERS].sum())
    owners = range(PLAYERS) if seat is None else [seat]
    own = "".join(handful_text(int(s[PILE + k]), 0) for k in owners if s[LAID + k])
    claim = f"{s[CLAIM]} × {NAMES[s[RANK]]}" if s[ASKED] != NOBODY else ""
    return [{"name": "pile", "cards": [], "count": laid, "own": list(own), "claim": claim, "by": int(s[DISCARDER])}]


def lines(words: Any, s: State, lang: str) -> list[str]:
    """The rank that is due, or the claim that is to be believed or not."""
    if turn(s) == OVER:
        return []
    return [f"rank {NAMES[s[RANK]]}", f"turn {s[TURNS] + 1} of {MAX_TURNS}"]


def move_cards(words: Any, action: int) -> list[str]:
    """The cards of a discard."""
    return [] if action < BASE or ONE_BY_ONE else list(ACTION_WORDS[action])


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """What is claimed with a discard, and the answers to it."""
    cards = move_cards(words, action)
    return f"{len(cards)} × {NAMES[s[RANK]]}" if cards else ""
