"""One report of all results in a folder: `report.html` for a browser, `report.md` with its pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from kibitz.papers.entries import Entry, Unread, gathered
from kibitz.papers.experiment import Experiment
from kibitz.papers.markdown import claims, code, grid, inline, table
from kibitz.papers.origin import KEPT
from kibitz.papers.page import LEDE, READING, TITLE, UNRUN, page
from kibitz.papers.result import write_whole
from kibitz.papers.words import run_facts, tally


def write_report(folder: Path | str, known: Iterable[Experiment] = (), kept: Path = KEPT) -> Path:
    """Write the reports on every result in the folder and on what was kept of known experiments;
    gives `report.html`."""
    folder = Path(folder)
    entries, unread = gathered(folder, known, kept)
    for entry in entries:
        for number, figure in enumerate(entry.shown.figures if entry.shown else (), 1):
            write_whole(folder / picture_file(entry.name, number), on_white(figure.drawing))
    write_whole(folder / "report.md", markdown(entries, unread))
    html = folder / "report.html"
    write_whole(html, page(entries, unread))
    return html


def picture_file(experiment: str, number: int) -> str:
    """Return the name of a figure's file."""
    return f"{experiment}-{number}.svg"


def markdown(entries: Sequence[Entry], unread: Sequence[Unread]) -> str:
    """Return the report as Markdown."""
    parts = [f"# {TITLE}", LEDE, READING, _contents(entries)]
    if unread:
        lines = "\n".join(f"- {code(file)}: {inline(reason)}" for file, reason in unread)
        parts.append(f"**Files that are not used**\n\n{lines}")
    paper = None
    for entry in entries:
        if entry.shown is None:
            continue
        if entry.paper != paper:
            paper = entry.paper
            parts.append(f"## {inline(paper)}")
        parts.append(_section(entry))
    return "\n\n".join(parts) + "\n"


def _contents(entries: Sequence[Entry]) -> str:
    rows = []
    for entry in entries:
        title = f"[{inline(entry.shown.title)}](#{entry.name})" if entry.shown else inline(entry.about)
        verdicts = ", ".join(words for _, words in tally(entry.verdicts)) if entry.full else UNRUN
        rows.append([title, f"`{entry.name}`", verdicts, entry.full.date if entry.full else ""])
    return grid(["Experiment", "Name", "Verdicts", "Full edition"], rows)


def _section(entry: Entry) -> str:
    result = entry.shown
    assert result is not None
    parts = [f'### <a id="{entry.name}"></a>{inline(result.title)}', inline(entry.about), claims(entry)]
    parts += [table(one, has_marks=entry.full is not None) for one in result.tables]
    for number, figure in enumerate(result.figures, 1):
        caption = inline(figure.caption)
        parts += [f"![{caption}]({picture_file(entry.name, number)})", f"*{caption}*"]
    if result.notes:
        parts.append("\n".join(f"- {inline(note)}" for note in result.notes))
    for words, one in (("Full edition", entry.full), ("Now", entry.now)):
        if one:
            parts.append(
                f"{words}: "
                + " · ".join([code(one.command), inline(f"{one.scale} scale"), *map(inline, run_facts(one))])
            )
    return "\n\n".join(part for part in parts if part)


def on_white(svg: str) -> str:
    """Give a figure the background that it takes from the page when it is part of one."""
    styled = re.sub(r'^(<svg[^>]*? style=")', r"\1background:#fff;color:#1b1f24;", svg)
    return styled if styled != svg else svg.replace("<svg", '<svg style="background:#fff;color:#1b1f24"', 1)
