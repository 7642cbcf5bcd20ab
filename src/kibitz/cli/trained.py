"""What is shown of a finished run: how far its policy is from an equilibrium, where that can be computed,
and its curves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file
from kibitz.core.game import Game

SMALL = 200_000
"""Histories of a game that is unrolled just to judge a policy."""


def distance(game: Game, out: Path, seats: Sequence[int]) -> float | None:
    """NashConv of the policy in a run's folder; None where a seat has none or the game is too large to be unrolled."""
    if not game.has("deals") or min(seats) < 0:
        return None
    from kibitz.core.tree import unroll
    from kibitz.learn.model import load_model
    from kibitz.learn.tree_policy import entries
    from kibitz.tabular.best_response import nash_conv

    try:
        tree = unroll(game, SMALL)
    except BadInput:
        return None
    return float(nash_conv(tree, entries(tree, load_model(out, game))))


def draw(metrics: Path, title: str, path: Path) -> None:
    """Every score that was measured on the way, over the decisions learned from, with its 95 % interval;
    without any, the loss."""
    from kibitz.arena.plots import check_picture, learning_curves

    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    curves: dict[str, list[tuple[float, ...]]] = {}
    for line in lines:
        for name, score in line.get("scores", {}).items():
            low, high = (score["mean"] + sign * 1.96 * score["se"] for sign in (-1, 1))
            curves.setdefault(name, []).append((line["frames"], score["mean"], low, high))
    label = "mean return"
    if max(map(len, curves.values()), default=0) < 2:
        label, curves = "loss", {"loss": [(line["frames"], line["loss"]) for line in lines if "loss" in line]}
    columns = {name: list(zip(*points, strict=True)) for name, points in curves.items()}
    figure = learning_curves(columns, title=title, x_label="decisions learned from", y_label=label)
    with whole_file(path) as file:
        figure.savefig(file, format=check_picture(path))
