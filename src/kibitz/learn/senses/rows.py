"""What many seats see, in one compiled call: observation, allowed actions in the learner's numbers, luck,
points banked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.action_order import renumber
from kibitz.core.jit import UNBOUND, kernel, specialise
from kibitz.core.shapes import Bools, Ints
from kibitz.learn.senses import Sense

Floats = NDArray[np.float32]

# Bound by specialise in the templates below.
observe = canonical = banked = UNBOUND
RENAMED: Any = False


@dataclass(frozen=True)
class ObservationBatch:
    """What some seats to move see; actions are numbered as the observation numbers them."""

    rows: Ints
    """[n]: the tables they sit at."""
    seats: Ints
    observation: Floats
    """[n, senses]"""
    allowed: Bools
    """[n, ACTIONS]"""
    real: NDArray[np.int16]
    """[n, ACTIONS]: what each number means in the game."""
    luck: NDArray[np.float64]
    """[n, 2]: the seat's own luck at this move, from 0 to 1."""

    def __len__(self) -> int:
        return len(self.rows)

    def pick(self, which: Ints | slice) -> ObservationBatch:
        """Some of the rows."""
        return ObservationBatch(
            self.rows[which], self.seats[which], self.observation[which], self.allowed[which], self.real[which],
            self.luck[which],
        )  # fmt: skip

    def without(self, barred: Sequence[int]) -> ObservationBatch:
        """The same with some actions not allowed, except where nothing else is."""
        return replace(self, allowed=without(self.allowed, barred)) if len(barred) else self

    def played(self, chosen: Ints) -> Ints:
        """[n]: the game's actions for numbers chosen."""
        meant: Ints = self.real[np.arange(len(self.rows)), chosen].astype(np.int64)
        return meant


def look(
    sense: Sense, states: Ints, masks: Bools, rngs: Ints, rows: Ints, seats: Ints, out: Floats | None = None
) -> ObservationBatch:
    """What the seats to move at some tables see; `out` [n, senses] receives the observations."""
    n, actions = len(rows), sense.game.ACTIONS
    observation = np.empty((n, sense.size), np.float32) if out is None else out
    allowed = np.empty((n, actions), np.bool_)
    real = np.empty((n, actions), np.int16)
    luck = np.empty((n, 2))
    _looker(sense)(states, masks, rngs, rows, seats, observation, allowed, real, luck)
    return ObservationBatch(rows, seats, observation, allowed, real, luck)


def without(allowed: Bools, barred: Sequence[int]) -> Bools:
    """[n, ACTIONS]: what is allowed without some actions; as it was where nothing would be left."""
    if not len(barred):
        return allowed
    fewer = allowed.copy()
    fewer[:, list(barred)] = False
    stuck = ~fewer.any(axis=1)
    fewer[stuck] = allowed[stuck]
    return fewer


def has_choice(allowed: Bools) -> Ints:
    """The rows in which more than one action is allowed."""
    return np.flatnonzero(allowed.sum(axis=1) > 1)


def best_allowed(values: Floats, allowed: Bools) -> Ints:
    """[n]: the allowed action with the highest value, the first of equals."""
    best = np.zeros(len(values), np.int64)
    _best_rows(values, allowed, best)
    return best


def bank(sense: Sense, states: Ints, rows: Ints, seats: Ints) -> Floats:
    """[n]: the part of each seat's final return that is already sure; zeros where a game does not tell."""
    out = np.zeros(len(rows), np.float32)
    if sense.banked is not None:
        _banker(sense)(states, rows, seats, out)
    return out


@cache
def _looker(sense: Sense) -> Callable[..., None]:
    renamed = sense.canonical is not None
    bound: dict[str, Any] = {"observe": sense.observe, "canonical": sense.canonical or _as_they_are, "RENAMED": renamed}
    return specialise(_look_rows, f"{sense.game.tag}|{sense.kind}", **bound)


@cache
def _banker(sense: Sense) -> Callable[..., None]:
    return specialise(_bank_rows, f"{sense.game.tag}", banked=sense.banked)


@kernel
def _as_they_are(s: Ints, seat: int, order: Ints) -> None:
    pass


@kernel
def _best_rows(values: Floats, allowed: Bools, best: Ints) -> None:
    for i in range(len(best)):
        most = -np.inf
        for action in range(values.shape[1]):
            if allowed[i, action] and (values[i, action] > most or most == -np.inf):
                most = values[i, action]
                best[i] = action


def _look_rows(
    states: Ints, masks: Bools, rngs: Ints, rows: Ints, seats: Ints, observation: Floats, allowed: Bools,
    real: NDArray[np.int16], luck: NDArray[np.float64],
) -> None:  # fmt: skip
    order = np.arange(masks.shape[1])
    for i in range(len(rows)):
        row = rows[i]
        observation[i] = 0.0
        observe(states[row], seats[i], observation[i])
        if RENAMED:
            canonical(states[row], seats[i], order)
        renumber(masks[row], order, allowed[i], real[i])
        luck[i, 0] = rng.uniform(rngs[row])
        luck[i, 1] = rng.uniform(rngs[row])


def _bank_rows(states: Ints, rows: Ints, seats: Ints, out: Floats) -> None:
    for i in range(len(rows)):
        out[i] = banked(states[rows[i]], seats[i])
