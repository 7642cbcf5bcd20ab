"""What all inference modules have in common: they give log weights to card configurations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.search.skat.inference.configurations import Configurations, configurations

LEAST = -600.0
"""No world is less likely than this, in logarithms below the best one: none has weight zero."""


class Inference(ABC):
    """A module that weighs worlds; also a `Weigher` for the searching player."""

    samples: int

    @abstractmethod
    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: logarithms of weights, on any scale."""

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: weights of full states [n, SIZE], the largest of them 1."""
        return plain(self.log_weights(view, configurations(worlds)))


@dataclass(frozen=True)
class NoInference(Inference):
    """NI: every world that fits the view is as likely as any other."""

    samples: int = 256

    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: zeros."""
        return np.zeros(len(worlds))


def check_game(game: Game) -> None:
    """Refuse a game whose players are not known."""
    if package_of(game.name) != "kibitz.games.skat":
        raise BadInput(f"inference knows the players of Skat, not those of {game.name}")


def plain(logs: Floats) -> Floats:
    """Weights from their logarithms, the largest of them 1 and none of them 0."""
    return np.exp(np.maximum(logs - logs.max(), LEAST))
