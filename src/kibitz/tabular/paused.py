"""A walk that stopped in the middle of an iteration: the moves that lead to where it stands, and what it has found so far.

One iteration that branches can take longer than anybody wants to wait for a checkpoint or for Ctrl-C. So such a walk stops
after a number of nodes, or when the store is full, and goes on from here. It gets back by playing its moves again from the
deal, each checked by the rules: what a damaged file says cannot lead out of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadPolicy
from kibitz.core.game import CHANCE, OVER, Game
from kibitz.tabular.store import EMPTY, Store, find, listed

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TRAVERSER, STEPS, FRAMES = range(3)
NOWHERE = -1
"""The traverser of a walk that is not in the middle of anything."""
ASTRAY = -1
"""What a walk gives instead of a number of iterations if its moves are not possible."""
HEAD = "walk_"

# Bound by specialise.
game: Any = None
lens: Any = None


class Walk(NamedTuple):
    """Where a walk stands; a frame is a decision all of whose actions are tried."""

    where: Ints
    """Traverser (or NOWHERE), moves made, frames open."""
    luck: Ints
    """[rng.WORDS]"""
    path: Ints
    """[LONGEST + 1]: the moves since the deal, chance's among them."""
    mark: Ints
    """[frames]: how many moves led to each."""
    at: Ints
    """[frames]: the action being tried."""
    sigma: Floats
    value: Floats
    is_looked_at: NDArray[np.bool_]
    """[frames * actions]: strategy, values found, and which actions are not skipped."""


def at_the_start(made: Game, actions: int) -> Walk:
    """A walk that stands nowhere yet, with room for the longest game."""
    depth = int(made.LONGEST) + 1
    return Walk(
        np.array([NOWHERE, 0, 0]), np.zeros(rng.WORDS, np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64),
        np.zeros(depth, np.int64), np.zeros(depth * actions), np.zeros(depth * actions), np.zeros(depth * actions, np.bool_),
    )  # fmt: skip


def retrace(
    s: Ints, store: Store, walk: Walk, frames: Ints, rows: Ints, width: Ints, choice: NDArray[np.int32], mover: Ints
) -> bool:  # fmt: skip
    """From the deal to where the walk stands, with every frame filled in on the way; False if the rules forbid it."""
    allowed, mask = np.empty(game.ACTIONS, np.bool_), np.empty(lens.ACTIONS, np.bool_)
    p = np.empty(max(1, game.CHANCES))
    d = 0
    for j in range(walk.where[STEPS]):
        action, seat = walk.path[j], game.turn(s)
        if seat == OVER or action < 0:
            return False
        if seat == CHANCE:
            if action >= game.chances(s, p) or p[action] <= 0.0:
                return False
        elif d < walk.where[FRAMES] and walk.mark[d] == j:
            base = d * lens.ACTIONS
            lens.legal(s, mask)
            n = listed(mask, choice, base)
            row = find(store.slots, store.key, store.who, lens.key(s, seat), -1 if lens.IS_SHARED else seat)
            if row == EMPTY or store.start[row + 1] - store.start[row] != n or not 0 <= walk.at[d] < n:
                return False
            if lens.concrete(s, choice[base + walk.at[d]]) != action:
                return False
            rows[d], width[d], mover[d] = row, n, seat
            frames[d] = s
            d += 1
        else:
            game.legal(s, allowed)
            if action >= game.ACTIONS or not allowed[action]:
                return False
        game.step(s, action)
    return d == walk.where[FRAMES]


def packed_walk(walk: Walk, actions: int) -> dict[str, NDArray[np.generic]]:
    """What a walk needs to go on; nothing if it stands nowhere."""
    if walk.where[TRAVERSER] == NOWHERE:
        return {}
    return {f"{HEAD}{name}": getattr(walk, name)[:length] for name, length in _lengths(walk.where, actions).items()}


def unpacked_walk(arrays: Mapping[str, NDArray[Any]], made: Game, actions: int) -> Walk:
    """A walk from what `packed_walk` gave."""
    walk = at_the_start(made, actions)
    if f"{HEAD}where" not in arrays:
        return walk
    _put(walk.where, arrays, "where", len(walk.where))
    traverser, steps, frames = (int(number) for number in walk.where)
    if not (0 <= traverser < made.PLAYERS and 0 <= frames <= steps < len(walk.path)):
        raise BadPolicy(f"{HEAD}where is {walk.where.tolist()}: traverser, moves and frames are not possible")
    for name, length in _lengths(walk.where, actions).items():
        _put(getattr(walk, name), arrays, name, length)
    return walk


def _lengths(where: Ints, actions: int) -> dict[str, int]:
    """How much of each array is in use."""
    steps, frames = int(where[STEPS]), int(where[FRAMES])
    wide = frames * actions
    return {
        "where": len(where), "luck": rng.WORDS, "path": steps, "mark": frames, "at": frames, "sigma": wide, "value": wide,
        "is_looked_at": wide,
    }  # fmt: skip


def _put(there: NDArray[Any], arrays: Mapping[str, NDArray[Any]], name: str, length: int) -> None:
    found = arrays.get(f"{HEAD}{name}")
    if found is None or found.shape != (length,) or found.dtype != there.dtype:
        said = "missing" if found is None else f"{found.dtype} of shape {found.shape}"
        raise BadPolicy(f"{HEAD}{name} is {said}: {there.dtype} of shape {(length,)} is right")
    there[:length] = found
