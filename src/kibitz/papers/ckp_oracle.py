"""Collaborative Kuhn poker: how good an oracle must be, and what learning from minibatches of hands does."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from kibitz.arena.statistics import Score
from kibitz.core.game import make
from kibitz.core.shapes import Floats
from kibitz.core.tree import Tree, unroll
from kibitz.papers import charts, claims
from kibitz.papers.ckp import BATCHES, MODELS, SEATS, Trained, advantage, folded, gain, standard_error, starts
from kibitz.papers.ckp_rewards import NEAR
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Result, Scale, Table, experiment
from kibitz.tabular.best_response import best_response, expected_value
from kibitz.tabular.cfr import with_team_rewards
from kibitz.tabular.forgetful_oracle import SignalSolver, blurred

ACCURACIES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
ENOUGH = 0.9
"""The accuracy that the paper asks for."""
ACTIONS = 10
"""A hand has no more."""
LATE = (1, 2, 3, 4, 5)
SIZES = (12, 60, 360)
SIXTH = 60
"""A sixth of a batch: the size by which the paper's sentence on minibatches is judged."""
REWARDS = {False: "selfish", True: "tied"}
WITHOUT = {False: "CFR", True: "CFR-tied-r"}
SURE = 2.0
LAST = 100
"""The last updates of a run, in which the current strategies are watched."""


def schedules() -> dict[str, list[float]]:
    """How likely the oracle tells the partner's card before each action of a hand."""
    always = {f"{accuracy:.0%} always": [accuracy] * ACTIONS for accuracy in ACCURACIES}
    late = {f"100% from action {t + 1} on": [0.0] * t + [1.0] * (ACTIONS - t) for t in LATE}
    return always | late | {"the paper's: 0, 25, 50, 75, then 90%": [min(0.25 * t, 0.9) for t in range(ACTIONS)]}


@experiment("ckp.oracle")
def oracle(scale: Scale) -> Result:
    """Models with oracles of every accuracy, selfish and tied, against models without one, over pairs of starts."""
    count, iterations = scale.pick(quick=6, full=10), scale.pick(quick=150, full=BATCHES)
    seeds = range(scale.seed * 1000, scale.seed * 1000 + count)
    plain = {name: starts(scale, MODELS[name], seeds, iterations) for name in ("CFR", "CFR-tied-r")}
    asked = [
        Asked(f"{name} {REWARDS[is_tied]}", [make("collaborative-kuhn"), right, is_tied, count, iterations],
            partial(_gains, right, is_tied, seeds, iterations, plain))
        for name, right in schedules().items()
        for is_tied in (False, True)
    ]  # fmt: skip
    values = iter(scale.each(asked, "oracles"))
    found: dict[tuple[str, bool, str], Score] = {}
    rows: list[list[Cell]] = []
    for name in schedules():
        line: list[Cell] = [name]
        for is_tied in (False, True):
            matrices = next(values)
            for base in plain:
                found[name, is_tied, base] = gain(np.array(matrices[base]))
                line.append(found[name, is_tied, base])
        rows.append(line)
    columns = ["oracle right", *(f"{REWARDS[tied]}, over {base}" for tied in (False, True) for base in plain)]
    notes = (
        f"Means over all pairs of {count} random starts of {iterations:,} iterations each; an error counts the starts "
        "of both sides.",
        "When the oracle is not right it says nothing, which the paper calls a uniform distribution of cards.",
        "0% is an oracle that is always silent: its model gains nothing but for the starts.",
    )
    return Result(
        "How good an oracle must be", [Table("Gain of the model with the oracle, chips a hand", columns, rows)],
        [_accuracy_figure(found)], notes, _oracle_claims(found),
    )  # fmt: skip


def _gains(
    right: list[float], is_tied: bool, seeds: range, iterations: int, plain: dict[str, list[Trained]]
) -> dict[str, Floats]:
    """By model without an oracle: the advantage over each of its starts of each start with one."""
    game = blurred(folded(oracle="perfect"), folded(), right)
    taught = []
    for seed in seeds:
        solver = SignalSolver(game, is_tied)
        solver.start_at_random(seed)
        solver.run(iterations)
        behaviour = game.behaviour(solver.average())
        taught.append(Trained(behaviour, game.value(behaviour)))
    return {base: np.array([[advantage(a, b) for b in taught] for a in many]) for base, many in plain.items()}


def _oracle_claims(found: dict[tuple[str, bool, str], Score]) -> list[Claim]:
    def said(name: str, is_tied: bool) -> str:
        one = found[name, is_tied, WITHOUT[is_tied]]
        return f"{one.mean:+.2f} ± {one.se:.2f}"

    def gains(name: str, is_tied: bool) -> bool:
        one = found[name, is_tied, WITHOUT[is_tied]]
        return one.mean > SURE * one.se

    made = []
    for is_tied, word in REWARDS.items():
        base = WITHOUT[is_tied]
        less = [f"{accuracy:.0%} always" for accuracy in ACCURACIES if 0 < accuracy < ENOUGH]
        enough = [name for name in less if gains(name, is_tied)]
        shown = ", ".join(f"{name.split()[0]} {said(name, is_tied)}" for name in less)
        late = [f"100% from action {t + 1} on" for t in LATE]
        in_time = [name for name in late[:-1] if gains(name, is_tied)]
        times = ", ".join(f"{name.split()[3]} {said(name, is_tied)}" for name in late)
        near = f"{ENOUGH:.0%} always"
        loses = found[near, is_tied, base]
        made += [
            claims.sentence(f"perfect {word}", f"A perfect oracle dominates no oracle, {word} rewards", "dominates",
                f"over {base}: {said('100% always', is_tied)}", gains("100% always", is_tied),
                reason=f"{word} players with a perfect oracle do not gain on average over starts", is_alike=False),
            claims.sentence(f"enough {word}", f"An oracle must be right in 90 % or more, {word} rewards", ">= 90 %",
                f"over {base}: {shown}", not enough and gains("100% always", is_tied),
                reason="gains with less" if enough else "gains with no accuracy", is_alike=False),
            claims.sentence(f"robust {word}", f"A close-to-perfect oracle makes play worse than none, {word} rewards",
                "worse", f"over {base}, right in 90 %: {said(near, is_tied)}", loses.mean < -SURE * loses.se,
                reason="it gains" if gains(near, is_tied) else "not told from nothing", is_alike=False),
            claims.sentence(f"in time {word}", f"It must tell the card after at most 4 actions, {word} rewards",
                "at most 4", f"over {base}, always right from action {times}",
                bool(in_time) and not gains(late[-1], is_tied),
                reason="it gains even later" if in_time else "it gains at no time", is_alike=False),
        ]  # fmt: skip
    return made


def _accuracy_figure(found: dict[tuple[str, bool, str], Score]) -> Figure:
    curves = {}
    for is_tied, word in REWARDS.items():
        for base in WITHOUT.values():
            scores = [found[f"{accuracy:.0%} always", is_tied, base] for accuracy in ACCURACIES]
            means, reach = [one.mean for one in scores], [2 * one.se for one in scores]
            low, high = ([m + sign * r for m, r in zip(means, reach, strict=True)] for sign in (-1, 1))
            curves[f"{word}, over {base}"] = (list(ACCURACIES), means, low, high)
    drawn = charts.curves(curves, "how often the oracle is right", "gain, chips a hand", {"no gain": 0.0})
    return Figure("Gain with an oracle by its accuracy", chart=drawn)


@experiment("ckp.batches")
def batches(scale: Scale) -> Result:
    """CFR on drawn hands, by the number of hands an update sees, and on all hands from random starts."""
    count, updates = scale.pick(quick=5, full=10), scale.pick(quick=150, full=BATCHES)
    seeds = range(scale.seed * 1000, scale.seed * 1000 + count)
    ways = [(hands, is_tied) for is_tied in (False, True) for hands in (*SIZES, 0)]
    asked = [
        Asked(
            f"{hands or 'all'} hands {REWARDS[is_tied]}",
            [make("collaborative-kuhn"), hands, is_tied, count, updates],
            partial(_learned, hands, is_tied, seeds, updates),
        )
        for hands, is_tied in ways
    ]
    found = dict(zip(ways, scale.each(asked, "sizes"), strict=True))
    rows: list[list[Cell]] = []
    for (hands, is_tied), one in found.items():
        rewards = np.array(one["rewards"])
        seats = [f"{rewards[:, k].mean():+.3f} (sd {rewards[:, k].std(ddof=1):.3f})" for k in range(4)]
        name = f"{hands} hands" if hands else "all hands, random starts"
        rows.append([name, REWARDS[is_tied], *seats, *(_mean(one[what]) for what in ("gains", "drift", "swing"))])
    columns = ["an update sees", "rewards", *SEATS, "a seat could gain", "drift", "swing"]
    notes = (
        f"{count} runs of {updates:,} updates; minibatches are drawn with replacement and start uniform, so that only "
        "what is drawn differs; all hands start at random.",
        "A seat could gain: the most that one seat wins by deviating alone from the average (tied: for its team).",
        "Drift: the largest change of a seat's reward from the average of half the updates to that of all. Swing: the "
        f"largest standard deviation of a seat's reward under the current strategies of the last {LAST} updates.",
    )
    return Result(
        "Learning Collaborative Kuhn poker from minibatches",
        [Table("What is learned from drawn hands", columns, rows)], (), notes, _batch_claims(found),
    )  # fmt: skip


def _learned(hands: int, is_tied: bool, seeds: range, updates: int) -> dict[str, Any]:
    """Rewards, the largest gain of a seat, drift and swing, for each seed."""
    game = folded()
    rewards, gains, drift, swing = [], [], [], []
    for seed in seeds:
        solver = SignalSolver(game, is_tied)
        if not hands:
            solver.start_at_random(seed)
        solver.run(updates // 2, hands=hands, seed=seed)
        half = game.value(game.behaviour(solver.average()))
        solver.run(updates - updates // 2 - LAST, hands=hands, seed=seed)
        current = []
        for _ in range(LAST):
            solver.run(1, hands=hands, seed=seed)
            current.append(game.value(game.behaviour(solver.current())))
        average = solver.average()
        rewards.append(game.value(game.behaviour(average)))
        gains.append(_largest_gain(average, is_tied))
        drift.append(float(np.abs(rewards[-1] - half).max()))
        swing.append(float(np.std(current, axis=0).max()))
    return {"rewards": np.array(rewards), "gains": gains, "drift": drift, "swing": swing}


@cache
def _tree(is_tied: bool) -> Tree:
    tree = unroll(make("collaborative-kuhn"))
    return with_team_rewards(tree) if is_tied else tree


def _largest_gain(average: Floats, is_tied: bool) -> float:
    """The most that one seat gains by deviating alone."""
    tree = _tree(is_tied)
    policy = folded().on_tree(average, tree)
    base = expected_value(tree, policy)
    return float(max(best_response(tree, policy, seat)[0] - base[seat] for seat in range(tree.players)))


def _mean(values: list[float]) -> Score:
    array = np.array(values)
    return Score(float(array.mean()), standard_error(array), len(array), "run")


def _batch_claims(found: dict[tuple[int, bool], dict[str, Any]]) -> list[Claim]:
    selfish = {hands: one for (hands, is_tied), one in found.items() if not is_tied}
    apart = {hands: float(np.array(one["rewards"]).std(axis=0, ddof=1).max()) for hands, one in selfish.items()}
    gains = {hands: float(np.mean(one["gains"])) for hands, one in selfish.items()}
    drift = {hands: float(np.mean(one["drift"])) for hands, one in selfish.items()}

    def told(values: dict[int, float]) -> str:
        return ", ".join(f"{f'{hands} hands' if hands else 'all'} {value:.3f}" for hands, value in values.items())

    return [
        claims.sentence("inequivalent", "Minibatches lead to many inequivalent solutions", "inequivalent",
            f"largest sd of a seat's reward over runs: {told(apart)}", apart[SIXTH] > NEAR, is_alike=False),
        claims.sentence("unstable", "These solutions are unstable", "unstable",
            f"a seat gains by deviating: {told(gains)}", gains[SIXTH] > max(NEAR, 2 * gains[0]),
            reason="less than twice what a seat gains after updates on all hands", is_alike=False),
        claims.sentence("quickly", "They are reached quickly", "quickly",
            f"change of a reward in the second half: {told(drift)}", drift[SIXTH] < NEAR,
            reason="rewards still move by more than .01", is_alike=False),
    ]  # fmt: skip
