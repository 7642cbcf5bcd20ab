"""Skat in the learning room."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game

METHODS = {"cards": ("kibitz.learn.skat.cards", "Cards", "DMC of Skat's card play; networks that are there call")}
PLAYERS = {"cards": "kibitz.learn.skat.player"}
"""Methods whose networks decide a part of the game -> the module whose `seated` makes a whole player of them."""


def own_senses(game: Game) -> dict[str, Any]:
    """A short observation for the play of the cards."""
    from kibitz.learn.skat import sense

    return {"cards": (sense.SENSES, sense.observe, sense.canonical)}
