"""Pictures of results: plain arrays in, a matplotlib Figure or compact SVG text out.

Matplotlib is imported inside the functions only, and figures are made without pyplot, so no window system and no
global state is touched. Colours are those of Okabe and Ito, told apart by colour-blind readers; every curve and bar
also differs in line or hatch.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike

from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.files import check_writable
from kibitz.core.plain_text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
LINES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
INK = "#1b1b1c"  # axes and words; `svg` turns it into currentColor, so that a dark page can have light words
LOWEST, MIDDLE, HIGHEST = "#C75A00", "#F5F3EF", "#0072B2"  # the ends and centre of the result matrix
STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.7,
    "figure.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "kibitz",
}

SHORTER = (  # what matplotlib writes that a page does not need, and what takes its place
    (
        r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>|<defs>\s*</defs>",
        "",
    ),  # a style would rule the whole page
    (r' id="[\w.]*_\d+"', ""),  # nothing refers to these, and they would clash with the next figure's
    (r' transform="rotate\(-?0 [^"]*"', ""),
    (r"font-family: [^;]*; ", ""),
    (r">\s+<", "><"),
)
LOOK = "width:100%%;max-width:%gpt;height:auto;font-family:'DejaVu Sans',Verdana,sans-serif;stroke-linejoin:round"
Drawing = ParamSpec("Drawing")
FORMATS = ("svg", "png", "pdf")


def _drawn(draw: Callable[Drawing, Figure]) -> Callable[Drawing, Figure]:
    """Draw in the house style, and fix the layout so that saving twice gives the same picture twice."""

    @functools.wraps(draw)
    def styled(*args: Drawing.args, **options: Drawing.kwargs) -> Figure:
        with _matplotlib().rc_context(STYLE):
            figure = draw(*args, **options)
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        return figure

    return styled


@_drawn
def learning_curves(
    curves: Mapping[str, Sequence[ArrayLike]],
    *,
    title: str = "",
    x_label: str = "games",
    y_label: str = "score",
    levels: Mapping[str, float] | None = None,
    log_x: bool = False,
    log_y: bool = False,
) -> Figure:
    """Draw one curve per name from (x, y) or, with a band, (x, y, low, high); `levels` are published values."""
    figure, axes = _sheet(title, x_label, y_label)
    axes.set_xscale("log" if log_x else "linear")
    axes.set_yscale("log" if log_y else "linear")
    for k, (name, columns) in enumerate(curves.items()):
        x, y, *band = (np.asarray(column, dtype=float) for column in columns)
        colour = PALETTE[k % len(PALETTE)]
        axes.plot(x, y, color=colour, linestyle=LINES[k % len(LINES)], linewidth=2, label=_literal(name))
        if band:
            axes.fill_between(x, band[0], band[1], color=colour, alpha=0.2, linewidth=0)
    for name, level in (levels or {}).items():
        axes.axhline(level, color=INK, linewidth=1, linestyle=(0, (2, 2)), label=_literal(name))
    axes.grid(True)
    axes.margins(x=0.01)
    if not log_x:
        axes.xaxis.set_major_formatter(_count)
    if len(curves) + len(levels or {}) > 1:
        _legend_outside(figure, axes)
    return figure


@_drawn
def side_by_side(curves: Mapping[str, Sequence[ArrayLike]], *, title: str = "", y_label: str = "") -> Figure:
    """Draw the same quantity over several others, one (x, y) panel for each name of an x axis;
    both axes logarithmic."""
    figure: Figure = _matplotlib("figure").Figure(figsize=(3.9 * len(curves), 3.9), layout="constrained", dpi=120)
    figure.suptitle(_literal(title), x=0.01, ha="left", fontweight="bold")
    panels = figure.subplots(1, len(curves), sharey=True, squeeze=False)[0]
    for axes, (name, (x, y)) in zip(panels, curves.items(), strict=True):
        axes.loglog(np.asarray(x, float), np.asarray(y, float), color=PALETTE[0], linewidth=2, marker="o", markersize=3)
        axes.set_xlabel(name)
        axes.grid(True)
    panels[0].set_ylabel(y_label)
    return figure


@_drawn
def bars(heights: Mapping[str, float], *, title: str = "", x_label: str = "", y_label: str = "") -> Figure:
    """Draw one bar per name."""
    figure, axes = _sheet(title, x_label, y_label, (max(4.0, 0.3 * len(heights) + 1.5), 3.9))
    places = np.arange(len(heights))
    axes.bar(places, list(heights.values()), color=PALETTE[0])
    axes.set_xticks(places, [_literal(name) for name in heights], rotation=90, fontsize=8)
    axes.grid(True, axis="y")
    return figure


@_drawn
def stacked(
    names: Sequence[str], parts: Mapping[str, Sequence[float]], *, title: str = "", x_label: str = ""
) -> Figure:
    """Draw one lying bar per name, its parts one behind the other."""
    figure, axes = _sheet(title, x_label, "", (7.2, max(2.4, 0.4 * len(names) + 1.2)))
    places, before = np.arange(len(names)), np.zeros(len(names))
    for k, (part, lengths) in enumerate(parts.items()):
        hatch = ("", "///", "...")[k % 3]
        axes.barh(places, lengths, left=before, color=PALETTE[k], hatch=hatch, edgecolor="white", label=_literal(part))
        before = before + np.asarray(lengths, float)
    axes.set_yticks(places, [_literal(name) for name in names])
    axes.invert_yaxis()
    axes.grid(True, axis="x")
    _legend_outside(figure, axes)
    return figure


@_drawn
def result_matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    values: ArrayLike,
    errors: ArrayLike | None = None,
    *,
    title: str = "",
    row_label: str = "",
    column_label: str = "",
    centre: float = 0.0,
    decimals: int = 2,
) -> Figure:
    """Draw `values[row, column]` as a heat map with its numbers; nan stays empty, colours are centred on `centre`."""
    table = np.asarray(values, dtype=float)
    spread = None if errors is None else np.asarray(errors, dtype=float)
    if table.shape != (len(rows), len(columns)) or (spread is not None and spread.shape != table.shape):
        raise BadInput(f"values of shape {table.shape} do not fill {len(rows)} rows and {len(columns)} columns")
    figure, axes = _sheet(title, column_label, row_label, size=(2.2 + 0.95 * len(columns), 1.3 + 0.62 * len(rows)))
    reach = float(np.nanmax(np.abs(table - centre), initial=0.0)) or 1.0
    shade = _matplotlib("colors").LinearSegmentedColormap.from_list("kibitz", [LOWEST, MIDDLE, HIGHEST])
    tile = _matplotlib("patches").Rectangle
    for (row, column), value in np.ndenumerate(table):
        if np.isfinite(value):
            lead = (value - centre) / reach
            axes.add_patch(tile((column + 0.015, row + 0.02), 0.97, 0.96, facecolor=shade((1 + lead) / 2)))
            word: dict[str, Any] = {
                "ha": "center",
                "va": "center",
                "color": "#ffffff" if abs(lead) > 0.62 else "#000000",
            }
            height = row + (0.5 if spread is None else 0.4)
            axes.text(column + 0.5, height, _number(value, decimals, signed=centre == 0), **word)
            if spread is not None:
                error = _number(float(spread[row, column]), decimals)
                axes.text(column + 0.5, row + 0.7, f"± {error}", fontsize=7.5, **word)
    axes.set_xlabel(_literal(column_label), loc="left", labelpad=8, style="italic")
    axes.set_xticks(np.arange(len(columns)) + 0.5, list(map(_literal, columns)))
    axes.set_yticks(np.arange(len(rows)) + 0.5, list(map(_literal, rows)))
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


@_drawn
def histograms(
    samples: Mapping[str, ArrayLike],
    *,
    bins: int = 30,
    title: str = "",
    x_label: str = "score",
    y_label: str = "share",
) -> Figure:
    """Draw the distribution of each sample over common bins, as shares; whole numbers get whole bins."""
    arrays = {name: np.asarray(sample, dtype=float) for name, sample in samples.items()}
    edges = _edges(np.concatenate(list(arrays.values())), bins)
    figure, axes = _sheet(title, x_label, y_label)
    for k, (name, array) in enumerate(arrays.items()):
        colour, line = PALETTE[k % len(PALETTE)], LINES[k % len(LINES)]
        share = np.histogram(array, edges)[0] / array.size
        axes.stairs(share, edges, fill=True, color=colour, alpha=0.25, linewidth=0)
        axes.stairs(
            share, edges, color=colour, linestyle=line, linewidth=1.6, label=f"{_literal(name)} (n={array.size:,})"
        )
    axes.grid(True, axis="y")
    axes.margins(x=0.01)
    axes.yaxis.set_major_formatter(_matplotlib("ticker").PercentFormatter(1.0))
    _legend_outside(figure, axes)
    return figure


@_drawn
def published_and_ours(
    labels: Sequence[str],
    published: ArrayLike,
    ours: ArrayLike,
    errors: ArrayLike | None = None,
    published_errors: ArrayLike | None = None,
    *,
    title: str = "",
    value_label: str = "score",
    decimals: int = 2,
) -> Figure:
    """Draw one pair of bars per label, published above ours; the error bars reach as far as the errors given."""
    n = len(labels)
    figure, axes = _sheet(title, value_label, "", size=(7.2, 1.4 + 0.62 * n))
    place = np.arange(n, dtype=float)
    sides = (
        ("published", published, published_errors, -0.19, "#8A8F98", "///"),
        ("ours", ours, errors, 0.19, PALETTE[0], ""),
    )
    for name, values, spread, shift, colour, hatch in sides:
        lengths = np.asarray(values, dtype=float)
        reach = np.zeros(n) if spread is None else np.asarray(spread, dtype=float)
        if lengths.shape != (n,) or reach.shape != (n,):
            raise BadInput(f"{n} labels want {n} {name} values and errors, not {lengths.size} and {reach.size}")
        axes.barh(place + shift, lengths, 0.36, color=colour, hatch=hatch, edgecolor="white", linewidth=0, label=name)
        if spread is not None:
            whisker: dict[str, Any] = {"ecolor": INK, "elinewidth": 1.2, "capsize": 3}
            axes.errorbar(lengths, place + shift, xerr=reach, fmt="none", **whisker)
        _write_numbers(axes, lengths, reach, place + shift, decimals)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(place, list(map(_literal, labels)))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.margins(x=0.14)
    axes.grid(True, axis="x")
    _legend_outside(figure, axes)
    return figure


def check_picture(path: Path) -> str:
    """The format that a file's ending asks for; refused before the work whose result should be drawn."""
    ending = path.suffix.lower().lstrip(".") or FORMATS[0]
    if ending not in FORMATS:
        raise BadInput(f"{path} cannot be drawn: a picture's name ends in .{', .'.join(FORMATS)}")
    _matplotlib()
    check_writable(path)
    return ending


def svg(figure: Figure) -> str:
    """Return the figure as one `<svg>` element to put into a page: the same text for the same figure, without a date.

    Words stay words in the reader's own font, and axes take the colour of the text around them.
    """
    page = io.StringIO()
    with _matplotlib().rc_context(STYLE):
        figure.savefig(page, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = page.getvalue()
    width, height = figure.get_size_inches() * 72
    body = text[text.index(">", text.index("<svg")) + 1 :]
    for pattern, replacement in SHORTER:
        body = re.sub(pattern, replacement, body, flags=re.DOTALL)
    body = re.sub(r' (d|x|y|transform|points)="([^"]*)"', _two_decimals, body).replace(INK, "currentColor")
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg {namespaces} role="img" viewBox="0 0 {width:g} {height:g}" style="{LOOK % width}">{body.strip()}'


def _two_decimals(attribute: re.Match[str]) -> str:
    """Shorten the coordinates in one attribute; numbers between the tags are results and stay as they are."""
    numbers = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), attribute[2])
    return f' {attribute[1]}="{" ".join(numbers.split())}"'


def _sheet(title: str, x_label: str, y_label: str, size: tuple[float, float] = (7.2, 3.9)) -> tuple[Figure, Axes]:
    """Return an empty figure with its axes."""
    figure: Figure = _matplotlib("figure").Figure(figsize=size, layout="constrained", dpi=120)
    axes = figure.subplots()
    axes.set_xlabel(_literal(x_label))
    axes.set_ylabel(_literal(y_label))
    axes.set_title(_literal(title))
    return figure, axes


def _legend_outside(figure: Figure, axes: Axes) -> None:
    """Put the legend outside, where it covers no data, in one row if it fits."""
    handles, labels = axes.get_legend_handles_labels()
    per_row = max(1, min(len(labels), int(figure.get_figwidth() * 14) // (max(map(len, labels)) + 6)))
    figure.legend(handles, labels, loc="outside lower left", ncols=per_row)


def _literal(text: str) -> str:
    """Words in which a $ is a $ and not the beginning of a formula, and that can be written in a picture's file."""
    return printable(text).replace("$", r"\$")


def _number(value: float, decimals: int, signed: bool = False) -> str:
    """Write a number with a true minus sign, as the axes have it."""
    return f"{value:{'+' if signed else ''}.{decimals}f}".replace("-", "−")


def _count(value: float, _place: float) -> str:
    """Write 200k and 1M rather than a power of ten beside the axis."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}".replace("-", "−")
    return f"{value:g}".replace("-", "−")


def _write_numbers(axes: Axes, lengths: Any, reach: Any, places: Any, decimals: int) -> None:
    """Write each value beyond the end of its bar and error."""
    for length, error, place in zip(lengths, reach, places, strict=True):
        side = 1 if length >= 0 else -1
        axes.annotate(
            _number(length, decimals), (length + side * error, place), xytext=(side * 5, 0), textcoords="offset points",
            va="center", ha="left" if side > 0 else "right", fontsize=8.5,
        )  # fmt: skip


def _edges(values: Any, bins: int) -> Any:
    """Return common bin edges; a small range of whole numbers gets one bin each, centred on the number."""
    low, high = values.min(), values.max()
    if (values == np.rint(values)).all():
        width = max(1, int(np.ceil((high - low + 1) / bins)))
        return np.arange(low, high + width + 1, width) - 0.5
    return np.histogram_bin_edges(values, bins)


def _matplotlib(part: str = "") -> Any:
    """Import matplotlib or one of its modules, or say how to install it."""
    try:
        return import_module(f"matplotlib.{part}" if part else "matplotlib")
    except ModuleNotFoundError as error:
        raise MissingExtra("matplotlib", "plots") from error
