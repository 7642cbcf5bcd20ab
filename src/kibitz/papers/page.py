"""The HTML report: one self-contained page, light and dark, that loads nothing and runs nothing.

In front stands a card per paper: what it claims, what we found, one picture. Below, each experiment shows its claims:
published, our full edition, what was run now, and the verdict, which is the full edition's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from kibitz.papers.chart_drawing import draw
from kibitz.papers.entries import Entry, Line, Unread, headline
from kibitz.papers.page_style import STYLE
from kibitz.papers.result import MARKS, RULINGS, Cell, Figure, Result, Table, Verdict
from kibitz.papers.shelf import SHELF, Paper
from kibitz.papers.words import cell_words, is_number, run_facts, tally

TITLE = "Published results, computed again"
LEDE = "What papers on card games claim, beside what we find when we run their experiments ourselves."
READING = (
    "A verdict is always that of the full edition. A number is reproduced within three combined standard errors; "
    "beyond that it is beaten where ours is better. Quick editions, a minute or so each, only show whether they fit "
    "the full one. After ± stands one standard error; brackets hold the 95 % interval."
)
UNRUN = "not yet run at full scale"
THUMB = (340.0, 165.0)


def page(entries: Sequence[Entry], unread: Sequence[Unread]) -> str:
    """Return the whole page."""
    papers = [(cite, list(found)) for cite, found in groupby(entries, key=lambda entry: entry.paper)]
    cards = "".join(_card(place, cite, found) for place, (cite, found) in enumerate(papers, 1))
    body = "".join(_section(place, cite, found) for place, (cite, found) in enumerate(papers, 1))
    # The policy makes "loads nothing, runs nothing" the browser's business too.
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    kinds = " ".join(f'<span class="verdict {kind}">{MARKS[kind]} {words}</span>' for kind, words in RULINGS.items())
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>\n'
        f'<body><div class="sheet"><header><h1>{TITLE}</h1><p>{LEDE}</p><p class="pills">{kinds}</p></header>\n'
        f'<section class="papers">{cards}</section>\n<p class="soft">{READING}</p>{_unread(unread)}'
        f"<main>{body}</main></div></body></html>\n"
    )


def _card(place: int, cite: str, entries: Sequence[Entry]) -> str:
    """A paper on the front page."""
    paper = SHELF.get(cite)
    who, title = _cited(cite)
    found = [one for wanted in (paper.headlines if paper else ()) if (one := headline(entries, wanted))]
    lines = "".join(
        f'<li><span class="what">{escape(claim.says)}</span><span>published {escape(cell_words(claim.published)[0])}, '
        f"ours <b>{escape(cell_words(claim.ours)[0])}</b></span> {_pill(claim.verdict, short=True)}</li>"
        for _, claim in found
    )
    claims = f'<p class="says">{escape(paper.claim)}</p>' if paper else ""
    return (
        f'\n<section class="paper"><div><h3><a href="#paper-{place}">{escape(title)}</a></h3>'
        f'<p class="who">{escape(who)}</p>{claims}'
        + (f"<ul>{lines}</ul>" if lines else "")
        + f'<p class="pills">{_counts(entries)}</p></div>{_picture(paper, entries)}</section>'
    )


def _cited(cite: str) -> tuple[str, str]:
    """Authors and title of a paper."""
    paper = SHELF.get(cite)
    return (paper.authors, paper.title) if paper else ("", cite)


def _counts(entries: Iterable[Entry]) -> str:
    """How often each verdict was given, and how many experiments wait for one."""
    every = list(entries)
    parts = [
        f'<span class="verdict {kind}">{escape(words)}</span>'
        for kind, words in tally(v for e in every for v in e.verdicts)
    ]
    waiting = sum(entry.full is None for entry in every)
    if waiting:
        parts.append(f'<span class="verdict">{waiting} of {len(every)} experiments {UNRUN}</span>')
    return "".join(parts)


def _picture(paper: Paper | None, entries: Sequence[Entry]) -> str:
    """The figure that stands for a paper: of a full edition if there is one, drawn small."""
    wanted = paper.picture if paper else ()
    for kind in ("full", "now"):
        for name in wanted:
            result: Result | None = next((getattr(entry, kind) for entry in entries if entry.name == name), None)
            if result and result.figures:
                first = result.figures[0]
                return draw(first.chart, *THUMB) if first.chart else first.drawing
    return ""


def _section(place: int, cite: str, entries: Sequence[Entry]) -> str:
    who, title = _cited(cite)
    run = [entry for entry in entries if entry.shown]
    waiting = [entry for entry in entries if not entry.shown]
    rest = "".join(f'<li>{escape(one.about)} <span class="name">{escape(one.name)}</span></li>' for one in waiting)
    return (
        f'\n<section><h2 id="paper-{place}">{escape(title)}</h2><p class="soft">{escape(who)}</p>'
        + "".join(map(_article, run))
        + (f'<article><h3>{UNRUN.capitalize()}</h3><ul class="soft">{rest}</ul></article>' if rest else "")
        + "</section>"
    )


def _article(entry: Entry) -> str:
    result = entry.shown
    assert result is not None
    edition = "" if entry.full else " Quick edition"
    figures = "".join(map(_figure, result.figures))
    tables = "".join(_table(table, has_marks=entry.full is not None) for table in result.tables)
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    more = tables + (f"<ul>{notes}</ul>" if notes else "")
    hidden = (
        f'<details class="more"><summary>Tables and notes{edition and ": quick edition"}</summary>{more}</details>'
        if more
        else ""
    )
    return (
        f'\n<article id="{escape(entry.name)}"><h3>{escape(result.title)} '
        f'<span class="name">{escape(entry.name)}</span></h3>'
        f'<p class="soft">{escape(entry.about)}</p><p class="pills">{_counts([entry])}</p>'
        + _claims(entry)
        + (f'<div class="figures">{figures}</div>' if figures else "")
        + hidden
        + _quick_tables(entry)
        + "".join(_run(words, one) for words, one in _editions(entry))
        + "</article>\n"
    )


def _editions(entry: Entry) -> list[tuple[str, Result]]:
    full = "Full edition, kept" if entry.is_kept else "Full edition, not kept"
    now = "Run now" if entry.now and entry.now.scale == "full" else "Quick edition now"
    return [(words, one) for words, one in ((full, entry.full), (now, entry.now)) if one]


def _run(words: str, result: Result) -> str:
    facts = " · ".join(escape(fact) for fact in run_facts(result))
    return f'<p class="run">{words}: <code>{escape(result.command)}</code> · {facts}</p>'


def _claims(entry: Entry) -> str:
    """The table of claims; columns without anything in them are left out."""
    lines = entry.lines
    if not lines:
        return ""
    full = "full edition" + (f", {entry.full.date}" if entry.full and entry.full.date else "")
    now = "run now" if entry.now and entry.now.scale == "full" else "quick edition now"
    heads = ["the paper says", "published", *([full] if entry.full else []), *([now] if entry.now else []), "verdict"]
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    rows = "".join(f"<tr>{_claim_row(line, entry)}</tr>" for line in lines)
    return f'<div class="wide"><table class="claims"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _claim_row(line: Line, entry: Entry) -> str:
    cells = [f'<td class="says">{escape(line.claim.says)}</td>', _labelled("published", line.claim.published)]
    if entry.full:
        cells.append(_labelled("full", line.full))
    if entry.now:
        beside = f"<small{' class=near' if line.is_off else ''}>{escape(line.beside)}</small>" if line.beside else ""
        cells.append(_labelled("now", line.now, beside, has_small=False))
    if line.verdict is None:
        cells.append(f'<td><span class="verdict">{UNRUN}</span></td>')
    else:
        text = line.verdict.text
        reason = f"<small>{escape(line.claim.reason)}</small>" if line.claim.reason else ""
        cells.append(f"<td>{_pill(line.verdict, short=True)}<small>{escape(text)}</small>{reason}</td>")
    return "".join(cells)


def _labelled(label: str, cell: Cell, beside: str = "", has_small: bool = True) -> str:
    words, small = map(escape, cell_words(cell))
    if not words:
        return "<td></td>"
    shown = f"<b>{words}</b>" if is_number(cell) else words
    return f'<td data-label="{label}">{shown}{f"<small>{small}</small>" if small and has_small else ""}{beside}</td>'


def _pill(verdict: Verdict, short: bool = False) -> str:
    words = f"{MARKS[verdict.kind]} {RULINGS[verdict.kind]}" if short and verdict.kind in RULINGS else str(verdict)
    return f'<span class="verdict {verdict.kind}">{escape(words)}</span>'


def _quick_tables(entry: Entry) -> str:
    """What was run now, where the full edition stands in front."""
    if entry.full is None or entry.now is None:
        return ""
    what = "the quick edition" if entry.now.scale == "quick" else "what was run"
    tables = "".join(_table(table, has_marks=entry.now.scale == "full") for table in entry.now.tables)
    return f'<details class="more"><summary>Tables of {what} now</summary>{tables}</details>' if tables else ""


def _unread(unread: Sequence[Unread]) -> str:
    if not unread:
        return ""
    items = "".join(f"<li><code>{escape(file)}</code>: {escape(reason)}</li>" for file, reason in unread)
    return f'<section class="unread"><strong>Files that are not used</strong><ul>{items}</ul></section>\n'


def _table(table: Table, has_marks: bool) -> str:
    aligned = [any(is_number(row[k]) for row in table.rows) for k in range(len(table.columns))]
    head = "".join(
        f"<th{' class=number' if right else ''}>{escape(column)}</th>"
        for column, right in zip(table.columns, aligned, strict=True)
    )
    rows = "".join(f"<tr>{''.join(_cell(cell, has_marks) for cell in row)}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(cell: Cell, has_marks: bool) -> str:
    if isinstance(cell, Verdict):  # a quick edition gives no verdicts
        return f"<td>{_pill(cell) if has_marks else escape(cell.text)}</td>"
    words, small = map(escape, cell_words(cell))
    beside = f"<small>{small}</small>" if small else ""
    return f"<td{' class=number' if is_number(cell) else ''}>{words}{beside}</td>"


def _figure(figure: Figure) -> str:
    return f"<figure>{figure.drawing}<figcaption>{escape(figure.caption)}</figcaption></figure>"
