"""`kibitz records import` and `export`: archives of the Internet Skat Server to our records and back."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from kibitz.cli.asked import Json, bar, print_json
from kibitz.core.errors import BadInput, BadRecord, MissingExtra
from kibitz.core.files import is_stream, whole_file
from kibitz.core.plain_text import printable
from kibitz.core.record import FORMAT, Record, read_records
from kibitz.core.schema import Either, Fields, Listed, Nothing, Text, Whole, read_json

if TYPE_CHECKING:
    from kibitz.games.skat.archive import Entry

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help="Read and write foreign records.")

Source = Annotated[Path, typer.Argument(help="The file to read.", metavar="FILE")]
SIDE = ".iss.jsonl"
"""What ISS said beyond the moves (dates, ratings, claims, result) stands in a second file, so that export can give it back."""
PARQUET_ROWS = 20_000
PERSON = "person:"
"""How records mark people."""


@app.callback()
def records() -> None:
    """List records, and read and write foreign ones: archives of the Internet Skat Server (.sgf)."""


@app.command("list")
def list_(
    sources: Annotated[list[Path], typer.Argument(help="Files of records, or folders of them.", metavar="FILES")],
    people: Annotated[bool, typer.Option("--people", help="Only games in which a person has played.")] = False,
    as_json: Json = False,
) -> None:
    """List recorded games with who played them; people are marked as person:NAME.

    Example: kibitz records list kibitz-table/games --people
    """
    rows: list[dict[str, Any]] = []
    for path in _files(sources):
        for number, record in read_records(path, skip=True):
            played = [seat for seat in record.seats if seat.startswith(PERSON)]
            if people and not played:
                continue
            about = {
                "file": str(path),
                "line": number,
                "game": record.game,
                "seats": record.seats,
                "people": len(played),
            }
            rows.append({**about, "moves": len(record.ids), "returns": record.returns or None})
    if as_json:
        print_json(rows)
        return
    for row in rows:
        results = " ".join(f"{value:+g}" for value in row["returns"] or []) or "broken off"
        print(printable(f"{row['file']}:{row['line']}  {row['game']}  {', '.join(row['seats'])}  {results}"))
    print(f"{len(rows):,} games, {sum(row['people'] > 0 for row in rows):,} with people", file=sys.stderr)


def _files(sources: list[Path]) -> Iterator[Path]:
    for source in sources:
        if source.is_dir():
            yield from sorted(
                source.glob("**/games/*.jsonl") if (source / "games").is_dir() else source.glob("*.jsonl")
            )
        elif source.is_file():
            yield source
        else:
            raise BadInput(f"{source} is no file or folder that can be read")


@app.command("import")
def import_(
    source: Source,
    out: Annotated[Path | None, typer.Option(help="The JSONL file to write; FILE.jsonl if not said.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Also write a table of all records (needs pyarrow).")] = None,
    as_json: Json = False,
) -> None:
    """Replay every record of an ISS archive, sort it, and write the good ones as JSONL.

    Example: kibitz records import iss-games.sgf --out games.jsonl
    """
    from kibitz.games.skat.archive import read_archive

    target = out or source.with_suffix(".jsonl")
    side = Path(os.devnull) if is_stream(target) else target.with_suffix(SIDE)
    _spare([source], [target, side, *([parquet] if parquet else [])])
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    with ExitStack() as stack:
        advance = stack.enter_context(bar(f"reading {source.name}", _size(source)))
        games = stack.enter_context(whole_file(target))
        said = stack.enter_context(whole_file(side))
        table = stack.enter_context(_Table(parquet)) if parquet else None
        for number, entry in enumerate(read_archive(_lines(source, advance))):
            counts[entry.status] += 1
            if entry.status == "CORRUPT":
                reasons[_kind_of(entry.reason)] += 1
            _write(entry, number, games, said)
            if table:
                table.add(entry, number)
        if not counts and _size(source):
            raise BadInput(f"{source} holds no record of ISS: each is a line that begins with (;GM[Skat]")
    facts = {
        "file": str(source), "records": sum(counts.values()), "written": str(target),
        "classes": dict(counts), "corrupt": dict(reasons.most_common()),
    }  # fmt: skip
    if as_json:
        print_json(facts)
    else:
        _show(facts)


@app.command("export")
def export(
    source: Source,
    out: Annotated[Path | None, typer.Option(help="The ISS file to write; FILE.sgf if not said.")] = None,
    as_json: Json = False,
) -> None:
    """Write records of skat as ISS lines; what import kept beside the file goes back in.

    Example: kibitz records export games.jsonl --out games.sgf
    """
    target = out or source.with_suffix(".sgf")
    _spare([source, source.with_suffix(SIDE)], [target])
    count = 0
    with whole_file(target) as file:
        for line in iss_lines(source):
            file.write((line + "\n").encode())
            count += 1
    facts = {"file": str(source), "records": count, "written": str(target)}
    print_json(facts) if as_json else print(f"{count:,} records written to {target}")


def iss_lines(source: Path) -> Iterator[str]:
    """The records of a JSONL file as ISS lines, each replayed and checked."""
    from kibitz.core.record import last_position
    from kibitz.games.skat.iss import record_line

    beside = source.with_suffix(SIDE)
    said = _said(beside) if beside.exists() else {}
    for number, record in read_records(source):
        try:
            if record.game.split("-")[0] != "skat":
                raise BadRecord(f"ISS knows skat alone, not {record.game}")
            end = last_position(record)
            kept = said.get(record.number)
            yield record_line(end.game, record) if kept is None else _kept_line(kept, record, beside)
        except BadRecord as problem:
            raise BadRecord(f"{source} line {number}: {problem}") from None


def _kept_line(kept: dict[str, Any], record: Record, beside: Path) -> str:
    """What ISS said of a record, if it still is the same game."""
    from kibitz.games.skat.archive import sort_records
    from kibitz.games.skat.iss import IssGame, read_text

    game = IssGame(**{**_tuples(kept), "moves": tuple((who, action) for who, action in kept["moves"])})
    line = game.line()
    entry = sort_records([line])[0]
    if entry.status == "CORRUPT" or read_text(line).line() != line:
        raise BadRecord(
            f"record {record.number} of {beside} is no record of ISS: {entry.reason or 'it cannot be read back'}"
        )
    ours = entry.record(record.number)
    if (ours.deal, ours.ids) != (record.deal, record.ids):
        raise BadRecord(
            f"record {record.number} of {beside} is another game: import the archive again, or remove that file"
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
                    _beside().check(data)
                except BadRecord as problem:
                    raise BadRecord(f"{path} line {number}: {problem}") from None
                if "iss" in data:
                    kept[data["number"]] = data["iss"]
    except UnicodeDecodeError:
        raise BadRecord(f"{path} is not a text file") from None
    return kept


def _beside() -> Fields:
    """A line of the second file."""
    maybe = Either((Text(), Nothing()), "a text or null")
    three = Listed(Text(), 3, 3)
    names = ("place", "comment", "series", "number", "date", "owner")
    game = Fields({
        "moves": Listed(Listed(Text(1000), 2, 2), 1, 10_000), "result": Text(), "names": three,
        "ratings": Listed(maybe, 3, 3), **dict.fromkeys(names, maybe),
    })  # fmt: skip
    return Fields({"number": Whole(), "class": Text(20)}, {"reason": Text(), "text": Text(10**8), "iss": game})


def _spare(read: list[Path], written: list[Path]) -> None:
    """Refuse to write over what is read, by whatever name or link, and to write two things to one file."""
    for number, path in enumerate(written):
        for source in read:
            if path.exists() and source.exists() and path.samefile(source) and not is_stream(path):
                raise BadInput(f"{path} is being read and would be lost: give --out another file")
        if any(os.path.realpath(path) == os.path.realpath(other) for other in written[:number]) and not is_stream(path):
            raise BadInput(f"{path} would be written twice: give each its own file")


def _size(path: Path) -> int:
    if not path.is_file():
        raise BadInput(f"{path} is no file that can be read")
    return path.stat().st_size


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
    beside: dict[str, Any] = {"number": number, "class": entry.status}
    if entry.status == "CORRUPT" or entry.game is None:
        beside |= {"reason": entry.reason, "text": entry.text}
    else:
        beside["iss"] = vars(entry.game)
        games.write(_json({"kibitz": FORMAT, **vars(entry.record(number))}))
    said.write(_json(beside))


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


def _show(facts: dict[str, Any]) -> None:
    print(f"{facts['records']:,} records read, the good ones written to {facts['written']}")
    for status, count in facts["classes"].items():
        print(f"  {status:<10}{count:>12,}")
    for reason, count in list(facts["corrupt"].items())[:10]:
        print(f"    {count:>10,}  {printable(reason)}", file=sys.stdout)


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
            ("number", whole),
            ("class", text),
            ("reason", text),
            ("deal", text),
            ("ids", pyarrow.list_(pyarrow.int16())),
        ]
        columns += [
            ("returns", pyarrow.list_(pyarrow.float64())),
            ("names", pyarrow.list_(text)),
            ("date", text),
            ("result", text),
        ]
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
