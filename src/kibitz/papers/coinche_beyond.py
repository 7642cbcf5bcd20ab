"""Playing Coinche with Deep Counterfactual Regret Minimization:
other encodings of the auction, and guessing the partner's hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.arena.statistics import Score, score
from kibitz.core.game import make
from kibitz.papers import claims
from kibitz.papers.coinche_course import (
    GREEDY,
    NORTH_SOUTH,
    Course,
    Lesson,
    at_the_end,
    course,
    drawn_groups,
    labelled,
    over_runs,
    several,
)
from kibitz.papers.coinche_learning import own_ppo
from kibitz.papers.experiment import Cell, Figure, Result, Scale, Table, experiment

RIVAL = "coinche-strong"
SHOWN = ("reward_mean", "attack_rate", "success_attacker", "success_defender", "bid_precision", "contract_value")
ENCODINGS = {
    "numbers (paper)": ("paper", "actions"),
    "ladder of bids (default)": ("default", "actions"),
    "one-hot calls": ("onehot", "actions"),
    "calls heard one by one (recurrent)": ("onehot", "recurrent"),
    "each seat's latest bid (compact)": ("compact", "actions"),
}
"""Label -> observation, form of the network."""


@experiment("coinche.beyond")
def beyond(scale: Scale) -> Result:
    """Two questions that the authors leave open, each with its own table."""
    tables, figures = [], []
    for ask in (_encodings, _partners):
        table, drawn = ask(scale)
        tables.append(table)
        figures += drawn
    notes = [
        f"{scale.pick(quick=1, full=3)} runs each; errors are those of the runs.",
        "The recurrent encoding is a gated layer of 32 units over the one-hot calls, each with its speaker.",
        "Seatings, cross-play, what bids tell, masked bids and a start by imitation: coinche.crossplay. "
        "Matches to 1000 with the score in the observation: coinche.matches.",
    ]
    made = [
        claims.form(one.caption, one.caption, "future work", f"table {k}", "not in the paper", is_alike=False)
        for k, one in enumerate(tables, 1)
    ]
    return Result("What the authors leave for later", tables, figures, notes, made)


def _row(label: str, courses: list[Course]) -> list[Cell]:
    frames = round(float(np.mean([one.looks[-1].frames for one in courses])))
    return [label, frames, *(over_runs(at_the_end(courses, GREEDY), name) for name in SHOWN)]


def _encodings(scale: Scale) -> tuple[Table, list[Figure]]:
    rounds, looks, runs = scale.pick(quick=(3, 1, 1), full=(40, 10, 3))
    game = make("coinche-paper", reward="good")
    groups = {}
    for label, (observation, form) in ENCODINGS.items():
        config = own_ppo(scale, observation=observation, form=form)
        lesson = Lesson(game, "ppo", config, rounds, rival=RIVAL, looks=looks, deals=2048, last_deals=8192)
        groups[label] = several(lesson, scale, label, runs)
    rows = [_row(label, courses) for label, courses in groups.items()]
    caption = f"PPO by encoding of the auction, against {RIVAL}, coinche-paper, reward good, greedy"
    columns = ["auction", "decisions", *map(labelled, SHOWN)]
    return Table(caption, columns, rows), drawn_groups(groups, ["reward_mean"], GREEDY)


def partner_config(scale: Scale, **changes: Any) -> Any:
    """DMC with a second loss."""
    from kibitz.learn.coinche.partner import PartnerConfig

    small = {"layers": (128, 128), "games": 512, "batch": 512, "rate": 1e-3}
    large = {"layers": (256, 128), "games": 2048, "batch": 1024, "rate": 1.5e-3}
    return PartnerConfig(**{**scale.pick(quick=small, full=large), **changes})


def _partners(scale: Scale) -> tuple[Table, list[Figure]]:
    rounds, runs = scale.pick(quick=(6, 1), full=(100, 3))
    rows: list[list[Cell]] = []
    for label, weight in (("only measured", 0.0), ("learned, weight 0.1", 0.1)):
        lesson = Lesson(
            make("coinche"),
            "partnered",
            partner_config(scale, weight=weight),
            rounds,
            NORTH_SOUTH,
            RIVAL,
            last_deals=8192,
        )
        found = [
            course(Lesson(**{**vars(lesson), "run": run}), scale, f"guess {label}, run {run + 1}", [rounds])
            for run in range(runs)
        ]
        guesses = [one.looks[-1].said["guess"] for one in found]
        told = score(guesses, "run") if runs > 1 else Score(guesses[0], float("nan"), 1, "run")
        rows.append([*_row(label, found), told])
    caption = (
        f"DMC with a guess of the partner's hand as a second loss, the paper's observation, against {RIVAL}, coinche"
    )
    return Table(caption, ["guess", "decisions", *map(labelled, SHOWN), "nats per card"], rows), []
