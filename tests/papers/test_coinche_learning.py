"""The experiments with learners of Coinche: their tables are whole, and verdicts say what they should."""

import contextlib
import dataclasses
from pathlib import Path

import pytest

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.games.coinche.metrics import metrics
from kibitz.papers import (
    coinche_beyond,
    coinche_course,
    coinche_crossplay,
    coinche_learning,
    coinche_matches,
    coinche_selfplay,
    pieces,
)
from kibitz.papers.coinche import tallies_of
from kibitz.papers.coinche_course import Course, Lesson, Look, course
from kibitz.papers.coinche_selfplay import sampled_config
from kibitz.papers.experiment import Scale, names, silent
from kibitz.papers.pieces import Pieces
from kibitz.papers.result import to_json

SCALE = Scale("quick", 1)
SAID = {"loss": 0.0, "policy_loss": 0.1, "iteration": 1, "guess": 0.5}


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule players stand in for learners, so that nothing is trained."""

    def two_looks(lesson: Lesson, scale: Scale, what: str, stops: object = None) -> Course:
        bots = f"coinche-strong,{lesson.rival},coinche-strong,{lesson.rival}"
        side = metrics(tallies_of(lesson.game, bots, 200, SCALE))[0]
        return Course(lesson, [Look(100, side, side, SAID), Look(200, side, side, SAID)], {})

    for module in (coinche_course, coinche_beyond):
        monkeypatch.setattr(module, "course", two_looks)


@pytest.mark.parametrize("name", ["figure1", "figure2", "figure3", "figure4"])
def test_every_figure_has_its_tables_and_curves(untrained: None, name: str) -> None:
    assert f"coinche.{name}" in names()
    result = getattr(coinche_selfplay if name == "figure1" else coinche_learning, name)(SCALE)
    assert result.tables and len(result.figures) >= 5 and result.notes
    assert to_json(result)


def test_what_lies_beyond_has_a_row_for_every_encoding_and_guess(untrained: None) -> None:
    result = coinche_beyond.beyond(SCALE)
    assert [len(table.rows) for table in result.tables] == [5, 2]


def test_learners_at_one_table_are_compared_as_partners_opponents_and_bidders(
    untrained: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    strong = make_bot(make("coinche-paper", reward="mirror"), "coinche-strong")
    monkeypatch.setattr(Course, "bot", lambda *_: strong)
    seatings, masks, starts, partners, opponents, bids = coinche_crossplay.crossplay(SCALE).tables
    assert [len(table.rows) for table in (seatings, masks, starts)] == [16, 16, 8]
    assert len(partners.rows) == 4 and len(opponents.rows) == 4
    told = {row[:2]: row for row in bids.rows}
    assert told["ppo 1", "80"][3:] == told["coinche-strong", "80"][3:]
    assert (
        told["coinche-strong", "90"][4:6] > (0.5, 0.5) and told["coinche-strong", "80"][3] >= 2
    )  # jack and nine, three trumps


def test_figure_1_tells_rewards_estimators_artefacts_and_readings_apart(untrained: None) -> None:
    outcomes, effects, _ = coinche_selfplay.figure1(SCALE).tables
    assert len(outcomes.rows) == 10 and {row[:3] for row in outcomes.rows} >= {
        ("mirror", "paper", "off"),
        ("classic", "unbiased", "on"),
        ("mirror", "probes", "off"),
    }
    assert [row[0] for row in effects.rows] == ["reading", "estimator", "reward", "artefacts"]
    assert all(row[-1].kind == "differs" for row in outcomes.rows)  # coinche-strong does not pass


@pytest.mark.slow
def test_matches_are_compared_in_three_duels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coinche_matches, "ROUNDS", {"quick": 2, "full": 2})
    monkeypatch.setattr(coinche_matches, "MATCHES", {"quick": 8, "full": 8})
    result = coinche_matches.matches(SCALE)
    assert [len(table.rows) for table in result.tables] == [3, 3, len(coinche_matches.STANDINGS)]
    assert "coinche.matches" in names() and to_json(result)


def test_claims_are_held_against_every_run(untrained: None) -> None:
    claims = coinche_learning.figure2(SCALE).tables[0].rows
    told = {row[1]: row[-1].kind for row in claims if row[0] == "ours"}
    assert told["strong: contracts broken"] == "differs"  # strong breaks half of strong's contracts, not 70 %
    assert told["simple: few attacks"] == "differs"
    assert told["strong: breaks fewer contracts than of simple, by"] == "agrees"


def test_a_course_looks_before_the_first_round_and_after_the_last_in_both_readings() -> None:
    config = dataclasses.replace(
        sampled_config(SCALE, "unbiased"), traversals=4, steps=1, policy_steps=1, memory=500, policy_memory=500
    )
    lesson = Lesson(
        make("coinche-paper"),
        "deep-cfr",
        config,
        2,
        looks=2,
        deals=32,
        last_deals=64,
        rival="coinche-simple",
        is_kept=True,
    )
    taken = course(lesson, SCALE, "test")
    assert len(taken.looks) == 3 and taken.looks[0].frames == 0 < taken.looks[1].frames < taken.looks[2].frames
    assert [look.drawn["void_rate"].n for look in taken.looks] == [8, 8, 16]
    assert any(look.drawn.as_json() != look.greedy.as_json() for look in taken.looks)
    bot = taken.bot(SCALE, "greedy")
    again = coinche_course.tallied(
        lesson.game, [bot, *coinche_course.pupil(lesson, SCALE)[0].values()][:1] * 4, 4, SCALE
    )
    assert again.sum() > 0


def test_runs_differ_in_their_training_and_share_the_deals_they_are_judged_on() -> None:
    config = dataclasses.replace(
        sampled_config(SCALE, "paper"), traversals=4, steps=1, policy_steps=1, memory=500, policy_memory=500
    )
    lesson = Lesson(
        make("coinche-paper"), "deep-cfr", config, 1, looks=1, deals=32, rival="coinche-simple", is_kept=True
    )
    one, other = coinche_course.several(lesson, SCALE, "test", 2)
    assert any((one.weights[name] != other.weights[name]).any() for name in one.weights)


def stopped_course(lesson: Lesson, folder: Path, stop: int) -> list[list[float]]:
    """The looks of a course that is broken off after some rounds and then taken up; 0 goes through."""

    def progress(what: str, done: int, total: int) -> None:
        if done == stop:
            raise KeyboardInterrupt

    for told in (progress, silent) if stop else (silent,):
        scale = Scale("quick", 1, progress=told, pieces=Pieces(folder, "coinche.test", 1, "quick", 1))
        with contextlib.suppress(KeyboardInterrupt):
            looks = course(lesson, scale, "course").looks
    return [[look.frames, *look.drawn.tallies, *look.greedy.tallies] for look in looks]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["deep-cfr", "probes", "ppo", "ppo-sb3", "partnered"])
def test_a_course_that_was_broken_off_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(pieces, "EVERY", 0.0)
    monkeypatch.setattr(pieces, "SHARE", 1e9)
    configs = {
        "deep-cfr": dataclasses.replace(
            sampled_config(SCALE, "paper"), traversals=8, steps=2, policy_steps=2, memory=500, policy_memory=500
        ),
        "probes": dataclasses.replace(
            sampled_config(SCALE, "probes"), traversals=8, steps=2, policy_steps=2, memory=500, policy_memory=500
        ),
        "ppo": coinche_learning.own_ppo(SCALE, batch=64),
        "ppo-sb3": dataclasses.replace(coinche_learning.paper_ppo(SCALE), steps=16, tables=4),
        "partnered": coinche_beyond.partner_config(SCALE, games=32, batch=32, weight=0.1),
    }
    game = make("coinche") if method == "partnered" else make("coinche-paper", reward="good")
    learner = {"probes": "deep-cfr", "ppo-sb3": "ppo"}.get(method, method)
    is_kept = method == "ppo"
    lesson = Lesson(game, learner, configs[method], 4, rival="coinche-simple", looks=4, deals=64, is_kept=is_kept)
    whole = stopped_course(lesson, tmp_path / "whole", 0)
    stopped = stopped_course(lesson, tmp_path / "stopped", 2)
    assert len(whole) == 5 and whole == stopped
    assert [path.suffix for path in (tmp_path / "stopped").rglob("*.*") if path.is_file()] == [
        ".npz" if is_kept else ".json"
    ]
