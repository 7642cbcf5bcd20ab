"""What an experiment found, as data: tables of published and own numbers, figures and notes, to JSON and back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from kibitz.arena.statistics import Measured, Score, WinRate, centre, z_score
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.files import whole_file
from kibitz.core.rng import MOST_SEED
from kibitz.core.schema import (
    Anything,
    Either,
    Fields,
    Flag,
    Listed,
    Mapped,
    Number,
    Text,
    Whole,
    read_json,
    shown,
)  # fmt: skip
from kibitz.papers.chart_drawing import draw
from kibitz.papers.charts import CHART
from kibitz.papers.drawing import check_drawing

FORMAT = 2
AGREES, NEAR = 2.0, 3.0  # standard errors: up to two agree, beyond three differ
MARKS = {
    "agrees": "✓", "near": "≈", "differs": "✗", "open": "?",
    "reproduced": "✓", "beaten": "▲", "missed": "✗", "form": "○",
}  # fmt: skip
RULINGS = {"reproduced": "reproduced", "beaten": "beaten", "missed": "not reproduced", "form": "form only"}
"""The verdicts on claims, in words."""
Made = TypeVar("Made")


@dataclass(frozen=True)
class Published:
    """A number as the paper prints it; with unit "%" it is compared with a win rate in per cent."""

    value: float
    se: float = 0.0
    unit: str = ""

    def __str__(self) -> str:
        error = f" ± {self.se:.10g}" if self.se else ""
        return f"{self.value:.10g}{error}" + (f" {self.unit}" if self.unit else "")


@dataclass(frozen=True)
class Verdict:
    """Whether ours agrees with the published number, and in words how far: agrees, near, differs or open in a table,
    one of RULINGS on a claim."""

    kind: str
    text: str

    def __post_init__(self) -> None:
        if self.kind not in MARKS:
            raise BadInput(f"{self.kind!r} is no verdict: choose from {', '.join(MARKS)}")

    def __str__(self) -> str:
        words = ", ".join(filter(None, [RULINGS.get(self.kind, ""), self.text]))
        return f"{MARKS[self.kind]} {words}"


Cell = str | int | float | Published | Score | WinRate | Verdict | None


@dataclass(frozen=True)
class Table:
    """A caption over columns and rows of cells."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "rows", tuple(tuple(map(_plain_cell, row)) for row in self.rows))
        for row in self.rows:
            if len(row) != len(self.columns):
                raise BadInput(f"{self.caption!r} has {len(self.columns)} columns, but a row of {len(row)} cells")


@dataclass(frozen=True)
class Figure:
    """A caption under a chart (its data, see `charts.py`) or under one `<svg>` element."""

    caption: str
    svg: str = ""
    chart: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            if self.chart and not self.svg:
                CHART.check(self.chart, "the chart")
            else:
                check_drawing(self.svg)
        except (BadInput, BadRecord) as problem:
            raise BadInput(f"the figure {self.caption!r} cannot be shown: {problem}") from None

    @property
    def drawing(self) -> str:
        """The `<svg>` element."""
        return self.svg or draw(self.chart)


@dataclass(frozen=True)
class Claim:
    """A sentence or a number of the paper, ours with its error, and the verdict; `claims.py` makes them."""

    key: str
    """Names it within its experiment."""
    says: str
    published: Cell
    ours: Cell
    verdict: Verdict
    reason: str = ""
    """Why ours is not reproduced, or what made it easier to beat."""
    is_alike: bool = True
    """Whether a quick edition estimates the same number, only with a larger error; else it shows the form alone."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "published", _plain_cell(self.published))
        object.__setattr__(self, "ours", _plain_cell(self.ours))
        if self.verdict.kind not in RULINGS:
            raise BadInput(f"{self.verdict.kind!r} is no verdict on a claim: choose from {', '.join(RULINGS)}")


@dataclass(frozen=True)
class Result:
    """All that one run of an experiment found; the fields after the notes are filled in by the runner."""

    title: str
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    claims: Sequence[Claim] = ()
    name: str = ""
    paper: str = ""
    about: str = ""
    scale: str = ""
    command: str = ""
    seed: int = 0
    threads: int = 1
    seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    edition: int = 1
    date: str = ""
    """Of the day it was finished, in UTC."""
    commits: Sequence[str] = ()
    """Those that computed its pieces, the last one first; with a + behind it had changes of its own."""
    machine: str = ""
    cpu_seconds: float = 0.0
    """Of the process that finished it, all threads together: what a busy machine does not lengthen."""

    def __post_init__(self) -> None:
        for several in ("tables", "figures", "notes", "claims", "commits"):
            object.__setattr__(self, several, tuple(getattr(self, several)))
        if len({claim.key for claim in self.claims}) < len(self.claims):
            raise BadInput(f"two claims of {self.title!r} have the same key: each has its own")

    @property
    def verdicts(self) -> list[Verdict]:
        """Every verdict: those on the claims or, where there are none, those in the tables."""
        if self.claims:
            return [claim.verdict for claim in self.claims]
        return [cell for table in self.tables for row in table.rows for cell in row if isinstance(cell, Verdict)]


def verdict(ours: Measured | float, published: Published | float, tolerance: float | None = None) -> Verdict:
    """Judge ours against the published number, by combined standard errors or, if given, by a plain tolerance."""
    known = published if isinstance(published, Published) else Published(float(published))
    if isinstance(ours, WinRate) and known.unit == "%":
        known = Published(known.value / 100, known.se / 100)
    gap = (centre(ours) if isinstance(ours, Score | WinRate) else ours) - known.value
    off = f"off by {abs(gap):.2g}"
    if tolerance is not None:
        return Verdict("agrees", f"within {tolerance:g}") if abs(gap) <= tolerance else Verdict("differs", off)
    z = abs(z_score(ours, known.value, known.se))
    if math.isnan(z):
        return Verdict("open", "no error known")
    if math.isinf(z):
        return Verdict("differs", off)
    kind = "agrees" if z <= AGREES else "near" if z <= NEAR else "differs"
    return Verdict(kind, f"within {z:.1f} se" if kind == "agrees" else f"{z:.1f} se apart")


KINDS: dict[str, type[Any]] = {"published": Published, "score": Score, "win_rate": WinRate, "verdict": Verdict}
NOT_FINITE = ("nan", "inf", "-inf")  # JSON has no word for these: they are written as text
SCALARS: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float)}


def to_json(result: Result) -> str:
    """Write a result as JSON text."""
    data = asdict(result) | {"format": FORMAT}
    for table, written in zip(result.tables, data["tables"], strict=True):
        written["rows"] = [[_cell_out(cell) for cell in row] for row in table.rows]
    for claim, written in zip(result.claims, data["claims"], strict=True):
        written |= {"published": _cell_out(claim.published), "ours": _cell_out(claim.ours)}
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


MOST_CELL = 10**300
"""No whole number in a table is larger: it must be possible to reckon with it."""
RESULT = Fields({
    "format": Whole(), "title": Text(), "name": Text(200), "paper": Text(), "about": Text(), "scale": Text(200),
    "command": Text(), "seed": Whole(0, MOST_SEED), "threads": Whole(), "seconds": Number(0.0, 1e12),
    "versions": Mapped(Text()), "notes": Listed(Text()), "edition": Whole(), "date": Text(30), "machine": Text(200),
    "commits": Listed(Text(50)),
    "figures": Listed(Fields({"caption": Text(), "svg": Text(10**8), "chart": Either((Fields({}), CHART), "a chart")})),
    "tables": Listed(Fields({"caption": Text(), "columns": Listed(Text()), "rows": Listed(Listed(Anything()))})),
    "claims": Listed(Fields({
        "key": Text(300), "says": Text(), "published": Anything(), "ours": Anything(), "reason": Text(),
        "is_alike": Flag(), "verdict": Fields({"kind": Text(20), "text": Text()}),
    })),
}, {"cpu_seconds": Number(0.0, 1e12)})  # fmt: skip
"""A file of a result; cells are checked as they are made."""


def from_json(text: str) -> Result:
    """Read a result back; whatever does not fit raises BadRecord."""
    try:
        data = read_json(text)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadRecord(f"its format is not {FORMAT}: run the experiment again")
        RESULT.check(data)
        del data["format"]
        data["tables"] = [_table_in(table) for table in data["tables"]]
        data["figures"] = [_build(Figure, figure) for figure in data["figures"]]
        data["claims"] = [_claim_in(claim) for claim in data["claims"]]
        data["notes"] = [_text(note) for note in data["notes"]]
        data["versions"] = {_text(what): _text(version) for what, version in data["versions"].items()}
        return _build(Result, data)
    except BadRecord:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadRecord(f"it is no result of an experiment: {type(error).__name__}: {error}") from error


def save(result: Result, folder: Path) -> Path:
    """Write `<name>.json` into the folder, so that a crash leaves the old file or the new one."""
    path = folder / f"{result.name}.json"
    write_whole(path, to_json(result))
    return path


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half written: temporary name, flush to disk, rename."""
    with whole_file(path) as file:
        file.write(text.encode())


def _plain_cell(cell: Any) -> Any:
    """Turn NumPy's numbers into Python's and refuse what no report can print."""
    if hasattr(cell, "item") and getattr(cell, "ndim", 0) == 0:
        cell = cell.item()
    if cell is None or isinstance(cell, str | int | float | Published | Score | WinRate | Verdict):
        return cell
    raise BadInput(f"a cell cannot hold {cell!r}: give text, a number, Published, Score, WinRate or Verdict")


def _cell_out(cell: Cell) -> Any:
    for kind, made in KINDS.items():
        if isinstance(cell, made):
            return {"is": kind} | {entry.name: _number_out(getattr(cell, entry.name)) for entry in fields(made)}
    number = _number_out(cell)
    return number if number == cell else {"is": "number", "value": number}


def _number_out(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _cell_in(cell: Any) -> Any:
    """Read a cell; what is none is refused by its Table."""
    if not isinstance(cell, dict):
        if type(cell) is int and abs(cell) > MOST_CELL:
            raise BadRecord(f"it has {shown(cell)} in a table: a number up to {MOST_CELL} is right")
        return cell
    kind = cell.pop("is")
    return float(cell["value"]) if kind == "number" else _build(KINDS[kind], cell)


def _table_in(table: dict[str, Any]) -> Table:
    rows = [[_cell_in(cell) for cell in row] for row in table["rows"]]
    return Table(_text(table["caption"]), [_text(column) for column in table["columns"]], rows)


def _claim_in(claim: dict[str, Any]) -> Claim:
    cells = {side: _cell_in(claim[side]) for side in ("published", "ours")}
    return _build(Claim, claim | cells | {"verdict": _build(Verdict, claim["verdict"])})


def _build(made: type[Made], data: dict[str, Any]) -> Made:
    """Make a dataclass from JSON, each scalar field checked against its declared type."""
    for entry in fields(made):  # type: ignore[arg-type]
        allowed = SCALARS.get(str(entry.type))
        if allowed and entry.name in data:
            if data[entry.name] in NOT_FINITE and str not in allowed:
                data[entry.name] = float(data[entry.name])
            if type(data[entry.name]) not in allowed or (
                type(data[entry.name]) is int and entry.name != "seed" and abs(data[entry.name]) > MOST_CELL
            ):
                raise BadRecord(f"its {entry.name} is {shown(data[entry.name])}, which is no {entry.type}")
    return made(**data)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadRecord(f"it has {shown(value)} where words should be")
    return value
