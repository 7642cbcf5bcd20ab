"""Solving to the end: slices of time, checkpoints that survive a kill, and the table at last.

A checkpoint holds everything a solver needs to go on, if need be from the middle of an iteration, and a run bounded by
iterations gives the same table to the last byte however often it was interrupted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.core import rng
from kibitz.core.arrays import Column
from kibitz.core.checkpoint import read_checkpoint, told_of, write_checkpoint
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.tabular.abstraction import FULL
from kibitz.tabular.cfr import METHODS, Solver
from kibitz.tabular.mccfr import ITERATIONS, SCHEMES, Opponent, Sampler, paced
from kibitz.tabular.pruning import PrunedSolver
from kibitz.tabular.regret_store import GIGA, added
from kibitz.tabular.table import Table, from_store, from_tree

FORMAT = 2
EXACT_PRUNINGS = ("partial", "brp")
"""What a solver of an unrolled game may leave out (see `pruning`)."""
SLICE = 1.0
"""Seconds after which a run comes up for air: for Ctrl-C, a checkpoint, the progress bar."""
ENDLESS = 1 << 62
"""More iterations than anybody does."""


class Running(Protocol):
    """What can be run in slices, put aside and taken up again."""

    @property
    def iterations(self) -> int:
        """Iterations done."""
        ...

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        ...

    def run_to(self, total: int, until: float = math.inf) -> None:
        """Go on until so many iterations are done in all, or as far as one gets until then (by time.perf_counter)."""
        ...

    def has_done(self, total: int) -> bool:
        """Whether so many iterations are done in all."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        ...

    def columns(self) -> dict[str, Column]:
        """The arrays of such a state."""
        ...

    def optional_columns(self) -> dict[str, Column]:
        """The arrays that such a state may have besides."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        ...

    def table(self, about: dict[str, Any]) -> Table:
        """The average policy as a table."""
        ...


@dataclass
class ExactRun:
    """An exact solver as something to run."""

    solver: Solver | PrunedSolver

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.solver.iterations

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        self.solver.run(iterations)

    def run_to(self, total: int, until: float = math.inf) -> None:
        """Go on until so many iterations are done in all, or the time has come."""
        part = 1
        while not self.has_done(total):
            begun = time.perf_counter()
            self.solver.run(min(part, total - self.iterations))
            now = time.perf_counter()
            part = paced(part, now - begun)
            if now >= until:
                return

    def has_done(self, total: int) -> bool:
        """Whether so many iterations are done in all."""
        return self.iterations >= total

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {"iterations": np.array(self.solver.iterations), **self.solver.parts()}

    def columns(self) -> dict[str, Column]:
        """The arrays of such a state."""
        kinds = {name: Column(part.dtype.str[1:], part.shape) for name, part in self.solver.parts().items()}
        return {"iterations": ITERATIONS, **kinds, "total": replace(kinds["total"], low=0.0)}

    def optional_columns(self) -> dict[str, Column]:
        """There are no others."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.solver.iterations = int(state["iterations"])
        for name, part in self.solver.parts().items():
            part[:] = state[name]

    def table(self, about: dict[str, Any]) -> Table:
        """The average policy as a table."""
        return from_tree(self.solver.tree, self.solver.average(), about)


@dataclass
class SampledRun:
    """Sampling solvers as something to run: one, or several independent ones side by side on as many threads.

    Iteration i belongs to shard i mod the number of shards, so the same number of iterations gives the same tables
    however it is sliced. Their strategy sums are added in the end: the average policy is then the mixture of the
    shards' averages, whose exploitability is at most the mean of theirs (two players, zero sum).
    """

    shards: list[Sampler]
    game: Game
    """The game the table shall play."""

    @property
    def iterations(self) -> int:
        """Iterations done by all shards together."""
        return sum(shard.iterations for shard in self.shards)

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        self.run_to(self.iterations + iterations)

    def run_to(self, total: int, until: float = math.inf) -> None:
        """Go on until every shard has done its part of so many iterations, or the time has come."""
        due = [(shard, part) for shard, part in zip(self.shards, self._left(total), strict=True) if part > 0]
        if len(due) < 2:  # in this thread: Ctrl-C is heard while a walk is compiled
            for shard, part in due:
                shard.run(part, until)
            return
        with ThreadPoolExecutor(len(due)) as pool:
            for done in [pool.submit(shard.run, part, until) for shard, part in due]:
                done.result()

    def has_done(self, total: int) -> bool:
        """Whether every shard has done its part of so many iterations."""
        return all(part <= 0 for part in self._left(total))

    def _left(self, total: int) -> list[int]:
        """How many of the first `total` iterations each shard has still to do."""
        many = len(self.shards)
        return [(total - k + many - 1) // many - shard.iterations for k, shard in enumerate(self.shards)]

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {f"{name}.{k}": part for k, shard in enumerate(self.shards) for name, part in shard.state().items()}

    def columns(self) -> dict[str, Column]:
        """The arrays of such a state; every shard has as many rows as it has."""
        return self._numbered([shard.columns() for shard in self.shards])

    def optional_columns(self) -> dict[str, Column]:
        """The arrays of walks that are not finished."""
        return self._numbered([shard.optional_columns() for shard in self.shards])

    def _numbered(self, parts: list[dict[str, Column]]) -> dict[str, Column]:
        """The arrays of all shards; those of one have lengths of their own."""
        return {
            f"{name}.{k}": replace(one, shape=tuple(f"{k}:{axis}" if isinstance(axis,
                str) else axis for axis in one.shape or ()))
            for k, part in enumerate(parts)
            for name, one in part.items()
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        for k, shard in enumerate(self.shards):
            shard.restore({name.rsplit(".", 1)[0]: part for name, part in state.items() if name.endswith(f".{k}")})

    def table(self, about: dict[str, Any]) -> Table:
        """The average policy as a table."""
        store = self.shards[0].store if len(self.shards) == 1 else added([shard.store for shard in self.shards])
        return from_store(self.shards[0].abstraction, store, about, self.game)


def start(
    game: Game, method: str, *, seed: int = 1, keys: str = FULL, actions: str = FULL, pruning: str = "",
    depth: int = 0, train: Game | None = None, shards: int = 1, memory: float = 8.0,
    opponent: Opponent | None = None,
) -> Running:  # fmt: skip
    """A run of the method of this name.

    For sampling: `train` is a game with other limits to learn on, `shards` run side by side,
    `memory` GB are theirs at most. `opponent` plays all other seats and does not learn.
    """
    from kibitz.core.tree import unroll
    from kibitz.tabular.abstraction import abstraction

    if method in METHODS:
        if keys != FULL or actions != FULL or depth or train or shards > 1 or opponent:
            raise BadInput(
                f"{method} solves the game as it is: keys, actions, depth, shards and an opponent are for sampling "
                "methods"
            )
        if not pruning:
            return ExactRun(Solver(unroll(game), method))
        if pruning not in EXACT_PRUNINGS:
            raise BadInput(f"{method} cannot be pruned by {pruning}: by {', '.join(EXACT_PRUNINGS)} it can")
        return ExactRun(PrunedSolver(unroll(game), pruning, method))
    if method not in SCHEMES:
        raise BadInput(f"there is no method {method}: there are {', '.join((*METHODS, *SCHEMES))}")
    if depth and method != "external":
        raise BadInput("a depth is for external sampling")
    seen = abstraction(train or game, keys, actions)
    is_walk = method == "trajectory"
    spread = _spread(game) if pruning else 0.0
    seeds = [seed, *(rng.derived(seed, "shards", k) for k in range(1, shards))]
    most = int(memory * GIGA / shards)
    made = [Sampler(seen, method, each, is_walk, pruning, spread, depth, most, opponent=opponent) for each in seeds]
    return SampledRun(made, game)


def _spread(game: Game) -> float:
    """The most that two returns differ."""
    return game.payoffs.most - game.payoffs.least


def save_checkpoint(path: Path, run: Running, label: dict[str, Any]) -> None:
    """Write everything a run needs to go on."""
    write_checkpoint(path, FORMAT, label, run.state())


def load_checkpoint(path: Path, run: Running, label: dict[str, Any]) -> None:
    """Take up a run again, if the file belongs to it."""
    arrays = read_checkpoint(path, FORMAT, label, run.columns(), run.optional_columns())
    with told_of(path):
        run.restore(arrays)


def solve_to_the_end(
    run: Running, *, iterations: int | None, seconds: float | None, checkpoint: Path | None, label: dict[str, Any],
    every: float, report: Callable[[int], None],
) -> float:  # fmt: skip
    """Run until so many iterations are done or so much time has passed; gives the seconds it took."""
    begun = saved = time.perf_counter()
    end = math.inf if seconds is None else begun + seconds
    total = ENDLESS if iterations is None else iterations
    while not run.has_done(total) and (now := time.perf_counter()) < end:
        before = run.iterations
        try:
            run.run_to(total, min(end, now + SLICE, saved + every))
        except BadInput:  # no room for more: what was learned is kept
            if checkpoint is not None:
                save_checkpoint(checkpoint, run, label)
            raise
        report(run.iterations - before)
        if checkpoint is not None and time.perf_counter() - saved >= every:
            save_checkpoint(checkpoint, run, label)
            saved = time.perf_counter()
    if checkpoint is not None:
        save_checkpoint(checkpoint, run, label)
    return time.perf_counter() - begun
