"""CLI, card-location inference: one look at the table says where each card probably is, and a world is the product.

The cards are taken to be independent of each other, which they are not: that is what PI does better. One network per
kind of game sees everything the seat knows and gives, for each unseen card, the chances of the next seat, the one after
and the skat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import View
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.senses import SENSES
from kibitz.games.skat.state import CONTRACT, PLAYERS
from kibitz.search import worlds as deals
from kibitz.search.network import Network, load_network, softmax
from kibitz.search.skat.inference.configurations import CARD_AT, PILE, Configurations, bits
from kibitz.search.skat.inference.module import Inference, check_game
from kibitz.search.skat.inference.policies import FOLDER, KINDS

PLACES = 3
SHAPE = (SENSES, CARDS * PLACES)
CLI = 20_000
"""Enough for play: the weights cost next to nothing, drawing the worlds does. The paper has half a million."""
FLOOR = 0.005
"""The share of the uniform chance in every card's."""


@dataclass(frozen=True)
class CardLocations(Inference):
    """Weighs worlds by where a network expects each card."""

    samples: int = CLI
    networks: Mapping[str, Network] = field(default_factory=lambda: read_networks())
    floor: float = FLOOR

    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: sums of the log chances of all unseen cards."""
        kind = int(view.state[CONTRACT])
        logs = np.log(self.chances(view)).astype(np.float32)
        total = np.zeros(len(worlds))
        for place, masks in enumerate(self._places(view, worlds)):
            total += bits(masks, kind) @ logs[:, place]
        return total

    def chances(self, view: View) -> Floats:
        """[CARDS, PLACES]: where each card is, in the frame; 1, with logarithm 0, where it has been seen."""
        kind = int(view.state[CONTRACT])
        values = self.networks[KINDS[kind]](view.observe()[None])[0].reshape(CARDS, PLACES)
        possible = np.zeros((CARDS, PLACES), np.bool_)
        for cards, places in deals.facts(view).pools:
            for place in places:
                possible[:, place] |= cards >> CARD_AT[kind + 1] & 1 == 1
        unseen = possible.any(axis=1)
        out = np.ones((CARDS, PLACES))
        chances = softmax(values[unseen], possible[unseen]).astype(np.float64)
        even = possible[unseen] / possible[unseen].sum(axis=1, keepdims=True)
        out[unseen] = (1.0 - self.floor) * chances + self.floor * even
        out[unseen] = np.where(possible[unseen], out[unseen], 1.0)
        return out

    @staticmethod
    def _places(view: View, worlds: Configurations) -> list[Ints]:
        """The cards in each place, for all worlds; a place without unseen cards is empty."""
        room = deals.facts(view).room
        masks = [worlds.hands[:, (view.seat + 1 + place) % PLAYERS] for place in range(PILE)] + [worlds.skat]
        return [mask if count else np.zeros_like(mask) for mask, count in zip(masks, room)]


def read_networks(folder: Path | None = None) -> Mapping[str, Network]:
    """The networks in a folder, or those that come with kibitz."""
    return _read(folder or shipped_folder() / FOLDER)


@cache
def _read(folder: Path) -> Mapping[str, Network]:
    return {name: load_network(folder / f"places_{name}.npz", *SHAPE) for name in dict.fromkeys(KINDS)}


def weigher(game: Game, samples: int = CLI, folder: Path | None = None) -> CardLocations:
    """CLI with the networks in a folder, or those that come with kibitz."""
    check_game(game)
    return CardLocations(samples, read_networks(folder))
