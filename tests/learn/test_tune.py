"""The search for settings: it goes on where it was, ranks what it found, and says in one line what is wrong."""

import builtins
import dataclasses
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption, MissingExtra
from kibitz.core.game import make
from kibitz.core.work import Serial
from kibitz.learn import methods, trials, tune
from kibitz.learn.run import News, Plan, configured
from kibitz.learn.seats import Seating
from kibitz.learn.tune import SPACES, Trial, search, slope

FIXED = {"layers": "8", "games": "32", "batch": "32"}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plan(**other: object) -> Plan:
    method = str(other.pop("method", "dmc"))
    defaults = {"seating": Seating((0,)), "frames": 200, "evaluation_games": 64}
    merged: Any = defaults | other
    return Plan(make("kuhn"), method, configured("dmc", "default", FIXED), **merged)


@pytest.mark.parametrize("method", list(SPACES))
def test_every_value_of_a_space_is_a_setting_of_its_method(method: str) -> None:
    assert method in methods()
    for key, values in SPACES[method].items():
        for value in values:
            config = configured(method, "default", {key: value})
            assert key in {field.name for field in dataclasses.fields(config)}


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    first = search(plan(), "default", FIXED, 2, tmp_path, make_bot)
    told: list[Trial] = []
    again = search(plan(), "default", FIXED, 3, tmp_path, make_bot, told.append)
    assert len(first) == 2 and len(again) == 3 and len(told) == 1
    assert {trial.number for trial in first} <= {trial.number for trial in again}
    assert [trial.score for trial in again] == sorted((trial.score for trial in again), reverse=True)
    assert all(set(trial.settings) == set(SPACES["dmc"]) - set(FIXED) for trial in again)
    assert (tmp_path / again[0].folder / "card.json").exists()


def cut_off(news: News) -> None:
    if 100 < news.frames < 200:
        raise KeyboardInterrupt


@pytest.mark.timeout(120)
def test_a_search_that_was_cut_off_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    real = trials.train
    whole = search(plan(), "default", FIXED, 3, Path("whole"), make_bot)
    monkeypatch.setattr(trials, "train", lambda *words: real(*words, cut_off))
    for done in range(3):
        with pytest.raises(KeyboardInterrupt):
            search(plan(), "default", FIXED, 3, Path("parts"), make_bot)
        # What kills leave: optuna's link, which leads nowhere from inside the folder, and half a line.
        Path("parts", "study.log.lock").symlink_to(Path("parts", "study.log"))
        with open(Path("parts", "study.log"), "a") as journal:
            journal.write('{"op_code": 9, "wor')
        monkeypatch.setattr(trials, "train", real)
        search(plan(), "default", FIXED, done + 1, Path("parts"), make_bot)
        monkeypatch.setattr(trials, "train", lambda *words: real(*words, cut_off))
    parts = search(plan(), "default", FIXED, 3, Path("parts"), make_bot)
    assert parts == whole
    assert {trial.folder for trial in parts} == {"trial000", "trial001", "trial002"}


KILLED = [
    "tune", "kuhn", "--method", "dmc", "--learners", "0", "--trials", "4", "--frames", "3000", "--evaluation-games",
    "64", "--with", "layers=8", "--with", "games=32", "--with", "batch=32", "--json", "--out",
]  # fmt: skip


@pytest.mark.slow
def test_a_search_that_was_killed_ends_as_one_that_was_not(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kibitz", *KILLED]
    whole = subprocess.run([*words, "whole"], cwd=tmp_path, check=True, capture_output=True, text=True)
    luck, hits = random.Random(3), 0
    for _ in range(8):
        with subprocess.Popen([*words, "parts"], cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not (tmp_path / "parts").exists():
                time.sleep(0.01)
            time.sleep(luck.uniform(0.0, 2.0))
            hits += process.poll() is None
            process.kill()
    parts = subprocess.run([*words, "parts"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=600)
    assert hits > 3 and parts.stdout == whole.stdout


def test_the_settings_of_a_trial_depend_on_its_number_alone() -> None:
    space = SPACES["dmc"]
    drawn = [tune.drawn_settings(space, 5, number) for number in range(200)]
    assert tune.drawn_settings(space, 5, 77) == drawn[77] and tune.drawn_settings(space, 6, 77) != drawn[77]
    for key, values in space.items():
        assert {settings[key] for settings in drawn} == set(values)
    tune.drawn_settings(space, 2**128 - 1, 0)


def test_a_folder_has_one_search_at_a_time(tmp_path: Path) -> None:

    def again(*_: object) -> None:
        with pytest.raises(BadInput, match=rf"is being searched by process {os.getpid()} on .*give another --out"):
            search(plan(), "default", FIXED, 1, tmp_path, make_bot)
        told.append("refused")

    told: list[str] = []
    search(plan(), "default", FIXED, 1, tmp_path, make_bot, again)
    assert told == ["refused"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"number":0', '"number":5', r"trial 5 in .* has folder trial000, and trial005 is right"),
        ('"params":{"rate":', '"params":{"rate":1', "line 3 is no line of a search: params.rate is 1"),
        ('"frames":', '"frames":1', "another frames than the card in trial000 says"),
        ('"se":0', '"se":9', "another se than the card in trial000 says"),
        (r'"value":[-\d.e]+', '"value":7.5', "another score than the card in trial000 says"),
        ('"state":1', '"state":0', "line 3 is no line of a search: state is 0"),
        ('"user_attrs":{"number":0,', '"user_attrs":{', "user_attrs.number is missing"),
        ('{"op_code":4', '\r{"op_code":8', "line 3 is no line of a search: op_code is 8"),
    ],
)
def test_an_altered_journal_is_not_believed(tmp_path: Path, old: str, new: str, said: str) -> None:
    search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    journal = tmp_path / "study.log"
    text = journal.read_text()
    assert re.search(old, text)
    journal.write_bytes(re.sub(old, new, text).encode())
    with pytest.raises(BadInput, match=said):
        search(plan(), "default", FIXED, 1, tmp_path, make_bot)


def test_a_trial_counts_once_and_a_file_of_others_is_left_alone(tmp_path: Path) -> None:
    search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    journal = tmp_path / "study.log"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([*lines, lines[2]]))
    with pytest.raises(BadInput, match=r"trial 0 in .* is there twice"):
        search(plan(), "default", FIXED, 1, tmp_path, make_bot)
    for text, said in (("words", "no journal of a search"), ("words\nmore", "line 1 is no line of a search")):
        journal.write_text(text)
        with pytest.raises(BadInput, match=said):
            search(plan(), "default", FIXED, 1, tmp_path, make_bot)
        assert journal.read_text() == text


def test_a_folder_holds_one_search(tmp_path: Path) -> None:
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


def test_trials_done_by_others_are_those_that_are_done_here(tmp_path: Path) -> None:
    """Folders travel there and back, and what was begun goes on."""
    here = search(plan(), "default", FIXED, 2, tmp_path / "here", make_bot)
    there = search(plan(), "default", FIXED, 2, tmp_path / "there", make_bot, executor=Serial())
    assert here == there
    for trial in here:
        for name in ("card.json", "checkpoint.npz"):
            assert (tmp_path / "there" / trial.folder / name).exists()
    assert search(plan(), "default", FIXED, 3, tmp_path / "there", make_bot, executor=Serial())[0].number in range(3)


def test_a_sampler_asks_the_same_if_it_is_told_the_same() -> None:
    from kibitz.learn.advice import SAMPLERS, Advice

    space = {"rate": ("1", "2", "3"), "batch": ("32", "64")}
    for sampler in SAMPLERS:
        asked = []
        for advice in (Advice(space, sampler, 5), Advice(space, sampler, 5)):
            for number in range(15):
                asked.append(advice.ask())
                advice.tell(float(asked[-1]["rate"]) + number / 100)
        assert asked[:15] == asked[15:] and len({one["rate"] for one in asked}) > 1


def test_what_lies_below_the_median_is_given_up_and_what_matters_is_found() -> None:
    from kibitz.learn.advice import BEFORE_PRUNING, floors, importance

    curves = [[1.0, 2.0], [2.0], [3.0, 4.0], [4.0, 6.0], [5.0, 8.0]]
    assert len(curves) == BEFORE_PRUNING and floors(curves[:4], 2) == [float("-inf")] * 2
    assert floors(curves, 2) == [3.0, 5.0]
    settings = [{"rate": str(k % 2), "batch": str(k // 2)} for k in range(4)]
    assert importance(settings, [1.0, 5.0, 1.0, 5.0]) == {"rate": 1.0, "batch": 0.0}
