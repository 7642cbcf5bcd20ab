"""Charts as data: what a figure shows is kept with its result, and is drawn when somebody looks at it.

`curves`, `histograms`, `pairs` and `bars` make the data; `chart_drawing.py` makes an `<svg>` element of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kibitz.core.errors import BadRecord
from kibitz.core.schema import Either, Fields, Flag, Listed, Mapped, Nothing, Number, Part, Text, Whole, misfit

Chart = Mapping[str, Any]
BINS = 30


def curves(
    series: Mapping[str, Sequence[ArrayLike]], x: str, y: str, levels: Mapping[str, float] | None = None, *,
    log_x: bool = False, log_y: bool = False,
) -> Chart:  # fmt: skip
    """A line per name from (x, y) or, with a band, (x, y, low, high); `levels` are values to compare with."""
    made = {}
    for name, columns in series.items():
        table = np.array([np.asarray(column, float) for column in columns])
        table = table[:, np.isfinite(table).all(axis=0)]
        made[name] = dict(zip(("x", "y", "low", "high"), table.tolist(), strict=False))
    known = {name: float(level) for name, level in (levels or {}).items()}
    return {"kind": "curves", "series": made, "levels": known, "x": x, "y": y, "log_x": log_x, "log_y": log_y}


def histograms(samples: Mapping[str, ArrayLike], x: str, y: str = "share") -> Chart:
    """The distribution of each sample over common bins, as shares; few whole numbers get a bin each."""
    arrays = {name: np.asarray(sample, float) for name, sample in samples.items()}
    values = np.concatenate(list(arrays.values()))
    low, high = float(values.min()), float(values.max())
    if (values == np.rint(values)).all():
        width = max(1, math.ceil((high - low + 1) / BINS))
        edges = np.arange(low, high + width + 1, width) - 0.5
    else:
        edges = np.histogram_bin_edges(values, BINS)
    shares = {name: (np.histogram(array, edges)[0] / array.size).tolist() for name, array in arrays.items()}
    return {"kind": "histograms", "edges": edges.tolist(), "series": shares, "x": x, "y": y}


def pairs(
    labels: Sequence[str], published: Sequence[float | None], ours: Sequence[float], errors: Sequence[float], x: str
) -> Chart:
    """A row per label with the published value and ours, whose bars reach two standard errors."""
    known = [None if one is None else float(one) for one in published]
    own = {"ours": [float(one) for one in ours], "errors": [float(one) for one in errors]}
    return {"kind": "pairs", "labels": list(labels), "published": known, **own, "x": x, "y": ""}


def bars(values: ArrayLike, split: int, names: tuple[str, str], x: str, y: str) -> Chart:
    """A bar per value, those before the split in one colour and the others in another."""
    shown = np.asarray(values, float).tolist()
    return {"kind": "bars", "values": shown, "split": int(split), "names": list(names), "x": x, "y": y}


_numbers = Listed(Number(), most=20_000)
_words = {"kind": Text(20), "x": Text(200), "y": Text(200)}
KINDS = {
    "curves": Fields({
        **_words, "levels": Mapped(Number(), 20), "log_x": Flag(), "log_y": Flag(),
        "series": Mapped(Fields({"x": _numbers, "y": _numbers}, {"low": _numbers, "high": _numbers}), 40),
    }),
    "histograms": Fields({**_words, "edges": Listed(Number(), 2, 20_000), "series": Mapped(_numbers, 40)}),
    "pairs": Fields({
        **_words, "labels": Listed(Text(200), most=200), "ours": _numbers, "errors": _numbers,
        "published": Listed(Either((Number(), Nothing()), "a number or null"), most=200),
    }),
    "bars": Fields({**_words, "values": _numbers, "split": Whole(), "names": Listed(Text(100), 2, 2)}),
}  # fmt: skip


class _ChartPart:
    """A chart of any kind, as a part of a file."""

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        kind = value.get("kind") if isinstance(value, dict) else value
        if not isinstance(kind, str) or kind not in KINDS:
            raise misfit(f"{place}.kind", kind, f"one of {', '.join(KINDS)}")
        KINDS[kind].check(value, place)
        for columns in _alike(value):
            if len(set(map(len, columns))) > 1:
                raise BadRecord(f"{place} has columns of different lengths: each has a number per place")


def _alike(chart: Chart) -> list[list[Sequence[Any]]]:
    """The columns of a chart, by groups that are of one length."""
    match chart["kind"]:
        case "curves":
            return [list(one.values()) for one in chart["series"].values()]
        case "histograms":
            return [[chart["edges"][1:], *chart["series"].values()]]
        case "pairs":
            return [[chart[name] for name in ("labels", "published", "ours", "errors")]]
        case _:
            return []


CHART: Part = _ChartPart()
