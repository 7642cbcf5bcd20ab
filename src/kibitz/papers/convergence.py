"""How fast the members of the CFR family come near an equilibrium of Kuhn and Leduc poker."""

from __future__ import annotations

from functools import partial
from math import inf

import numpy as np

from kibitz.core.game import make
from kibitz.papers import charts, claims, shelf
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Published, Result, Scale, Table, experiment
from kibitz.papers.kuhn import solved
from kibitz.tabular.cfr import METHODS, Variant

CFR = shelf.CFR.cite
SUCCESSORS = ("cfr+", "lcfr", "dcfr", "pcfr+")
NEAR = 0.005
"""Relative: our NashConv and OpenSpiel's, printed to three or four digits."""
LINEAR_PCFR = Variant(beta=-inf, gamma=1.0, predicts=True)

# NashConv that OpenSpiel 1.6 reaches after 10, 100, 1,000 and 10,000 iterations with alternating updates.
KUHN = {
    "cfr": (0.1374, 0.01645, 0.001875, 2.27e-4),
    "cfr+": (0.0654, 0.00239, 1.75e-4, 1.93e-5),
    "dcfr": (0.0456, 0.00333, 2.93e-4),
    "lcfr": (0.0425, 0.00218, 1.87e-4),
}
LEDUC = {
    "cfr": (1.777, 0.1914, 0.02364),
    "cfr+": (1.221, 0.02683, 5.14e-4),
    "dcfr": (1.558, 0.01551),
    "lcfr": (1.442, 0.0690),
}


@experiment("kuhn.convergence")
def kuhn(scale: Scale) -> Result:
    """Kuhn poker, value -1/18."""
    return _curves("kuhn", -1 / 18, KUHN, scale.pick(quick=1_000, full=10_000), scale)


@experiment("leduc.convergence")
def leduc(scale: Scale) -> Result:
    """Leduc poker, value -0.0856064."""
    return _curves("leduc", -0.0856064, LEDUC, scale.pick(quick=1_000, full=10_000), scale)


def _curves(name: str, value: float, known: dict[str, tuple[float, ...]], most: int, scale: Scale) -> Result:
    game = make(name)
    marks = sorted({round(10 ** (k / 6)) for k in range(int(6 * np.log10(most)) + 1)} | {10, 100, 1000, most})
    methods: dict[str, str | Variant] = {method: method for method in METHODS} | {"pcfr+, linear average": LINEAR_PCFR}
    curves: dict[str, tuple[list[int], list[float]]] = {}
    rows: list[list[Cell]] = []
    values: list[list[Cell]] = []
    made: list[Claim] = []
    ends: dict[str, tuple[float, float]] = {}
    asked = [Asked(label, [game, how, marks], partial(solved, game, how, marks)) for label, how in methods.items()]
    for label, (gaps, reached) in zip(methods, scale.each(asked, "methods"), strict=True):
        curves[label] = (marks, gaps)
        for mark, published in zip((10, 100, 1_000, 10_000), known.get(label, ()), strict=False):
            if mark <= most:
                ours = gaps[marks.index(mark)]
                rows.append([label, mark, Published(published), float(f"{ours:.4g}"), f"{ours / published - 1:+.2%}"])
                says = f"NashConv of {label.upper()} after {mark:,} iterations (OpenSpiel)"
                known_cell, near = Published(published), NEAR * published
                made.append(claims.number(f"{label} {mark}", says, known_cell, float(f"{ours:.4g}"), tolerance=near))
        values.append([label, Published(round(value, 7)), round(reached, 7), float(f"{gaps[-1]:.3g}")])
        ends[label] = gaps[-1], reached
    gap, reached = min(ends.values())
    known_value = Published(round(value, 7))
    made.insert(
        0, claims.number("value", "Value of the game for the first player", known_value, reached, tolerance=gap + 1e-7)
    )
    nearer = [label for label in SUCCESSORS if ends[label][0] < ends["cfr"][0]]
    made.append(
        claims.sentence(
            "successors", "Every successor ends nearer to an equilibrium than CFR", ", ".join(SUCCESSORS),
            ", ".join(nearer), len(nearer) == len(SUCCESSORS),
        )
    )  # fmt: skip
    return Result(
        f"Convergence in {name} poker",
        tables=[
            Table("NashConv, ours and OpenSpiel's (relative tolerance 0.5 %)",
                ["method", "iterations", "OpenSpiel", "ours", "apart"], rows),
            Table(f"After {most:,} iterations", ["method", "value of the game", "value of the average", "NashConv"],
                values),
        ],
        figures=[Figure(f"NashConv by iterations, {name}",
            chart=charts.curves(curves, "iterations", "NashConv", log_x=True, log_y=True))],
        claims=made,
        notes=["Updates alternate; averages weigh strategies by the seat's own reach and by t^gamma (0, 1, 1, 2, 2)."],
    )  # fmt: skip
