"""Results as Markdown: for `report.md` and for the pages in docs/papers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.papers.entries import Entry
from kibitz.papers.result import Cell, Table, Verdict
from kibitz.papers.words import cell_words, is_number


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] | None = None) -> str:
    """A table; columns that are `right` stand to the right."""
    rule = ["---:" if aligned else "---" for aligned in right or [False] * len(columns)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [columns, rule, *rows])


def table(found: Table, has_marks: bool = True) -> str:
    """A table of a result."""
    aligned = [any(is_number(row[k]) for row in found.rows) for k in range(len(found.columns))]
    rows = [[inline(_whole(cell, has_marks)) for cell in row] for row in found.rows]
    return f"**{inline(found.caption)}**\n\n" + grid([inline(column) for column in found.columns], rows, aligned)


def claims(entry: Entry) -> str:
    """The claims of an experiment; what was run now has a column if there is such a thing."""
    lines = entry.lines
    heads = [
        "the paper says",
        "published",
        *(["full edition"] if entry.full else []),
        *(["now"] if entry.now else []),
        "verdict",
    ]
    rows = []
    for line in lines:
        cells = [inline(line.claim.says), inline(cell_words(line.claim.published)[0])]
        cells += [inline(cell_words(line.full)[0])] if entry.full else []
        cells += [inline(", ".join(filter(None, [cell_words(line.now)[0], line.beside])))] if entry.now else []
        rows.append([*cells, inline(ruling(line.verdict, line.claim.reason))])
    return grid(heads, rows) if rows else ""


def ruling(verdict: Verdict | None, reason: str) -> str:
    """A verdict on a claim in words."""
    if verdict is None:
        return "not yet run at full scale"
    return f"{verdict}: {reason}" if reason else str(verdict)


def inline(text: str) -> str:
    """Return text that stays on its line and in its cell, and shows the signs that Markdown would eat."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Return text as code that nothing in it can end."""
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


def _whole(cell: Cell, has_marks: bool) -> str:
    if isinstance(cell, Verdict) and not has_marks:
        return cell.text
    words, small = cell_words(cell)
    return f"{words} ({small})" if small else words
