"""Gymnasium spaces of our games: observations with finite bounds, and actions whose samples are legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters import missing

try:
    from gymnasium import spaces
except ImportError:
    raise missing("gymnasium", "envs") from None

LIMIT = 1e6
"""No observation of any game has a number beyond this."""


class Moves(spaces.Discrete):
    """The actions of a game; a sample without a mask is drawn from what the environment offers at this moment."""

    def __init__(self, n: int, offer: Callable[[], NDArray[np.int8]]) -> None:
        super().__init__(n)
        self._offer = offer
        self.announced: int | None = None
        """The seed the space was given since the environment's last move or deal."""

    def seed(self, seed: int | None = None) -> Any:
        """Seed the samples, and announce that the deal of this seed may be next."""
        self.announced = seed
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """An action that is offered, all equally likely; any action where none is."""
        if mask is None and probability is None:
            offered = self._offer()
            mask = offered if offered.any() else None
        return super().sample(mask=mask, probability=probability)


class ManyMoves(spaces.MultiDiscrete):
    """The actions of many games at once; a sample without a mask is drawn from what is legal in each."""

    def __init__(self, n: int, actions: int, draw: Callable[[np.random.Generator], NDArray[np.int64]]) -> None:
        super().__init__(np.full(n, actions))
        self._draw = draw

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[Any]:
        """A legal action for every game; 0 where nobody is to move."""
        if mask is None and probability is None:
            return self._draw(self.np_random)
        return super().sample(mask=mask, probability=probability)


def seen_space(senses: int) -> spaces.Box:
    """The numbers a seat sees."""
    return spaces.Box(-LIMIT, LIMIT, (senses,), np.float32)


def masked_space(senses: int, actions: int) -> spaces.Dict:
    """What a seat sees, and which actions are legal."""
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": seen_space(senses), "action_mask": mask})
