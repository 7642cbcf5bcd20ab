"""CFR for games in which a seat is told something before it acts and forgets it afterwards (a forgotten oracle).

Unrolled, such a game grows with every message although nothing later depends on it. Here a node stays one node: it
belongs to several information sets, each with a probability, and its actions are played with the mixture of their
strategies. A game without messages is the special case of one set a node. Updates are simultaneous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE, OVER, Game, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats, Ints
from kibitz.core.tree import Tree
from kibitz.tabular.cfr import match_regrets, normalise


@dataclass(frozen=True)
class Signals:
    """A game folded: nodes breadth first, equal deals once, messages as sets with probabilities."""

    game: Game
    parent: Ints
    seat: Ints
    first_child: Ints
    children: Ints
    chance: Floats
    """[nodes]: the probability of the deal."""
    utility: Floats
    """[nodes, PLAYERS], as the game pays."""
    first_message: Ints
    """[nodes + 1]: where a node's messages begin in `member` and `odds`."""
    member: Ints
    """[messages]: the information set."""
    odds: Floats
    """[messages]: its probability at the node."""
    key: Ints
    owner: Ints
    offset: NDArray[np.int32]
    """[infosets + 1]: where a set's actions begin in policies."""

    def behaviour(self, policy: Floats) -> Floats:
        """[nodes]: the probability of the action that leads to a node, given its parent."""
        out = np.ones(len(self.parent))
        _mix(self.first_child, self.children, self.first_message, self.member, self.odds, self.offset, policy, out)
        return out

    def value(self, behaviour: Floats) -> Floats:
        """[PLAYERS]: what every seat gets when nodes are played as `behaviour` says."""
        reach = np.ones(len(self.parent))
        multiply_down(self.parent, behaviour, reach)
        value: Floats = (reach * self.chance) @ self.utility
        return value

    def by_seat(self, behaviours: Sequence[Floats]) -> Floats:
        """[nodes]: seat k's nodes played as behaviours[k] says; for policies with different oracles at one table."""
        mover = self.seat[self.parent]
        out = np.ones(len(self.parent))
        for seat, one in enumerate(behaviours):
            own = (self.parent >= 0) & (mover == seat)
            out[own] = one[own]
        return out

    def on_tree(self, policy: Floats, tree: Tree) -> Floats:
        """[entries of the tree]: the policy over the unrolled game; uniform at sets that are not among these."""
        known = {(int(who), int(key)): i for i, (who, key) in enumerate(zip(self.owner, self.key, strict=True))}
        spread = tree.uniform()
        for i in range(tree.infosets):
            j = known.get((int(tree.owner[i]), int(tree.key[i])))
            if j is not None:
                spread[tree.offset[i] : tree.offset[i + 1]] = policy[self.offset[j] : self.offset[j + 1]]
        return spread


def fold(game: Game) -> Signals:
    """Fold a game whose messages are forgotten."""
    deals: dict[bytes, int] = {}
    for k in range(int(game.deals())):
        s = game.blank()
        game.deal_at(s, k)
        deals[s.tobytes()] = deals.get(s.tobytes(), 0) + 1
    states: list[State] = [np.frombuffer(state, np.int64).copy() for state in deals]
    chance = [count / int(game.deals()) for count in deals.values()]
    parent, seats, first, width = [-1] * len(states), [], [], []
    utility: list[Floats] = []
    sets: dict[tuple[int, int], tuple[int, int]] = {}
    marks, member, odds = [0], [], []
    at = 0
    while at < len(states):
        s = states[at]
        told = list(_messages(game, s))
        mover = int(game.turn(told[0][1]))
        mask = np.zeros(game.ACTIONS, np.bool_)
        pay = np.zeros(game.PLAYERS)
        if mover == OVER:
            game.returns(s, pay)
        else:
            game.legal(told[0][1], mask)
            for p, heard in told:
                label = mover, int(game.infoset(heard, mover))
                member.append(sets.setdefault(label, (len(sets), int(mask.sum())))[0])
                odds.append(p)
        marks.append(len(member))
        seats.append(mover)
        utility.append(pay)
        first.append(len(states))
        width.append(int(mask.sum()))
        for action in np.flatnonzero(mask):
            child = told[0][1].copy()
            game.step(child, int(action))
            states.append(child)
            parent.append(at)
            chance.append(chance[at])
        at += 1
    offset = np.concatenate([[0], np.cumsum([size for _, size in sets.values()])]).astype(np.int32)
    return Signals(
        game, np.array(parent), np.array(seats), np.array(first), np.array(width), np.array(chance), np.array(utility),
        np.array(marks), np.array(member), np.array(odds), np.array([key for _, key in sets]),
        np.array([seat for seat, _ in sets]), offset,
    )  # fmt: skip


def blurred(clear: Signals, blind: Signals, right: Sequence[float]) -> Signals:
    """The game in which whoever makes action t is told what `clear` tells with the chance right[t], and nothing else;
    `blind` is the same game without messages, and the last chance holds for all later actions."""
    if not np.array_equal(clear.parent, blind.parent) or len(clear.member) != len(blind.member):
        raise BadInput(f"{clear.game.name} and {blind.game.name} are not one game with and without messages")
    told = np.flatnonzero(np.diff(clear.first_message))
    depth = np.zeros(len(clear.parent), np.int64)
    _count_down(clear.parent, depth)
    chances = np.asarray(right, float)[np.minimum(depth[told], len(right) - 1)]
    return replace(
        clear,
        first_message=2 * clear.first_message,
        member=np.stack([clear.member, blind.member + len(clear.key)], axis=1).reshape(-1),
        odds=np.stack([chances, 1.0 - chances], axis=1).reshape(-1),
        key=np.concatenate([clear.key, blind.key]),
        owner=np.concatenate([clear.owner, blind.owner]),
        offset=np.concatenate([clear.offset, clear.offset[-1] + blind.offset[1:]]).astype(np.int32),
    )


def _messages(game: Game, s: State) -> list[tuple[float, State]]:
    """What the seat to move may hear, with probabilities, and the state afterwards."""
    if game.turn(s) != CHANCE:
        return [(1.0, s)]
    p = np.zeros(game.CHANCES)
    heard = []
    for k in range(game.chances(s, p)):
        if p[k] > 0.0:
            after = s.copy()
            game.step(after, k)
            heard.append((float(p[k]), after))
    return heard


class SignalSolver:
    """Vanilla CFR on a folded game, for selfish or team rewards, with random starts and sampled messages."""

    def __init__(self, signals: Signals, is_tied: bool = False, averaging: str = "reach") -> None:
        self.signals, self.averaging = signals, averaging
        self.iterations = 0
        entries = int(signals.offset[-1])
        self.regret, self.strategy_sum = np.zeros(entries), np.zeros(entries)
        sides = [int(signals.game.side(signals.game.blank(), seat)) for seat in range(signals.game.PLAYERS)]
        together = np.array([[float(a == b) for a in sides] for b in sides])
        self._utility = np.ascontiguousarray((signals.utility @ together if is_tied else signals.utility).T)
        self._deals, self._deal = int((signals.parent < 0).sum()), np.arange(len(signals.parent))
        _carry_down(signals.parent, self._deal)

    def start_at_random(self, seed: int, most: float = 0.1) -> None:
        """Begin with regrets drawn uniformly from 0 to `most`."""
        self.regret[:] = rng.generator(seed, "first_regrets").uniform(0.0, most, len(self.regret))

    def run(self, iterations: int, sampled: int | None = None, hands: int = 0, seed: int = 0) -> None:
        """Do some more iterations; with `sampled` as seed every node hears one drawn message an iteration.

        With `hands` an iteration sees so many deals, drawn with the seed, instead of all of them.
        """
        tree = self.signals
        work = np.ones(len(tree.parent)), np.ones(len(tree.parent)), np.zeros(len(tree.parent))
        chance = tree.chance
        for _ in range(iterations):
            self.iterations += 1
            odds = (
                tree.odds
                if sampled is None
                else _draw(tree, rng.generator(sampled, "sampled_messages", self.iterations))
            )
            if hands:
                luck = rng.generator(seed, "minibatches", self.iterations)
                chance = luck.multinomial(hands, tree.chance[: self._deals])[self._deal] / hands
            _iterate(
                tree.parent, tree.seat, tree.first_child, tree.children, chance, tree.first_message, tree.member,
                odds, tree.offset, self._utility, self.current(), self.regret, self.strategy_sum,
                self.averaging == "plain", np.ones(len(tree.parent)), *work,
            )  # fmt: skip

    def current(self) -> Floats:
        """[entries]: the strategy of the next iteration."""
        policy = np.zeros_like(self.regret)
        match_regrets(self.signals.offset, self.regret, policy)
        return policy

    def average(self) -> Floats:
        """[entries]: the average policy."""
        policy = self.strategy_sum.copy()
        normalise(self.signals.offset, policy)
        return policy


def _draw(tree: Signals, luck: np.random.Generator) -> Floats:
    """[messages]: 1 for one message of every node, drawn by its odds, 0 for the others."""
    counts = np.diff(tree.first_message)
    spoken = np.flatnonzero(counts)
    starts = tree.first_message[spoken]
    upto = np.cumsum(tree.odds) - np.repeat((np.cumsum(tree.odds) - tree.odds)[starts], counts[spoken])
    left = np.repeat(luck.random(len(spoken)), counts[spoken])
    passed = (upto <= left).astype(np.int64)
    place = np.minimum(np.add.reduceat(passed, starts), counts[spoken] - 1)
    chosen = np.zeros(len(tree.odds))
    chosen[starts + place] = 1.0
    return chosen


@kernel
def _mix(
    first_child: Ints, children: Ints, first_message: Ints, member: Ints, odds: Floats,
    offset: NDArray[np.int32], policy: Floats, out: Floats,
) -> None:  # fmt: skip
    for node in range(len(children)):
        for k in range(children[node]):
            total = 0.0
            for m in range(first_message[node], first_message[node + 1]):
                total += odds[m] * policy[offset[member[m]] + k]
            out[first_child[node] + k] = total


@kernel
def _count_down(parent: Ints, depth: Ints) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            depth[node] = depth[parent[node]] + 1


@kernel
def _carry_down(parent: Ints, carried: Ints) -> None:
    for node in range(len(parent)):
        if parent[node] >= 0:
            carried[node] = carried[parent[node]]


@kernel
def multiply_down(parent: Ints, behaviour: Floats, reach: Floats) -> None:
    """How likely the moves on the way to each node are, all seats' and chance's together."""
    for node in range(len(parent)):
        if parent[node] >= 0:
            reach[node] = reach[parent[node]] * behaviour[node]


@kernel
def _iterate(
    parent: Ints, seat: Ints, first_child: Ints, children: Ints, chance: Floats, first_message: Ints, member: Ints,
    odds: Floats, offset: NDArray[np.int32], utility: Floats, sigma: Floats, regret: Floats, strategy_sum: Floats,
    is_plain: bool, behaviour: Floats, others: Floats, own: Floats, value: Floats,
) -> None:  # fmt: skip
    _mix(first_child, children, first_message, member, odds, offset, sigma, behaviour)
    for player in range(len(utility)):
        for node in range(len(parent)):
            above = parent[node]
            if above >= 0:
                is_own = seat[above] == player
                own[node] = own[above] * (behaviour[node] if is_own else 1.0)
                others[node] = others[above] * (1.0 if is_own else behaviour[node])
        for node in range(len(parent) - 1, -1, -1):
            value[node] = utility[player, node]
            for k in range(children[node]):
                child = first_child[node] + k
                value[node] += behaviour[child] * value[child]
        for node in range(len(parent)):
            if seat[node] != player:
                continue
            first = first_child[node]
            for m in range(first_message[node], first_message[node + 1]):
                e = offset[member[m]]
                mean = 0.0
                for k in range(children[node]):
                    mean += sigma[e + k] * value[first + k]
                weight = odds[m] * chance[node]
                for k in range(children[node]):
                    regret[e + k] += weight * others[node] * (value[first + k] - mean)
                    strategy_sum[e + k] += weight * sigma[e + k] * (1.0 if is_plain else own[node])
