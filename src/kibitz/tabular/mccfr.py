"""Monte Carlo CFR, compiled with a game's own kernels: external, outcome and chance sampling.

One iteration is one walk for every seat (the traverser). Regrets of a walk are unbiased estimates of those of CFR:

external  samples chance and the others, tries all actions of the traverser
outcome   samples everything; the traverser explores with probability sampling.EXPLORE, and what is rare counts for more
chance    samples chance only

(trajectory, in its own file, is a heuristic: see there.)

Averages are kept at the nodes of the seat after the traverser (external, outcome) or at the traverser's own (chance).
With `is_linear` iteration t counts t times.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.arrays import Column
from kibitz.core.errors import BadInput, BadPolicy
from kibitz.core.jit import specialise
from kibitz.core.rng import root
from kibitz.core.shapes import Floats
from kibitz.tabular import sampling
from kibitz.tabular.abstraction import Abstraction
from kibitz.tabular.paused import (
    ASTRAY,
    Walk,
    at_the_start,
    check_luck,
    packed_walk,
    retrace,
    unpacked_walk,
    walk_columns,
)
from kibitz.tabular.regret_store import (
    COUNTS_TOUCHED,
    GIGA,
    Store,
    check_packed,
    columns,
    empty_store,
    packed,
    roomy,
    unpacked,
)
from kibitz.tabular.trajectory import rule_move, table_move, trajectory

CHUNK = 256
"""Iterations in one compiled call, at most."""
NODES = 1 << 8
"""For each of them a branching walk may see so many nodes on average before it stops to come up for air."""
MOST_PACE = 1 << 14
FEW_ACTIONS = 8
"""A game with more actions than this starts with a large store."""

WALKS: dict[str, Callable[..., int]] = {
    "external": sampling.external,
    "outcome": sampling.outcome,
    "chance": sampling.chance,
    "trajectory": trajectory,
}
SCHEMES = tuple(WALKS)
BRANCHING = ("external", "chance")
"""One iteration of these can take any length of time, so their walks can stop in the middle of it."""

PRUNINGS = {
    "": "nothing is left out",
    "visits": "for as many visits as the regret surely stays negative: strategies are what they would have been",
    "often": "in 19 of 20 visits if the regret is below what one visit can change: faster, without a guarantee",
}
OFTEN = 0.95
ITERATIONS = Column("i8", (), 0, 10**15)
"""How many were done, in a state."""


class Opponent(NamedTuple):
    """A rule-based player to learn against: its kernel, made for the game that is learned on, and its knobs."""

    kernel: Any
    knobs: Floats


@dataclass
class Sampler:
    """A sampling solver; `run` goes on from where it stands, and the same seed gives the same table."""

    abstraction: Abstraction
    scheme: str = "external"
    seed: int = 1
    is_linear: bool = False
    pruning: str = ""
    """external, trajectory: which actions of negative regret are left out; one of PRUNINGS."""
    spread: float = 0.0
    """The most that two returns can differ: pruning needs it."""
    depth: int = 0
    """external: after so many own decisions the rest is played out with the current strategies; 0 goes to the end."""
    memory: int = 8 * GIGA
    """The most bytes that the table may take while it grows."""
    iterations: int = 0
    frozen: Store | None = None
    """trajectory: the others play the average policy of this store and do not learn: a search for a best response."""
    opponent: Opponent | None = None
    """trajectory: the others are this player and do not learn."""
    store: Store = field(init=False)
    walk: Walk = field(init=False)
    """Where a branching walk stands in an iteration that is not finished."""
    pace: int = field(init=False, default=1)
    """How much is done in one compiled call: about what takes a tenth of a second."""

    def __post_init__(self) -> None:
        is_wide = self.abstraction.space.ACTIONS > FEW_ACTIONS
        self.store = empty_store(1 << 17, 8) if is_wide else empty_store()
        self.walk = at_the_start(self.abstraction.game, self.abstraction.space.ACTIONS)
        if self.scheme not in SCHEMES:
            raise BadInput(f"there is no sampling {self.scheme}: there are {', '.join(SCHEMES)}")
        if self.pruning not in PRUNINGS:
            raise BadInput(f"there is no pruning {self.pruning}: there are {', '.join(filter(None, PRUNINGS))}")
        if self.pruning and (self.scheme not in ("external", "trajectory") or self.spread <= 0.0):
            raise BadInput("pruning needs external or trajectory sampling and the spread of the returns")
        if (self.frozen or self.opponent) and self.scheme != "trajectory":
            raise BadInput("learning against others who do not learn needs trajectory sampling")

    def run(self, iterations: int, until: float = math.inf) -> None:
        """Do some more iterations, or as much as there is time for until then (by time.perf_counter)."""
        rule = self.opponent.kernel if self.opponent else None
        walk = walker(self.abstraction, self.scheme, rule)
        more: tuple[Any, ...] = ()
        if self.scheme == "trajectory":
            knobs = self.opponent.knobs if self.opponent else np.zeros(0)
            is_alone = self.frozen is not None or self.opponent is not None
            more = (as_policy(self.frozen or empty_store(16, 1)), knobs, is_alone)
        left = iterations
        while left:
            self.store = roomy(self.store, self.abstraction.space.ACTIONS, self.memory)
            begun = time.perf_counter()
            if self.scheme in BRANCHING:
                more = (self.walk, NODES * self.pace)
            done = walk(
                self.iterations, min(left, self.pace, CHUNK), root(self.seed), self.abstraction.game.blank(),
                self.store, self.is_linear, self.spread if self.pruning else 0.0,
                OFTEN if self.pruning == "often" else 0.0, self.depth or self.abstraction.game.LONGEST + 1, *more,
            )  # fmt: skip
            if done == ASTRAY:
                raise BadPolicy("the checkpoint is damaged: the moves of its unfinished walk are against the rules")
            self.iterations += done
            left -= done
            now = time.perf_counter()
            self.pace = min(MOST_PACE, paced(self.pace, now - begun))
            if now >= until:
                return

    @property
    def touched(self) -> int:
        """Nodes visited so far."""
        return int(self.store.counts[COUNTS_TOUCHED])

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        walk = packed_walk(self.walk, self.abstraction.space.ACTIONS)
        return {**packed(self.store), "iterations": np.array(self.iterations), **walk}

    def columns(self) -> dict[str, Column]:
        """The arrays of a state."""
        return {**columns(self.abstraction.game.PLAYERS, self.abstraction.space.ACTIONS), "iterations": ITERATIONS}

    def optional_columns(self) -> dict[str, Column]:
        """The arrays that a state has if a walk stands in an iteration that is not finished."""
        return walk_columns(self.abstraction.game, self.abstraction.space.ACTIONS) if self.scheme in BRANCHING else {}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        check_packed(state)
        self.store, self.iterations = unpacked(state), int(state["iterations"])
        self.walk = unpacked_walk(state, self.abstraction.game, self.abstraction.space.ACTIONS)
        check_luck(self.walk, self.seed, self.iterations + 1)


def as_policy(store: Store) -> Store:
    """The store with its average policy in the place of the regrets, so that regret matching plays it."""
    return store._replace(regret=store.total)


def paced(part: int, seconds: float) -> int:
    """How many to do at once, after `part` took so long: a call shall take about a tenth of a second."""
    if seconds < 0.05:
        return 2 * part
    return max(1, part // 2) if seconds > 0.2 else part


@cache
def walker(abstraction: Abstraction, scheme: str, rule: Any = None) -> Callable[..., int]:
    """The compiled walks of one scheme through one abstraction, against a rule-based player if his kernel is given."""
    bound: dict[str, Any] = {"game": abstraction.game.kernels, "abstraction": abstraction.space}
    tag = abstraction.tag if rule is None else f"{abstraction.tag}|{rule.__module__}.{rule.__name__}"
    if scheme in BRANCHING:
        bound["retrace"] = specialise(retrace, tag, **bound)
    if scheme == "trajectory" and rule is None:
        bound["others"] = specialise(table_move, tag, **bound)
    elif scheme == "trajectory":
        bound["others"] = specialise(rule_move, tag, game=abstraction.game.kernels, opponent=rule)
    return specialise(WALKS[scheme], tag, **bound)
