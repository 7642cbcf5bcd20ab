"""Cego: the search for the settings of DQN and NFSP, by random draws and by a sampler that learns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.papers import charts, claims
from kibitz.papers.cego_learning import WHEN, train_curve
from kibitz.papers.cego_playing import needs_torch
from kibitz.papers.experiment import Cell, Claim, Figure, Result, Scale, Table, experiment

CHOSEN = {
    "dqn": "replay 100000, target_every 10000, discount 0.95, last_epsilon 0.1, batch 32, layers 512,512, rate 1e-5",
    "nfsp": "policy_layers 512,512, reservoir 100000, eta 0.5, policy_batch 32, policy_rate 1e-4",
}
"""What the paper's search chose (Table IV)."""
LEARNED_WITH = {"batch": "learned", "policy_batch": "policy_learned"}
"""One batch is learned per decision, as in the paper: a batch that is drawn says how often a decision is learned."""
POINTS = 5
DECISIONS = 11
"""Of the soloist in a game."""
BEST = 3
"""Settings that are trained at full length."""


@dataclass(frozen=True)
class Tried:
    """Settings, and the points they had reached when the trial ended or was given up."""

    sampler: str
    settings: Mapping[str, str]
    curve: list[float]

    @property
    def points(self) -> float:
        """The last measurement."""
        return self.curve[-1]


@experiment("cego.tuning")
def tuning(scale: Scale) -> Result:
    """Search with shortened trials, give up what lies below the median, and train the best at full length."""
    needs_torch()
    methods, rewards = scale.pick(quick=["dqn"], full=["dqn", "nfsp"]), scale.pick(quick=["end"], full=[*WHEN])
    tables, made, figures = [], [], []
    for method in methods:
        found = {when: _searched(method, when, scale) for when in scale.track(rewards, f"rewards, {method}")}
        tables += [_table(method, when, tried, scale) for when, tried in found.items()]
        made += [_chosen(method, when, tried, scale) for when, tried in found.items()]
        made.append(_samplers(method, found))
        figures.append(_picture(method, found))
    return Result(
        "The search for settings of DQN and NFSP",
        tables=tables,
        figures=figures,
        claims=made,
        notes=[
            f"Each of two samplers draws {_tries(scale)} sets from the paper's space for each method and each time of "
            f"rewards and trains {_short(scale):,} episodes; after {100 // POINTS}, {200 // POINTS}, ... % of them a "
            f"set below the median of those before is given up. The best {BEST} are trained for {_long(scale):,}.",
            "The paper drew 20 sets for each reward system, trained all of them for 50,000 episodes and ranked them by "
            "points and slope.",
            "What matters: the share of the points' variance between the values of a setting, over all trials.",
        ],
    )


def _tries(scale: Scale) -> int:
    return scale.pick(quick=2, full=30)


def _short(scale: Scale) -> int:
    return scale.pick(quick=120, full=5_000)


def _long(scale: Scale) -> int:
    return scale.pick(quick=120, full=50_000)


def _searched(method: str, when: str, scale: Scale) -> list[Tried]:
    """The trials of both samplers."""
    from kibitz.learn.advice import SAMPLERS, Advice, floors
    from kibitz.learn.tune import SPACES

    found = []
    for sampler in SAMPLERS:
        advice = Advice(SPACES[method], sampler, scale.seed)
        own: list[list[float]] = []
        for number in range(_tries(scale)):
            settings = advice.ask()
            name = f"{method} {when} {sampler} {number}"
            _, curve = train_curve(
                name, method, configured_as(method, when, settings), DECISIONS * _short(scale), scale, points=POINTS,
                games=scale.pick(quick=500, full=5_000), floors=floors(own, POINTS),
            )  # fmt: skip
            own.append(curve)
            advice.tell(curve[-1])
            found.append(Tried(sampler, settings, curve))
    return found


def configured_as(method: str, when: str, settings: Mapping[str, str]) -> Any:
    """The paper's preset with settings of the search."""
    from kibitz.learn.run import configured

    often = {LEARNED_WITH[key]: value for key, value in settings.items() if key in LEARNED_WITH}
    fixed = {"rewards": when, "exploring": "1.0", "games": "20"}
    return configured(method, "paper", {**settings, **often, **fixed})


def _ranked(tried: list[Tried]) -> list[Tried]:
    whole = [one for one in tried if len(one.curve) == POINTS]
    return sorted(whole, key=lambda one: -one.points)


def _table(method: str, when: str, tried: list[Tried], scale: Scale) -> Table:
    """The best settings, with what they come to at full length."""
    rows: list[list[Cell]] = []
    for place, one in enumerate(_ranked(tried)[:BEST]):
        _, curve = train_curve(
            f"{method} {when} best {place}", method, configured_as(method, when, one.settings),
            DECISIONS * _long(scale), scale, points=POINTS,
        )  # fmt: skip
        rows.append([place + 1, one.sampler, *one.settings.values(), round(one.points, 2), round(curve[-1], 2)])
    gone = sum(len(one.curve) < POINTS for one in tried)
    title = f"{method.upper()}, {WHEN[when]}: the best of {len(tried)} sets, {gone} of them given up early"
    columns = ["rank", "sampler", *tried[0].settings, f"after {_short(scale):,}", f"after {_long(scale):,} episodes"]
    return Table(title, columns, rows)


def _chosen(method: str, when: str, tried: list[Tried], scale: Scale) -> Claim:
    best = _ranked(tried)[0].settings
    told = ", ".join(f"{key} {value}" for key, value in best.items())
    says = f"The settings of {method.upper()} that the search chose, {WHEN[when]}"
    return claims.form(
        f"{method} {when} chosen", says, CHOSEN[method], told, f"of {2 * _tries(scale)} draws", is_alike=False
    )


def _samplers(method: str, found: Mapping[str, list[Tried]]) -> Claim:
    """What each sampler's draws came to on average."""
    told = []
    for sampler in dict.fromkeys(one.sampler for tried in found.values() for one in tried):
        points = np.array([one.points for tried in found.values() for one in tried if one.sampler == sampler])
        told.append(f"{sampler} {points.mean():.2f} ± {points.std() / math.sqrt(len(points)):.2f}")
    says = f"Points of the sets that each sampler drew for {method.upper()}, on average"
    return claims.form(f"{method} samplers", says, "", ", ".join(told), "the paper drew at random", is_alike=False)


def _picture(method: str, found: Mapping[str, list[Tried]]) -> Figure:
    from kibitz.learn.advice import importance

    every = [one for tried in found.values() for one in tried]
    shares = importance([one.settings for one in every], [one.points for one in every])
    order = sorted(shares, key=lambda key: -shares[key])
    none = [0.0] * len(order)
    drawn = charts.pairs(order, [None] * len(order), [shares[key] for key in order], none, "share of the variance")
    return Figure(f"What matters for {method.upper()}", chart=drawn)
