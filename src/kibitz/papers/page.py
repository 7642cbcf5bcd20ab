"""The HTML report: one self-contained page, light and dark, that loads nothing and runs nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from kibitz.arena.statistics import Score, WinRate
from kibitz.papers.result import MARKS, Cell, Figure, Published, Result, Table, Verdict

TITLE = "Published results and ours"
READING = (
    "After ± stands one standard error; brackets hold the 95 % interval. Against the published number: "
    "✓ within two combined standard errors, ≈ within three, ✗ farther, ? cannot be judged."
)
Unread = tuple[str, str]  # a file that is no result, and why

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #5b6470; --line: #d9dde3; --tint: #f5f7f9;
  --link: #0b5cad; --agrees: #05603a; --agrees-tint: #dff3e8; --near: #7a4d00; --near-tint: #fdf0cf;
  --differs: #9b1c1c; --differs-tint: #fde4e1; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e5e8ec; --soft: #9aa4b1; --line: #333a44;
  --tint: #1c2128; --link: #7cb7f5; --agrees: #7fdcab; --agrees-tint: #12352a; --near: #f2c462; --near-tint: #3a2e10;
  --differs: #ff9f94; --differs-tint: #421c1a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.sheet { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; margin: 3.5rem 0 0; padding-bottom: .4rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.12rem; margin: 2.2rem 0 0; }
p { margin: .4rem 0; max-width: 46rem; } .soft, figcaption, small { color: var(--soft); }
.name { font: .8rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft); font-weight: 400; }
.wide { overflow-x: auto; margin: 1.1rem 0; }
table { border-collapse: collapse; font-size: .93rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .45rem; }
th, td { padding: .38rem .9rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line);
  white-space: nowrap; } th:first-child, td:first-child { padding-left: .5rem; white-space: normal;
  min-width: 8rem; }
th { font-weight: 600; font-size: .84rem; color: var(--soft); border-bottom: 2px solid var(--line); }
tbody tr:hover { background: var(--tint); } .number { text-align: right; }
td small { display: block; font-size: .76rem; line-height: 1.25; }
.verdict { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .84rem;
  background: var(--tint); }
.agrees { color: var(--agrees); background: var(--agrees-tint); }
.near { color: var(--near); background: var(--near-tint); }
.differs { color: var(--differs); background: var(--differs-tint); font-weight: 600; }
figure { margin: 1.4rem 0; } figcaption { font-size: .88rem; margin-top: .3rem; max-width: 46rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 46rem; } li { margin: .15rem 0; }
.notes { margin: 1rem 0; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); max-width: 46rem; }
.run { margin: 1rem 0 0; font-size: .8rem; color: var(--soft); max-width: none; } .run code { color: var(--ink); }
code { font: .95em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--tint);
  padding: .1em .35em; border-radius: .25rem; }
.unread { margin: 1.5rem 0; padding: .6rem 1rem; border: 1px solid var(--differs); border-radius: .4rem;
  max-width: 46rem; }
@media print { .sheet { max-width: none; padding: 0; } article { break-inside: avoid; } }
"""


def page(results: Sequence[Result], unread: Sequence[Unread]) -> str:
    """Return the whole page."""
    papers = groupby(results, key=lambda result: result.paper)
    body = "".join(
        f"<h2>{escape(paper)}</h2>" + "".join(_article(result) for result in found) for paper, found in papers
    )
    # The policy makes "loads nothing, runs nothing" the browser's business too.
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>\n'
        f'<body><div class="sheet"><header><h1>{TITLE}</h1><p class="soft">{READING}</p></header>\n'
        f"{_contents(results)}{_unread(unread)}<main>{body}</main></div></body></html>\n"
    )


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


def verdict_counts(result: Result) -> list[tuple[str, str]]:
    """Return each kind of verdict that was given, with how often: ("agrees", "✓ 5 agree")."""
    counts = Counter(verdict.kind for verdict in result.verdicts)
    several = {"agrees": "agree", "differs": "differ"}
    words = {kind: kind if counts[kind] == 1 else several.get(kind, kind) for kind in MARKS}
    return [(kind, f"{MARKS[kind]} {counts[kind]} {words[kind]}") for kind in MARKS if counts[kind]]


def run_facts(result: Result) -> list[str]:
    """Return what is needed to run it again, besides the command."""
    versions = ", ".join(f"{what} {version}" for what, version in result.versions.items())
    threads = f"{result.threads} thread{'s' if result.threads != 1 else ''}"
    return [f"{result.scale} scale", f"seed {result.seed}", threads, duration(result.seconds), versions]


def _contents(results: Iterable[Result]) -> str:
    """Return the table of contents, with how each experiment came out."""
    rows = "".join(
        f'<tr><td><a href="#{escape(result.name)}">{escape(result.title)}</a></td>'
        f'<td class="name">{escape(result.name)}</td><td>{_pills(result)}</td>'
        f'<td>{escape(result.scale)}</td><td class="number">{duration(result.seconds)}</td></tr>'
        for result in results
    )
    head = "<th>Experiment</th><th>Name</th><th>Verdicts</th><th>Scale</th><th class='number'>Time</th>"
    return f'<nav class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></nav>\n'


def _pills(result: Result) -> str:
    return " ".join(f'<span class="verdict {kind}">{words}</span>' for kind, words in verdict_counts(result))


def _unread(unread: Sequence[Unread]) -> str:
    if not unread:
        return ""
    items = "".join(f"<li><code>{escape(file)}</code>: {escape(reason)}</li>" for file, reason in unread)
    return f'<section class="unread"><strong>Files that could not be read</strong><ul>{items}</ul></section>\n'


def _article(result: Result) -> str:
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    facts = " · ".join(escape(fact) for fact in run_facts(result))
    return (
        f'\n<article id="{escape(result.name)}"><h3>{escape(result.title)} '
        f'<span class="name">{escape(result.name)}</span></h3><p class="soft">{escape(result.about)}</p>'
        + "".join(map(_table, result.tables))
        + "".join(map(_figure, result.figures))
        + (f'<div class="notes"><ul>{notes}</ul></div>' if notes else "")
        + f'<p class="run"><code>{escape(result.command)}</code> · {facts}</p></article>\n'
    )


def _table(table: Table) -> str:
    aligned = [any(is_number(row[k]) for row in table.rows) for k in range(len(table.columns))]
    head = "".join(
        f"<th{' class=number' if right else ''}>{escape(column)}</th>"
        for column, right in zip(table.columns, aligned, strict=True)
    )
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(cell: Cell) -> str:
    words, small = map(escape, cell_words(cell))
    if isinstance(cell, Verdict):
        return f'<td><span class="verdict {cell.kind}">{words}</span></td>'
    beside = f"<small>{small}</small>" if small else ""
    return f"<td{' class=number' if is_number(cell) else ''}>{words}{beside}</td>"


def _figure(figure: Figure) -> str:
    return f"<figure>{figure.svg}<figcaption>{escape(figure.caption)}</figcaption></figure>"
