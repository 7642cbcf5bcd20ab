"""Kuhn poker: the value of the game and how fast CFR finds it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from kibitz.core.game import Game, make
from kibitz.core.tree import Tree, unroll
from kibitz.papers import charts, claims
from kibitz.papers.experiment import Asked, Cell, Figure, Published, Result, Scale, Table, experiment
from kibitz.tabular.best_response import expected_value, nash_conv
from kibitz.tabular.cfr import METHODS, Solver, Variant

VALUE = -1 / 18


@cache
def unrolled(name: str) -> Tree:
    """The tree of a game without options."""
    return unroll(make(name))


def solved(game: Game, method: str | Variant, marks: Sequence[int]) -> tuple[list[float], float]:
    """NashConv of the average after each number of iterations, and the first player's value at the end."""
    tree = unrolled(game.name)
    solver = Solver(tree, method)
    gaps = []
    for mark in marks:
        solver.run(mark - solver.iterations)
        gaps.append(float(nash_conv(tree, solver.average())))
    return gaps, float(expected_value(tree, solver.average())[0])


@experiment("kuhn.value")
def value(scale: Scale) -> Result:
    """Solve two-player Kuhn poker by CFR and CFR+ and compare the value with Kuhn's."""
    last = scale.pick(quick=10_000, full=100_000)
    marks = [n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000) if n <= last]
    game = make("kuhn")
    curves, rows = {}, list[Sequence[Cell]]()
    values: list[tuple[float, float]] = []
    asked = [Asked(method, [game, marks], partial(solved, game, method, marks)) for method in METHODS]
    for method, (gaps, ours) in zip(METHODS, scale.each(asked, "solving"), strict=True):
        curves[method] = (marks, gaps)
        # The value of a profile lies within its NashConv of the value of the game: that is the error of `ours`.
        rows.append([method, last, Published(VALUE), ours, gaps[-1]])
        values.append((gaps[-1], ours))
    columns = ["method", "iterations", "published value", "our value", "NashConv (error bound)"]
    gap, best = min(values)
    claim = claims.number("value", "Value of the game for the first player", Published(VALUE), best, tolerance=gap)
    return Result(
        "Value of Kuhn poker for the first player",
        tables=[Table("Value after self-play", columns, rows)],
        figures=[
            Figure(
                "Distance from equilibrium (NashConv) of the average strategy",
                chart=charts.curves(curves, "iterations", "NashConv", log_x=True, log_y=True),
            )
        ],
        claims=[claim],
        notes=[
            "Exact expectation over the whole tree: there is no sampling error, only the distance from equilibrium."
        ],
    )
