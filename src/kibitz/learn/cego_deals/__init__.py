"""The sub-games of Cego in the learning room."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game


def own_senses(game: Game) -> dict[str, Any]:
    """A short observation and, where card points are paid, those already won."""
    from kibitz.learn.cego_deals import sense

    compact: dict[str, Any] = {"compact": (sense.SENSES, sense.observe, sense.canonical)}
    return compact | ({"banked": sense.banked} if game.options["reward"] == "points" else {})
