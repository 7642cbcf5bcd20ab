"""The experiments with learners of Coinche: their tables are whole, and verdicts say what they should."""

import contextlib
import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

from kibitz.core.game import make
from kibitz.games.coinche.metrics import metrics
from kibitz.papers import coinche_beyond, coinche_learning, coinche_matches, pieces
from kibitz.papers.coinche import tallies_of
from kibitz.papers.coinche_learning import Lesson, Look, course, sampled_config
from kibitz.papers.experiment import Scale, names, silent
from kibitz.papers.pieces import Pieces
from kibitz.papers.result import to_json

SCALE = Scale("quick", 1)


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule players stand in for learners, so that nothing is trained."""

    def played(lesson: Lesson, *_: object) -> Look:
        bots = f"coinche-strong,{lesson.rival},coinche-strong,{lesson.rival}"
        return Look(100, metrics(tallies_of(lesson.game, bots, 200, SCALE))[0])

    class Idle:
        frames, kind = 100, "values"

        def round(self, progress: float) -> dict[str, float]:
            return {"loss": 0.0, "guess": 0.5}

    def two_looks(lesson: Lesson, scale: Scale, what: str) -> list[Look]:
        return [played(lesson), dataclasses.replace(played(lesson), frames=200)]

    for module in (coinche_learning, coinche_beyond):
        monkeypatch.setattr(module, "course", two_looks)
    monkeypatch.setattr(coinche_learning, "look_at", played)
    monkeypatch.setattr(coinche_learning, "pupil", lambda lesson, scale: ({}, None, Idle()))


@pytest.mark.parametrize("name", ["figure1", "figure2", "figure3", "figure4"])
def test_every_figure_has_its_tables_and_curves(untrained: None, name: str) -> None:
    assert f"coinche.{name}" in names()
    result = getattr(coinche_learning, name)(SCALE)
    assert result.tables and len(result.figures) >= 5 and result.notes
    assert to_json(result)


def test_what_lies_beyond_has_four_tables(untrained: None) -> None:
    result = coinche_beyond.beyond(SCALE)
    assert [len(table.rows) for table in result.tables] == [4, 4, 2, 2]


def test_matches_are_compared_in_three_duels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coinche_matches, "ROUNDS", {"quick": 2, "full": 2})
    monkeypatch.setattr(coinche_matches, "MATCHES", {"quick": 8, "full": 8})
    result = coinche_matches.matches(SCALE)
    assert [len(table.rows) for table in result.tables] == [3, 3, len(coinche_matches.STANDINGS)]
    assert "coinche.matches" in names() and to_json(result)


def test_claims_are_judged_by_the_papers_numbers(untrained: None) -> None:
    claims = coinche_learning.figure2(SCALE).tables[0].rows
    told = {row[0]: row[-1].kind for row in claims}
    assert told["contracts of coinche-strong broken"] == "differs"  # strong breaks half of strong's contracts, not 70 %
    assert told["few attacks against coinche-simple"] == "differs"


def test_a_course_looks_before_the_first_round_and_after_the_last() -> None:
    config = dataclasses.replace(
        sampled_config(SCALE, "unbiased"), traversals=4, steps=1, policy_steps=1, memory=500, policy_memory=500
    )
    looks = course(
        Lesson(make("coinche-paper"), "deep-cfr", config, 2, looks=2, deals=32, rival="coinche-simple"), SCALE, "test"
    )
    assert len(looks) == 3 and looks[0].frames == 0 < looks[1].frames < looks[2].frames


def stopped_course(lesson: Lesson, folder: Path, stop: int) -> list[list[float]]:
    """The looks of a course that is broken off after some rounds and then taken up; 0 goes through."""

    def progress(what: str, done: int, total: int) -> None:
        if done == stop:
            raise KeyboardInterrupt

    for told in (progress, silent) if stop else (silent,):
        scale = Scale("quick", 1, progress=told, pieces=Pieces(folder, "coinche.test", 1, "quick", 1))
        with contextlib.suppress(KeyboardInterrupt):
            looks = course(lesson, scale, "course")
    return [[look.frames, *look.side.tallies] for look in looks]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["deep-cfr", "ppo", "coached", "partnered"])
def test_a_course_that_was_broken_off_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(pieces, "EVERY", 0.0)
    monkeypatch.setattr(pieces, "SHARE", 1e9)
    configs = {
        "deep-cfr": dataclasses.replace(
            sampled_config(SCALE, "paper"), traversals=8, steps=2, policy_steps=2, memory=500, policy_memory=500
        ),
        "ppo": dataclasses.replace(coinche_learning.paper_ppo(SCALE), steps=16, tables=4),
        "coached": coinche_beyond._dmc(SCALE, "coached", games=32, batch=32, rival_rounds=0.5),
        "partnered": coinche_beyond._dmc(SCALE, "partnered", games=32, batch=32, weight=0.1),
    }
    game = make("coinche-paper", reward="good") if method in ("deep-cfr", "ppo") else make("coinche")
    lesson = Lesson(game, method, configs[method], 4, rival="coinche-simple", looks=4, deals=64)
    whole = stopped_course(lesson, tmp_path / "whole", 0)
    stopped = stopped_course(lesson, tmp_path / "stopped", 2)
    assert len(whole) == 5 and whole == stopped
    assert [path.suffix for path in (tmp_path / "stopped").rglob("*.*") if path.is_file()] == [".json"]
