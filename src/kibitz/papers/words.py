"""Results in words: cells, times, tallies of verdicts and what is needed to run something again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kibitz.arena.statistics import Score, WinRate
from kibitz.papers.result import MARKS, RULINGS, Cell, Published, Result, Verdict

SHORT = 10
"""Digits of a commit that are shown."""


def cell_words(cell: Cell) -> tuple[str, str]:
    """Return what a cell says, and the small print beside it."""
    match cell:
        case None:
            return "", ""
        case Score():
            return cell.short, f"per {cell.unit}, n={cell.n:,}"
        case WinRate():
            return cell.short, f"n={cell.games:,}"
        case bool() | str() | Verdict() | Published():
            return str(cell), ""
        case int():
            return f"{cell:,}", ""
        case _:
            return f"{cell:.6g}", ""


def is_number(cell: Cell) -> bool:
    """Say whether a cell stands to the right in its column."""
    return isinstance(cell, int | float | Published | Score | WinRate) and not isinstance(cell, bool)


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def tally(verdicts: Iterable[Verdict]) -> list[tuple[str, str]]:
    """Each kind of verdict on claims that was given, with how often: ("missed", "✗ 2 not reproduced")."""
    counts = Counter(verdict.kind for verdict in verdicts)
    return [(kind, f"{MARKS[kind]} {counts[kind]} {words}") for kind, words in RULINGS.items() if counts[kind]]


def run_facts(result: Result) -> list[str]:
    """Return what is needed to run it again, besides the command."""
    versions = ", ".join(f"{what} {version}" for what, version in result.versions.items())
    threads = f"{result.threads} thread{'s' if result.threads != 1 else ''}"
    commits = ", ".join(commit[:SHORT] + ("+" if commit.endswith("+") else "") for commit in result.commits)
    facts = [result.date, f"seed {result.seed}", threads, duration(result.seconds), commits and f"commit {commits}"]
    return [fact for fact in [*facts, result.machine, versions] if fact]
