"""How a match divides into soloist and defenders: equations (4) to (7) of the Skat paper.

AvBB is the soloist's score when A plays alone against two B's. A seat is soloist once in `seats` deals, hence the
divisors. From the definitions delta_tp = delta_sol + delta_def, and a positive delta_def means that A defends better:
the soloist scores more against B's defence. (The paper says so of negative values; its tables have the sign used here.)

All functions take numbers, fractions or arrays.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kibitz.arena.seatings import Form
from kibitz.arena.statistics import Comparison, Score, Tally, paired
from kibitz.core.shapes import Floats

SEATS = 3


def delta_tp(avbb: Any, bvaa: Any, *, seats: int = SEATS) -> Any:
    """Equation (4): how much more A scores than B per deal."""
    return (avbb - bvaa) / seats


def delta_def(avbb: Any, bvbb: Any, avaa: Any, bvaa: Any, *, seats: int = SEATS) -> Any:
    """Equation (5): the part of it that A's defence makes."""
    return ((avbb + bvbb) - (avaa + bvaa)) / (2 * seats)


def delta_sol(avaa: Any, bvaa: Any, avbb: Any, bvbb: Any, *, seats: int = SEATS) -> Any:
    """Equation (6): the part of it that A as soloist makes."""
    return ((avaa - bvaa) + (avbb - bvbb)) / (2 * seats)


def delta_sol_mixed(avab: Any, bvab: Any, avba: Any, bvba: Any) -> Any:
    """Equation (7): the same against one defender of each kind."""
    return ((avab - bvab) + (avba - bvba)) / (2 * SEATS)


def delta_def_joined(pure: Any, mixed: Any, other_mixed: Any) -> Any:
    """What a defence gains when one of its two equal members is replaced; positive if it becomes better.

    `pure` is the soloist's score against the pair before, the others are his scores with either seat replaced. On the
    scale of delta_def: replacing one and then the other makes the whole of it.
    """
    return (2 * pure - mixed - other_mixed) / (2 * SEATS)


def delta_tp_six(avbb: Any, avab: Any, avba: Any, bvaa: Any, bvab: Any, bvba: Any) -> Any:
    """Equation (4) over all six games: both soloists against pure and mixed defenders."""
    return (avbb + avab + avba - bvaa - bvab - bvba) / (3 * SEATS)


def per_deal(scores: dict[str, Any], seats: int = SEATS) -> dict[str, Any]:
    """Every figure that the given seatings allow, from the soloist's score in each: {"AvBB": ..., "BvAA": ...}."""
    s = {name[0] + _kind(name): score for name, score in scores.items()}
    found = {"tp": delta_tp(s["A_B"], s["B_A"], seats=seats)}
    if "A_A" in s:
        found["def"] = delta_def(s["A_B"], s["B_B"], s["A_A"], s["B_A"], seats=seats)
        found["sol"] = delta_sol(s["A_A"], s["B_A"], s["A_B"], s["B_B"], seats=seats)
    if "A_AB" in s:
        found["tp_six"] = delta_tp_six(s["A_B"], s["A_AB"], s["A_BA"], s["B_A"], s["B_AB"], s["B_BA"])
        found["sol_mixed"] = delta_sol_mixed(s["A_AB"], s["B_AB"], s["A_BA"], s["B_BA"])
        found["def_a"] = _joined(s, "B")
        found["def_b"] = _joined(s, "A")
    return found


def _kind(name: str) -> str:
    """The defenders of a seating: `_A` for A's alone, `_AB` for mixed ones."""
    defenders = name.split("v")[1]
    return "_" + (defenders[0] if len(set(defenders)) == 1 else defenders)


def _joined(s: dict[str, Any], pair: str) -> Any:
    """The mean, over the soloists that met this pair of equal defenders, of what the other kind's joining it does."""
    met = [soloist for soloist in "AB" if f"{soloist}_{pair}" in s]
    gains = [delta_def_joined(s[f"{k}_{pair}"], s[f"{k}_AB"], s[f"{k}_BA"]) for k in met]
    return sum(gains[1:], gains[0]) / len(gains)


def deltas(form: Form, scores: Floats) -> dict[str, Comparison]:
    """The figures of a match from the soloist's scores[deals, seatings], each with error and p.

    The means are reckoned exactly, and tp is the sum of sol and def where those are known, to the last digit.
    """
    seats = len(form.seatings[0])
    columns = per_deal({name: scores[:, k] for k, name in enumerate(form.names)}, seats)
    sums = Tally.of(scores).sums
    exact = per_deal({name: Fraction(sums[k], len(scores)) for k, name in enumerate(form.names)}, seats)
    means = {name: float(value) for name, value in exact.items()}
    if "sol" in exact:
        assert exact["tp"] == exact["sol"] + exact["def"], "soloist and defence do not add up"
        means["tp"] = means["sol"] + means["def"]
    return {name: _with_mean(paired(column, np.zeros(len(column))), means[name]) for name, column in columns.items()}


def _with_mean(comparison: Comparison, mean: float) -> Comparison:
    """The comparison with its mean free of rounding."""
    difference = comparison.difference
    return Comparison(Score(mean, difference.se, difference.n, difference.unit), comparison.t, comparison.p)
