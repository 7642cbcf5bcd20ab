"""Exact evaluation over a Tree: expected value, best response, NashConv."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.core.tree import Tree

Ints32 = NDArray[np.int32]


def expected_value(tree: Tree, policy: Floats) -> Floats:
    """[PLAYERS]: what every seat gets on average when all play `policy` ([entries])."""
    reach = tree.chance.copy()
    _multiply_reach(tree.parent, tree.entry(), policy, reach)
    value: Floats = reach @ tree.utility
    return value


def best_response(tree: Tree, policy: Floats, seat: int) -> tuple[float, Floats]:
    """The most one seat can get while the others play `policy`, and a policy ([entries]) that gets it.

    The policy returned differs from `policy` only at the seat's own information sets, where it is pure.
    """
    entry = tree.entry()
    reach = np.ones(len(tree.parent))
    _reach_of_others(tree.parent, tree.seat, entry, policy, seat, reach)
    worth = tree.utility[:, seat] * tree.chance * reach
    gain = np.zeros(len(tree.choice))
    best = policy.copy()
    depth = _depths(tree.parent)
    order = _infoset_order(tree, seat, depth)
    _respond(tree.parent, tree.seat, tree.infoset, tree.offset, entry, depth, seat, order, worth, gain, best)
    return float(worth[tree.parent < 0].sum()), best


def action_values(tree: Tree, policy: Floats, seat: int) -> Floats:
    """[entries]: what each action of a seat is worth when all play `policy` afterwards,
    weighted by the others' reach."""
    entry = tree.entry()
    reach = np.ones(len(tree.parent))
    _reach_of_others(tree.parent, tree.seat, entry, policy, seat, reach)
    worth = tree.utility[:, seat] * tree.chance * reach
    values = np.zeros(len(tree.choice))
    _collect(tree.parent, tree.seat, entry, policy, seat, worth, values)
    return values


def team_response(tree: Tree, policy: Floats, seats: Sequence[int], rounds: int = 20) -> tuple[float, Floats]:
    """The most that seats with one purse get by answering in turn until none improves:
    a lower bound of what they could.

    `tree` must pay each of them their sum (`with_team_rewards`); a joint best response may be better still.
    """
    value, best = float(expected_value(tree, policy)[seats[0]]), policy
    for _ in range(rounds):
        before = value
        for seat in seats:
            value, best = best_response(tree, best, seat)
        if value <= before + 1e-12:
            break
    return value, best


def nash_conv(tree: Tree, policy: Floats) -> float:
    """How much the seats together could gain by deviating one at a time."""
    value = expected_value(tree, policy)
    return float(sum(best_response(tree, policy, seat)[0] - value[seat] for seat in range(tree.players)))


def exploitability(tree: Tree, policy: Floats) -> float:
    """NashConv per seat."""
    return nash_conv(tree, policy) / tree.players


def _depths(parent: Ints32) -> Ints32:
    depth = np.zeros(len(parent), np.int32)
    _fill_depths(parent, depth)
    return depth


def _infoset_order(tree: Tree, seat: int, depth: Ints32) -> NDArray[np.int64]:
    """The depth of every information set of a seat (its nodes share it), -2 for the others':
    no node is just above that."""
    order = np.full(tree.infosets, -2, np.int64)
    own = tree.seat == seat
    order[tree.infoset[own]] = depth[own]
    return order


@kernel
def _fill_depths(parent: Ints32, depth: Ints32) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            depth[node] = depth[parent[node]] + 1


@kernel
def _multiply_reach(parent: Ints32, entry: Ints32, policy: Floats, reach: Floats) -> None:
    own = np.ones(len(parent))
    for node in range(len(parent)):
        if parent[node] >= 0:
            own[node] = own[parent[node]]
            if entry[node] >= 0:
                own[node] *= policy[entry[node]]
        reach[node] *= own[node]


@kernel
def _reach_of_others(parent: Ints32, seat: Ints32, entry: Ints32, policy: Floats, player: int, reach: Floats) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            reach[node] = reach[parent[node]]
            if entry[node] >= 0 and seat[parent[node]] != player:
                reach[node] *= policy[entry[node]]


@kernel
def _collect(
    parent: Ints32, seat: Ints32, entry: Ints32, policy: Floats, player: int, worth: Floats, values: Floats
) -> None:
    for node in range(len(parent) - 1, -1, -1):
        above = parent[node]
        if above >= 0:
            if entry[node] >= 0 and seat[above] == player:
                values[entry[node]] += worth[node]
                worth[above] += worth[node] * policy[entry[node]]
            else:
                worth[above] += worth[node]


@kernel
def _respond(
    parent: Ints32, seat: Ints32, infoset: Ints32, offset: Ints32, entry: Ints32, depth: Ints32, player: int,
    order: NDArray[np.int64], worth: Floats, gain: Floats, best: Floats,
) -> None:  # fmt: skip
    """Backward over the nodes: add up what every own action is worth, and choose once a depth is complete.

    Breadth-first order puts deeper nodes last, so a depth is complete when the first node above it is met.
    """
    last = len(parent) - 1
    level = depth[last]
    node = last
    while node >= 0:
        # All nodes of this level: their worth goes to the action they come from (own) or to the parent (others).
        start = node
        while start >= 0 and depth[start] == level:
            above = parent[start]
            if above >= 0:
                if entry[start] >= 0 and seat[above] == player:
                    gain[entry[start]] += worth[start]
                else:
                    worth[above] += worth[start]
            start -= 1
        for i in range(len(order)):
            if order[i] == level - 1:
                top = offset[i]
                for e in range(offset[i], offset[i + 1]):
                    if gain[e] > gain[top]:
                        top = e
                for e in range(offset[i], offset[i + 1]):
                    best[e] = 1.0 if e == top else 0.0
        child = node
        while child > start:
            above = parent[child]
            if above >= 0 and entry[child] >= 0 and seat[above] == player and best[entry[child]] == 1.0:
                worth[above] += worth[child]
            child -= 1
        node = start
        level -= 1
