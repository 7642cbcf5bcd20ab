"""Two teams of two: what a team can reach when its members agree beforehand (TMECor), and when they share their cards.

TMECor, the team-maxmin equilibrium with correlation, is the equilibrium of the zero-sum game between the teams in which
a pure strategy is a pair of plans, one for each member. It is found by column generation: a small matrix game, and best
pairs of plans against its solution, first by climbing,
then by a mixed integer program that proves there is none better.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import coo_array

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats, Ints
from kibitz.core.tree import Tree
from kibitz.tabular.forgetful_oracle import Signals, SignalSolver, multiply_down

TOLERANCE = 1e-7


def merge_sides(tree: Tree) -> Tree:
    """The tree as a game between sides: a side has one mind, so members must see the same cards (a perfect oracle)."""
    sides = np.array([int(tree.game.side(tree.game.blank(), seat)) for seat in range(tree.players)])
    pay = np.stack([tree.utility[:, sides == side].sum(axis=1) for side in range(sides.max() + 1)], axis=1)
    seat = np.where(tree.seat >= 0, sides[tree.seat], tree.seat).astype(np.int32)
    return replace(tree, seat=seat, owner=sides[tree.owner].astype(np.int32), utility=pay)


@dataclass(frozen=True)
class TeamValue:
    """What side 0 gets: between `low`, which its plans guarantee, and `high`, which the other side's plans concede."""

    estimate: float
    """The value of the matrix game of the plans generated so far."""
    low: float
    high: float
    plans: tuple[int, int]
    """Pairs of plans generated for each side."""
    proofs: int
    """Mixed integer programs solved."""
    seconds: float

    @property
    def is_exact(self) -> bool:
        """Whether low and high have met."""
        return self.high - self.low < 1e-5


class TeamGame:
    """A folded game of two sides with two seats each, seen as a matrix game of pairs of plans."""

    def __init__(self, game: Signals) -> None:
        if (np.diff(game.first_message) > 1).any() or game.game.PLAYERS != 4:
            raise BadInput("team values are computed for four seats without a noisy oracle")
        self.game = game
        self.pay = game.utility[:, 0] + game.utility[:, 2]
        spoken = np.minimum(game.first_message[:-1], len(game.member) - 1)
        self.set_of = np.where(np.diff(game.first_message) > 0, game.member[spoken], -1)
        self.depth = np.zeros(len(game.parent), np.int64)
        self.last = np.full((4, len(game.parent)), -1, np.int64)
        _trace(game.parent, game.seat, game.first_child, self.set_of, game.offset, self.depth, self.last)
        self.ends = np.flatnonzero(game.children == 0)

    def reach(self, plan: Floats, side: int) -> Floats:
        """[ends]: whether a side's plans lead to each end."""
        ends = np.ones(len(self.ends))
        for seat in (side, side + 2):
            reach = np.ones(len(self.game.parent))
            behaviour = self.game.by_seat([self.game.behaviour(plan) if k == seat else reach for k in range(4)])
            multiply_down(self.game.parent, behaviour, reach)
            ends *= reach[self.ends]
        return ends

    def climb(self, worth: Floats, side: int, plan: Floats) -> tuple[float, Floats]:
        """The best that members reach by answering each other in turn, from a pair of plans; `worth` is per end."""
        best, plan = -np.inf, plan.copy()
        while True:
            before = best
            for seat in (side, side + 2):
                partner = self.last[(seat + 2) % 4]
                reach = np.ones(len(self.game.parent))
                behaviour = self.game.by_seat(
                    [self.game.behaviour(plan) if k == (seat + 2) % 4 else reach for k in range(4)]
                )
                multiply_down(self.game.parent, behaviour, reach)
                node_worth = np.zeros(len(partner))
                node_worth[self.ends] = worth * reach[self.ends]
                _answer(
                    self.game.parent, self.game.seat, self.game.first_child, self.game.children, self.set_of,
                    self.game.offset, self.depth, seat, node_worth, plan,
                )  # fmt: skip
                best = float(node_worth[self.game.parent < 0].sum())
            if best <= before + 1e-12:
                return best, plan

    def prove(self, worth: Floats, side: int, seconds: float) -> tuple[float, float, Floats]:
        """The best pair of plans by a mixed integer program: value found, proven bound, plans."""
        one, two = self.last[side][self.ends], self.last[side + 2][self.ends]
        pairs, place = np.unique(np.stack([one, two], axis=1), axis=0, return_inverse=True)
        gain = np.bincount(place.reshape(-1), worth, len(pairs))
        entries = int(self.game.offset[-1])
        n = entries + len(pairs)
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        low: list[float] = []
        high: list[float] = []

        def add(terms: list[tuple[int, float]], least: float, most: float) -> None:
            rows.extend([len(low)] * len(terms))
            columns.extend(column for column, _ in terms)
            values.extend(value for _, value in terms)
            low.append(least)
            high.append(most)

        above = self._above()
        own = np.zeros(entries, np.bool_)
        for i in np.flatnonzero(self.game.owner % 2 == side):
            span = range(self.game.offset[i], self.game.offset[i + 1])
            own[list(span)] = True
            before = [] if above[i] < 0 else [(int(above[i]), -1.0)]
            total = 1.0 if above[i] < 0 else 0.0
            add([(e, 1.0) for e in span] + before, total, total)
        for k, (a, b) in enumerate(pairs):
            parts = [int(e) for e in (a, b) if e >= 0]
            if gain[k] > 0:
                for e in parts:
                    add([(entries + k, 1.0), (e, -1.0)], -np.inf, 0.0)
            else:
                add([(entries + k, 1.0)] + [(e, -1.0) for e in parts], 1.0 - len(parts), np.inf)
        whole = np.zeros(n)
        whole[:entries] = own & (self.game.owner[self._set_of_entry()] == side)
        found = milp(
            -np.concatenate([np.zeros(entries), gain]), integrality=whole,
            bounds=Bounds(np.zeros(n), np.concatenate([own.astype(float), np.ones(len(pairs))])),
            constraints=LinearConstraint(coo_array((values, (rows, columns)), shape=(len(low), n)).tocsc(), low, high),
            options={"time_limit": seconds, "mip_rel_gap": 1e-9},
        )  # fmt: skip
        if found.x is None:
            return -np.inf, np.inf, np.zeros(entries)
        bound = -float(found.mip_dual_bound) if found.mip_dual_bound is not None else -float(found.fun)
        return -float(found.fun), bound, self._pure(np.round(found.x[:entries]))

    def _set_of_entry(self) -> Ints:
        return np.repeat(np.arange(len(self.game.key)), np.diff(self.game.offset))

    def _above(self) -> Ints:
        above = np.full(len(self.game.key), -1)
        for node in np.flatnonzero(self.set_of >= 0):
            above[self.set_of[node]] = self.last[self.game.seat[node], node]
        return above

    def _pure(self, sequence: Floats) -> Floats:
        """A plan from its realisation: first action where the set is not reached."""
        plan = sequence.copy()
        for i in range(len(self.game.key)):
            span = slice(self.game.offset[i], self.game.offset[i + 1])
            if plan[span].sum() == 0:
                plan[self.game.offset[i]] = 1.0
        return plan


def tmecor(game: Signals, seconds: float = 60.0, seed: int = 1) -> TeamValue:
    """The team value with correlation, or the interval it was brought into before the time ran out."""
    teams, start = TeamGame(game), time.perf_counter()
    base = game.chance[teams.ends] * teams.pay[teams.ends]
    luck = rng.generator(seed, "team_plans")
    reaches: list[list[Floats]] = [[], []]
    plans: list[list[Floats]] = [[], []]
    for first in _first_plans(game, luck):
        for side in range(2):
            plans[side].append(first)
            reaches[side].append(teams.reach(first, side))
    low, high, value, proofs = -np.inf, np.inf, 0.0, 0
    while time.perf_counter() - start < seconds and high - low > TOLERANCE:
        known = np.array(reaches[0]), np.array(reaches[1])
        payoff = (known[0] * base) @ known[1].T
        x, y, value = matrix_game(payoff)
        is_stuck = True
        for side, mixture, sign in ((0, y, 1.0), (1, x, -1.0)):
            against = sign * base * (mixture @ known[1 - side])
            goal = sign * value
            found = [teams.climb(against, side, plan) for plan in _starts(plans[side], luck, game)]
            best, plan = max(found, key=lambda pair: pair[0])
            if best <= goal + TOLERANCE:
                left = max(1.0, seconds - (time.perf_counter() - start))
                best, bound, plan = teams.prove(against, side, left)
                proofs += 1
                if side == 0:
                    high = min(high, bound)
                else:
                    low = max(low, -bound)
            if best > goal + TOLERANCE:
                is_stuck = False
                plans[side].append(plan)
                reaches[side].append(teams.reach(plan, side))
        if is_stuck:
            break
    return TeamValue(value, low, high, (len(plans[0]), len(plans[1])), proofs, time.perf_counter() - start)


def matrix_game(payoff: Floats) -> tuple[Floats, Floats, float]:
    """Optimal mixtures of rows (who maximise) and columns, and the value."""
    rows, columns = payoff.shape
    found = linprog(
        np.concatenate([np.zeros(rows), [-1.0]]), A_ub=np.hstack([-payoff.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns), A_eq=[[1.0] * rows + [0.0]], b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)], method="highs",
    )  # fmt: skip
    y = np.maximum(-np.asarray(found.ineqlin.marginals), 0.0)
    return found.x[:rows], y / y.sum(), float(found.x[-1])


def _first_plans(game: Signals, luck: np.random.Generator) -> list[Floats]:
    """Pure plans drawn from a short run of CFR with team rewards."""
    solver = SignalSolver(game, is_tied=True)
    drawn = []
    for _ in range(10):
        solver.run(20)
        drawn.append(_draw(game, solver.average(), luck))
    return drawn


def _starts(plans: list[Floats], luck: np.random.Generator, game: Signals) -> list[Floats]:
    """Where to climb from: some plans already found and some at random."""
    known = [plans[k] for k in luck.integers(len(plans), size=4)]
    uniform = np.repeat(1.0 / np.diff(game.offset), np.diff(game.offset))
    return [plans[-1], *known, *(_draw(game, uniform, luck) for _ in range(4))]


def _draw(game: Signals, policy: Floats, luck: np.random.Generator) -> Floats:
    plan = np.zeros(len(policy))
    for i in range(len(game.key)):
        span = np.arange(game.offset[i], game.offset[i + 1])
        plan[luck.choice(span, p=policy[span] / policy[span].sum())] = 1.0
    return plan


@kernel
def _trace(
    parent: Ints, seat: Ints, first_child: Ints, set_of: Ints, offset: NDArray[np.int32], depth: Ints, last: Ints
) -> None:
    for node in range(len(parent)):
        above = parent[node]
        if above >= 0:
            depth[node] = depth[above] + 1
            last[:, node] = last[:, above]
            last[seat[above], node] = offset[set_of[above]] + node - first_child[above]


@kernel
def _answer(
    parent: Ints, seat: Ints, first_child: Ints, children: Ints, set_of: Ints, offset: NDArray[np.int32], depth: Ints,
    player: int, worth: Floats, plan: Floats,
) -> None:  # fmt: skip
    """Backward over the nodes, depth by depth: one seat's best plan for ends of given worth."""
    gain = np.zeros(len(plan))
    top = len(parent)
    while top > 0:
        low = top
        while low > 0 and depth[low - 1] == depth[top - 1]:
            low -= 1
        for node in range(low, top):
            if seat[node] == player:
                for k in range(children[node]):
                    gain[offset[set_of[node]] + k] += worth[first_child[node] + k]
        for node in range(low, top):
            if children[node] == 0:
                continue
            first = first_child[node]
            if seat[node] == player:
                start, end = offset[set_of[node]], offset[set_of[node] + 1]
                best = start
                for e in range(start, end):
                    if gain[e] > gain[best]:
                        best = e
                for e in range(start, end):
                    plan[e] = 1.0 if e == best else 0.0
                worth[node] = worth[first + best - start]
            else:
                worth[node] = 0.0
                for k in range(children[node]):
                    worth[node] += worth[first + k]
        top = low
