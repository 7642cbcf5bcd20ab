"""One report of all results in a folder: `report.html` for a browser, `report.md` with its pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kibitz.core.errors import BadInput, BadRecord, KibitzError
from kibitz.papers.page import READING, TITLE, Unread, cell_words, duration, is_number, page, run_facts, verdict_counts
from kibitz.papers.result import Cell, Result, Table, from_json, write_whole

NAME = re.compile(r"[\w.+-]+")


def write_report(folder: Path | str) -> Path:
    """Write the reports on every result in the folder and return the path of `report.html`."""
    folder = Path(folder)
    results, unread = read_results(folder)
    for result in results:
        for number, figure in enumerate(result.figures, 1):
            write_whole(folder / picture_file(result, number), _on_white(figure.svg))
    write_whole(folder / "report.md", markdown(results, unread))
    html = folder / "report.html"
    write_whole(html, page(results, unread))
    return html


def read_results(folder: Path) -> tuple[list[Result], list[Unread]]:
    """Read all results, in the order of papers and names, and say which files could not be read."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError as error:
        raise KibitzError(f"cannot read the folder {folder}: {error.strerror or error}") from error
    if not paths:
        raise BadInput(f"there are no results in {folder}: run kibitz reproduce first")
    results, unread = [], []
    for path in paths:
        try:
            results.append(_read(path))
        except (OSError, UnicodeDecodeError, BadRecord) as error:
            unread.append((path.name, str(error)))
    return sorted(results, key=lambda result: (result.paper, result.name)), unread


def picture_file(result: Result, number: int) -> str:
    """Return the name of a figure's file."""
    return f"{result.name}-{number}.svg"


def markdown(results: Sequence[Result], unread: Sequence[Unread]) -> str:
    """Return the report as Markdown."""
    parts = [f"# {TITLE}", READING, _contents(results)]
    if unread:
        lines = "\n".join(f"- {_code(file)}: {_inline(reason)}" for file, reason in unread)
        parts.append(f"**Files that could not be read**\n\n{lines}")
    paper = None
    for result in results:
        if result.paper != paper:
            paper = result.paper
            parts.append(f"## {_inline(paper)}")
        parts.append(_section(result))
    return "\n\n".join(parts) + "\n"


def _read(path: Path) -> Result:
    result = from_json(path.read_text(encoding="utf-8"))
    if not NAME.fullmatch(result.name):
        raise BadRecord(f"it is the result of {result.name!r}: names have letters, digits, dots and dashes")
    if result.name != path.stem:  # its name becomes file names and links
        raise BadRecord(f"it is the result of {result.name!r}: rename it to {result.name}.json")
    return result


def _contents(results: Sequence[Result]) -> str:
    rows = [
        [
            f"[{_inline(result.title)}](#{result.name})",
            f"`{result.name}`",
            ", ".join(words for _, words in verdict_counts(result)),
            _inline(result.scale),
            duration(result.seconds),
        ]
        for result in results
    ]
    return _grid(["Experiment", "Name", "Verdicts", "Scale", "Time"], rows, [False] * 4 + [True])


def _section(result: Result) -> str:
    parts = [f'### <a id="{result.name}"></a>{_inline(result.title)}', _inline(result.about)]
    parts += map(_table, result.tables)
    for number, figure in enumerate(result.figures, 1):
        caption = _inline(figure.caption)
        parts += [f"![{caption}]({picture_file(result, number)})", f"*{caption}*"]
    if result.notes:
        parts.append("\n".join(f"- {_inline(note)}" for note in result.notes))
    parts.append(" · ".join([_code(result.command), *map(_inline, run_facts(result))]))
    return "\n\n".join(part for part in parts if part)


def _table(table: Table) -> str:
    aligned = [any(is_number(row[k]) for row in table.rows) for k in range(len(table.columns))]
    rows = [[_inline(_whole(cell)) for cell in row] for row in table.rows]
    return f"**{_inline(table.caption)}**\n\n" + _grid([_inline(column) for column in table.columns], rows, aligned)


def _whole(cell: Cell) -> str:
    words, small = cell_words(cell)
    return f"{words} ({small})" if small else words


def _grid(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    rule = ["---:" if aligned else "---" for aligned in right]
    return "\n".join("| " + " | ".join(line) + " |" for line in [columns, rule, *rows])


def _inline(text: str) -> str:
    """Return text that stays on its line and in its cell, and shows the signs that Markdown would eat."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    """Return text as code that nothing in it can end."""
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


def _on_white(svg: str) -> str:
    """Give a figure the background that it takes from the page when it is part of one."""
    styled = re.sub(r'^(<svg[^>]*? style=")', r"\1background:#fff;color:#1b1f24;", svg)
    return styled if styled != svg else svg.replace("<svg", '<svg style="background:#fff;color:#1b1f24"', 1)
