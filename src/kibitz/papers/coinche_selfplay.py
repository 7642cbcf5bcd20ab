"""Playing Coinche with Deep Counterfactual Regret Minimization:
does self-play come to pass always (Figure 1), and why?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kibitz.core.game import Game, make
from kibitz.papers import charts, claims
from kibitz.papers.coinche_course import (
    DRAWN,
    EVERYBODY,
    GREEDY,
    READINGS,
    Course,
    Lesson,
    at_the_end,
    drawn_groups,
    labelled,
    over_runs,
    several,
)
from kibitz.papers.experiment import Cell, Claim, Figure, Published, Result, Scale, Table, Verdict, experiment

ALWAYS = 0.9
"""A run passes if so many of its deals are void."""
SAMPLED = ("paper", "unbiased")
PROBES = "probes"
FREE = "a contract that is lost costs its bidder nothing under classic, so that bidding is free"
ARTEFACTS = {"paper_coinche_swaps_attack": 1, "all_pass_reward": -10}
"""How the authors' program differs from their text in self-play:
a coinche makes the coincher attack, a void deal costs 10."""


@dataclass(frozen=True)
class Cause:
    """One combination of what may bring the passing about."""

    reward: str
    estimator: str
    artefacts: bool

    @property
    def label(self) -> str:
        """For people."""
        return f"{self.reward}, {self.estimator}{', artefacts' if self.artefacts else ''}"

    def game(self) -> Game:
        """The game with the reward, and with the program's artefacts or without."""
        return make("coinche-paper", reward=self.reward, **(ARTEFACTS if self.artefacts else {}))


def sampled_config(scale: Scale, estimator: str) -> Any:
    """The paper's Deep CFR with samples at the first two decisions only, and fits that go on from the last one.

    From nothing, as the paper has it, so few batches would not fit its large numbers at all.
    """
    from kibitz.learn.deep_cfr import PRESETS

    if estimator == PROBES:
        return probing_config(scale)
    whole = PRESETS["paper-schedule"]
    config = whole if estimator == "paper" else replace(whole, estimator=estimator, explore=0.5)
    short = replace(
        config, afresh=False, traversals=128, at_once=128, batch=512, epochs=0.0, steps=60, rate=1e-3, policy_batch=512,
        policy_epochs=0.0, policy_steps=40, policy_rate=1e-3, memory=50_000, policy_memory=100_000, by_hand=True,
    )  # fmt: skip
    longer = replace(
        short, traversals=256, at_once=256, steps=200, policy_steps=100, memory=100_000, policy_memory=500_000
    )
    return scale.pick(quick=short, full=longer)


def probing_config(scale: Scale) -> Any:
    """Our Deep CFR: all actions at one decision of a deal, calls and cards remembered apart."""
    from kibitz.learn.run import presets

    whole = replace(presets("deep-cfr")["coinche"], by_hand=True)
    return scale.pick(quick=replace(whole, traversals=256, steps=60, policy_steps=30), full=whole)


@experiment("coinche.figure1")
def figure1(scale: Scale) -> Result:
    """Section 4.2: two rewards, three estimators, with the program's artefacts and without, greedy and drawn."""
    rounds, looks, runs = scale.pick(quick=(4, 2, 1), full=(400, 20, 5))
    probing, fewer = scale.pick(quick=(4, 1), full=(80, 3))
    causes = [
        Cause(reward, estimator, artefacts)
        for artefacts in (False, True)
        for estimator in (*SAMPLED, *([] if artefacts else [PROBES]))
        for reward in ("mirror", "classic")
    ]
    groups = {}
    for cause in sorted(causes, key=lambda one: one.estimator == PROBES):
        length, times = (probing, fewer) if cause.estimator == PROBES else (rounds, runs)
        config, last = sampled_config(scale, cause.estimator), scale.pick(quick=1024, full=8192)
        lesson = Lesson(
            cause.game(), "deep-cfr", config, length, EVERYBODY, looks=looks, deals=1024, last_deals=last
        )  # fmt: skip
        groups[cause] = several(lesson, scale, cause.label, times)
    notes = [
        f"{runs} runs of {rounds} iterations of {sampled_config(scale, 'paper').traversals} traversals each "
        f"({fewer} of {probing} with probes); the paper names 5,000 of 256 with four samples at every decision, "
        "which is a million lines a traversal; here a seat has four at its first two decisions, then one.",
        "Fits go on from the last network instead of starting afresh. One network for all seats. The authors' program "
        "plays the likeliest action of the average policy when it evaluates (greedy); drawn is what a strategy is for.",
        f"A run passes if more than {100 * ALWAYS:.0f} % of the deals of its last look are void.",
        "Only mirror without the artefacts is zero-sum. See coinche.all_pass: with any card play that is the same on "
        "both sides, strong hands gain by opening.",
    ]
    tables = [_outcomes(groups), _effects(groups), _told(groups)]
    return Result("Deep CFR by self-play", tables, _figures(groups), notes, _claims(groups))


Groups = Mapping[Cause, Sequence[Course]]


def _passing(courses: Sequence[Course], reading: str) -> int:
    """How many runs end up passing."""
    return sum(side["void_rate"].mean > ALWAYS for side in at_the_end(courses, reading))


def _since(courses: Sequence[Course]) -> str:
    """From which iteration on the runs that pass do so, greedy, at every look."""
    told = []
    for one in courses:
        void = [look.greedy["void_rate"].mean > ALWAYS for look in one.looks]
        if void[-1]:
            first = len(void) - next((k for k, is_void in enumerate(reversed(void)) if not is_void), len(void))
            told.append(str(round(first * one.lesson.rounds / (len(void) - 1))))
    return ", ".join(told) or "never"


def _outcomes(groups: Groups) -> Table:
    rows: list[list[Cell]] = []
    for cause, courses in groups.items():
        counts = {reading: _passing(courses, reading) for reading in READINGS}
        share = counts[GREEDY] / len(courses)
        told = Verdict("agrees" if share > 0.5 else "differs", f"{counts[GREEDY]} of {len(courses)} runs pass, greedy")
        sides = {reading: at_the_end(courses, reading) for reading in READINGS}
        rows.append(
            [
                cause.reward, cause.estimator, "on" if cause.artefacts else "off", Published(4),
                *(over_runs(sides[reading], "episode_actions") for reading in (GREEDY, DRAWN)),
                *(over_runs(sides[reading], "void_rate") for reading in (GREEDY, DRAWN)),
                _since(courses), f"{counts[DRAWN]} of {len(courses)}", told,
            ]
        )  # fmt: skip
    columns = [
        "reward", "estimator", "artefacts", "published calls and cards", "greedy", "drawn", "void %, greedy",
        "void %, drawn", "greedy passes from iteration", "runs that pass, drawn", "verdict",
    ]  # fmt: skip
    return Table("Calls and cards of a deal at the end, four if everybody passes", columns, rows)


def _claims(groups: Groups) -> list[Claim]:
    """The paper's sentence for its own estimator; what it did not try is shown beside."""
    made = []
    for cause, courses in groups.items():
        greedy, drawn = (_passing(courses, reading) for reading in (GREEDY, DRAWN))
        told = f"{greedy} of {len(courses)} runs pass, greedy; {drawn} drawn"
        says = f"Self-play comes to pass always: {cause.label}"
        if cause.estimator != "paper":
            made.append(claims.form(cause.label, says, "not tried", told, "not in the paper", is_alike=False))
            continue
        holds = greedy > len(courses) / 2
        reason = FREE if cause.reward == "classic" else "most runs go on bidding"
        made.append(
            claims.sentence(cause.label, says, "passes: 4 calls a deal", told, holds, reason=reason, is_alike=False)
        )
    return made


def _effects(groups: Groups) -> Table:
    """Each cause alone: how many runs pass with it and without it, all other things taken together."""
    runs = [
        (cause, reading, side["void_rate"].mean > ALWAYS)
        for cause, courses in groups.items()
        if cause.estimator != PROBES
        for reading in READINGS
        for side in at_the_end(courses, reading)
    ]
    factors: dict[str, Callable[[Cause, str], str]] = {
        "reading": lambda cause, reading: reading,
        "estimator": lambda cause, reading: cause.estimator,
        "reward": lambda cause, reading: cause.reward,
        "artefacts": lambda cause, reading: "on" if cause.artefacts else "off",
    }
    rows: list[list[Cell]] = []
    for name, level in factors.items():
        found: dict[str, list[bool]] = {}
        for cause, reading, passes in runs:
            found.setdefault(level(cause, reading), []).append(passes)
        told = [f"{value}: {sum(one)} of {len(one)}" for value, one in found.items()]
        shares = [float(np.mean(one)) for one in found.values()]
        rows.append([name, *told, round(100 * (max(shares) - min(shares)), 1)])
    return Table(
        "Which cause is it? Runs that pass by each cause", ["cause", "one way", "the other", "difference, %"], rows
    )


def _told(groups: Groups) -> Table:
    names = ("attack_rate_all", "contract_value", "coinche_rate", "reward_mean")
    rows: list[list[Cell]] = []
    for cause, courses in groups.items():
        for reading in READINGS:
            sides = at_the_end(courses, reading)
            rows.append([cause.label, reading, *(over_runs(sides, name) for name in names)])
    return Table("Those that bid: North and South at the end", ["cause", "policy", *map(labelled, names)], rows)


def _figures(groups: Groups) -> list[Figure]:
    figures = []
    for artefacts in (False, True):
        some = {cause.label: courses for cause, courses in groups.items() if cause.artefacts == artefacts}
        note = ", program's artefacts" if artefacts else ""
        for reading in (GREEDY, DRAWN):
            figures += drawn_groups(some, ("episode_actions", "void_rate"), reading, note=note)
        figures.append(_policy_loss(some, f"policy loss{note}"))
    return figures


def _policy_loss(groups: Mapping[str, Sequence[Course]], title: str) -> Figure:
    """As the paper plots it; cross-entropy and squared errors are not on one scale, so probes are left out."""
    curves = {}
    for label, courses in groups.items():
        if PROBES in label:
            continue
        looks = list(zip(*(one.looks[1:] for one in courses), strict=True))
        found = [[look.said["policy_loss"] for look in some] for some in looks]
        x = [some[0].said["iteration"] for some in looks]
        curves[label] = (x, [float(np.mean(y)) for y in found], [min(y) for y in found], [max(y) for y in found])
    return Figure(title, chart=charts.curves(curves, "iteration", "squared error", log_y=True))
