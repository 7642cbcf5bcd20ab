"""Full editions are kept with the project, and what does not fit is named and not used."""

import json
from pathlib import Path

import pytest

from kibitz import papers
from kibitz.arena.statistics import Score, WinRate
from kibitz.cli.main import main
from kibitz.core.errors import BadInput, BadRecord
from kibitz.papers import claims, keeping, origin
from kibitz.papers import experiment as registry
from kibitz.papers.experiment import Experiment, Result, Scale, Table, experiment, find, names, run_experiment
from kibitz.papers.keeping import keep, keep_times, kept_result, quick_times
from kibitz.papers.result import Claim, Published, save
from kibitz.papers.shelf import SHELF


def made(scale: Scale) -> Result:
    claim = claims.number(
        "wins",
        "Games won",
        Published(50, unit="%"),
        WinRate(scale.pick(quick=5, full=500), scale.pick(quick=10, full=1000)),
    )
    return Result("Whist", [Table("t", ["n"], [[scale.piece("n", 1, lambda: 3)]])], claims=[claim])


ONE = Experiment("whist.value", "A paper", "who wins", 1, made, 2)


@pytest.fixture
def whist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """One experiment instead of the real ones, in an empty folder, with a place to keep results."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(papers, "PAPERS", ())
    monkeypatch.setattr(registry, "_registered", {})
    experiment("whist.value", paper="A paper", about="who wins", minutes=1, edition=2, published="50 %")(made)
    kept = tmp_path / "kept"
    for function in (keeping.kept_result, keeping.check_keeping, keeping.keep, keeping.keep_times, keeping.quick_times):
        monkeypatch.setattr(function, "__defaults__", (kept,))
    return kept


def said(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert (end.value.code or 0) == code
    out, err = capsys.readouterr()
    return out, err


def test_a_full_edition_is_kept_with_all_that_is_needed_to_run_it_again(whist: Path) -> None:
    ran = run_experiment("whist.value", Scale("full"), "results")
    keep(ran, ONE, whist)
    held = kept_result(ONE, whist)
    assert held.result == ran and not held.problem
    assert ran.date and ran.machine and ran.commits and ran.command and ran.versions["kibitz"]


def test_none_was_kept_is_no_problem(tmp_path: Path) -> None:
    assert kept_result(ONE, tmp_path) == keeping.Kept()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"edition": 1}, "it is of edition 1, and whist.value is at edition 2"),
        ({"format": 1}, "its format is not 2"),
        ({"scale": "quick"}, "it is the quick edition of 'whist.value'"),
        ({"name": "whist.other"}, "of 'whist.other', not the full one of whist.value"),
        ({"claims": [{"key": "k"}]}, "claims[0].says is missing"),
        ({"commits": "abc"}, "commits is 'abc': a list is"),
    ],
)
def test_a_kept_result_that_does_not_fit_is_named_and_not_used(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    path = save(Result("t", name="whist.value", scale="full", edition=2), tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    held = kept_result(ONE, tmp_path)
    assert held.result is None and problem in held.problem
    assert "whist.value.json is not used" in held.problem and held.problem.endswith(
        "kibitz reproduce whist.value --keep makes a new one"
    )


def test_half_a_file_is_named(tmp_path: Path) -> None:
    save(Result("t", name="whist.value", scale="full", edition=2), tmp_path).write_text('{"title": "ha')
    assert "it is no JSON, or cut off" in kept_result(ONE, tmp_path).problem


def test_quick_editions_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be kept from a quick edition"):
        keep(Result("t", name="whist.value", scale="quick", edition=2), ONE, tmp_path)
    with pytest.raises(BadInput, match=r"edition 1 of whist\.value is not edition 2"):
        keep(Result("t", name="whist.value", scale="full", edition=1), ONE, tmp_path)
    assert not list(tmp_path.iterdir())


def test_times_of_quick_editions_are_added_up(tmp_path: Path) -> None:
    assert quick_times(tmp_path) == {}
    keep_times([Result("", name="whist.value", cpu_seconds=3.21)], tmp_path)
    keep_times([Result("", name="whist.other", cpu_seconds=1.0)], tmp_path)
    assert quick_times(tmp_path) == {"whist.other": 1.0, "whist.value": 3.2}
    (tmp_path / "quick.json").write_text("[]")
    with pytest.raises(
        BadRecord, match=r"quick.json cannot be read: .*; kibitz reproduce --quick --keep writes it again"
    ):
        quick_times(tmp_path)
    keep_times([Result("", name="whist.value", cpu_seconds=2.0)], tmp_path)
    assert quick_times(tmp_path) == {"whist.value": 2.0}


def test_the_command_keeps_lists_and_names_what_is_not_used(whist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(["reproduce", "--list"], capsys)
    assert "not yet" in out and "50 %" in out
    said(["reproduce", "whist.value", "--keep"], capsys)
    said(["reproduce", "--quick", "--keep"], capsys)
    (row,) = json.loads(said(["reproduce", "--list", "--json"], capsys)[0])
    assert row["kept"]["verdicts"] == ["✓ 1 reproduced"] and row["kept"]["date"] and row["quick_seconds"] is not None
    assert sorted(path.name for path in whist.iterdir()) == ["quick.json", "whist.value.json"]
    path = whist / "whist.value.json"
    path.write_text(path.read_text().replace('"edition": 2', '"edition": 1'))
    out, err = said(["reproduce", "--list"], capsys)
    assert "not yet" in out and err.count("\n") == 1 and "it is of edition 1" in err


def test_a_place_that_cannot_be_written_is_noticed_before_the_run(
    whist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whist.write_text("a file")
    _, err = said(["reproduce", "whist.value", "--keep"], capsys, 2)
    assert "cannot be written" in err and not Path("results").exists()


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (claims.number("k", "", Published(1.0, 0.1), Score(1.2, 0.1, 9)), "✓ reproduced, 1.4 standard errors apart"),
        (claims.number("k", "", Published(1.0), Score(1.5, 0.1, 9)), "✗ not reproduced, 5.0 standard errors apart"),
        (claims.number("k", "", Published(1.0), Score(1.5, 0.1, 9), better="higher"), "▲ beaten, by 0.5"),
        (
            claims.number("k", "", Published(1.0), Score(1.5, 0.1, 9), better="lower"),
            "✗ not reproduced, 5.0 standard errors apart",
        ),
        (
            claims.number("k", "", Published(60, unit="%"), WinRate(900, 1000), better="higher"),
            "▲ beaten, by 30 points",
        ),
        (
            claims.number("k", "", Published(98, unit="%"), WinRate(1000, 1000), tolerance=1.0),
            "✗ not reproduced, +2, 1 allowed",
        ),
        (claims.number("k", "", Published(24), 24, tolerance=0), "✓ reproduced, exactly"),
        (claims.number("k", "", Published(1.0), Score(1.0, float("nan"), 1)), "✗ not reproduced, +0"),
        (claims.sentence("k", "", "more", "less", False, "it falls"), "✗ not reproduced, it falls"),
        (claims.form("k", "", "a figure", 3, "no numbers"), "○ form only, no numbers"),
    ],
)
def test_verdicts_on_claims(claim: Claim, words: str) -> None:
    assert str(claim.verdict) == words


@pytest.mark.parametrize(
    ("published", "ours", "words"),
    [
        (Published(0.8, 0.3), Score(0.3, 0.03, 40), "✓ reproduced, 1.7 standard errors apart"),
        (Published(0.3, 0.3), Score(-0.2, 0.03, 40), "✗ not reproduced, points the other way"),
        (Published(-3.2, 0.5), Score(-2.0, 4.5, 80), "○ form only, not told from nothing: 900 deals would"),
        (Published(-9.0, 0.5), Score(1.0, 1.0, 80), "✗ not reproduced, 8.9 standard errors apart"),
    ],
)
def test_differences_are_told_from_nothing_and_by_their_sign(published: Published, ours: Score, words: str) -> None:
    assert str(claims.difference("k", "", published, ours, reason="", too_few="900 deals would").verdict) == words


def test_a_number_that_is_beaten_has_its_caveat_and_not_its_reason() -> None:
    claim = claims.number(
        "k", "", Published(1.0), Score(2.0, 0.1, 9), better="higher", reason="fewer games", caveat="more games"
    )
    assert claim.reason == "more games"


def test_what_a_quick_edition_should_show() -> None:
    def like(ours: object, is_alike: bool = True) -> Claim:
        return claims.form("k", "", None, ours, "", is_alike=is_alike)  # type: ignore[arg-type]

    for full, quick, words in (
        (Score(1.0, 0.01, 9), Score(1.2, 0.1, 9), "✓ as the full edition"),
        (Score(1.0, 0.01, 9), Score(2.0, 0.1, 9), "≈ 10.0 se from the full edition"),
        (1.0, 1.0000001, "✓ as the full edition"),
        ("the same", "others", "≈ other than the full edition"),
    ):
        assert str(claims.expected(like(full), like(quick))) == words
    assert claims.expected(like(1.0, False), like(5.0, False)).kind == "form"


def test_the_commit_says_if_its_code_was_changed() -> None:
    assert origin.commit() == "unknown" or origin.commit().removesuffix("+").isalnum()


def test_what_is_kept_is_of_known_experiments_and_every_miss_has_a_reason() -> None:
    known = names()
    for path in origin.KEPT.glob("*.json"):
        if path.name == keeping.QUICK:
            assert set(quick_times()) <= set(known)
            continue
        assert path.stem in known, f"{path.name} is the result of no experiment"
        held = kept_result(find(path.stem)[0])
        assert held.result is not None, held.problem
        assert held.result.claims, f"{path.stem} says nothing of its paper"
        for claim in held.result.claims:
            assert claim.verdict.kind != "missed" or claim.reason, f"{path.stem}: {claim.key} needs a reason"


def test_every_experiment_belongs_to_a_paper_and_every_headline_to_an_experiment() -> None:
    known = {name: find(name)[0] for name in names()}
    assert {one.paper for one in known.values()} <= set(SHELF)
    for paper in SHELF.values():
        for place in (*paper.headlines, *paper.picture):
            assert place.partition(" ")[0] in known
        for place in paper.headlines:
            name, _, key = place.partition(" ")
            held = kept_result(known[name]).result
            assert held is None or claims.claim_of(held, key), f"{name} has no claim {key!r}"
