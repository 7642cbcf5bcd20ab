"""`kibitz records list`, `import` and `export`: our records, and foreign ones to ours and back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.executor import executor
from kibitz.arena.plots import check_picture
from kibitz.cli.arguments import Json, print_json
from kibitz.core.errors import BadInput
from kibitz.core.files import is_stream, whole_file
from kibitz.core.offers import offered_by, packages
from kibitz.core.plain_text import printable
from kibitz.core.record import read_records
from kibitz.core.streams import PACKED, inner_suffix

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help="Read and write foreign records.")

Source = Annotated[Path, typer.Argument(help="The file to read.", metavar="FILE")]
PERSON = "person:"
"""How records mark people."""


@app.callback()
def records() -> None:
    """List records, and read and write foreign ones: archives of the Internet Skat Server, ISS (.sgf)."""


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
    archive = _archive(source)
    target = out or (source.with_suffix("") if source.suffix in PACKED else source).with_suffix(".jsonl")
    _check_file(source)
    _spare([source], [target, archive.beside(target), *([parquet] if parquet else [])])
    facts = archive.import_archive(source, target, parquet)
    if as_json:
        print_json(facts)
    else:
        _show(facts)


@app.command("summary")
def summary(
    source: Source,
    plot: Annotated[Path | None, typer.Option(help="Draw it to this file (.svg, .png, .pdf).")] = None,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Processes that read.")] = 1,
    as_json: Json = False,
) -> None:
    """Tell what is in an ISS archive, plain or packed: games by type, results, players, years, what is refused and why.

    Example: kibitz records summary iss-games.sgf.bz2 --plot archive.svg
    """
    archive = _archive(source)
    _check_file(source)
    if plot is not None:
        check_picture(plot)
        _spare([source], [plot])
    facts, problem = archive.summarise_archive(source, executor(processes))
    if as_json:
        print_json(facts)
    else:
        _show_tables(archive.summary_tables(facts))
    if plot is not None:
        with whole_file(plot) as file:
            archive.draw_summary(facts).savefig(file, format=check_picture(plot))
        print(f"drawn in {plot}", file=sys.stderr)
    if problem:
        raise BadInput(f"{problem}: the {facts['records']:,} records before that are counted")


def _show_tables(tables: Iterator[tuple[str, list[str], list[list[str]]]]) -> None:
    from rich.table import Table

    from kibitz.cli.shown import Paper

    for caption, columns, rows in tables:
        table = Table(box=None, pad_edge=False)
        for place, column in enumerate(columns):
            table.add_column(column, justify="right" if place else "left", no_wrap=not place)
        for row in rows:
            table.add_row(*(printable(cell) for cell in row))
        Paper().print(printable(caption))
        Paper().print(table)


@app.command("export")
def export(
    source: Source,
    out: Annotated[Path | None, typer.Option(help="The ISS file to write; FILE.sgf if not said.")] = None,
    as_json: Json = False,
) -> None:
    """Write records of skat as ISS lines; what import kept beside the file goes back in.

    Example: kibitz records export games.jsonl --out games.sgf
    """
    archive = _archive(out)
    target = out or source.with_suffix(archive.ENDING)
    _spare([source, source.with_suffix(archive.SIDE)], [target])
    count = 0
    with whole_file(target) as file:
        for line in archive.archive_lines(source):
            file.write((line + "\n").encode())
            count += 1
    facts = {"file": str(source), "records": count, "written": str(target)}
    print_json(facts) if as_json else print(f"{count:,} records written to {target}")


def _show(facts: dict[str, Any]) -> None:
    print(f"{facts['records']:,} records read, the good ones written to {facts['written']}")
    for status, count in facts["classes"].items():
        print(f"  {status:<10}{count:>12,}")
    for reason, count in list(facts["corrupt"].items())[:10]:
        print(f"    {count:>10,}  {printable(reason)}", file=sys.stdout)


def _spare(read: list[Path], written: list[Path]) -> None:
    """Refuse to write over what is read, by whatever name or link, and to write two things to one file."""
    for number, path in enumerate(written):
        for source in read:
            if path.exists() and source.exists() and path.samefile(source) and not is_stream(path):
                raise BadInput(f"{path} is being read and would be lost: give --out another file")
        if any(os.path.realpath(path) == os.path.realpath(other) for other in written[:number]) and not is_stream(path):
            raise BadInput(f"{path} would be written twice: give each its own file")


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise BadInput(f"{path} is no file that can be read")


def _archive(path: Path | None) -> Any:
    """What reads and writes the foreign records of a file, by its ending: a module that a package of games offers."""
    known = [found for package in packages() if (found := offered_by(package, "CLI", "ARCHIVE")) is not None]
    return next((one for one in known if path is not None and inner_suffix(path) == one.ENDING), known[0])
