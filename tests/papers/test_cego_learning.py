"""Cego's learning experiments: published numbers, the arithmetic around them, and small editions that run."""

from pathlib import Path

import pytest

from kibitz.arena.statistics import Score, WinRate
from kibitz.papers import cego_learning
from kibitz.papers.cego_learning import TABLE_5, TABLE_6, TABLE_7, benchmark, reached, soloist
from kibitz.papers.experiment import Published, Scale, run_experiment


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cego_learning, "QUICK", 50)
    monkeypatch.setattr(cego_learning, "QUICK_7", 20)


def test_the_means_of_table_6_are_those_the_paper_states() -> None:
    for method, points in (("DMC", 42.105), ("DQN", 38.777), ("NFSP", 37.618)):
        own = [value for (first, _), (value, _) in TABLE_6.items() if first == method]
        opposed = [79 - value for (_, second), (value, _) in TABLE_6.items() if second == method]
        assert sum(own + opposed) / 4 == pytest.approx(points, abs=0.001)


def test_verdicts_ask_whether_models_moved_the_result_their_way() -> None:
    assert reached(Score(46.40, 0.04, 100), Published(46.462)).kind == "agrees"
    assert reached(Score(46.30, 0.04, 100), Published(46.462)).kind == "differs"
    assert benchmark("standard", 1, Score(41.5, 0.1, 100)).kind == "agrees"
    assert benchmark("standard", 2, Score(41.5, 0.1, 100)).kind == "differs"
    assert benchmark("bettel", 2, WinRate(6000, 10_000)).kind == "agrees"
    assert benchmark("bettel", 4, WinRate(6000, 10_000)).kind == "open"


def test_random_players_reach_the_benchmark() -> None:
    points, won = soloist("standard", [None] * 4, range(40), 50, Scale())
    assert abs(points.mean - 40.795) < 4 * points.se and points.n == won.games == 2000


def test_small_editions_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cego_learning, "curves", lambda scale: cego_learning.Figure("", "<svg></svg>"))
    result = run_experiment("cego.table5", Scale(), tmp_path)
    assert len(result.tables[0].rows) >= len(TABLE_5) - 1
    assert len(run_experiment("cego.table6", Scale(), tmp_path).tables[0].rows) <= len(TABLE_6)
    assert {row[0] for row in run_experiment("cego.table7", Scale(), tmp_path).tables[0].rows} <= set(TABLE_7)
