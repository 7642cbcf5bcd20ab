"""A player of the whole game of Skat: networks that call, and others that play the cards.

The networks of the cards have a place each, counted from the declarer: his own, the next seat's, the last one's.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch

from kibitz.core.game import Game
from kibitz.core.offers import offered
from kibitz.core.policy import Actions, Together
from kibitz.core.shapes import Ints
from kibitz.core.view import View, Views
from kibitz.games.skat import state as at
from kibitz.learn.model import Model
from kibitz.learn.senses.rows import best_allowed


class Caller(Protocol):
    """Who calls, lays away and declares."""

    def act(self, view: View) -> int:
        """The action chosen at one view."""


def caller_of(game: Game) -> Caller:
    """Who calls for it: more boldly than the searching player, whose defence is stronger."""
    found: Caller = offered(game, "SEARCH", "BIDDER").bold_bidder(game)
    return found


def places(states: Ints, seats: Ints) -> Ints:
    """[n]: how many seats after the declarer each seat is."""
    found: Ints = (seats - states[:, at.DECLARER]) % at.PLAYERS
    return found


class SkatPlayer(Together):
    """Calls with the networks of the caller and plays the cards with those of a model."""

    def __init__(self, name: str, model: Model, caller: Caller) -> None:
        self.name, self.model, self.caller = name, model, caller

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views: cards with one pass through each network, calls one by one.

        A Ramsch is left to the caller, too.
        """
        actions = np.zeros(len(views), np.int64)
        is_card = (views.states[:, at.PHASE] == at.PLAYING) & (views.states[:, at.DECLARER] != at.NOBODY)
        for row in np.flatnonzero(~is_card).tolist():
            actions[row] = self.caller.act(views[row])
        if is_card.any():
            actions[is_card] = self._cards(views.pick(np.flatnonzero(is_card)))
        return actions

    def _cards(self, views: Views) -> Actions:
        seen, chosen = self.model.look(views), np.zeros(len(views), np.int64)
        slots = np.array(self.model.card.seats)[places(views.states, views.seats)]
        for slot in np.unique(slots):
            asked = np.flatnonzero(slots == slot)
            with torch.inference_mode():
                values = self.model.networks[slot](torch.from_numpy(seen.observation[asked])).numpy()
            chosen[asked] = best_allowed(values, seen.allowed[asked])
        return seen.played(chosen)


def seated(name: str, model: Model) -> SkatPlayer:
    """A whole player from networks that play cards."""
    return SkatPlayer(name, model, caller_of(model.game))
