"""What learning to call has in common: rounds of deals, choices that are sometimes drawn at random, and a network that
learns what its choices brought."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.shapes import Ints, Singles
from kibitz.search.network import Adam


@dataclass(frozen=True)
class Settings:
    """The settings of a run."""

    rounds: int = 250
    deals: int = 2048
    """In a round."""
    batch: int = 512
    rate: float = 0.001
    last_rate: float = 0.02
    """Of the rate, at the end."""
    tries: float = 0.08
    """How often a choice is drawn at random, at first; a quarter of that at the end."""
    seed: int = 0

    def tries_at(self, done: float) -> float:
        """How often, when this share of the run is done."""
        return self.tries * (1.0 - 0.75 * done)

    def rate_at(self, done: float) -> float:
        """The learning rate then."""
        return self.rate * (1.0 - (1.0 - self.last_rate) * done)


def fit(
    adam: Adam, seen: Singles, made: Ints, brought: Singles, batch: int, rate: float, luck: np.random.Generator
) -> float:
    """Go over what was seen once, towards what the choices made have brought; gives the mean squared error."""
    order, loss = luck.permutation(len(brought)), 0.0
    for start in range(0, len(brought), batch):
        pick = order[start : start + batch]
        layers, there = adam.net.layers(seen[pick]), (np.arange(len(pick)), made[pick])
        off = layers[-1][there] - brought[pick]
        error = np.zeros_like(layers[-1])
        error[there] = off * np.float32(2.0 / len(pick))
        adam.step(layers, error, rate)
        loss += float((off * off).mean()) * len(pick) / len(brought)
    return loss
