"""`kibitz records import` and `export` for archives of the Internet Skat Server."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.arena.skat.archive import OTHER_GAME, Entry, kind_of_reason, read_archive, sort_records
from kibitz.arena.skat.reading import stretches, text_lines
from kibitz.arena.skat.summary import Summary, summarise
from kibitz.cli.arguments import bar
from kibitz.core.errors import BadInput, BadRecord, MissingExtra
from kibitz.core.files import is_stream, whole_file
from kibitz.core.record import FORMAT, Record, last_position, read_records
from kibitz.core.schema import Either, Fields, Listed, Nothing, Text, Whole, read_json
from kibitz.core.streams import PACKED, CutShort, read_blocks
from kibitz.core.work import Executor, Flow
from kibitz.games.skat.iss import IssGame, read_text, record_line

ENDING = ".sgf"
SIDE = ".iss.jsonl"
"""What ISS said beyond the moves (dates, ratings, claims, result) stands in a second file,
so that export can give it back."""
PARQUET_ROWS = 20_000
FOREIGN = 1000
"""Records of other games at the beginning of an archive after which it is refused, if there are no others."""


def beside(records: Path) -> Path:
    """The file beside some records."""
    return Path(os.devnull) if is_stream(records) else records.with_suffix(SIDE)


def import_archive(source: Path, target: Path, parquet: Path | None) -> dict[str, Any]:
    """Replay every record, write the good ones and what else was said; tells what was found.

    What stands before the place where a packed file is cut short is written all the same.
    """
    is_packed = source.suffix in PACKED
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    problems: list[str] = []
    with ExitStack() as stack:
        advance = stack.enter_context(bar(f"reading {source.name}", None if is_packed else source.stat().st_size))
        games = stack.enter_context(whole_file(target))
        said = stack.enter_context(whole_file(beside(target)))
        table = stack.enter_context(_Table(parquet)) if parquet else None
        for number, entry in enumerate(read_archive(text_lines(_readable(source, advance, problems)))):
            counts[entry.status] += 1
            if entry.status == "CORRUPT":
                reasons[kind_of_reason(entry.reason)] += 1
                if counts["CORRUPT"] == FOREIGN:
                    _refuse_foreign(source, counts, reasons)
            _write(entry, number, games, said)
            if table:
                table.add(entry, number)
        if not counts and source.stat().st_size:
            raise BadInput(f"{source} holds no record of ISS: each is a line that begins with (;GM[Skat]")
        _refuse_foreign(source, counts, reasons)
    if problems:
        good = counts.total() - counts["CORRUPT"]
        raise BadInput(f"{problems[0]}: the {good:,} good records before that are in {target}")
    return {
        "file": str(source), "records": sum(counts.values()), "written": str(target),
        "classes": dict(counts), "corrupt": dict(reasons.most_common()),
    }  # fmt: skip


def summarise_archive(source: Path, hands: Executor) -> tuple[dict[str, Any], str]:
    """What is in an archive, and what is wrong with it as a whole, if anything is."""
    found, problem = Summary(), ""

    def texts() -> Iterator[bytes]:
        nonlocal problem
        try:
            yield from stretches(source)
        except CutShort as cut:
            problem = str(cut)

    with bar(f"reading {source.name}", None if source.suffix in PACKED else source.stat().st_size) as advance:

        def keep(text: bytes, one: Summary) -> None:
            advance(len(text))
            found.add(one)

        for _ in hands.run(summarise, Flow(texts()), keep):
            pass
    _refuse_foreign(source, found.classes, found.refused)
    if not found.classes:
        raise BadInput(f"{source} holds no record of ISS: each is a line that begins with (;GM[Skat]")
    return {"file": str(source), **found.facts()}, problem


def draw_summary(facts: dict[str, Any]) -> Any:
    """A picture of what is in an archive: games of each type, won and lost."""
    from kibitz.arena.plots import stacked

    kept = [row for row in facts["types"] if row["games"]]
    won = [row["won"] * row["games"] for row in kept]
    parts = {"won": won, "lost": [row["games"] - share for row, share in zip(kept, won, strict=True)]}
    title = f"{facts['declared']:,} declared games of {facts['players']:,} players"
    return stacked([row["type"] for row in kept], parts, title=title, x_label="games")


def summary_tables(facts: dict[str, Any]) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """The same as tables: a caption, columns and rows."""
    columns = ["type", "games", "won", "mean value", "mean bid", "mean points", "from the hand", "broken off"]
    rows = [
        [
            row["type"], f"{row['games']:,}", f"{100 * row['won']:.1f} %", f"{row['mean_value']:+.1f}",
            f"{row['mean_bid']:.1f}", f"{row['mean_points']:.1f}", f"{row['hand']:,}", f"{row['shortened']:,}",
        ]
        for row in facts["types"] if row["games"]
    ]  # fmt: skip
    yield f"{facts['declared']:,} declared games, {100 * facts['won']:.1f} % won", columns, rows
    classes = [[name.lower(), f"{count:,}"] for name, count in facts["classes"].items() if count]
    yield f"{facts['records']:,} records, {facts['rated']:,} with ratings", ["class", "records"], classes
    if facts["refused"]:
        reasons = [[reason, f"{count:,}"] for reason, count in facts["refused"].items()]
        yield "refused", ["why", "records"], reasons
    if facts["years"]:
        yield "years", ["year", "records"], [[year, f"{count:,}"] for year, count in facts["years"].items()]
    most = [[name, f"{count:,}"] for name, count in facts["most_games"].items()]
    yield f"{facts['players']:,} players; those with most games", ["player", "games"], most


def _refuse_foreign(source: Path, counts: Counter[str], reasons: Counter[str]) -> None:
    """Refuse an archive in which there is nothing but records of other games."""
    if reasons[OTHER_GAME] and reasons[OTHER_GAME] == counts.total():
        raise BadInput(f"{source} is an archive of another game: records of Skat begin with (;GM[Skat]")


def archive_lines(source: Path) -> Iterator[str]:
    """The records of a JSONL file as ISS lines, each replayed and checked."""
    side = source.with_suffix(SIDE)
    said = _said(side) if side.exists() else {}
    for number, record in read_records(source):
        try:
            if record.game.split("-")[0] != "skat":
                raise BadRecord(f"ISS knows skat alone, not {record.game}")
            end = last_position(record)
            kept = said.get(record.number)
            yield record_line(end.game, record) if kept is None else _kept_line(kept, record, side)
        except BadRecord as problem:
            raise BadRecord(f"{source} line {number}: {problem}") from None


def _kept_line(kept: dict[str, Any], record: Record, side: Path) -> str:
    """What ISS said of a record, if it still is the same game."""
    game = IssGame(**{**_tuples(kept), "moves": tuple((who, action) for who, action in kept["moves"])})
    line = game.line()
    entry = sort_records([line])[0]
    if entry.status == "CORRUPT" or read_text(line).line() != line:
        raise BadRecord(
            f"record {record.number} of {side} is no record of ISS: {entry.reason or 'it cannot be read back'}"
        )
    ours = entry.record(record.number)
    if (ours.deal, ours.ids) != (record.deal, record.ids):
        raise BadRecord(
            f"record {record.number} of {side} is another game: import the archive again, or remove that file"
        )
    return line


def _tuples(kept: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in kept.items()}


def _said(path: Path) -> dict[int, dict[str, Any]]:
    """What import kept beside the records, by record number."""
    kept: dict[int, dict[str, Any]] = {}
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    data = read_json(line)
                    _line_beside().check(data)
                except BadRecord as problem:
                    raise BadRecord(f"{path} line {number}: {problem}") from None
                if "iss" in data:
                    kept[data["number"]] = data["iss"]
    except UnicodeDecodeError:
        raise BadRecord(f"{path} is not a text file") from None
    return kept


def _line_beside() -> Fields:
    """A line of the second file."""
    maybe = Either((Text(), Nothing()), "a text or null")
    three = Listed(Text(), 3, 3)
    names = ("place", "comment", "series", "number", "date", "owner")
    game = Fields({
        "moves": Listed(Listed(Text(1000), 2, 2), 1, 10_000), "result": Text(), "names": three,
        "ratings": Listed(maybe, 3, 3), **dict.fromkeys(names, maybe),
    })  # fmt: skip
    return Fields({"number": Whole(), "class": Text(20)}, {"reason": Text(), "text": Text(10**8), "iss": game})


def _readable(source: Path, advance: Callable[[float], None], problems: list[str]) -> Iterator[bytes]:
    """What can be read of a file; why there is no more of it goes to the problems."""
    try:
        for block in read_blocks(source):
            advance(len(block))
            yield block
    except CutShort as cut:
        problems.append(str(cut))


def _write(entry: Entry, number: int, games: BinaryIO, said: BinaryIO) -> None:
    about: dict[str, Any] = {"number": number, "class": entry.status}
    if entry.status == "CORRUPT" or entry.game is None:
        about |= {"reason": entry.reason, "text": entry.text}
    else:
        about["iss"] = vars(entry.game)
        games.write(_json({"kibitz": FORMAT, **vars(entry.record(number))}))
    said.write(_json(about))


def _json(thing: dict[str, Any]) -> bytes:
    return (json.dumps(thing, separators=(",", ":"), ensure_ascii=False) + "\n").encode("utf-8", "replace")


class _Table:
    """All records as one Parquet table, corrupt ones with their reason and nothing else."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtra("pyarrow", "data") from None
        self._arrow, self._parquet, self._path = pyarrow, pyarrow.parquet, path
        self._rows: list[dict[str, Any]] = []
        text, whole = pyarrow.string(), pyarrow.int64()
        columns = [
            ("number", whole), ("class", text), ("reason", text), ("deal", text),
            ("ids", pyarrow.list_(pyarrow.int16())), ("returns", pyarrow.list_(pyarrow.float64())),
            ("names", pyarrow.list_(text)), ("date", text), ("result", text),
        ]  # fmt: skip
        self._schema = pyarrow.schema(columns)

    def __enter__(self) -> _Table:
        self._stack = ExitStack()
        self._file = self._stack.enter_context(whole_file(self._path))
        self._writer = self._parquet.ParquetWriter(self._file, self._schema)
        return self

    def add(self, entry: Entry, number: int) -> None:
        """One row more."""
        row: dict[str, Any] = {"number": number, "class": entry.status, "reason": entry.reason or None}
        if entry.status != "CORRUPT" and entry.game is not None:
            record = entry.record(number)
            row |= {"deal": record.deal, "ids": record.ids, "returns": record.returns, "names": record.seats}
            row |= {"date": entry.game.date, "result": entry.game.result}
        self._rows.append(row)
        if len(self._rows) >= PARQUET_ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def __exit__(self, *problem: Any) -> None:
        if problem[0] is None:
            self._flush()
        self._writer.close()
        self._stack.__exit__(*problem)
