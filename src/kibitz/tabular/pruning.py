"""CFR over a Tree that leaves out what cannot matter: partial, regret-based and best-response pruning, with counts.

partial  skips histories the others never reach: regrets are the same to the last bit.
rbp      skips what lies under an own action of negative regret for as long as that regret cannot have become positive.
         On return the missed regret is that of a best response to what the others played meanwhile.
brp      skips an own action while even a best response to the others' whole average does worse than what was achieved.
         On return everything below is set as if that best response had always been played, so that regrets and strategy
         sums below need not be kept meanwhile: the saving of space.

rbp and brp are for vanilla CFR with simultaneous updates in zero-sum games of two.
Notation as in cfr.py; U is the most an action can bring.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.core.tree import Tree
from kibitz.tabular.cfr import VARIANTS, Ints32, Pass, last_entries, match_regrets, normalise, own_pass

RULES = ("none", "partial", "rbp", "brp")
SHORTEST = 10.0
"""An action is skipped only if it can stay out for about so many iterations: coming back costs a walk."""


@dataclass
class PrunedSolver:
    """A solver that counts the nodes it touches and, for brp, the entries it must keep."""

    tree: Tree
    rule: str = "partial"
    method: str = "cfr"
    check_every: int = 10
    """Iterations between two looks for actions that brp may skip."""
    loose: float = 0.1
    """brp skips an action only while its share of the average is at most loose / sqrt(t): that share is given up."""
    iterations: int = 0
    touched: int = 0
    """Nodes visited so far, walks of returning actions included."""
    kept: list[int] = field(default_factory=list)
    """Entries that had to be kept after each iteration."""
    regret: Floats = field(init=False)
    strategy_sum: Floats = field(init=False)

    def __post_init__(self) -> None:
        tree = self.tree
        if self.rule not in RULES:
            raise BadInput(f"there is no pruning {self.rule}: there are {', '.join(RULES)}")
        if self.rule in ("rbp", "brp") and (self.method != "cfr" or tree.players != 2):
            raise BadInput(
                f"{self.rule} is for the method cfr in games of two: this is {self.method} with {tree.players}"
            )
        if self.method == "pcfr+" or self.method not in VARIANTS:
            raise BadInput(f"{self.method} cannot be pruned: cfr, cfr+, lcfr and dcfr can")
        entries = len(tree.choice)
        self.regret, self.strategy_sum = np.zeros(entries), np.zeros(entries)
        self._sigma = tree.uniform()
        self._set_of = np.repeat(np.arange(tree.infosets), np.diff(tree.offset)).astype(np.int32)
        self._passes = [own_pass(tree, seat) for seat in range(tree.players)]
        self._above = np.full(tree.infosets, -1, np.int32)
        for one in self._passes:
            self._above[one.sets] = one.reach_entry[one.sets]
        self._most, self._last = _ceilings(tree), [last_entries(tree, 1 - seat) for seat in range(2)]
        self._order, self._starts = _members(tree)
        self._entry, self._worth = tree.entry(), np.zeros(len(tree.parent))
        self._utility = [tree.utility[:, seat].copy() for seat in range(tree.players)]
        self.skipped: Bools = np.zeros(entries, np.bool_)
        self._slack, self._spent = np.zeros(entries), np.zeros(entries)
        self._since: dict[int, tuple[int, Floats]] = {}
        self._set_value, self._set_odds, self._value_sum = (np.zeros(tree.infosets) for _ in range(3))
        self._work = np.zeros(len(tree.parent), np.int32), np.ones(len(tree.parent)), np.zeros(entries)
        self._share = np.where(tree.parent >= 0, tree.chance / tree.chance[tree.parent], tree.chance)

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            self._set_value[:], self._set_odds[:] = 0.0, 0.0
            for one in self._passes:
                self._walk(one)
                if self.rule not in ("rbp", "brp"):
                    self._close(one, t)
            if self.rule in ("rbp", "brp"):
                for one in self._passes:
                    self._close(one, t)
                self._return_all(self.skipped & (self._slack > 0.0), t)
                self._start(t)
                match_regrets(self.tree.offset, self.regret, self._sigma)
            self.kept.append(self._entries_kept())
            self.iterations = t

    def average(self) -> Floats:
        """[entries]: the average policy."""
        policy = self.strategy_sum.copy()
        normalise(self.tree.offset, policy)
        return policy

    def parts(self) -> dict[str, NDArray[Any]]:
        """What a solver without rbp needs to go on, as arrays that are its own: what is written there counts."""
        return {
            "regret": self.regret, "total": self.strategy_sum, "sigma": self._sigma, "slack": self._slack,
            "spent": self._spent, "value_sum": self._value_sum, "skipped": self.skipped.view(np.uint8),
        }  # fmt: skip

    def bring_back(self) -> None:
        """End all pruning, so that the regrets are complete."""
        self._return_all(self.skipped.copy(), self.iterations)

    def _walk(self, one: Pass) -> None:
        tree = self.tree
        self.touched += _walk(
            tree.seat, tree.infoset, tree.first_child, tree.children, tree.chance, self._share, tree.offset, one.seat,
            one.value, self._sigma, self.regret, self.skipped, self.rule != "none", self._set_value, self._set_odds,
            *self._work[:2], int((tree.parent < 0).sum()),
        )  # fmt: skip

    def _close(self, one: Pass, t: int) -> None:
        _close(
            self.tree.offset, one.sets, one.reach_entry, self._sigma, self.regret, self.strategy_sum, self._work[2],
            self.skipped, self._most, self._set_value, self._set_odds, self._value_sum, self._slack, self._spent,
            *VARIANTS[self.method].factors(t),
        )  # fmt: skip

    def _start(self, t: int) -> None:
        """Begin to skip actions that are bad enough."""
        if self.rule == "brp" and t % self.check_every:
            return
        budget = self.regret.copy()
        if self.rule == "brp":
            for one in self._passes:
                own = self.tree.owner[self._set_of] == one.seat
                gain, _ = self._respond(one.seat, self._total_reach(t), t, np.arange(int((self.tree.parent < 0).sum())))
                budget[own] = np.maximum(budget, gain - self._value_sum[self._set_of])[own]
            budget[self.strategy_sum > self.loose * np.sqrt(t)] = 0.0
        step = np.maximum(self._most * self._set_odds[self._set_of] - self._set_value[self._set_of], 0.0)
        bad = (budget < 0.0) & (-budget > SHORTEST * step) & ~self.skipped
        if self.rule == "brp":
            gone = np.zeros(self.tree.infosets, np.bool_)
            for one in self._passes:
                _skip_whole(
                    self.tree.offset, one.sets, self._above, self._set_of, bad, budget, self.skipped, self._slack,
                    self._spent, self.strategy_sum, gone,
                )  # fmt: skip
            return
        copy = self.strategy_sum.copy()
        for entry in np.flatnonzero(bad):
            if self._is_inside(int(self._set_of[entry])):
                continue
            for inner in np.flatnonzero(self.skipped):
                if self._is_inside(int(self._set_of[inner]), int(entry)):
                    self._return(int(inner), t)
            self.skipped[entry] = True
            self._slack[entry], self._spent[entry] = budget[entry], 0.0
            self._since[int(entry)] = (t, copy)

    def _return_all(self, coming: Bools, t: int) -> None:
        """End the pruning of these actions and make up for what was missed."""
        if self.rule == "rbp":
            for entry in np.flatnonzero(coming):
                if self.skipped[entry]:
                    self._return(int(entry), t)
            return
        if not coming.any():
            return
        weights = self._total_reach(t)
        for one in self._passes:
            entries = np.flatnonzero(coming & (self.tree.owner[self._set_of] == one.seat))
            if not len(entries):
                continue
            start = np.concatenate([self._children_of(int(entry)) for entry in entries])
            gain, best = self._respond(one.seat, weights, t, start)
            below = self._below(coming, one)
            self.regret[below] = gain[below] - best[self._set_of[below]]
            self._value_sum[self._set_of[below]] = best[self._set_of[below]]
            self.regret[entries] = gain[entries] - self._value_sum[self._set_of[entries]]
        self.skipped[coming] = False

    def _return(self, entry: int, t: int) -> None:
        """rbp: end the pruning of one action; what was missed is a best response to what the others played
        meanwhile."""
        since, before = self._since.pop(entry)
        seat = int(self.tree.owner[self._set_of[entry]])
        gain, best = self._respond(seat, self.strategy_sum - before, t - since, self._children_of(entry))
        coming = np.zeros(len(self.regret), np.bool_)
        coming[entry] = True
        below = self._below(coming, self._passes[seat])
        self.regret[below] += gain[below] - best[self._set_of[below]]
        self.regret[entry] += gain[entry] - self._spent[entry]
        self.skipped[entry] = False

    def _respond(self, seat: int, weights: Floats, times: int, start: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Per entry and per set: what a best response below `start` gets against the others' reach in `weights`."""
        tree = self.tree
        gain, best = np.zeros(len(tree.choice)), np.zeros(tree.infosets)
        self.touched += _best_below(
            tree.seat, tree.infoset, tree.first_child, tree.children, tree.chance, self._utility[seat],
            tree.offset, self._entry, seat, self._last[seat], weights, float(times), start.astype(np.int32),
            self._work[0], self._worth, gain, best,
        )  # fmt: skip
        return gain, best

    def _total_reach(self, t: int) -> Floats:
        """[entries]: t times the reach of each entry by its owner's average policy."""
        policy = self.average()
        reach = np.zeros(len(policy))
        for one in self._passes:
            _reach_down(self.tree.offset, one.sets, one.reach_entry, policy, reach)
        return reach * t

    def _children_of(self, entry: int) -> NDArray[np.int64]:
        i = self._set_of[entry]
        nodes = self._order[self._starts[i] : self._starts[i + 1]]
        return np.asarray(self.tree.first_child[nodes] + (entry - self.tree.offset[i]), np.int64)

    def _is_inside(self, i: int, entry: int | None = None) -> bool:
        """Whether a set lies below an entry (or below any that is skipped)."""
        above = self._above[i]
        while above >= 0:
            if above == entry or (entry is None and self.skipped[above]):
                return True
            above = self._above[self._set_of[above]]
        return False

    def _below(self, above: Bools, one: Pass) -> Bools:
        """[entries]: whether an entry of the same seat lies below one of these."""
        inside = np.zeros(self.tree.infosets, np.bool_)
        _mark_below(one.sets, self._above, self._set_of, above, inside)
        flags: Bools = inside[self._set_of]
        return flags

    def _entries_kept(self) -> int:
        if self.rule != "brp" or not self.skipped.any():
            return len(self.regret)
        gone = np.zeros(self.tree.infosets, np.bool_)
        for one in self._passes:
            _mark_below(one.sets, self._above, self._set_of, self.skipped, gone)
        return int((~gone[self._set_of]).sum())


def _ceilings(tree: Tree) -> Floats:
    """[entries]: U, the most the owner can get after each action."""
    most = np.full(len(tree.choice), -np.inf)
    for seat in range(tree.players):
        top = np.where(tree.children == 0, tree.utility[:, seat], -np.inf)
        _raise_tops(tree.parent, tree.seat, tree.entry(), seat, top, most)
    return most


def _members(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes of every information set one after the other, and where each set's begin."""
    deciding = np.flatnonzero(tree.infoset >= 0)
    order = deciding[np.argsort(tree.infoset[deciding], kind="stable")]
    counts = np.bincount(tree.infoset[deciding], minlength=tree.infosets)
    return order, np.concatenate([[0], np.cumsum(counts)])


@kernel
def _raise_tops(parent: Ints32, seat: Ints32, entry: Ints32, player: int, top: Floats, most: Floats) -> None:
    for node in range(len(parent) - 1, -1, -1):
        above = parent[node]
        if above >= 0:
            top[above] = max(top[above], top[node])
            if entry[node] >= 0 and seat[above] == player:
                most[entry[node]] = max(most[entry[node]], top[node])


@kernel
def _reach_down(offset: Ints32, sets: Ints32, reach_entry: Ints32, policy: Floats, reach: Floats) -> None:
    for i in sets:
        before = 1.0 if reach_entry[i] < 0 else reach[reach_entry[i]]
        for e in range(offset[i], offset[i + 1]):
            reach[e] = before * policy[e]


@kernel
def _mark_below(sets: Ints32, above: Ints32, set_of: Ints32, entries: Bools, inside: Bools) -> None:
    for i in sets:  # from the top down, so that the set above is marked already
        inside[i] = above[i] >= 0 and (entries[above[i]] or inside[set_of[above[i]]])


@kernel
def _skip_whole(
    offset: Ints32, sets: Ints32, above: Ints32, set_of: Ints32, bad: Bools, budget: Floats, skipped: Bools,
    slack: Floats, spent: Floats, strategy_sum: Floats, gone: Bools,
) -> None:  # fmt: skip
    """Skip bad actions, the highest ones alone, and forget the average of what lies below."""
    for i in sets:
        gone[i] = above[i] >= 0 and (skipped[above[i]] or gone[set_of[above[i]]])
        for e in range(offset[i], offset[i + 1]):
            if gone[i]:
                skipped[e] = False
                strategy_sum[e] = 0.0
            elif bad[e]:
                skipped[e] = True
                slack[e] = budget[e]
                spent[e] = 0.0
                strategy_sum[e] = 0.0


@kernel
def _walk(
    seat: Ints32, infoset: Ints32, first_child: Ints32, children: Ints32, chance: Floats, share: Floats,
    offset: Ints32, player: int, value: Floats, sigma: Floats, regret: Floats, skipped: Bools, prunes: bool,
    set_value: Floats, set_odds: Floats, queue: Ints32, reach: Floats, deals: int,
) -> int:  # fmt: skip
    """One seat's pass over what is not pruned; gives the number of nodes touched."""
    n = 0
    touched = deals
    for node in range(deals):
        reach[node] = 1.0
        if children[node] > 0:
            queue[n] = node
            n += 1
    at = 0
    while at < n:
        node = queue[at]
        at += 1
        first = first_child[node]
        e = offset[infoset[node]] if seat[node] >= 0 else 0
        for k in range(children[node]):
            if seat[node] == player:
                if skipped[e + k]:
                    continue
                reach[first + k] = reach[node]
            elif seat[node] >= 0:
                reach[first + k] = reach[node] * sigma[e + k]
                if prunes and reach[first + k] == 0.0:
                    continue
            else:
                reach[first + k] = reach[node]
            touched += 1
            if children[first + k] > 0:
                queue[n] = first + k
                n += 1
    for at in range(n - 1, -1, -1):
        node = queue[at]
        first = first_child[node]
        worth = 0.0
        e = offset[infoset[node]] if seat[node] >= 0 else 0
        for k in range(children[node]):
            if seat[node] < 0:
                worth += share[first + k] * value[first + k]
            elif sigma[e + k] > 0.0:
                worth += sigma[e + k] * value[first + k]
        value[node] = worth
    for at in range(n):
        node = queue[at]
        if seat[node] == player:
            i = infoset[node]
            first = first_child[node]
            odds = reach[node] * chance[node]
            set_odds[i] += odds
            set_value[i] += odds * value[node]
            for k in range(children[node]):
                e = offset[i] + k
                if not skipped[e]:
                    regret[e] += odds * (value[first + k] - value[node])
    return touched


@kernel
def _close(
    offset: Ints32, sets: Ints32, reach_entry: Ints32, sigma: Floats, regret: Floats, strategy_sum: Floats,
    own: Floats, skipped: Bools, most: Floats, set_value: Floats, set_odds: Floats, value_sum: Floats, slack: Floats,
    spent: Floats, positive: float, negative: float, weight: float,
) -> None:  # fmt: skip
    """After a seat's pass: averages, forgetting, the next strategy, and how far skipped actions may have come."""
    for i in sets:
        before = 1.0 if reach_entry[i] < 0 else own[reach_entry[i]]
        value_sum[i] += set_value[i]
        total = 0.0
        for e in range(offset[i], offset[i + 1]):
            own[e] = before * sigma[e]
            strategy_sum[e] += own[e] * weight
            if skipped[e]:
                slack[e] += most[e] * set_odds[i] - set_value[i]
                spent[e] += set_value[i]
            factor = positive if regret[e] > 0.0 else negative
            regret[e] = regret[e] * factor if factor > 0.0 else 0.0
            total += max(regret[e], 0.0)
        for e in range(offset[i], offset[i + 1]):
            sigma[e] = max(regret[e], 0.0) / total if total > 0.0 else 1.0 / (offset[i + 1] - offset[i])


@kernel
def _best_below(
    seat: Ints32, infoset: Ints32, first_child: Ints32, children: Ints32, chance: Floats, utility: Floats,
    offset: Ints32, entry: Ints32, player: int, last: Ints32, weights: Floats, times: float, start: Ints32,
    queue: Ints32, worth: Floats, gain: Floats, best: Floats,
) -> int:  # fmt: skip
    """A best response from the nodes of `start` down, against reaches summed over iterations;
    gives the nodes touched."""
    n = 0
    for node in start:
        queue[n] = node
        n += 1
    # Where each depth begins in the queue: all of `start` has one depth, and so have the nodes of an information set.
    marks = np.zeros(256, np.int32)
    levels = 1
    marks[1] = n
    at = 0
    while at < n:
        node = queue[at]
        at += 1
        if children[node] == 0:
            weight = times if last[node] < 0 else weights[last[node]]
            worth[node] = utility[node] * chance[node] * weight
        for k in range(children[node]):
            queue[n] = first_child[node] + k
            n += 1
        if at == marks[levels] and n > at:
            levels += 1
            marks[levels] = n
    for level in range(levels - 1, -1, -1):
        for at in range(marks[level], marks[level + 1]):
            node = queue[at]
            if seat[node] == player:
                for k in range(children[node]):
                    gain[offset[infoset[node]] + k] += worth[first_child[node] + k]
        for at in range(marks[level], marks[level + 1]):
            node = queue[at]
            if children[node] == 0:
                continue
            first = first_child[node]
            total = 0.0
            if seat[node] == player:
                i = infoset[node]
                top = offset[i]
                for e in range(offset[i], offset[i + 1]):
                    if gain[e] > gain[top]:
                        top = e
                best[i] = gain[top]
                total = worth[first + top - offset[i]]
            else:
                for k in range(children[node]):
                    total += worth[first + k]
            worth[node] = total
    for node in start:
        if entry[node] >= 0:
            gain[entry[node]] += worth[node]
    return n
