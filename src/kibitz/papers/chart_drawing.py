"""Charts drawn as one small `<svg>` element, which takes its ink from the page:
for light and dark, paper and telephone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from kibitz.core.plain_text import printable
from kibitz.papers.charts import Chart

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8F98")  # Okabe and Ito's
DASHES = ("", "7 3", "2 2.5", "8 3 2 3", "4 2 1 2 1 2")
LEVELS = ("3 3", "1 3", "6 2 1 2", "10 3")
PUBLISHED, OURS = "#8A8F98", "#0072B2"
LETTER = 6.0
"""About how wide a letter is."""
LOOK = "width:100%;max-width:{width:g}px;height:auto;font:11px system-ui,'DejaVu Sans',Verdana,sans-serif"


def draw(chart: Chart, width: float = 520.0, height: float = 260.0) -> str:
    """The chart as an `<svg>` element."""
    kinds = {"curves": _curves, "histograms": _histograms, "pairs": _pairs, "bars": _bars}
    return kinds[chart["kind"]](chart, Sheet(width, height))


@dataclass
class Axis:
    """Values on a line: where each lies between the ends of the line, and the numbers written beside it."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False
    ticks: list[float] = field(default_factory=list)

    def __call__(self, value: float) -> float:
        """The place of a value."""
        low, high, one = (math.log10(v) if self.is_log else v for v in (self.low, self.high, self._within(value)))
        return self.start + (one - low) / (high - low) * (self.end - self.start)

    def _within(self, value: float) -> float:
        return min(max(value, self.low), self.high)


def axis(
    values: Iterable[float], start: float, end: float, is_log: bool = False, many: int = 5, room: float = 0.04
) -> Axis:
    """An axis that shows all values, with ticks at round numbers."""
    shown = [value for value in values if value > 0] if is_log else list(values)
    low, high = (min(shown), max(shown)) if shown else (1.0, 10.0)
    if is_log:
        if high / low < 1.0001:
            low, high = low / 2 or low, high * 2
        return Axis(low, high, start, end, True, _log_ticks(low, high, many))
    if high - low <= max(1e-9 * max(abs(low), abs(high)), 1e-280):
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    margin = room * (high - low)
    low, high = (low - margin if low != 0 else 0.0), high + margin
    return Axis(low, high, start, end, False, _ticks(low, high, many))


def _ticks(low: float, high: float, many: int) -> list[float]:
    rough = (high - low) / many
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * k for k in (1, 2, 2.5, 5, 10) if size * k >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) + 0.0 for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float, many: int) -> list[float]:
    """Powers of ten, every so many; where there are hardly any, twos and fives as well."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first >= 2:
        return [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first) / many)))]
    between = [digit * 10.0**k for k in range(first - 1, last + 1) for digit in (1, 2, 5)]
    return [one for one in between if low * 0.999 <= one <= high * 1.001] or [low, high]


@dataclass
class Sheet:
    """A drawing that grows: parts, and room for a legend below."""

    width: float
    height: float
    parts: list[str] = field(default_factory=list)

    def words(self, x: float, y: float, text: str, anchor: str = "start", more: str = "") -> None:
        """Write something."""
        shown = escape(printable(text))
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{more}>{shown}</text>'
        )

    def line(
        self, points: Sequence[tuple[float, float]], colour: str, width: float = 2.0, dash: str = "", opacity: float = 1
    ) -> None:
        """A line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}{faint}/>'
        )

    def area(self, points: Sequence[tuple[float, float]], colour: str, opacity: float = 0.18) -> None:
        """A filled shape."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{path}" fill="{colour}" opacity="{opacity:g}"/>')

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled rectangle."""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def dot(self, x: float, y: float, colour: str, is_open: bool = False) -> None:
        """A point, perhaps a ring."""
        look = f'fill="none" stroke="{colour}" stroke-width="2.2"' if is_open else f'fill="{colour}"'
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 if is_open else 4.4:g}" {look}/>')

    def frame(
        self, x: Axis, y: Axis, x_label: str, y_label: str, y_words: Callable[[float], str] | None = None
    ) -> None:
        """Grid, numbers and what the axes are."""
        y_words = y_words or number
        for tick in y.ticks:
            self.line([(x.start, y(tick)), (x.end, y(tick))], "currentColor", 1, opacity=0.14)
            self.words(x.start - 6, y(tick) + 3.8, y_words(tick), "end")
        last = -math.inf
        for tick in x.ticks:
            text = number(tick)
            if x(tick) - last > LETTER * len(text) + 10:
                last = x(tick)
                is_last = last + LETTER * len(text) / 2 > self.width
                self.words(self.width - 1 if is_last else last, y.start + 15, text, "end" if is_last else "middle")
                self.line([(last, y.start), (last, y.start + 4)], "currentColor", 1, opacity=0.5)
        self.line([(x.start, y.start), (x.end, y.start)], "currentColor", 1, opacity=0.6)
        if x_label:
            self.words(x.end, y.start + 30, x_label, "end", ' opacity="0.75"')
        if y_label:
            self.words(2, 11, y_label, "start", ' opacity="0.75"')

    def legend(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Names with their colours and dashes (`ring`, `dot` and `box` are marks), in as many rows as it takes."""
        x, y = 4.0, self.height + 8
        for name, colour, dash in entries:
            wide = 34 + LETTER * len(name)
            if x > 4 and x + wide > self.width:
                x, y = 4.0, y + 17
            if dash in ("ring", "dot"):
                self.dot(x + 11, y - 4, colour, dash == "ring")
            elif dash == "box":
                self.box(x + 4, y - 10, 14, 10, colour)
            else:
                self.line([(x, y - 4), (x + 22, y - 4)], colour, 2.2, dash)
            self.words(x + 28, y, name)
            x += wide + 8
        self.height = y + 6

    def whole(self) -> str:
        """The element."""
        look = LOOK.format(width=1.25 * self.width)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'style="{look}">'
        )
        return head + "".join(self.parts) + "</svg>"


def number(value: float) -> str:
    """A number on an axis: 200k and 1M, a true minus."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size * 0.9999:
            return f"{value / size:.6g}{letter}".replace("-", "−")
    return re.sub(r"e([-+])0*", r"e\1", f"{value:.6g}").replace("e+", "e").replace("-", "−")


def _per_cent(value: float) -> str:
    return f"{100 * value:.3g} %"


def _plane(
    sheet: Sheet, xs: Iterable[float], ys: Iterable[float], chart: Chart, y_words: Callable[[float], str] | None = None
) -> tuple[Axis, Axis]:
    """Axes with everything around them; as much room on the left as the numbers need."""
    many = 5 if sheet.height > 180 else 3
    y = axis(ys, sheet.height - 38, 22 if chart["y"] else 8, bool(chart.get("log_y")), many)
    left = 14 + LETTER * max(len((y_words or number)(tick)) for tick in y.ticks)
    x = axis(xs, left, sheet.width - 8, bool(chart.get("log_x")), 6, 0.0)
    sheet.frame(x, y, chart["x"], chart["y"], y_words)
    return x, y


def _colour(place: int) -> str:
    return PALETTE[place % len(PALETTE)]


def _dash(place: int) -> str:
    return DASHES[place % len(DASHES)]


def _curves(chart: Chart, sheet: Sheet) -> str:
    series: Mapping[str, Mapping[str, list[float]]] = chart["series"]
    levels: Mapping[str, float] = chart["levels"]
    xs = [v for one in series.values() for v in one["x"]]
    ys = [v for one in series.values() for name in ("y", "low", "high") for v in one.get(name, ())] + list(
        levels.values()
    )
    x, y = _plane(sheet, xs, ys, chart)
    for place, level in enumerate(levels.values()):
        if level > 0 or not y.is_log:
            dash = LEVELS[place % len(LEVELS)]
            sheet.line([(x.start, y(level)), (x.end, y(level))], "currentColor", 1.4, dash, 0.75)
    for place, one in enumerate(series.values()):
        points = [
            k for k, (a, b) in enumerate(zip(one["x"], one["y"])) if (a > 0 or not x.is_log) and (b > 0 or not y.is_log)
        ]
        if "low" in one and "high" in one and len(points) > 1:
            there = [(x(one["x"][k]), y(one["high"][k])) for k in points]
            back = [(x(one["x"][k]), y(max(one["low"][k], y.low))) for k in reversed(points)]
            sheet.area([*there, *back], _colour(place))
        sheet.line([(x(one["x"][k]), y(one["y"][k])) for k in points], _colour(place), 2.2, _dash(place))
        if len(points) == 1:
            sheet.dot(x(one["x"][points[0]]), y(one["y"][points[0]]), _colour(place))
    names = [(name, _colour(place), _dash(place)) for place, name in enumerate(series)]
    known = [(name, "currentColor", LEVELS[place % len(LEVELS)]) for place, name in enumerate(levels)]
    sheet.legend([*names, *known])
    return sheet.whole()


def _histograms(chart: Chart, sheet: Sheet) -> str:
    edges: list[float] = chart["edges"]
    shares: Mapping[str, list[float]] = chart["series"]
    x, y = _plane(sheet, edges, [0.0, *(v for one in shares.values() for v in one)], chart, _per_cent)
    for place, one in enumerate(shares.values()):
        steps = [(x(edge), y(share)) for k, share in enumerate(one) for edge in edges[k : k + 2]]
        outline = [(x(edges[0]), y(0)), *steps, (x(edges[-1]), y(0))]
        sheet.area(outline, _colour(place))
        sheet.line(outline, _colour(place), 1.6, _dash(place))
    sheet.legend([(name, _colour(place), _dash(place)) for place, name in enumerate(shares)])
    return sheet.whole()


def _pairs(chart: Chart, sheet: Sheet) -> str:
    labels, known, ours, errors = (chart[name] for name in ("labels", "published", "ours", "errors"))
    left = 16 + LETTER * min(40, max(map(len, labels), default=0))
    sheet.height = 48 + 24 * len(labels)
    values = [*(v for v in known if v is not None), *(a + side * b for a, b in zip(ours, errors) for side in (-2, 2))]
    x = axis(values, left, sheet.width - 12, many=5)
    y = Axis(0, max(1, len(labels)), 8, sheet.height - 40)
    sheet.frame(x, Axis(0, 1, sheet.height - 38, 8), chart["x"], "")
    for k, label in enumerate(labels):
        at = y(k + 0.5)
        sheet.words(left - 12, at + 4, label, "end")
        sheet.line([(left, at), (sheet.width - 12, at)], "currentColor", 1, opacity=0.12)
        if known[k] is not None:
            sheet.line([(x(known[k]), at), (x(ours[k]), at)], "currentColor", 1.2, opacity=0.45)
        sheet.line([(x(ours[k] - 2 * errors[k]), at), (x(ours[k] + 2 * errors[k]), at)], OURS, 2.4)
        sheet.dot(x(ours[k]), at, OURS)
        if known[k] is not None:
            sheet.dot(x(known[k]), at, PUBLISHED, is_open=True)
    sheet.legend([("published", PUBLISHED, "ring"), ("ours, two standard errors", OURS, "dot")])
    return sheet.whole()


def _bars(chart: Chart, sheet: Sheet) -> str:
    values, split = chart["values"], chart["split"]
    x, y = _plane(sheet, [0.5, len(values) + 0.5], [0.0, *values], chart, _per_cent)
    step = (x.end - x.start) / max(1, len(values))
    for k, value in enumerate(values):
        top = y(value)
        sheet.box(x.start + step * k + 0.1 * step, top, 0.8 * step, y(0) - top, PALETTE[0] if k < split else PALETTE[4])
    first, second = chart["names"]
    sheet.legend([(first, PALETTE[0], "box"), (second, PALETTE[4], "box")])
    return sheet.whole()
