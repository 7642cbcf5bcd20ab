"""Who decides: a Policy gives probabilities, a Bot chooses, a Rule is a compiled bot that belongs to a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.view import View, Views

if TYPE_CHECKING:
    from kibitz.core.opinion import Opinion

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


class Player(Bot, Protocol):
    """A bot that also speaks: what `kibitz.bot` gives."""

    def __call__(self, view: View) -> str:
        """The action chosen at one view, as a word."""
        ...

    def explain(self, view: View, draws: int | None = None) -> Opinion:
        """The choice at one view, and how the bot weighs the legal actions."""
        ...


class Speaking:
    """What makes a bot with `act` and `act_batch` a player that speaks."""

    def __call__(self, view: View) -> str:
        """The action chosen at one view, as a word; the view keeps its luck."""
        if not view.mask.any():
            raise BadInput(f"seat {view.seat} is not to move: ask at the view of the seat that is")
        fresh = View(view.game, view.seat, view.state, view.mask, view.rng.copy())
        return str(view.game.words.ACTION_WORDS[cast(Bot, self).act(fresh)])

    def explain(self, view: View, draws: int | None = None) -> Opinion:
        """The choice at one view, and how the bot weighs the legal actions;
        `draws` if it must be asked again and again."""
        from kibitz.core.opinion import opinion_at

        return opinion_at(cast(Bot, self), view, draws)

    def __repr__(self) -> str:
        return f"<bot {getattr(self, 'name', type(self).__name__)}>"


class Together(Speaking):
    """A bot that decides at many views at once, and at one as at many; whatever its luck, it decides the same."""

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        alone = Views(view.game, np.array([view.seat]), view.state[None], view.mask[None], view.rng[None])
        return int(cast(Bot, self).act_batch(alone)[0])


@dataclass(frozen=True)
class Rule:
    """A rule-based player as a kernel: choose(view, mask, rng, knobs) -> action, compiled into the game's loop.

    `view` is the blanked state, `knobs` a float array in the order of `knobs` here.
    """

    choose: Callable[[Any, Any, Any, Any], int]
    about: str
    knobs: Mapping[str, float] = field(default_factory=dict)


class OneByOne(Speaking, ABC):
    """A bot that thinks about one view at a time; batches are a loop."""

    @abstractmethod
    def act(self, view: View) -> int:
        """The action chosen at one view."""

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views, one after the other."""
        return np.array([self.act(view) for view in views], np.int64)
