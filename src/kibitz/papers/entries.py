"""What a report shows of each experiment: the full edition that was kept, and what was run now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadInput, BadRecord, KibitzError
from kibitz.papers.claims import claim_of, expected
from kibitz.papers.experiment import Experiment
from kibitz.papers.keeping import kept_result
from kibitz.papers.origin import KEPT
from kibitz.papers.result import Cell, Claim, Result, Verdict, from_json
from kibitz.papers.shelf import SHELF

Unread = tuple[str, str]
"""A file that is no result, and why."""
NAME = re.compile(r"[\w.+-]+")


@dataclass(frozen=True)
class Entry:
    """One experiment in a report."""

    name: str
    paper: str
    about: str
    full: Result | None = None
    """The full edition: what was kept, or else what was run now."""
    now: Result | None = None
    """What was run now, if it is not the full edition itself."""
    is_kept: bool = False
    problem: str = ""
    """Why a kept result is not used."""

    @property
    def shown(self) -> Result | None:
        """The result whose tables and figures stand for it."""
        return self.full or self.now

    @property
    def verdicts(self) -> list[Verdict]:
        """Those of the full edition: a quick one has none."""
        return self.full.verdicts if self.full else []

    @property
    def lines(self) -> list[Line]:
        """The claims, each with what is known of it."""
        source = self.full or self.now
        if source is None:
            return []
        return [_line(claim, self) for claim in source.claims]


@dataclass(frozen=True)
class Line:
    """A claim: what was published, the full edition, what was run now, the verdict."""

    claim: Claim
    full: Cell
    now: Cell
    beside: str
    """How what was run now stands to the full edition."""
    is_off: bool
    """Whether it shows something other than the full edition leads to expect."""
    verdict: Verdict | None
    """None as long as there is no full edition."""


def _line(claim: Claim, entry: Entry) -> Line:
    if entry.full is None:
        return Line(claim, None, claim.ours, "quick edition: form only", False, None)
    now = claim_of(entry.now, claim.key) if entry.now else None
    if now is None or entry.now is None:
        return Line(claim, claim.ours, None, "", False, claim.verdict)
    judged = expected(claim, now) if entry.now.scale == "quick" else now.verdict
    return Line(claim, claim.ours, now.ours, judged.text, judged.kind == "near", claim.verdict)


def gathered(folder: Path, known: Iterable[Experiment] = (), kept: Path = KEPT) -> tuple[list[Entry], list[Unread]]:
    """All experiments in the order of their papers, from a folder of results and from what was kept."""
    results, unread = read_results(folder)
    found = {result.name: result for result in results}
    entries = []
    for one in known:
        held, now = kept_result(one, kept), found.pop(one.name, None)
        if held.problem:
            unread.append((f"{one.name}.json", held.problem))
        entries.append(_entry(one.name, one.paper, one.about, held.result, now, held.problem))
    entries += [_entry(one.name, one.paper, one.about, None, one) for one in found.values()]
    places = {cite: place for place, cite in enumerate(SHELF)}
    return sorted(entries, key=lambda entry: (places.get(entry.paper, len(places)), entry.paper, entry.name)), unread


def _entry(name: str, paper: str, about: str, kept: Result | None, now: Result | None, problem: str = "") -> Entry:
    if kept is None and now is not None and now.scale == "full":
        return Entry(name, paper, about, now, None, False, problem)
    return Entry(name, paper, about, kept, now, kept is not None, problem)


def read_results(folder: Path) -> tuple[list[Result], list[Unread]]:
    """Read all results in a folder, and say which files could not be read."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError as error:
        raise KibitzError(f"cannot read the folder {folder}: {error.strerror or error}") from error
    if not paths:
        raise BadInput(f"there are no results in {folder}: run kibitz reproduce first")
    results: list[Result] = []
    unread: list[Unread] = []
    for path in paths:
        try:
            results.append(_read(path))
        except (OSError, UnicodeDecodeError, BadRecord) as error:
            unread.append((path.name, str(error)))
    return results, unread


def _read(path: Path) -> Result:
    result = from_json(path.read_text(encoding="utf-8"))
    if not NAME.fullmatch(result.name):
        raise BadRecord(f"it is the result of {result.name!r}: names have letters, digits, dots and dashes")
    if result.name != path.stem:  # its name becomes file names and links
        raise BadRecord(f"it is the result of {result.name!r}: rename it to {result.name}.json")
    return result


def headline(entries: Sequence[Entry], place: str) -> tuple[Entry, Claim] | None:
    """The claim that a paper names first (`experiment key`), if its full edition is there."""
    name, _, key = place.partition(" ")
    for entry in entries:
        if entry.name == name and entry.full and (claim := claim_of(entry.full, key)):
            return entry, claim
    return None
