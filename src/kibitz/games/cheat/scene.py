"""Cheat at a table: the pile with its claims, the rank that is due, and the cards of a discard."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import OVER, State
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.rules import turn
from kibitz.games.cheat.words import ACTION_WORDS, NAMES, handful_text


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The pile: how many cards lie there, and which of them the seat has laid itself."""
    laid = int(s[at.LAID : at.LAID + at.PLAYERS].sum())
    owners = range(at.PLAYERS) if seat is None else [seat]
    own = "".join(handful_text(int(s[at.PILE + k]), 0) for k in owners if s[at.LAID + k])
    claim = f"{s[at.CLAIM]} × {NAMES[s[at.RANK]]}" if s[at.ASKED] != at.NOBODY else ""
    return [{"name": "pile", "cards": [], "count": laid, "own": list(own), "claim": claim, "by": int(s[at.DISCARDER])}]


def lines(words: Any, s: State, lang: str) -> list[str]:
    """The rank that is due, or the claim that is to be believed or not."""
    if turn(s) == OVER:
        return []
    return [f"rank {NAMES[s[at.RANK]]}", f"turn {s[at.TURNS] + 1} of {at.MAX_TURNS}"]


def move_cards(words: Any, action: int) -> list[str]:
    """The cards of a discard."""
    return [] if action < at.BASE or at.ONE_BY_ONE else list(ACTION_WORDS[action])


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """What is claimed with a discard, and the answers to it."""
    cards = move_cards(words, action)
    return f"{len(cards)} × {NAMES[s[at.RANK]]}" if cards else ""
