"""The bot that plays a trained model."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import read_knobs
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.game import Game
from kibitz.core.offers import offered
from kibitz.core.policy import Actions, Player, Speaking
from kibitz.core.shipped import found_model, shipped_names
from kibitz.core.view import View, Views

if TYPE_CHECKING:
    from kibitz.learn.model import Model

SAMPLE, GREEDY = "sample", "greedy"
VALUES = "values"


class NetBot(Speaking):
    """Plays the action its network likes best, or draws from the probabilities of a policy."""

    unit = "the network's own units"
    """It learned returns in the spread of random play, less their mean or what was won already."""

    def __init__(self, name: str, model: Model, samples: bool = False) -> None:
        self.name, self.model, self.samples = name, model, samples

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        return int(self.act_batch(_alone(view))[0])

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """[n, ACTIONS]: how likely the bot plays each action."""
        if self.samples:
            return self.model.probabilities(views)
        out = np.zeros((len(views), views.game.ACTIONS))
        out[np.arange(len(views)), self.act_batch(views)] = 1.0
        return out

    def values(self, view: View) -> NDArray[np.float64]:
        """float[ACTIONS]: what the network says each action is worth; nan where it gives no values."""
        out = np.full(view.game.ACTIONS, np.nan)
        if self.model.card.kind == VALUES:
            observed = self.model.look(_alone(view))
            numbers = np.flatnonzero(observed.allowed[0])
            out[observed.real[0, numbers]] = self.model.values(observed)[0, numbers]
        return out

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views, with one pass through the network."""
        from kibitz.learn.model import drawn, softmax

        observed = self.model.look(views)
        values = self.model.values(observed)
        if not self.samples:
            return observed.played(values.argmax(axis=1))
        return observed.played(drawn(softmax(values.astype(np.float64)), observed.luck[:, 0]))


def _alone(view: View) -> Views:
    return Views(view.game, np.array([view.seat]), view.state[None], view.mask[None], view.rng[None])


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Player:
    """A player that plays the model in a folder, or a shipped one by its name."""
    read_knobs(spec, {}, knobs)
    place, _, manner = argument.partition(":")
    if not place:
        raise BadInput("net needs a folder or a shipped model: net:FOLDER, which `kibitz train` writes, or net:NAME")
    if manner not in ("", SAMPLE, GREEDY):
        raise BadInput(f"{spec}: {manner} is not possible behind a model: sample or greedy is")
    try:
        import torch

        from kibitz.learn.model import POLICY, load_model
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    folder = found_model(place)
    if not folder.exists():
        known = ", ".join(shipped_names()) or "none"
        raise BadInput(f"{spec}: there is no folder {place}, and no shipped model of that name; shipped are {known}")
    # Many small batches: threads of its own would only get in the way of the arena's.
    torch.set_num_threads(1)
    model = load_model(folder, game)
    if manner == SAMPLE and model.card.kind != POLICY:
        raise BadInput(f"{spec}: {place} knows values, not probabilities, so it cannot be sampled from")
    return seated(spec, model, manner == SAMPLE)


def seated(name: str, model: Model, samples: bool = False) -> Player:
    """The player of a model; where its networks decide a part of the game, the game's package knows who decides the
    rest."""
    whole = offered(model.game, "LEARN", "PLAYERS", {}).get(model.card.method)
    made: Player = importlib.import_module(whole).seated(name, model) if whole else NetBot(name, model, samples)
    return made
