"""Collaborative Kuhn poker at a table: the chips, and what the oracle has said to the seat."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import State
from kibitz.games.collaborative_kuhn.rules import CALL, LOG, MOVES, PAID, PLAYERS, RAISE, TOLD, UNKNOWN, turn
from kibitz.games.collaborative_kuhn.words import SEAT_NAMES, chance_word


def seat_names(words: Any, lang: str) -> list[str]:
    """North, East, South and West."""
    return list(SEAT_NAMES)


def chips(words: Any, s: State) -> list[int]:
    """What each seat has put in."""
    return [int(s[PAID + seat]) for seat in range(PLAYERS)]


def lines(words: Any, s: State, lang: str) -> list[str]:
    """What the oracle tells the seat to move, as far as it is seen (rule 8.3)."""
    mover = int(turn(s))
    if mover < 0 or s[TOLD + s[MOVES]] == UNKNOWN:
        return []
    return [f"the oracle tells {SEAT_NAMES[mover]}: {chance_word(s, int(s[TOLD + s[MOVES]]))}"]


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """A move as people say it: before the first bet one checks or bets."""
    is_answer = RAISE in s[LOG : LOG + s[MOVES]]
    return "" if is_answer else {CALL: "check", RAISE: "bet"}.get(action, "")
