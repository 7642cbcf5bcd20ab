"""Counterfactual regret minimisation over a Tree: CFR, CFR+, LCFR, DCFR and PCFR+, for any number of seats.

Notation: R regret, S strategy sum, sigma the current strategy, one entry per (information set, action). For the seat
that is being updated, the value of a node is weighted by chance and by the others' reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.core.tree import Tree
from kibitz.tabular.best_response import action_values

Ints32 = NDArray[np.int32]
Places = NDArray[np.uint32]


@dataclass(frozen=True)
class Variant:
    """How a member of the family forgets: after iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1),
    negative ones by t^beta / (t^beta + 1), and the strategy of iteration t counts t^gamma in the average.

    An infinite power means the factor 1, minus infinity the factor 0. `predicts` adds the last regrets once more when
    the next strategy is chosen.
    """

    alpha: float = inf
    beta: float = inf
    gamma: float = 0.0
    predicts: bool = False

    def factors(self, t: int) -> tuple[float, float, float]:
        """What positive regrets, negative regrets and the strategy of iteration t are multiplied by."""
        return _factor(t, self.alpha), _factor(t, self.beta), float(t) ** self.gamma


def _factor(t: int, power: float) -> float:
    if abs(power) == inf:
        return 1.0 if power > 0 else 0.0
    return float(t**power / (t**power + 1.0))


VARIANTS = {
    "cfr": Variant(),
    "cfr+": Variant(beta=-inf, gamma=1.0),
    "lcfr": Variant(1.0, 1.0, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "pcfr+": Variant(beta=-inf, gamma=2.0, predicts=True),
}
METHODS = tuple(VARIANTS)
AVERAGES = ("reach", "plain")


@dataclass
class Solver:
    """The running state of one solver; `run` goes on from where it stands.

    Seats are updated one after the other, or all on the same strategies if `is_simultaneous`. The average weighs a
    strategy by the seat's own reach (`reach`, which converges) or every iteration alike (`plain`,
    as some papers write).
    """

    tree: Tree
    method: str | Variant = "cfr+"
    is_simultaneous: bool = False
    averaging: str = "reach"
    iterations: int = 0
    regret: Floats = field(init=False)
    strategy_sum: Floats = field(init=False)
    prediction: Floats = field(init=False)
    """[entries]: the last regrets of PCFR+, zero otherwise."""

    def __post_init__(self) -> None:
        if isinstance(self.method, str) and self.method not in VARIANTS:
            raise BadInput(f"there is no method {self.method}: there are {', '.join(METHODS)}")
        if self.averaging not in AVERAGES:
            raise BadInput(f"there is no averaging {self.averaging}: there are {', '.join(AVERAGES)}")
        self.variant = VARIANTS[self.method] if isinstance(self.method, str) else self.method
        entries = len(self.tree.choice)
        self.regret, self.strategy_sum, self.prediction = (np.zeros(entries) for _ in range(3))
        self._passes = [own_pass(self.tree, seat) for seat in range(self.tree.players)]
        self._inner = inner_nodes(self.tree)
        self._sigma = self.tree.uniform()
        self._scratch = np.ones(len(self.tree.parent)), np.zeros(entries), np.zeros(entries)

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        tree = self.tree
        self._sigma[:] = self.current()
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            for one in self._passes:
                _update(
                    *self._inner, tree.offset, one.seat, one.value, one.reach_entry, one.sets, self._sigma, self.regret,
                    self.strategy_sum, self.prediction, *self._scratch, *self.variant.factors(t),
                    self.variant.predicts, self.averaging == "plain", not self.is_simultaneous,
                )  # fmt: skip
            if self.is_simultaneous:
                self._sigma[:] = self.current()
        self.iterations += iterations

    def parts(self) -> dict[str, NDArray[Any]]:
        """What is needed to go on, as arrays that are the solver's own: what is written there counts."""
        return {"regret": self.regret, "total": self.strategy_sum, "prediction": self.prediction}

    def average(self) -> Floats:
        """[entries]: the average policy, which is what converges."""
        policy = self.strategy_sum.copy()
        normalise(self.tree.offset, policy)
        return policy

    def current(self) -> Floats:
        """[entries]: the strategy of the next iteration."""
        policy = np.zeros_like(self.regret)
        match_regrets(self.tree.offset, self.regret + self.prediction, policy)
        return policy

    def start_at_random(self, seed: int, most: float = 0.1) -> None:
        """Begin with regrets drawn uniformly from 0 to `most`: the first strategies are then random."""
        self.regret[:] = rng.generator(seed, "first_regrets").uniform(0.0, most, len(self.regret))

    def start_from(self, policy: Floats, iterations: int) -> None:
        """Begin as if `policy` ([entries]) had been played for so many iterations.

        The regrets are those it would have: a warm start without the guarantee of one that bounds them.
        """
        for one in self._passes:
            worth = action_values(self.tree, policy, one.seat)
            mean = np.add.reduceat(policy * worth, self.tree.offset[:-1])
            own = np.repeat(self.tree.owner == one.seat, np.diff(self.tree.offset))
            gap = worth - np.repeat(mean, np.diff(self.tree.offset))
            self.regret[own] = (iterations * gap)[own]
        weights = sum(self.variant.factors(t)[2] for t in range(1, iterations + 1))
        self.strategy_sum[:] = weights * own_reach(self.tree, policy) * policy
        if self.variant.beta == -inf:
            np.maximum(self.regret, 0.0, out=self.regret)
        self.iterations = iterations


def with_team_rewards(tree: Tree, sides: Sequence[int] | None = None) -> Tree:
    """The tree with every seat paid what its side gets together; `sides` is asked of the game unless given."""
    if sides is None:
        sides = [int(tree.game.side(tree.game.blank(), seat)) for seat in range(tree.players)]
    together = np.array([[float(a == b) for a in sides] for b in sides])
    return replace(tree, utility=tree.utility @ together)


@dataclass(frozen=True)
class Pass:
    """The tree as one seat's update reads it."""

    seat: int
    value: Floats
    """[nodes]: what the seat gets, given at the ends and worked out for the inner nodes in every pass."""
    reach_entry: Ints32
    """[infosets]: the seat's own entry just before the set, -1 at its first decision."""
    sets: Ints32
    """The seat's information sets, from the top of the tree down."""


def inner_nodes(tree: Tree) -> tuple[Ints32, Places, Places, Places, Floats, Floats, Places]:
    """The nodes with children, packed: seat, first entry, first child, children, chance; then each node's share of its
    parent's chance, and where the inner nodes stand among all.

    Places are unsigned: compiled code then need not look out for indices that count from the end.
    """
    place = np.flatnonzero(tree.children)
    entry = np.where(tree.infoset >= 0, tree.offset[:-1][tree.infoset], 0)
    share = np.where(tree.parent >= 0, tree.chance / tree.chance[tree.parent], tree.chance)
    first, count = tree.first_child[place].astype(np.uint32), tree.children[place].astype(np.uint32)
    chance = tree.chance[place]
    return tree.seat[place], entry[place].astype(np.uint32), first, count, chance, share, place.astype(np.uint32)


def own_pass(tree: Tree, seat: int) -> Pass:
    """What does not change from one update of a seat to the next; refuses a tree without perfect recall."""
    last_own = last_entries(tree, seat)
    own_nodes = np.flatnonzero(tree.seat == seat)
    reach_entry = np.full(tree.infosets, -1, np.int32)
    reach_entry[tree.infoset[own_nodes]] = last_own[own_nodes]
    if (reach_entry[tree.infoset[own_nodes]] != last_own[own_nodes]).any():
        raise BadInput(f"{tree.game.name} has no perfect recall: exact CFR needs it")
    _, first = np.unique(tree.infoset[own_nodes], return_index=True)
    sets = tree.infoset[own_nodes[np.sort(first)]]
    return Pass(seat, np.ascontiguousarray(tree.utility[:, seat]), reach_entry, sets)


def last_entries(tree: Tree, seat: int) -> Ints32:
    """[nodes]: the last entry of a seat on the way to each node, -1 where it has not acted yet."""
    entry = tree.entry()
    is_own = (entry >= 0) & (tree.seat[tree.parent] == seat)
    last = np.full(len(tree.parent), -1, np.int32)
    _carry(tree.parent, entry, is_own, last)
    return last


def own_reach(tree: Tree, policy: Floats) -> Floats:
    """[entries]: the probability with which a set's owner plays towards it."""
    reach = np.zeros(len(policy))
    for seat in range(tree.players):
        one = own_pass(tree, seat)
        for i in one.sets:
            before = one.reach_entry[i]
            reach[tree.offset[i] : tree.offset[i + 1]] = 1.0 if before < 0 else reach[before] * policy[before]
    return reach


@kernel
def _carry(parent: Ints32, entry: Ints32, is_own: NDArray[np.bool_], last_own: Ints32) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            last_own[node] = entry[node] if is_own[node] else last_own[parent[node]]


@kernel
def _update(
    who: Ints32, entry: Places, first_child: Places, children: Places, odds: Floats, share: Floats, place: Places,
    offset: Ints32, player: int, value: Floats, reach_entry: Ints32, sets: Ints32, sigma: Floats, regret: Floats,
    strategy_sum: Floats, prediction: Floats, reach: Floats, own: Floats, gain: Floats, positive: float,
    negative: float, weight: float, predicts: bool, is_plain: bool, moves_on: bool,
) -> None:  # fmt: skip
    """One seat's pass: expected values backward, then reaches and regrets forward, then the new strategy.

    Sums run in the order a recursive walk would take, so that ties between actions of equal worth are rounded alike.
    """
    target = gain if predicts else regret
    for n in range(len(place) - 1, -1, -1):
        first = first_child[n]
        worth = 0.0
        if who[n] >= 0:
            e = entry[n]
            for k in range(children[n]):
                worth += sigma[e + k] * value[first + k]
        else:
            for k in range(children[n]):
                worth += share[first + k] * value[first + k]
        value[place[n]] = worth
    for n in range(len(place)):
        first = first_child[n]
        others = reach[place[n]]
        e = entry[n]
        if who[n] == player:
            node_odds = others * odds[n]
            node_value = value[place[n]]
            for k in range(children[n]):
                target[e + k] += node_odds * (value[first + k] - node_value)
                reach[first + k] = others
        elif who[n] >= 0:
            for k in range(children[n]):
                reach[first + k] = others * sigma[e + k]
        else:
            for k in range(children[n]):
                reach[first + k] = others
    for i in sets:
        # Own reach of the set: the product of own probabilities on the way, carried from entry to entry.
        before = 1.0 if reach_entry[i] < 0 else own[reach_entry[i]]
        total = 0.0
        for e in range(offset[i], offset[i + 1]):
            own[e] = before * sigma[e]
            strategy_sum[e] += (sigma[e] if is_plain else own[e]) * weight
            if predicts:
                regret[e] += gain[e]
            factor = positive if regret[e] > 0.0 else negative
            regret[e] = regret[e] * factor if factor > 0.0 else 0.0
            if predicts:
                prediction[e] = gain[e]
                gain[e] = 0.0
            total += max(regret[e] + prediction[e], 0.0)
        if moves_on:
            for e in range(offset[i], offset[i + 1]):
                wanted = max(regret[e] + prediction[e], 0.0)
                sigma[e] = wanted / total if total > 0.0 else 1.0 / (offset[i + 1] - offset[i])


@kernel
def match_regrets(offset: Ints32, regret: Floats, sigma: Floats) -> None:
    """Regret matching: probabilities proportional to positive regret, uniform if there is none."""
    for i in range(len(offset) - 1):
        total = 0.0
        for e in range(offset[i], offset[i + 1]):
            total += max(regret[e], 0.0)
        for e in range(offset[i], offset[i + 1]):
            sigma[e] = max(regret[e], 0.0) / total if total > 0.0 else 1.0 / (offset[i + 1] - offset[i])


@kernel
def normalise(offset: Ints32, policy: Floats) -> None:
    """Make every information set's entries sum to one, uniform where they are all zero."""
    for i in range(len(offset) - 1):
        total = 0.0
        for e in range(offset[i], offset[i + 1]):
            total += policy[e]
        for e in range(offset[i], offset[i + 1]):
            policy[e] = policy[e] / total if total > 0.0 else 1.0 / (offset[i + 1] - offset[i])
