"""Cego: the search for DQN's settings."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from kibitz.papers import claims
from kibitz.papers.cego_learning import train_curve
from kibitz.papers.cego_playing import needs_torch
from kibitz.papers.experiment import Cell, Result, Scale, Table, experiment

SEARCH = {
    "replay": ("50000", "100000", "200000"), "target_every": ("1000", "2000", "10000"),
    "discount": ("0.75", "0.8", "0.95", "0.99"), "last_epsilon": ("0.1", "0.05", "0.01"), "batch": ("32", "64"),
    "layers": ("512,512,512", "512,256,128", "512,512"), "rate": ("1e-4", "5e-5", "1e-5", "5e-6"),
}  # fmt: skip
"""The paper's search space for DQN."""


@experiment("cego.tuning")
def tuning(scale: Scale) -> Result:
    """Draw settings from the paper's space, train each briefly, rank by points and by slope as the paper does."""
    needs_torch()
    from kibitz.learn.run import configured

    tries, episodes = scale.pick(quick=3, full=20), scale.pick(quick=250, full=50_000)
    luck = random.Random(scale.seed)
    found = []
    for number in scale.track(range(tries), "settings"):
        settings = {key: luck.choice(values) for key, values in SEARCH.items()}
        batch = settings["batch"]
        config = configured("dqn", "paper", {**settings, "learned": batch, "exploring": "1.0", "games": "20"})
        games = scale.pick(quick=1000, full=5000)
        x, y = train_curve(f"try {number}", "dqn", config, 11 * episodes, scale, points=5, games=games)
        slope = float(np.polyfit(x, y, 1)[0]) * 1e5
        found.append((settings, y[-1], slope))
    by_points = _places([points for _, points, _ in found])
    by_slope = _places([slope for _, _, slope in found])
    ranked = sorted(range(tries), key=lambda k: (by_points[k] + by_slope[k], by_points[k]))
    rows: list[list[Cell]] = [
        [place + 1, *(found[k][0][key] for key in SEARCH), round(found[k][1], 3), round(found[k][2], 3),
         (by_points[k] + by_slope[k]) / 2]
        for place, k in enumerate(ranked)
    ]  # fmt: skip
    chosen = "replay 100000, target 10000, discount 0.95, epsilon 0.1, batch 32, layers 512,512, rate 1e-5"
    return Result(
        "Random search for DQN's settings",
        tables=[
            Table(
                f"{tries} sets of settings, {episodes:,} episodes each",
                ["rank", *SEARCH, "points", "slope per 100,000 frames", "mean rank"],
                rows,
            )
        ],
        claims=[
            claims.form(
                "chosen",
                "The settings that the search chose",
                chosen,
                ", ".join(f"{key} {found[ranked[0]][0][key]}" for key in SEARCH),
                "one search of twenty draws",
                is_alike=False,
            )
        ],
        notes=[
            f"The paper's search chose: {chosen}. It drew 20 sets for each reward system and trained 50,000 episodes.",
            "One batch is learned per decision, as in the paper. kibitz tune searches any method's settings.",
        ],
    )


def _places(values: Sequence[float]) -> list[int]:
    """Each value's rank, 1 for the highest."""
    return [1 + sum(other > value for other in values) for value in values]
