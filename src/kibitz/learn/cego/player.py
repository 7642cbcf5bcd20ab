"""A player of the whole game of Cego: one network calls and exchanges, those of the sub-games play the cards.

The levels of Cego are played as Standard-Cego, which differs from them in the exchange alone (and in cards that lie
open, which the networks do not know of).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import torch

from kibitz.core.game import Game
from kibitz.core.policy import Actions, Together
from kibitz.core.shapes import Ints
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import Views
from kibitz.games.cego import table as cego
from kibitz.games.cego_deals import SUBGAMES
from kibitz.games.tricks import layout as at
from kibitz.learn.cego_deals import sense as deals
from kibitz.learn.model import Model, load_model
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import best_allowed, look


class Cards:
    """The play of the cards in any seat of the whole game."""

    def __init__(self, game: Game, models: Mapping[str, Model]) -> None:
        self.models = [models[subgame] for subgame in SUBGAMES]
        self.sense = Sense(game, "table", deals.SENSES, deals.observe, deals.canonical)

    def act_batch(self, views: Views) -> Actions:
        """The cards chosen at many views, with one pass through each network that is asked."""
        states = views.states
        seen = look(self.sense, states, views.masks, views.rngs, np.arange(len(views)), views.seats)
        which = np.where(states[:, at.CONTRACT] < cego.CEGO, states[:, at.CONTRACT], cego.STANDARD)
        # The networks learned with the single player in seat 0.
        place = (views.seats - states[:, at.DECLARER]) % cego.SEATS
        chosen = np.zeros(len(views), np.int64)
        for game in np.unique(which):
            model = self.models[game]
            slots = np.array(model.card.seats)[place]
            for slot in np.unique(slots[which == game]):
                asked = np.flatnonzero((which == game) & (slots == slot))
                with torch.inference_mode():
                    values = model.networks[slot](torch.from_numpy(seen.observation[asked])).numpy()
                chosen[asked] = best_allowed(values, seen.allowed[asked, : cego.CARDS])
        return seen.played(chosen)


class CegoPlayer(Together):
    """Calls with a network and plays the cards with those of the sub-games."""

    def __init__(self, name: str, caller: Model, cards: Cards) -> None:
        self.name, self.caller, self.cards = name, caller, cards

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views at once."""
        actions = np.zeros(len(views), np.int64)
        is_play = views.states[:, at.PHASE] == at.PLAYING
        for which, choose in ((np.flatnonzero(is_play), self.cards.act_batch), (np.flatnonzero(~is_play), self._call)):
            if len(which):
                actions[which] = choose(picked(views, which))
        return actions

    def _call(self, views: Views) -> Actions:
        seen = self.caller.look(views)
        return seen.played(self.caller.values(seen).argmax(axis=1))


def picked(views: Views, which: Ints) -> Views:
    """Some of many views."""
    return Views(views.game, views.seats[which], views.states[which], views.masks[which], views.rngs[which])


@cache
def shipped_cards(game: Game) -> Cards:
    """The play of the cards by the models that come with kibitz, which learned by self-play."""
    return Cards(game, {subgame: load_model(shipped_folder() / f"cego-{subgame}") for subgame in SUBGAMES})


def seated(name: str, model: Model) -> CegoPlayer:
    """A whole player from a network that calls."""
    return CegoPlayer(name, model, shipped_cards(model.game))
