"""Experiments are registered, found by name or prefix, and run into a file."""

from pathlib import Path

import pytest

from kibitz import papers
from kibitz.core.errors import BadInput, KibitzError, UnknownExperiment
from kibitz.papers import experiment as registry
from kibitz.papers.experiment import Result, Scale, experiment, find, names, progress_bar, run_experiment, silent
from kibitz.papers.result import from_json


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three experiments of two papers, instead of the real ones."""
    monkeypatch.setattr(papers, "PAPERS", ())
    monkeypatch.setattr(registry, "_registered", {})
    for name in ("whist.value", "whist.table2", "patience.wins"):
        experiment(name, paper="A paper", about="about it", minutes=1)(
            lambda scale: Result(f"seed {scale.seed}", notes=[scale.pick(quick="few", full="many")])
        )


@pytest.mark.usefixtures("table")
def test_experiments_are_found_by_name_and_by_prefix() -> None:
    assert names() == ["patience.wins", "whist.table2", "whist.value"]
    assert [one.name for one in find("whist.value")] == ["whist.value"]
    assert [one.name for one in find("whist")] == ["whist.table2", "whist.value"]


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("typed", "advice"),
    [("whist.valeu", "did you mean whist.value?"), ("wist", "did you mean whist?"), ("zzz", "from patience, whist")],
)
def test_an_unknown_name_is_answered_with_the_nearest(typed: str, advice: str) -> None:
    with pytest.raises(UnknownExperiment) as raised:
        find(typed)
    assert str(raised.value).startswith(f"there is no experiment '{typed}': ")
    assert str(raised.value).endswith(advice)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("name", ["Whist.value", "whist", "../whist.value", "whist..value", ""])
def test_names_that_make_no_file_name_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="cannot name an experiment"):
        experiment(name, paper="", about="", minutes=1)


@pytest.mark.usefixtures("table")
def test_a_name_is_given_once() -> None:
    def other(_scale: Scale) -> Result:
        return Result("")

    with pytest.raises(BadInput, match="already registered"):
        experiment("whist.value", paper="", about="", minutes=1)(other)


@pytest.mark.usefixtures("table")
def test_running_fills_in_the_facts_and_writes_the_file(tmp_path: Path) -> None:
    result = run_experiment("whist.value", Scale("full", seed=7, threads=2), tmp_path / "results")
    assert (result.title, result.notes) == ("seed 7", ("many",))
    assert (result.name, result.paper, result.about) == ("whist.value", "A paper", "about it")
    assert result.command == "kibitz reproduce whist.value --seed 7"
    assert (result.scale, result.seed, result.threads) == ("full", 7, 2)
    assert result.seconds >= 0
    assert set(result.versions) == {"kibitz", "python", "numpy", "numba"}
    assert from_json((tmp_path / "results" / "whist.value.json").read_text(encoding="utf-8")) == result


@pytest.mark.usefixtures("table")
def test_a_prefix_is_not_run_as_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownExperiment, match=r"whist stands for whist.table2, whist.value: run one at a time"):
        run_experiment("whist", Scale(), tmp_path)


@pytest.mark.usefixtures("table")
def test_a_folder_that_cannot_be_written_is_noticed_before_the_run(tmp_path: Path) -> None:
    def never(_scale: Scale) -> Result:
        raise AssertionError("it ran")

    experiment("whist.slow", paper="", about="", minutes=999)(never)
    (tmp_path / "file").write_text("")
    with pytest.raises(KibitzError, match=r"^cannot make the folder .*: .*$"):
        run_experiment("whist.slow", Scale(), tmp_path / "file" / "results")


def test_scales_pick_and_track() -> None:
    heard: list[tuple[str, int, int]] = []
    scale = Scale("quick", progress=lambda what, done, total: heard.append((what, done, total)))
    assert scale.pick(quick=1, full=2) == 1
    assert Scale("full").pick(quick=1, full=2) == 2
    assert list(scale.track("ab", "deals")) == ["a", "b"]
    assert heard == [("deals", 0, 2), ("deals", 1, 2), ("deals", 2, 2)]
    with pytest.raises(BadInput, match="it is quick or full"):
        Scale("huge")


def test_the_bar_writes_to_the_error_stream_only(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as show:
        show("deals", 1, 2)
        show("deals", 2, 2)
    assert capsys.readouterr().out == ""
    silent("deals", 1, 2)


def test_every_paper_registers_experiments() -> None:
    found = names()
    for module in papers.PAPERS:
        assert any(find(name)[0].run.__module__ == f"kibitz.papers.{module}" for name in found)
