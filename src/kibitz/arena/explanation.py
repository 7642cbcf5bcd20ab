"""Why a searching bot plays a card: how many worlds it looked at, what each card is worth in them,
where it thinks the cards are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.policy import Bot
from kibitz.core.view import View

MOST_DRAWN = 1000
"""Worlds from which the places of cards are told, where none are weighed."""


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
    from kibitz.search import worlds
    from kibitz.search.hidden_cards import likely_places
    from kibitz.search.pimc import Pimc

    if not isinstance(bot, Pimc) or not bot.payoff.can_play(view.state) or len(view.legal()) < 2:
        return None
    words = view.game.words.ACTION_WORDS
    thought = bot.think(view)
    named = [words[action] for action in thought.actions]
    states = worlds.draw(view, bot.weigher.samples if bot.weigher else max(bot.worlds, MOST_DRAWN))
    shares = np.asarray(bot.weigher.weigh(view, states), np.float64) if bot.weigher else np.ones(len(states))
    return Explanation(
        bot.name,
        len(thought.worlds),
        float(1.0 / (thought.weights @ thought.weights)),
        dict(zip(named, map(float, thought.values))),
        {name: float(value) for name, value in zip(named, thought.exact) if np.isfinite(value)},
        likely_places(view, states, shares / shares.sum()),
    )
