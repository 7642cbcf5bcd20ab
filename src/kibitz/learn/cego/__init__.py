"""The whole game of Cego in the learning room."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game

METHODS = {
    "calling": (
        "kibitz.learn.cego.calling", "Calling", "DMC of Cego's words and exchange; networks of the sub-games play"
    ),
}  # fmt: skip
PLAYERS = {"calling": "kibitz.learn.cego.player"}
"""Methods whose networks decide a part of the game -> the module whose `seated` makes a whole player of them."""


def own_senses(game: Game) -> dict[str, Any]:
    """The short observation of the sub-games, and what was said."""
    from kibitz.learn.cego import sense

    return {"compact": (sense.SENSES, sense.observe, sense.canonical)}
