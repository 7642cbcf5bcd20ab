"""Cego's sub-games at a table: what lies aside."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import State
from kibitz.games.tarock import BLIND_CARDS, TAROCK

NAMES = ("blind", "Legage")


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The blind, or the Legage that was laid away in its stead, as far as the seat knows it."""
    return piles_in(words.show(s, seat))


def piles_in(text: str) -> list[dict[str, Any]]:
    """The piles that a text of the table names."""
    found = []
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        if name in NAMES:
            cards = [word for word in rest.split() if word in TAROCK.names]
            found.append({"name": name, "cards": cards, "count": len(cards) or BLIND_CARDS})
    return found
