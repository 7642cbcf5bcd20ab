"""A player of Skat who does what policies would do: the very opponent that policy inference assumes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.policy import OneByOne
from kibitz.core.shapes import Floats
from kibitz.core.view import View, Views
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.senses import FRAME
from kibitz.games.skat.state import CONTRACT, PHASE, PLAYING
from kibitz.search.network import random_network
from kibitz.search.skat.inference.configurations import CARD_AT
from kibitz.search.skat.inference.history import RECEIVED
from kibitz.search.skat.inference.policies import FLOOR, SHAPES, Policies


def random_policies(seed: int, spread: float = 4.0, floor: float = FLOOR) -> Policies:
    """Players who decide in some arbitrary but definite way."""
    made = {
        name: random_network((inputs, 24, outputs), seed + k, spread)
        for k, (name, (inputs, outputs)) in enumerate(SHAPES.items())
    }
    return Policies(made, floor)


class PolicyPlayer(OneByOne):
    """Draws its cards from the policies, and leaves everything before the play to `bidder`."""

    def __init__(self, policies: Policies, name: str = "policy", bidder: Callable[[View], int] | None = None) -> None:
        self.name, self.policies, self.bidder = name, policies, bidder

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        if view.state[PHASE] != PLAYING:
            if self.bidder is None:
                raise BadInput(f"{self.name} has nobody who calls for it")
            return self.bidder(view)
        chances = card_chances(self.policies, view)
        return int(rng.sample(view.rng.copy(), chances, CARDS))

    def probabilities(self, views: Views) -> Floats:
        """[n, ACTIONS]: the probabilities of cards."""
        out = np.zeros(views.masks.shape)
        for row, view in enumerate(views):
            out[row, :CARDS] = card_chances(self.policies, view)
        return out


def card_chances(policies: Policies, view: View) -> Floats:
    """[CARDS]: the probability of each card at a view in the play."""
    kind = int(view.state[CONTRACT])
    observation = view.observe("compact")
    observation[RECEIVED] = 0.0
    legal = view.mask[CARD_AT[kind + 1]]
    return policies.cards(observation[None], legal[None], kind)[0][FRAME[kind + 1]]
