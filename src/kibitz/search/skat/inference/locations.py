"""Where a searching player thinks the cards are."""

from __future__ import annotations

import numpy as np

from kibitz.core.shapes import Floats
from kibitz.core.view import View
from kibitz.games.skat.cards import CARDS, DECK
from kibitz.games.skat.knowledge import is_open, knows_skat
from kibitz.games.skat.state import HAND, PLAYED, PLAYERS
from kibitz.search import worlds as deals
from kibitz.search.pimc import Pimc
from kibitz.search.skat.inference.configurations import Configurations, configurations

SKAT_PILE = "skat"


def probable_places(bot: Pimc, view: View) -> dict[str, dict[str, float]]:
    """For every card the seat has not seen, how likely it is in each other hand and in the skat."""
    if bot.weigher is None:
        states = deals.draw(view, max(bot.worlds, 1000))
        weights = np.ones(len(states))
    else:
        states = deals.draw(view, bot.weigher.samples)
        weights = np.asarray(bot.weigher.weigh(view, states), np.float64)
    return places(view, configurations(states), weights / weights.sum())


def places(view: View, worlds: Configurations, shares: Floats) -> dict[str, dict[str, float]]:
    """The same from worlds and their shares, which sum to 1."""
    s, seat = view.state, view.seat
    seen = int(s[HAND + seat])
    for other in range(PLAYERS):
        seen |= int(s[PLAYED + other])
    others = [(seat + k) % PLAYERS for k in (1, 2)]
    masks = {f"seat {other}": worlds.hands[:, other] for other in others if not is_open(s, other)}
    if not knows_skat(s, seat):
        masks[SKAT_PILE] = worlds.skat
    found: dict[str, dict[str, float]] = {}
    for card in range(CARDS):
        chances = {place: float(shares @ (mask >> card & 1)) for place, mask in masks.items()}
        if not seen >> card & 1 and sum(chances.values()) > 0:
            found[DECK.names[card]] = chances
    return found
