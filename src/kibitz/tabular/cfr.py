"""Counterfactual regret minimisation over a Tree: vanilla CFR and CFR+, alternating updates.

Notation: R regret, S strategy sum, sigma the current strategy, one entry per (information set, action). For the seat that
is being updated, the value of a node is weighted by chance and by the others' reach.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel
from kibitz.core.tree import Tree

Floats = NDArray[np.float64]
Ints32 = NDArray[np.int32]

METHODS = ("cfr", "cfr+")


@dataclass
class Solver:
    """The running state of one solver; `run` goes on from where it stands."""

    tree: Tree
    method: str = "cfr+"
    iterations: int = 0
    regret: Floats = field(init=False)
    strategy_sum: Floats = field(init=False)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadInput(f"there is no method {self.method}: there are {', '.join(METHODS)}")
        self.regret = np.zeros(len(self.tree.choice))
        self.strategy_sum = np.zeros(len(self.tree.choice))
        self._passes = [_own_pass(self.tree, seat) for seat in range(self.tree.players)]
        self._sigma = self.tree.uniform()
        self._inner = np.flatnonzero(self.tree.children).astype(np.int32)
        self._scratch = np.ones(len(self.tree.parent)), np.zeros(len(self._sigma))

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        tree = self.tree
        match_regrets(tree.offset, self.regret, self._sigma)
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            for one in self._passes:
                _update(
                    self._inner, tree.seat, tree.infoset, tree.first_child, tree.children, tree.chance, tree.offset,
                    one.seat, one.value, one.reach_entry, one.sets, self._sigma, self.regret, self.strategy_sum,
                    *self._scratch, self.method == "cfr+", float(t),
                )  # fmt: skip
        self.iterations += iterations

    def average(self) -> Floats:
        """[entries]: the average policy, which is what converges."""
        policy = self.strategy_sum.copy()
        normalise(self.tree.offset, policy)
        return policy

    def current(self) -> Floats:
        """[entries]: the strategy of the next iteration."""
        policy = np.zeros_like(self.regret)
        match_regrets(self.tree.offset, self.regret, policy)
        return policy


@dataclass(frozen=True)
class _Pass:
    """The tree as one seat's update reads it."""

    seat: int
    value: Floats
    """[nodes]: what the seat gets, given at the ends and worked out for the inner nodes in every pass."""
    reach_entry: Ints32
    """[infosets]: the seat's own entry just before the set, -1 at its first decision."""
    sets: Ints32
    """The seat's information sets, from the top of the tree down."""


def _own_pass(tree: Tree, seat: int) -> _Pass:
    entry = tree.entry()
    is_own = (entry >= 0) & (tree.seat[tree.parent] == seat)
    last_own = np.full(len(tree.parent), -1, np.int32)
    _carry(tree.parent, entry, is_own, last_own)
    own_nodes = np.flatnonzero(tree.seat == seat)
    reach_entry = np.full(tree.infosets, -1, np.int32)
    reach_entry[tree.infoset[own_nodes]] = last_own[own_nodes]
    if (reach_entry[tree.infoset[own_nodes]] != last_own[own_nodes]).any():
        raise BadInput(f"{tree.game.name} has no perfect recall: exact CFR needs it")
    _, first = np.unique(tree.infoset[own_nodes], return_index=True)
    sets = tree.infoset[own_nodes[np.sort(first)]]
    return _Pass(seat, np.ascontiguousarray(tree.utility[:, seat]), reach_entry, sets)


@kernel
def _carry(parent: Ints32, entry: Ints32, is_own: NDArray[np.bool_], last_own: Ints32) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            last_own[node] = entry[node] if is_own[node] else last_own[parent[node]]


@kernel
def _update(
    inner: Ints32, seat: Ints32, infoset: Ints32, first_child: Ints32, children: Ints32, chance: Floats,
    offset: Ints32, player: int, value: Floats, reach_entry: Ints32, sets: Ints32, sigma: Floats, regret: Floats,
    strategy_sum: Floats, reach: Floats, own: Floats, is_plus: bool, t: float,
) -> None:  # fmt: skip
    """One seat's pass: expected values backward, then reaches and regrets forward, then the new strategy.

    Sums run in the order a recursive walk would take, so that ties between actions of equal worth are rounded alike.
    """
    for n in range(len(inner) - 1, -1, -1):
        node = inner[n]
        first = first_child[node]
        worth = 0.0
        if seat[node] >= 0:
            e = offset[infoset[node]]
            for k in range(children[node]):
                worth += sigma[e + k] * value[first + k]
        else:
            for k in range(children[node]):
                worth += chance[first + k] / chance[node] * value[first + k]
        value[node] = worth
    for node in inner:
        first = first_child[node]
        others = reach[node]
        if seat[node] == player:
            e = offset[infoset[node]]
            weight = others * chance[node]
            for k in range(children[node]):
                regret[e + k] += weight * (value[first + k] - value[node])
                reach[first + k] = others
        elif seat[node] >= 0:
            e = offset[infoset[node]]
            for k in range(children[node]):
                reach[first + k] = others * sigma[e + k]
        else:
            for k in range(children[node]):
                reach[first + k] = others
    for i in sets:
        # Own reach of the set: the product of own probabilities on the way, carried from entry to entry.
        before = 1.0 if reach_entry[i] < 0 else own[reach_entry[i]]
        total = 0.0
        for e in range(offset[i], offset[i + 1]):
            own[e] = before * sigma[e]
            strategy_sum[e] += own[e] * (t if is_plus else 1.0)
            if is_plus and regret[e] < 0.0:
                regret[e] = 0.0
            total += max(regret[e], 0.0)
        for e in range(offset[i], offset[i + 1]):
            sigma[e] = max(regret[e], 0.0) / total if total > 0.0 else 1.0 / (offset[i + 1] - offset[i])


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
