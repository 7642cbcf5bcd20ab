"""Cego's learning experiments: published numbers, the arithmetic around them, and small editions that run."""

from pathlib import Path

import pytest

from kibitz.arena.statistics import Score, WinRate
from kibitz.papers import cego_playing
from kibitz.papers.cego_meetings import own_side
from kibitz.papers.cego_playing import MEANS_6, TABLE_5, TABLE_6, TABLE_7, published, soloist
from kibitz.papers.cego_subgames import judged
from kibitz.papers.cego_tuning import configured_as
from kibitz.papers.experiment import Scale, run_experiment


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cego_playing, "QUICK", 50)
    monkeypatch.setattr(cego_playing, "QUICK_7", 20)


def test_the_means_of_table_6_are_those_the_paper_states() -> None:
    found = {pair: Score(points, 0.02, 100) for pair, (points, _) in TABLE_6.items()}
    for method, points in MEANS_6.items():
        assert own_side(method, found).mean == pytest.approx(points, abs=0.001)
        assert own_side(method, found).se == pytest.approx(0.01) and own_side(method, found).n == 400


@pytest.mark.parametrize(
    ("subgame", "setup", "ours", "kind"),
    [
        ("standard", 1, Score(46.40, 0.04, 100), "reproduced"),
        ("standard", 1, Score(44.5, 0.1, 100), "missed"),  # far above random play, and below the published 46.48
        ("standard", 1, Score(47.3, 0.03, 100), "beaten"),
        ("standard", 2, Score(38.7, 0.05, 100), "missed"),  # a defender is good if the soloist has less
        ("bettel", 2, WinRate(60_000, 100_000), "beaten"),
        ("bettel", 4, WinRate(60_000, 100_000), "form"),
    ],
)
def test_verdicts_are_against_the_published_values(subgame: str, setup: int, ours: Score | WinRate, kind: str) -> None:
    known = published(subgame, TABLE_7[subgame][setup - 1])
    assert judged(subgame, setup, known, ours).verdict.kind == kind
    assert "specialist" in judged(subgame, setup, known, ours, is_special=True).says


def test_random_players_reach_the_benchmark() -> None:
    points, won = soloist("standard", [None] * 4, range(40), 50, Scale())
    assert abs(points.mean - 40.795) < 4 * points.se and points.n == won.games == 2000


@pytest.mark.slow
def test_small_editions_run(tmp_path: Path) -> None:
    result = run_experiment("cego.table5", Scale(), tmp_path)
    assert len(result.tables[0].rows) >= len(TABLE_5) - 1
    assert {"DMC", "DMC won", "order"} <= {claim.key for claim in result.claims}
    assert len(run_experiment("cego.table6", Scale(), tmp_path).tables[0].rows) == len(TABLE_6)
    assert {row[0] for row in run_experiment("cego.table7", Scale(), tmp_path).tables[0].rows} <= set(TABLE_7)


def test_the_search_learns_fewer_batches_at_a_higher_rate() -> None:
    config = configured_as("nfsp", "tricks", {"policy_rate": "1e-3", "policy_batch": "64"})
    assert (config.rewards, config.learned, config.policy_learned, config.target_every) == ("tricks", 4.0, 8.0, 1250)
    assert config.rate == pytest.approx(8e-5) and config.policy_rate == pytest.approx(8e-3)
