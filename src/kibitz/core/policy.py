"""Who decides: a Policy gives probabilities, a Bot chooses, a Rule is a compiled bot that belongs to a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.view import View, Views

Actions = NDArray[np.int64]


@runtime_checkable
class Policy(Protocol):
    """Probabilities over actions for a seat that knows a view."""

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """[n, ACTIONS]: each row sums to 1 and is 0 where the mask is."""
        ...


class Bot(Protocol):
    """Anything that can sit at a table."""

    name: str

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        ...

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views at once."""
        ...


@dataclass(frozen=True)
class Rule:
    """A rule-based player as a kernel: choose(view, mask, rng, knobs) -> action, compiled into the game's loop.

    `view` is the blanked state, `knobs` a float array in the order of `knobs` here.
    """

    choose: Callable[[Any, Any, Any, Any], int]
    about: str
    knobs: Mapping[str, float] = field(default_factory=dict)


class OneByOne(ABC):
    """A bot that thinks about one view at a time; batches are a loop."""

    @abstractmethod
    def act(self, view: View) -> int:
        """The action chosen at one view."""

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views, one after the other."""
        return np.array([self.act(view) for view in views], np.int64)
