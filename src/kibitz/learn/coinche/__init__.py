"""Coinche's own part of the learning room."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game

METHODS = {
    "partnered": ("kibitz.learn.coinche.partner", "Partnered", "DMC of Coinche that also guesses the partner's hand"),
    "matches": ("kibitz.learn.coinche.matches", "Matches", "coached DMC that learns to win whole matches of Coinche"),
}
CALL_BY_CALL = ("onehot",)
"""Observations that have every call of an auction."""


def own_senses(game: Game) -> dict[str, Any]:
    """A short observation for the plain game: further bids and fewer tricks are unknown to it."""
    from kibitz.learn.coinche import sense

    is_plain = all(game.options[name] == usual for name, usual in sense.PLAIN.items())
    return {"compact": (sense.SENSES, sense.observe, sense.canonical)} if is_plain else {}
