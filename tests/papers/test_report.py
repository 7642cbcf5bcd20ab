"""The reports hold all results, load nothing, and name what could not be read."""

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena import plots
from kibitz.arena.statistics import Score, WinRate
from kibitz.core.errors import BadInput, KibitzError
from kibitz.papers import claims
from kibitz.papers.charts import bars, curves, histograms, pairs
from kibitz.papers.experiment import Experiment
from kibitz.papers.report import write_report
from kibitz.papers.result import Cell, Figure, Published, Result, Table, Verdict, save, verdict
from kibitz.papers.words import cell_words, duration

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" style="height:auto"><path d="M0 0L9 9"/></svg>'
OURS = Score(-0.05561, 0.00012, 100_000)
ROW = ("CFR", Published(-0.0556), OURS, verdict(OURS, -0.0556))
KUHN = Result(
    "Value <of> Kuhn | poker",
    tables=[Table("First player", ["", "Published", "Ours", ""], [ROW])],
    figures=[Figure("Two & more", SVG)],
    notes=["Four digits * only."],
    claims=[claims.number("value", "What the first player wins | it says", Published(-0.0556), OURS)],
    name="kuhn.value",
    paper="Simplified two-person poker",
    about="the value",
    scale="full",
    command="kibitz reproduce kuhn.value --seed 1",
    seed=1,
    seconds=83.0,
    versions={"python": "3.11.7", "kibitz": "0.1.0"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two results, one of them poor."""
    save(KUHN, tmp_path)
    save(Result("Nothing yet", name="kuhn.empty", paper="Simplified two-person poker"), tmp_path)
    return tmp_path


class Outline(HTMLParser):
    """Collects the tags that must balance and every address in the page."""

    VOID = ("meta", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what is open and what it points to."""
        if tag not in self.VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing stays open."""

    def handle_endtag(self, tag: str) -> None:
        """Every end closes the last beginning."""
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing(folder: Path) -> None:
    page = write_report(folder).read_text(encoding="utf-8")
    outline = Outline(page)
    assert outline.open == []
    assert outline.addresses == ["#paper-1"]
    assert {"kuhn.empty", "kuhn.value", "paper-1"} <= set(outline.ids)
    assert not re.search(r"<script|<link|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    assert "prefers-color-scheme: dark" in page


def test_the_page_shows_everything(folder: Path) -> None:
    page = write_report(folder).read_text(encoding="utf-8")
    for words in (
        "Value &lt;of&gt; Kuhn | poker", "<td class=number>-0.0556</td>", "-0.05561 ± 0.00012", "n=100,000",
        '<span class="verdict agrees">✓ within 0.1 se</span>', SVG, "Two &amp; more", "Four digits * only.",
        "1 min 23 s", "kibitz reproduce kuhn.value --seed 1", "seed 1", "What the first player wins | it says",
        "python 3.11.7, kibitz 0.1.0", "✓ 1 reproduced",
    ):  # fmt: skip
        assert words in page


def test_the_markdown_shows_the_same(folder: Path) -> None:
    write_report(folder)
    text = (folder / "report.md").read_text(encoding="utf-8")
    for words in (
        r"### <a id=" + '"kuhn.value"></a>' + r"Value \<of\> Kuhn \| poker", "|  | Published | Ours |  |",
        "| CFR | -0.0556 | -0.05561 ± 0.00012 (per game, n=100,000) | ✓ within 0.1 se |",
        r"| What the first player wins \| it says | -0.0556 | -0.05561 ± 0.00012 "
        "| ✓ reproduced, 0.1 standard errors apart |",
        "![Two & more](kuhn.value-1.svg)", r"- Four digits \* only.", "1 min 23 s", "seed 1",
    ):  # fmt: skip
        assert words in text
    picture = (folder / "kuhn.value-1.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).get("style") == "background:#fff;color:#1b1f24;height:auto"


def test_the_same_results_give_the_same_report(folder: Path) -> None:
    first = write_report(folder).read_bytes()
    assert write_report(folder).read_bytes() == first


def test_what_cannot_be_read_is_named_and_stops_nothing(folder: Path) -> None:
    (folder / "cego.half.json").write_text('{"title": "ha')
    (folder / "cego.bytes.json").write_bytes(b"\xff\xfe\x00")
    (folder / "cego.folder.json").mkdir()
    (folder / "cego.renamed.json").write_text((folder / "kuhn.value.json").read_text())
    page = write_report(folder).read_text(encoding="utf-8")
    text = (folder / "report.md").read_text(encoding="utf-8")
    for name in ("cego.half.json", "cego.bytes.json", "cego.folder.json", "cego.renamed.json"):
        assert f"<code>{name}</code>" in page
        assert f"- `{name}`: " in text
    assert "-0.05561 ± 0.00012" in page


def test_a_name_cannot_lead_out_of_the_folder(folder: Path) -> None:
    save(replace(KUHN, name="x"), folder)
    (folder / "x.json").write_text((folder / "x.json").read_text().replace('"name": "x"', '"name": "../x"'))
    assert "<code>x.json</code>" in write_report(folder).read_text(encoding="utf-8")
    assert not (folder.parent / "x-1.svg").exists()


EVIL = [
    '<svg onload="alert(1)"></svg>',
    '<svg></svg><form action="https://example.org"><input name="x"></form><svg></svg>',
    '<svg></svg><meta http-equiv="refresh" content="0;url=https://example.org"><svg></svg>',
    '<svg><foreignObject><form xmlns="http://www.w3.org/1999/xhtml"/></foreignObject></svg>',
    '<svg><form xmlns="http://www.w3.org/1999/xhtml"/></svg>',
    '<svg><a href="https://example.org"><text>x</text></a></svg>',
    '<svg><image href="https://example.org/x.png"/></svg>',
    '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="https://example.org/x.svg#a"/></svg>',
    '<svg><use href="#a"/></svg>',
    "<svg><style>* { display: none }</style></svg>",
    '<svg style="position:fixed;width:100%"></svg>',
    '<svg><rect fill="url(https://example.org/x.svg#a)"/></svg>',
    r'<svg><rect style="fill:u\72l(https://example.org)"/></svg>',
    "<svg><animate/></svg>",
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>',
    "<svg><![CDATA[<script>]]></svg>",
    "<svg><SCRIPT>alert(1)</SCRIPT></svg>",
    "<svg><path></svg>",
    "<svg",
    "text",
]


@pytest.mark.parametrize("svg", EVIL, ids=range(len(EVIL)))
def test_a_drawing_that_is_more_than_a_drawing_is_refused(svg: str) -> None:
    with pytest.raises(BadInput, match="the figure 'c' cannot be shown"):
        Figure("c", svg)


def test_nothing_that_acts_gets_into_a_report(folder: Path) -> None:
    for number, svg in enumerate(EVIL):
        data = json.loads((folder / "kuhn.value.json").read_text())
        data |= {"name": f"evil{number}", "figures": [{"caption": "c", "svg": svg}]}
        (folder / f"evil{number}.json").write_text(json.dumps(data))
    data |= {"name": "words", "figures": [], "notes": ["<form>"], "scale": "<form>", "command": "`<form>`"}
    (folder / "words.json").write_text(json.dumps(data))
    page = write_report(folder).read_text(encoding="utf-8")
    assert not re.search(r"<form|refresh|onload=|<image|<foreign|position:fixed|<script", page, re.IGNORECASE)
    assert "default-src 'none'" in page and "form-action 'none'" in page and "base-uri 'none'" in page
    assert f"<code>evil{len(EVIL) - 1}.json</code>" in page
    assert sorted(path.name for path in folder.glob("*.svg")) == ["kuhn.value-1.svg"]
    words = (folder / "report.md").read_text(encoding="utf-8")
    assert "`'<form>'`" in words and not re.search(r"(?<![\\'])<form", words)


CURVE = ([1, 2, 3], [1.0, 2.0, 3.0], [0.5, 1.5, 2.5], [1.5, 2.5, 3.5])
CHARTS = [
    curves({"a": CURVE, "<b> & c": CURVE[:2]}, "x", "y", {"paper": 1.5, "random": 0.5}, log_x=True, log_y=True),
    curves({"one point": ([5], [5])}, "x", "y"),
    curves({"nothing": ([], []), "lost": ([math.nan], [1.0])}, "x", "y", log_x=True),
    histograms({"a": [1, 2, 2, 3], "b": [0.5, 1, 2]}, "turns"),
    histograms({"a": [4, 4, 4]}, "turns"),
    pairs(["a", "b"], [1, None], [2, -1], [0.1, 0.2], "points"),
    bars([0.5, 0.3, 0.2], 1, ("high", "low"), "place", "share"),
]


@pytest.mark.parametrize("chart", CHARTS, ids=range(len(CHARTS)))
def test_a_chart_survives_as_data_and_is_a_drawing(chart: Mapping[str, Any]) -> None:
    figure = Figure("c", chart=json.loads(json.dumps(chart)))
    assert Figure("c", figure.drawing).svg == figure.drawing  # refused unless it is a drawing
    assert "nan" not in figure.drawing


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "pie"}, "the chart.kind is 'pie': one of curves, histograms, pairs, bars is"),
        ({"series": {"a": {"x": [1, 2], "y": [1]}}}, "columns of different lengths"),
        ({"series": {"a": {"x": [1], "y": ["high"]}}}, "is 'high': a number is"),
        ({"log_x": 1}, "the chart.log_x is 1: true or false is"),
        ({"more": 1}, "the chart.more is no part of it"),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        Figure("c", chart={**CHARTS[0], **change})


def asked(name: str, edition: int = 1) -> Experiment:
    return Experiment(name, KUHN.paper, "the value", 1, lambda scale: KUHN, edition)


def told(mean: float, se: float, is_alike: bool = True) -> claims.Claim:
    return claims.number(
        "value", "It says", Published(1.0, 0.01), Score(mean, se, 100), reason="so it is", is_alike=is_alike
    )


def reported(folder: Path, full: claims.Claim | None, quick: claims.Claim | None) -> str:
    """The page when this was kept and that was run now."""
    (folder / "kept").mkdir()
    if full:
        save(replace(KUHN, claims=[full], date="2026-11-17"), folder / "kept")
    ran = replace(
        KUHN, claims=[quick] if quick else [], scale="quick", command="kibitz reproduce kuhn.value --quick --seed 1"
    )
    row = ("CFR", None, None, Verdict("differs", "far away"))
    save(replace(ran, tables=[Table("t", ["", "a", "b", "c"], [row])]), folder / "results")
    return write_report(folder / "results", [asked("kuhn.value")], folder / "kept").read_text(encoding="utf-8")


def without_legend(page: str) -> str:
    """The page below its head, which names all verdicts."""
    return page[page.index("</header>") :]


def test_the_verdict_is_the_full_edition_s_and_the_quick_one_only_fits_or_not(tmp_path: Path) -> None:
    page = without_legend(reported(tmp_path, told(1.005, 0.01), told(1.1, 0.1)))
    assert "✓ reproduced" in page and "as the full edition" in page and "✗" not in page
    assert (
        "full edition, 2026-11-17" in page
        and "quick edition now" in page
        and "kibitz reproduce kuhn.value --seed 1" in page
    )


def test_a_number_that_is_not_reproduced_has_its_reason(tmp_path: Path) -> None:
    page = without_legend(reported(tmp_path, told(1.5, 0.01), told(1.5, 0.1)))
    assert "✗ not reproduced" in page and "so it is" in page


def test_a_quick_edition_that_is_short_prints_no_cross(tmp_path: Path) -> None:
    page = without_legend(reported(tmp_path, None, told(0.2, 0.01, is_alike=False)))
    assert (
        "✗" not in page
        and "not yet run at full scale" in page
        and "quick edition: form only" in page
        and "far away" in page
    )
    words = (tmp_path / "results" / "report.md").read_text(encoding="utf-8")
    assert "✗" not in words


def test_a_quick_edition_that_is_too_short_to_judge_says_so(tmp_path: Path) -> None:
    page = without_legend(reported(tmp_path, told(1.0, 0.01, is_alike=False), told(0.2, 0.01, is_alike=False)))
    assert "too short to judge" in page and "✗" not in page


def test_a_quick_edition_that_shows_something_else_is_marked(tmp_path: Path) -> None:
    page = without_legend(reported(tmp_path, told(1.0, 0.01), told(2.0, 0.1)))
    assert "<small class=near>10.0 se from the full edition</small>" in page and "✗" not in page


def test_experiments_that_nobody_ran_are_named(tmp_path: Path) -> None:
    save(KUHN, tmp_path)
    page = write_report(tmp_path, [asked("kuhn.value"), asked("kuhn.later")], tmp_path / "none").read_text(
        encoding="utf-8"
    )
    assert "kuhn.later" in page and "1 of 2 experiments not yet run at full scale" in page


def test_a_kept_result_of_another_edition_is_named_and_not_used(tmp_path: Path) -> None:
    save(KUHN, tmp_path / "kept")
    save(replace(KUHN, name="kuhn.other"), tmp_path / "results")
    page = write_report(tmp_path / "results", [asked("kuhn.value", 2)], tmp_path / "kept").read_text(encoding="utf-8")
    assert "it is of edition 1, and kuhn.value is at edition 2" in page and "1 of 2 experiments not yet run" in page


def test_every_picture_of_ours_is_a_drawing() -> None:
    curve = ([1, 2, 3], [1.0, 2.0, 3.0], [0.5, 1.5, 2.5], [1.5, 2.5, 3.5])
    for figure in (
        plots.learning_curves({"a": curve, "<b> & $c$": curve}, levels={"p": 1.5}, log_x=True, log_y=True),
        plots.result_matrix(["a", "$b$"], ["a", "b"], [[1, math.nan], [2, 3]], [[1, 1], [1, 1]], title="t"),
        plots.histograms({"a": [1, 2, 2, 3], "b": [0.5, 1, 2]}),
        plots.published_and_ours(["a", "b"], [1, 2], [2, -1], [0.1, 0.2], [0.1, 0.2]),
    ):
        assert Figure("c", plots.svg(figure)).svg


def test_missing_and_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match=r"^cannot read the folder .*absent: No such file or directory$"):
        write_report(tmp_path / "absent")
    with pytest.raises(BadInput, match=r"there are no results in .*: run kibitz reproduce first"):
        write_report(tmp_path)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (None, ("", "")),
        ("text", ("text", "")),
        (20000, ("20,000", "")),
        (-1 / 18, ("-0.0555556", "")),
        (WinRate(145_000, 250_000), ("58.00 % [57.81, 58.19]", "n=250,000")),
        (Verdict("near", "2.5 se apart"), ("≈ 2.5 se apart", "")),
    ],
)
def test_cells_in_words(cell: Cell, words: tuple[str, str]) -> None:
    assert cell_words(cell) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0123, "0.012 s"), (3.21, "3.2 s"), (59.7, "60 s"), (83, "1 min 23 s"), (18_420, "5 h 7 min")],
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
