"""`kibitz records import` and `export` for archives of the Internet Skat Server."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.cli.arguments import bar
from kibitz.core.errors import BadInput, BadRecord, MissingExtra
from kibitz.core.files import is_stream, whole_file
from kibitz.core.record import FORMAT, Record, last_position, read_records
from kibitz.core.schema import Either, Fields, Listed, Nothing, Text, Whole, read_json
from kibitz.games.skat.archive import Entry, read_archive, sort_records
from kibitz.games.skat.iss import IssGame, read_text, record_line

ENDING = ".sgf"
SIDE = ".iss.jsonl"
"""What ISS said beyond the moves (dates, ratings, claims, result) stands in a second file,
so that export can give it back."""
PARQUET_ROWS = 20_000


def beside(records: Path) -> Path:
    """The file beside some records."""
    return Path(os.devnull) if is_stream(records) else records.with_suffix(SIDE)


def import_archive(source: Path, target: Path, parquet: Path | None) -> dict[str, Any]:
    """Replay every record, write the good ones and what else was said; tells what was found."""
    size = source.stat().st_size
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    with ExitStack() as stack:
        advance = stack.enter_context(bar(f"reading {source.name}", size))
        games = stack.enter_context(whole_file(target))
        said = stack.enter_context(whole_file(beside(target)))
        table = stack.enter_context(_Table(parquet)) if parquet else None
        for number, entry in enumerate(read_archive(_lines(source, advance))):
            counts[entry.status] += 1
            if entry.status == "CORRUPT":
                reasons[_kind_of(entry.reason)] += 1
            _write(entry, number, games, said)
            if table:
                table.add(entry, number)
        if not counts and size:
            raise BadInput(f"{source} holds no record of ISS: each is a line that begins with (;GM[Skat]")
    return {
        "file": str(source), "records": sum(counts.values()), "written": str(target),
        "classes": dict(counts), "corrupt": dict(reasons.most_common()),
    }  # fmt: skip


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


def _lines(path: Path, advance: Callable[[float], None]) -> Iterator[str]:
    """The lines of an archive, UTF-8 or Latin-1, whatever is in them."""
    done = 0
    with open(path, "rb") as file:
        for raw in file:
            done += len(raw)
            if done > 1 << 20:
                advance(done)
                done = 0
            try:
                yield raw.decode()
            except UnicodeDecodeError:
                yield raw.decode("latin-1")
    advance(done)


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


def _kind_of(reason: str) -> str:
    """A reason without the particulars, to count it."""
    words = reason.split()
    if words[:1] == ["move"] and len(words) > 2 and words[1].isdecimal():
        return " ".join(words[2:])
    if reason.startswith("the result says"):
        return f"the result says another {words[3].split(':')[0]}"
    return reason if "'" not in reason else reason.rsplit("'", 1)[-1].strip()


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
