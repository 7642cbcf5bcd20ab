"""Cego: the search for the settings of DQN and NFSP, by random draws and by a sampler that learns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kibitz.papers import charts, claims
from kibitz.papers.cego_learning import WHEN, Curve, train_curve
from kibitz.papers.cego_playing import needs_torch
from kibitz.papers.experiment import Cell, Claim, Figure, Result, Scale, Table, experiment

CHOSEN = {
    "dqn": "replay 100000, target_every 10000, discount 0.95, last_epsilon 0.1, batch 32, layers 512,512, rate 1e-5",
    "nfsp": "policy_layers 512,512, reservoir 100000, eta 0.5, policy_batch 32, policy_rate 1e-4",
}
"""What the paper's search chose (Table IV)."""
LAPSE = 8
"""Decisions for each batch that is learned, where the paper learns a batch from every decision.

In return rates are so many times higher and the target network follows after so many times fewer batches: weights move
as far with every decision, at a fraction of the cost.
"""
POINTS = 5
"""Measurements of a trial."""
DECISIONS = 11
"""Of the soloist in a game."""
BEST = 3
"""Settings that are trained for longer."""


@dataclass(frozen=True)
class Tried:
    """Settings, and the points they had reached when the trial ended or was given up."""

    sampler: str
    settings: Mapping[str, str]
    curve: Curve

    @property
    def points(self) -> float:
        """The last measurement."""
        return self.curve.points[-1]

    @property
    def is_whole(self) -> bool:
        """Whether it was not given up."""
        return len(self.curve.points) == POINTS


@experiment("cego.tuning")
def tuning(scale: Scale) -> Result:
    """Search with shortened trials, give up what lies below the median, and train the best for longer."""
    needs_torch()
    methods, rewards = scale.pick(quick=["dqn"], full=["dqn", "nfsp"]), scale.pick(quick=["end"], full=[*WHEN])
    costs: list[list[Cell]] = []
    tables, made, figures = [], [], []
    for method in methods:
        found = {when: _searched(method, when, scale) for when in scale.track(rewards, f"rewards, {method}")}
        for when, tried in found.items():
            longer = _longer(method, when, tried, scale)
            tables.append(_table(method, when, tried, longer, scale))
            made.append(_chosen(method, when, tried, longer))
            costs.append(_cost(method, when, tried, longer))
        made.append(_samplers(method, found))
        figures.append(_picture(method, found))
    hours = sum(float(str(row[-1])) for row in costs) / 60
    return Result(
        "The search for settings of DQN and NFSP",
        tables=[
            Table(
                f"What the search cost: {hours:.1f} hours of one core",
                ["method", "rewards", "sets", "given up early", "CPU minutes"],
                costs,
            ),
            *tables,
        ],
        figures=figures,
        claims=made,
        notes=[
            f"The search took {hours:.1f} CPU hours. For each method and each time of rewards two samplers draw "
            f"{_tries(scale)} sets each from the paper's space, the first few alike, and train {_short(scale):,} "
            f"episodes; after {100 // POINTS}, {200 // POINTS}, ... % of them a set below the median of those before "
            f"is given up. The best {BEST} are trained for {_long(scale):,}.",
            "The paper drew 20 sets for each reward system, trained all of them for 50,000 episodes and ranked them by "
            "points and slope.",
            f"The paper learns a batch from every decision. Here a batch is learned from every {LAPSE} decisions at "
            f"{LAPSE} times the rate, and the target network follows after {LAPSE} times fewer batches; rates are "
            "told as the paper's. Rewards are in units of random play's spread, not in points. Epsilon falls in the "
            "first tenth of a trial, as in the paper's.",
            "What matters: the share of the points' variance between the values of a setting, over all trials; a set "
            "that was given up counts with its last measurement.",
        ],
    )


def _tries(scale: Scale) -> int:
    return scale.pick(quick=2, full=18)


def _short(scale: Scale) -> int:
    return scale.pick(quick=250, full=5_000)


def _long(scale: Scale) -> int:
    return scale.pick(quick=250, full=15_000)


def _searched(method: str, when: str, scale: Scale) -> list[Tried]:
    """The trials of both samplers, measured against the same median; the same settings are trained once.

    They begin with the same draws at random.
    """
    from kibitz.learn.advice import SAMPLERS, Advice, floors
    from kibitz.learn.tune import SPACES

    found: list[Tried] = []
    for sampler in SAMPLERS:
        advice = Advice(SPACES[method], sampler, scale.seed)
        for number in range(_tries(scale)):
            settings = advice.ask()
            known = next((one.curve for one in found if one.settings == settings), None)
            curve = known or train_curve(
                f"{method} {when} {sampler} {number}", method, configured_as(method, when, settings),
                DECISIONS * _short(scale), scale, points=POINTS, games=scale.pick(quick=500, full=4_096),
                floors=floors([one.curve.points for one in _different(found)], POINTS),
            )  # fmt: skip
            found.append(Tried(sampler, settings, curve))
            advice.tell(found[-1].points)
    return found


def _different(tried: Iterable[Tried]) -> list[Tried]:
    """Each set once, of whoever drew it first."""
    found: dict[tuple[str, ...], Tried] = {}
    for one in tried:
        found.setdefault(tuple(one.settings.values()), one)
    return list(found.values())


def configured_as(method: str, when: str, settings: Mapping[str, str]) -> Any:
    """The paper's preset with settings of the search, as LAPSE has it."""
    from kibitz.learn.run import configured

    drawn = configured(method, "paper", {**settings, "rewards": when})
    slower: dict[str, Any] = {
        "games": 50, "exploring": 0.1, "exploring_frames": 0, "unit": 0.0, "learned": drawn.batch / LAPSE,
        "rate": drawn.rate * LAPSE, "target_every": drawn.target_every // LAPSE,
    }  # fmt: skip
    if method == "nfsp":
        slower |= {"policy_learned": drawn.policy_batch / LAPSE, "policy_rate": drawn.policy_rate * LAPSE}
    return replace(drawn, **slower)


def _longer(method: str, when: str, tried: list[Tried], scale: Scale) -> list[tuple[Tried, Curve]]:
    """The best settings with what they come to at greater length."""
    best = sorted((one for one in _different(tried) if one.is_whole), key=lambda one: -one.points)[:BEST]
    return [
        (one, train_curve(
            f"{method} {when} best {place}", method, configured_as(method, when, one.settings),
            DECISIONS * _long(scale), scale, points=POINTS, games=scale.pick(quick=500, full=16_384),
        ))
        for place, one in enumerate(best)
    ]  # fmt: skip


def _table(
    method: str, when: str, tried: list[Tried], longer: Sequence[tuple[Tried, Curve]], scale: Scale
) -> Table:  # fmt: skip
    rows: list[list[Cell]] = [
        [place, one.sampler, *one.settings.values(), round(one.points, 2), round(curve.points[-1], 2)]
        for place, (one, curve) in enumerate(longer, 1)
    ]
    columns = ["rank", "sampler", *tried[0].settings, f"after {_short(scale):,}", f"after {_long(scale):,} episodes"]
    return Table(f"{method.upper()}, {WHEN[when]}: the best of {len(_different(tried))} sets", columns, rows)


def _cost(method: str, when: str, tried: list[Tried], longer: Sequence[tuple[Tried, Curve]]) -> list[Cell]:
    own = _different(tried)
    seconds = sum(curve.seconds[-1] for curve in (*(one.curve for one in own), *(curve for _, curve in longer)))
    return [method.upper(), WHEN[when], len(own), sum(not one.is_whole for one in own), round(seconds / 60, 1)]


def _chosen(method: str, when: str, tried: list[Tried], longer: Sequence[tuple[Tried, Curve]]) -> Claim:
    best, curve = max(longer, key=lambda pair: pair[1].points[-1])
    told = ", ".join(f"{key} {value}" for key, value in best.settings.items())
    says = f"The settings of {method.upper()} that the search chose, {WHEN[when]}"
    text = f"of {len(_different(tried))} sets, {curve.points[-1]:.2f} points at the end"
    return claims.form(f"{method} {when} chosen", says, CHOSEN[method], told, text, is_alike=False)


def _samplers(method: str, found: Mapping[str, list[Tried]]) -> Claim:
    """What each sampler's draws came to: all of them at the first measurement, the best at the last."""
    told = []
    for sampler in dict.fromkeys(one.sampler for tried in found.values() for one in tried):
        own = {when: [one for one in tried if one.sampler == sampler] for when, tried in found.items()}
        early = np.array([one.curve.points[0] for tried in own.values() for one in tried])
        best = [max((one.points for one in tried if one.is_whole), default=math.nan) for tried in own.values()]
        told.append(
            f"{sampler} {early.mean():.2f} ± {early.std(ddof=1) / math.sqrt(len(early)):.2f}, best "
            + " and ".join(f"{points:.2f}" for points in best)
        )
    says = f"Points of the sets that each sampler drew for {method.upper()}: mean after a fifth, best at the end"
    return claims.form(f"{method} samplers", says, "", "; ".join(told), "the paper drew at random", is_alike=False)


def _picture(method: str, found: Mapping[str, list[Tried]]) -> Figure:
    from kibitz.learn.advice import importance

    every = [one for tried in found.values() for one in _different(tried)]
    shares = importance([one.settings for one in every], [one.points for one in every])
    order = sorted(shares, key=lambda key: -shares[key])
    none = [0.0] * len(order)
    drawn = charts.pairs(order, [None] * len(order), [shares[key] for key in order], none, "share of the variance")
    return Figure(f"What matters for {method.upper()}", chart=drawn)
