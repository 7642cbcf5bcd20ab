"""A walk that stopped in the middle of an iteration:
the moves that lead to where it stands, and what it has found so far.

One iteration that branches can take longer than anybody wants to wait for a checkpoint or for Ctrl-C. So such a walk
stops after a number of nodes, or when the store is full, and goes on from here. It gets back by playing its moves again
from the deal, each checked by the rules: what a damaged file says cannot lead out of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.arrays import Column, check_column
from kibitz.core.errors import BadRecord
from kibitz.core.game import CHANCE, OVER, Game
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Floats, Ints
from kibitz.tabular.regret_store import EMPTY, Store, find, listed

TRAVERSER, STEPS, FRAMES = range(3)
NOWHERE = -1
"""The traverser of a walk that is not in the middle of anything."""
ASTRAY = -1
"""What a walk gives instead of a number of iterations if its moves are not possible."""
HEAD = "walk_"

# Bound by specialise.
game = abstraction = UNBOUND


class Walk(NamedTuple):
    """Where a walk stands; a frame is a decision all of whose actions are tried."""

    where: Ints
    """Traverser (or NOWHERE), moves made, frames open."""
    luck: Ints
    """[rng.SLOTS]"""
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
        np.array([NOWHERE, 0, 0]), np.zeros(rng.SLOTS, np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64),
        np.zeros(depth, np.int64), np.zeros(depth * actions), np.zeros(depth * actions),
        np.zeros(depth * actions, np.bool_),
    )  # fmt: skip


def retrace(
    s: Ints, store: Store, walk: Walk, frames: Ints, rows: Ints, width: Ints, choice: NDArray[np.int32], mover: Ints
) -> bool:  # fmt: skip
    """From the deal to where the walk stands, with every frame filled in on the way; False if the rules forbid it."""
    allowed, mask = np.empty(game.ACTIONS, np.bool_), np.empty(abstraction.ACTIONS, np.bool_)
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
            base = d * abstraction.ACTIONS
            abstraction.legal(s, mask)
            n = listed(mask, choice, base)
            row = find(
                store.slots, store.key, store.who, abstraction.key(s, seat), -1 if abstraction.IS_SHARED else seat
            )
            if row == EMPTY or store.start[row + 1] - store.start[row] != n or not 0 <= walk.at[d] < n:
                return False
            if abstraction.concrete(s, choice[base + walk.at[d]]) != action:
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


def walk_columns(
    made: Game, actions: int, steps: int | str = "steps", frames: int | str = "frames", wide: int | str = "wide"
) -> dict[str, Column]:  # fmt: skip
    """The arrays that `packed_walk` gives, all of them or none:
    `steps` moves, `frames`, and `wide` actions of these."""
    longest = int(made.LONGEST)
    columns = {
        "where": Column("i8", (3,), 0, max(longest, made.PLAYERS - 1)), "luck": Column("i8", (rng.SLOTS,)),
        "path": Column("i8", (steps,), 0, max(made.ACTIONS, made.kernels.CHANCES) - 1),
        "mark": Column("i8", (frames,), 0, longest), "at": Column("i8", (frames,), 0, actions - 1),
        "sigma": Column("f8", (wide,), 0.0, 1.0), "value": Column("f8", (wide,)), "is_looked_at": Column("b1", (wide,)),
    }  # fmt: skip
    return {f"{HEAD}{name}": column for name, column in columns.items()}


def unpacked_walk(arrays: Mapping[str, NDArray[Any]], made: Game, actions: int) -> Walk:
    """A walk from what `packed_walk` gave; BadRecord if it is not possible."""
    walk = at_the_start(made, actions)
    columns = walk_columns(made, actions)
    if not any(name in arrays for name in columns):
        return walk
    for name in columns:
        if name not in arrays:
            raise BadRecord(f"{name} is missing")
    there = f"{HEAD}where"
    check_column(there, columns[there], arrays[there])
    traverser, steps, frames = (int(number) for number in arrays[there])
    if not (traverser < made.PLAYERS and frames <= steps < len(walk.path)):
        raise BadRecord(f"{there} is {arrays[there].tolist()}: traverser, moves and frames are not possible")
    for name, column in walk_columns(made, actions, steps, frames, frames * actions).items():
        check_column(name, column, arrays[name])
        getattr(walk, name.removeprefix(HEAD))[: len(arrays[name])] = arrays[name]
    return walk


def check_luck(walk: Walk, seed: int, iteration: int) -> None:
    """Refuse a walk that draws from another generator than its iteration has: BadRecord."""
    if walk.where[TRAVERSER] == NOWHERE:
        return
    first = rng.fresh(seed, iteration, int(walk.where[TRAVERSER]), purpose=rng.TRAVERSAL)
    is_own = (walk.luck[: rng.COUNT] == first[: rng.COUNT]).all()
    if not is_own or walk.luck[rng.COUNT] < first[rng.COUNT]:
        raise BadRecord(f"{HEAD}luck is not that of iteration {iteration} of seed {seed}")


def _lengths(where: Ints, actions: int) -> dict[str, int]:
    """How much of each array is in use."""
    steps, frames = int(where[STEPS]), int(where[FRAMES])
    wide = frames * actions
    return {
        "where": len(where), "luck": rng.SLOTS, "path": steps, "mark": frames, "at": frames, "sigma": wide,
        "value": wide, "is_looked_at": wide,
    }  # fmt: skip
