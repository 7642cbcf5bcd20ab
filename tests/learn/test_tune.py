"""The search for settings: it goes on where it was, ranks what it found, and says in one line what is wrong."""

import builtins
import dataclasses
from pathlib import Path

import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption, MissingExtra
from kibitz.core.game import make
from kibitz.learn import METHODS, tune
from kibitz.learn.run import Plan, configured
from kibitz.learn.seats import Seating
from kibitz.learn.tune import SPACES, Trial, search, slope

FIXED = {"layers": "8", "games": "32", "batch": "32"}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plan(**other: object) -> Plan:
    method = str(other.pop("method", "dmc"))
    defaults = {"seating": Seating((0,)), "frames": 200, "evaluation_games": 64}
    return Plan(make("kuhn"), method, configured("dmc", "default", FIXED), **(defaults | other))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", list(SPACES))
def test_every_value_of_a_space_is_a_setting_of_its_method(method: str) -> None:
    assert method in METHODS
    for key, values in SPACES[method].items():
        for value in values:
            config = configured(method, "default", {key: value})
            assert key in {field.name for field in dataclasses.fields(config)}


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    first = search(plan(), "default", FIXED, 2, tmp_path, make_bot)
    told: list[Trial] = []
    again = search(plan(), "default", FIXED, 3, tmp_path, make_bot, told.append)
    assert len(first) == 2 and len(again) == 3 and len(told) == 1
    assert {trial.number for trial in first} <= {trial.number for trial in again}
    assert [trial.score for trial in again] == sorted((trial.score for trial in again), reverse=True)
    assert all(set(trial.settings) == set(SPACES["dmc"]) - set(FIXED) for trial in again)
    assert (tmp_path / again[0].folder / "card.json").exists()


def test_a_trial_that_was_cut_off_is_taken_up_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("optuna")
    real = tune.train

    def cut_off(*words: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(tune, "train", cut_off)
    with pytest.raises(KeyboardInterrupt):
        search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    monkeypatch.setattr(tune, "train", real)
    study, states = tune._study(plan(), "default", FIXED, tmp_path)
    settings = study.get_trials(states=(states.RUNNING,))[0].params
    (found,) = search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    assert dict(found.settings) == settings and found.folder == "trial000"


def test_a_folder_holds_one_search(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    with pytest.raises(BadInput, match="another game, method or length"):
        search(plan(frames=300), "default", FIXED, 1, tmp_path, make_bot)


def test_a_method_without_a_space_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no search space for partnered"):
        search(plan(method="partnered"), "default", {}, 1, tmp_path, make_bot)


def test_a_slope_needs_two_evaluations(tmp_path: Path) -> None:
    line = '{{"frames": {}, "scores": {{"a": {{"mean": {}}}}}}}\n'
    (tmp_path / "metrics.jsonl").write_text(line.format(100_000, 1.0))
    assert slope(tmp_path) != slope(tmp_path)
    (tmp_path / "metrics.jsonl").write_text(line.format(100_000, 1.0) + line.format(300_000, 2.0))
    assert slope(tmp_path) == pytest.approx(0.5)


def test_a_missing_library_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith("optuna"):
            raise ModuleNotFoundError("No module named 'optuna'", name="optuna")
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="optuna is not installed: pip install"):
        search(plan(), "default", FIXED, 1, tmp_path, make_bot)
