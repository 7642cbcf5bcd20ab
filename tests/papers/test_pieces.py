"""Pieces of experiments are kept whole, found by what decides them, and make a killed run go on to the same result."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import papers
from kibitz.arena.statistics import Score
from kibitz.cli.main import main
from kibitz.cli.running import Lines, Report, rate_of
from kibitz.core.errors import BadInput, KibitzError
from kibitz.core.game import make
from kibitz.papers import experiment as registry
from kibitz.papers import pieces as store
from kibitz.papers.experiment import Bookmark, Result, Scale, Table, experiment, run_experiment
from kibitz.papers.pieces import FORMAT, Pieces, plain

SMALL = Path(__file__).with_name("small_experiments.py")


class Counted:
    """A value that counts how often it was computed."""

    def __init__(self, value: Any = 7) -> None:
        self.value, self.times = value, 0

    def __call__(self, *_: Any) -> Any:
        self.times += 1
        return self.value


def opened(folder: Path, experiment: str = "whist.value", edition: int = 1, seed: int = 1) -> Pieces:
    return Pieces(folder, experiment, edition, "full", seed)


def only_file(folder: Path) -> Path:
    (found,) = (path for path in folder.rglob("*") if path.is_file())
    return found


def test_a_piece_is_computed_once_and_is_plain_data(tmp_path: Path) -> None:
    compute = Counted({"numbers": (1, 2.5), "array": np.arange(3), "none": None, "nan": float("inf")})
    first = opened(tmp_path).piece("one", [1, "two"], compute)
    again = opened(tmp_path).piece("one", [1, "two"], compute)
    assert first == again == {"numbers": [1, 2.5], "array": [0, 1, 2], "none": None, "nan": float("inf")}
    assert compute.times == 1
    held = json.loads(only_file(tmp_path).read_text())
    assert held["asked"]["piece"] == "one" and held["commit"] and held["versions"]["kibitz"] and held["seconds"] >= 0


def test_what_decides_a_piece_is_in_its_key(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "weights").write_bytes(b"one")
    compute, work = Counted(), tmp_path / "work"

    def ask(pieces: Pieces, name: str = "one", settings: Any = 1) -> int:
        pieces.piece(name, settings, compute, [model])
        return compute.times

    assert ask(opened(work)) == ask(opened(work)) == 1
    assert ask(opened(work, seed=2)) == 2
    assert ask(opened(work, edition=2)) == 3
    assert ask(opened(work, "whist.other")) == 4
    assert ask(opened(work), "two") == 5
    assert ask(opened(work), settings=make("kuhn")) == 6
    assert ask(opened(work), settings=make("kuhn", players=3)) == 7
    (model / "weights").write_bytes(b"two")
    assert ask(opened(work)) == 8
    assert ask(Pieces(work, "whist.value", 1, "quick", 1)) == 9


def test_pieces_that_experiments_share_are_found_by_both(tmp_path: Path) -> None:
    compute = Counted()
    for name in ("whist.one", "whist.two"):
        opened(tmp_path, name).piece("game", 1, compute, of="whist.games")
    assert compute.times == 1


@pytest.mark.parametrize("harm", ["cut", "changed", "empty", "list"])
def test_a_damaged_piece_is_computed_again_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    compute = Counted([1, 2, 3])
    opened(tmp_path).piece("one", 1, compute)
    path = only_file(tmp_path)
    text = path.read_text()
    harmed = {"cut": text[:-9], "changed": text.replace("  2,", "  5,"), "empty": "", "list": "[1]"}
    path.write_text(harmed[harm])
    assert opened(tmp_path).piece("one", 1, compute) == [1, 2, 3] and compute.times == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert path.name in line and "is damaged" in line and line.endswith("it is computed again")
    assert opened(tmp_path).piece("one", 1, compute) == [1, 2, 3] and compute.times == 2


def test_a_piece_of_another_format_is_named_and_not_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compute = Counted()
    opened(tmp_path).piece("one", 1, compute)
    path = only_file(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": FORMAT + 1, "value": 8}))
    assert opened(tmp_path).piece("one", 1, compute) == 7
    (line,) = capsys.readouterr().err.splitlines()
    assert path.name in line and f"has format {FORMAT + 1}, this version reads {FORMAT}" in line


def test_a_folder_that_becomes_full_costs_one_line_and_no_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise BadInput(f"{path} cannot be written: No space left on device")

    monkeypatch.setattr(store, "whole_file", full)
    pieces = opened(tmp_path)
    assert pieces.piece("one", 1, Counted(1)) == 1 and pieces.piece("two", 1, Counted(2)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "No space left on device; the work goes on" in line


def test_a_work_folder_that_cannot_be_written_is_one_line_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for work in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SystemExit) as end:
            main(["reproduce", "kuhn.value", "--work", str(work), "--folder", str(tmp_path / "results")])
        (line,) = capsys.readouterr().err.splitlines()
        assert end.value.code == 2 and "work folder" in line
    assert not (tmp_path / "results").exists()
    with pytest.raises(KibitzError, match="work folder"):
        run_experiment("kuhn.value", Scale("full"), tmp_path / "results", tmp_path / "file")


def test_only_plain_data_can_be_kept() -> None:
    assert plain({"a": (np.float64(1.5), np.int64(2), True)}) == {"a": [1.5, 2, True]}
    with pytest.raises(BadInput, match="a piece cannot hold Score"):
        plain(Score(1.0, 1.0, 3))
    with pytest.raises(BadInput, match="keys are text"):
        plain({1: 2})


def test_a_long_piece_goes_on_from_its_bookmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "EVERY", 0.0)
    monkeypatch.setattr(store, "SHARE", 1e9)
    steps: list[int] = []

    def work(mark: Bookmark, last: int) -> list[int]:
        state = np.zeros(1, np.int64)
        notes = mark.take_up(lambda arrays: state.__setitem__(slice(None), arrays["state"])) or []
        while state[0] < last:
            state += 1
            steps.append(int(state[0]))
            notes.append(int(state[0]))
            mark.keep(lambda: {"state": state}, notes)
        if last < 6:
            raise KeyboardInterrupt
        return notes

    for _ in range(2):  # stopped twice at the same place
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path).long_piece("long", 1, lambda mark: work(mark, 4))
    pieces = opened(tmp_path)
    assert pieces.long_piece("long", 1, lambda mark: work(mark, 6)) == [1, 2, 3, 4, 5, 6] == steps
    assert only_file(tmp_path).suffix == ".json" and pieces.before > 0


def test_a_damaged_bookmark_means_to_begin_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(mark: Bookmark) -> None:
        mark.saved -= 100
        mark.keep(lambda: {"state": np.ones(100)}, "half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path).long_piece("long", 1, stopped)
    path = only_file(tmp_path)
    assert opened(tmp_path).long_piece("long", 1, lambda mark: mark.take_up(lambda arrays: None)) == "half"
    only_file(tmp_path).unlink()
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path).long_piece("long", 1, stopped)
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 255
    path.write_bytes(whole)
    assert opened(tmp_path).long_piece("long", 1, lambda mark: mark.take_up(lambda arrays: None)) is None
    assert f"{path.name} is damaged" in capsys.readouterr().err


def test_trained_arrays_are_kept(tmp_path: Path) -> None:
    compute = Counted({"weights": np.arange(4.0)})
    for _ in range(2):
        found = opened(tmp_path).arrays("trained", 1, compute)
        np.testing.assert_array_equal(found["weights"], np.arange(4.0))
    assert compute.times == 1


def test_a_finished_edition_runs_nothing_again_and_counts_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers, "PAPERS", ())
    monkeypatch.setattr(registry, "_registered", {})
    compute = Counted(3)
    experiment("whist.value", paper="", about="", minutes=1)(
        lambda scale: Result("", [Table("", ["n"], [[scale.piece("one", 1, compute)]])])
    )
    first = run_experiment("whist.value", Scale("full"), tmp_path / "results", tmp_path / "work")
    again = run_experiment("whist.value", Scale("full"), tmp_path / "results", tmp_path / "work")
    assert compute.times == 1 and first.tables == again.tables
    experiment("whist.value", paper="", about="", minutes=1, edition=2)(registry.find("whist.value")[0].run)
    run_experiment("whist.value", Scale("full"), tmp_path / "results", tmp_path / "work")
    assert compute.times == 2
    run_experiment("whist.value", Scale("full"), tmp_path / "results")  # nothing is kept without a work folder
    assert compute.times == 3


def test_quick_editions_are_computed_again_and_full_ones_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(papers, "PAPERS", ())
    monkeypatch.setattr(registry, "_registered", {})
    compute = Counted(3)
    experiment("whist.value", paper="A paper", about="it", minutes=1)(
        lambda scale: Result("It", [Table("It", ["n"], [[scale.piece("one", 1, compute)]])])
    )
    for words, times in ((["--quick"], 2), ([], 3), (["--quick", "--work", "mine"], 4)):
        for _ in range(2):
            with pytest.raises(SystemExit):
                main(["reproduce", "--all", *words])
        assert compute.times == times
    assert len(list(Path("runs/reproduce/whist.value").iterdir())) == 1
    assert len(list(Path("mine/whist.value").iterdir())) == 1
    capsys.readouterr()


def test_every_running_experiment_has_a_line_with_rate_and_time_left(tmp_path: Path) -> None:
    import io

    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeRemainingColumn

    out = io.StringIO()
    ticks = iter(range(10_000))
    bars = Progress(
        TextColumn("{task.description}"), TextColumn("{task.completed}/{task.total} {task.fields[rate]}"),
        TimeRemainingColumn(), console=Console(file=out, width=100), get_time=lambda: float(next(ticks)),
    )  # fmt: skip
    board = Lines(tmp_path, bars)
    reports = {name: Report(tmp_path / f"{name}.json") for name in ("whist.one", "whist.two")}
    for done in (40, 50, 60):
        for report in reports.values():
            report.last = -1e9
            report("deals", done, 100)
        board.look()
    bars.print(bars)
    shown = [line for line in out.getvalue().splitlines() if "whist." in line]
    assert len(shown) == 2 and all("deals" in line and "60/100" in line and "/" in line for line in shown)
    assert all(task.fields["rate"] and task.time_remaining for task in bars.tasks)
    reports["whist.one"].path.unlink()
    board.look()
    assert [task.description for task in bars.tasks] == ["whist.two: deals"]
    assert (rate_of(None), rate_of(250.0), rate_of(0.5), rate_of(0.001)) == ("", "250/s", "30/min", "3.6/h")


def same_but_for_times(folder: Path, name: str) -> None:
    whole, killed = (
        json.loads((folder / kind / "results" / f"{name}.json").read_text()) for kind in ("whole", "killed")
    )
    for result in (whole, killed):
        assert result.pop("seconds") > 0 and result.pop("cpu_seconds") >= 0
    assert whole == killed


def killed_often(folder: Path, name: str, kills: int) -> None:
    made = subprocess.run(
        [sys.executable, str(SMALL), name, str(folder), str(kills)], env=os.environ, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert told["kept"] > 0 and told["kills"] > 0  # else nothing was interrupted
    same_but_for_times(folder, name)
    assert not list(folder.glob("killed/work/*/*.unfinished.npz"))


KINDS = ["small.match", "small.start", "small.course"]


@pytest.mark.parametrize("name", KINDS)
def test_three_kills_change_nothing_but_times(tmp_path: Path, name: str) -> None:
    killed_often(tmp_path, name, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_ten_kills_change_nothing_but_times(tmp_path: Path, name: str) -> None:
    killed_often(tmp_path, name, 10)
