"""The numbers in docs/papers and in the README: written from kept results between marks, never by hand.

<!-- kept cego.table3 -->          the claims of an experiment, and how it was run
<!-- kept cego.table3 table 2 -->  one of its tables
<!-- kept cego.figure2 figure 1 --> one of its figures, whose file goes to docs/pictures/kept
<!-- kept cego list -->            the experiments of a paper and what is known of each
<!-- kept papers -->               all papers: what they claim, what we found
<!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from kibitz.core.errors import BadInput
from kibitz.papers.entries import Entry, headline
from kibitz.papers.experiment import Experiment
from kibitz.papers.keeping import kept_result
from kibitz.papers.markdown import claims, code, grid, inline, table
from kibitz.papers.origin import KEPT
from kibitz.papers.report import on_white, picture_file
from kibitz.papers.result import write_whole
from kibitz.papers.shelf import SHELF
from kibitz.papers.words import cell_words, duration, run_facts, tally

BLOCK = re.compile(r"^<!-- kept (.+?) -->\n(.*?)^<!-- end -->$", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"^ *<!-- *(kept|end)\b.*$", re.MULTILINE)
FIGURE = re.compile(r"^<!-- kept (\S+) figure ([1-9]\d*) -->$", re.MULTILINE)
UNRUN = "Not yet run at full scale"
PICTURES = "pictures/kept"
"""Where figures are, below docs."""


def pages(root: Path) -> list[Path]:
    """The documents that take numbers from kept results."""
    found = [
        root / "README.md",
        *(path for room in ("papers", "games") for path in sorted((root / "docs" / room).glob("*.md"))),
    ]
    if len(found) == 1:
        raise BadInput(f"there is no docs/papers in {root}: run this in a checkout of kibitz")
    return found


def outdated(root: Path, known: Sequence[Experiment], kept: Path = KEPT) -> dict[Path, str]:
    """The documents that differ from the kept results, and what they should say."""
    entries = [_entry(one, kept) for one in known]
    minutes = {one.name: one for one in known}
    wanted = {path: filled(path.read_text(encoding="utf-8"), entries, minutes, path.name) for path in pages(root)}
    full = {entry.name: entry.full for entry in entries}
    for name, number in {found for text in wanted.values() for found in FIGURE.findall(text)}:
        if (result := full[name]) is not None:
            figure = result.figures[int(number) - 1]
            wanted[root / "docs" / PICTURES / picture_file(name, int(number))] = on_white(figure.drawing)
    return {
        path: text for path, text in wanted.items() if not path.exists() or text != path.read_text(encoding="utf-8")
    }


def write_docs(root: Path, known: Sequence[Experiment], kept: Path = KEPT) -> list[Path]:
    """Bring the documents up to date; gives those that were changed."""
    changed = outdated(root, known, kept)
    for path, text in changed.items():
        write_whole(path, text)
    return list(changed)


def filled(text: str, entries: Sequence[Entry], known: Mapping[str, Experiment], name: str) -> str:
    """A document with every block written again."""
    marks, blocks = len(MARK.findall(text)), len(BLOCK.findall(text))
    if marks != 2 * blocks:
        raise BadInput(
            f"{name} has {marks} marks and {blocks} blocks: every <!-- kept ... --> has its <!-- end --> on a line of "
            "its own"
        )
    return BLOCK.sub(
        lambda found: f"<!-- kept {found[1]} -->\n\n{_block(found[1], entries, known, name)}\n\n<!-- end -->", text
    )


def _entry(one: Experiment, kept: Path) -> Entry:
    held = kept_result(one, kept)
    return Entry(one.name, one.paper, one.about, held.result, None, held.result is not None, held.problem)


def _block(asked: str, entries: Sequence[Entry], known: Mapping[str, Experiment], name: str) -> str:
    words = asked.split()
    if words == ["papers"]:
        return _papers(entries)
    if words[1:] == ["list"]:
        return _listed([entry for entry in entries if entry.name.startswith(f"{words[0]}.")], known)
    entry = next((entry for entry in entries if entry.name == words[0]), None)
    if entry is None or (len(words) > 1 and not re.fullmatch(r"(table|figure) [1-9]\d*", " ".join(words[1:]))):
        raise BadInput(
            f"{name} asks for {asked!r}: write the name of an experiment, perhaps with `table 2` or `figure 1`, a "
            "prefix and `list`, or `papers`"
        )
    if entry.full is None:
        command = code(f"kibitz reproduce {entry.name} --keep")
        return f"*{UNRUN}: {command}, about {known[entry.name].minutes:g} minutes on one core.*"
    if len(words) == 1:
        run = " · ".join([code(entry.full.command), *map(inline, run_facts(entry.full))])
        return f"{claims(entry)}\n\n{run}"
    kind, number = words[1], int(words[2])
    found = len(entry.full.tables if kind == "table" else entry.full.figures)
    if number > found:
        raise BadInput(f"{name} asks for {kind} {number} of {entry.name}: it has {found}")
    if kind == "table":
        return table(entry.full.tables[number - 1])
    caption = inline(entry.full.figures[number - 1].caption)
    return f"![{caption}](../{PICTURES}/{picture_file(entry.name, number)})\n\n*{caption}*"


def _listed(entries: Sequence[Entry], known: Mapping[str, Experiment]) -> str:
    """The experiments of a paper, and how each came out."""
    rows = []
    for entry in entries:
        one = known[entry.name]
        run = (
            f"{entry.full.date}, {duration(entry.full.seconds)}"
            if entry.full
            else f"not yet; about {one.minutes:g} min"
        )
        rows.append([code(f"kibitz reproduce {entry.name}"), inline(entry.about), run, _verdicts(entry)])
    return grid(["", "", "full edition", "verdicts"], rows)


def _verdicts(entry: Entry) -> str:
    return ", ".join(words for _, words in tally(entry.verdicts)) if entry.full else ""


def _papers(entries: Sequence[Entry]) -> str:
    """What each paper claims, and our numbers beside it."""
    by_paper = {
        cite: list(found) for cite, found in groupby(sorted(entries, key=lambda e: e.paper), key=lambda e: e.paper)
    }
    rows = []
    for cite, paper in SHELF.items():
        own = by_paper.get(cite, [])
        title = f"[{inline(paper.title)}](docs/papers/{paper.page}.md)" if paper.page else inline(paper.title)
        found = [one for place in paper.headlines if (one := headline(own, place))]
        lines = [
            f"{inline(claim.says)}: {inline(cell_words(claim.ours)[0])} (published "
            f"{inline(cell_words(claim.published)[0])})"
            for _, claim in found
        ]
        counts = ", ".join(words for _, words in tally(verdict for entry in own for verdict in entry.verdicts))
        waiting = sum(entry.full is None for entry in own)
        lines += [
            ", ".join(filter(None, [counts, f"{waiting} of {len(own)} experiments not yet run" if waiting else ""]))
        ]
        rows.append([title, inline(paper.claim), "<br>".join(lines)])
    return grid(["paper", "it claims", "we find"], rows)
