"""Bots for the tests: slow ones, stubborn ones, and ones that fail at some views."""

import time

import numpy as np

from kibitz.core import rng
from kibitz.core.policy import OneByOne


class Lowest(OneByOne):
    """Always the first legal action."""

    def __init__(self, name="lowest"):
        self.name = name

    def act(self, view):
        return view.legal()[0]


class Lucky(OneByOne):
    """Any legal action, drawn from the seat's luck; thinks for a while first."""

    def __init__(self, seconds=0.0, name="lucky"):
        self.seconds, self.name = seconds, name

    def act(self, view):
        time.sleep(self.seconds)
        legal = view.legal()
        return legal[rng.below(view.rng, len(legal))]


class Clumsy(OneByOne):
    """The first legal action, except at about one view in five, where it fails in its own way."""

    def __init__(self, way):
        self.way, self.name = way, f"clumsy-{way}"

    def act(self, view):
        if int(np.abs(view.state).sum()) % 5 == 3:
            if self.way == "raises":
                raise RuntimeError("I have lost my cards")
            if self.way == "illegal":
                return len(view.mask) - 1 if not view.mask[-1] else len(view.mask) + 7
            if self.way == "slow":
                time.sleep(0.3)
        return view.legal()[0]


class BatchClumsy(Clumsy):
    """The same, but it decides for all games at once and so fails for all of them."""

    def act_batch(self, views):
        return np.array([self.act(view) for view in views])


class Liar(OneByOne):
    """Gives back the wrong number of actions, and of the wrong kind."""

    name = "liar"

    def act(self, view):
        return view.legal()[0]

    def act_batch(self, views):
        return np.zeros(len(views) + 1)
