"""Why a searching bot plays a card: how many worlds it looked at, what each card is worth in them,
where it thinks the cards are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.offers import offered
from kibitz.core.policy import Bot
from kibitz.core.view import View


@dataclass(frozen=True)
class Explanation:
    """What led to a choice."""

    bot: str
    worlds: int
    """Worlds looked at."""
    effective: float
    """As many equally likely worlds would say as much."""
    values: dict[str, float]
    """The mean value of each card over the worlds, in what the game pays the seat."""
    exact: dict[str, float]
    """The mean exact value of the cards between which the first look did not decide."""
    places: dict[str, dict[str, float]]
    """How likely every unseen card is in each place, where that is known."""


def explanation(bot: Bot, view: View) -> Explanation | None:
    """Ask a bot that searches for its reasons; None for all others, and where nothing is searched."""
    from kibitz.search.pimc import Pimc

    if not isinstance(bot, Pimc) or not bot.payoff.can_play(view.state) or len(view.legal()) < 2:
        return None
    words = view.game.words.ACTION_WORDS
    thought = bot.think(view)
    named = [words[action] for action in thought.actions]
    room = offered(view.game, "SEARCH", "PLACES")
    places: dict[str, dict[str, float]] = room.probable_places(bot, view) if room else {}
    return Explanation(
        bot.name,
        len(thought.worlds),
        float(1.0 / (thought.weights @ thought.weights)),
        dict(zip(named, map(float, thought.values))),
        {name: float(value) for name, value in zip(named, thought.exact) if np.isfinite(value)},
        places,
    )
