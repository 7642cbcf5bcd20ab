"""Matches of Coinche: chances from scores, players who see the score or not, runs that resume."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.games.coinche.layout import TOTAL_NS
from kibitz.learn.coinche.matches import WATCHED, MatchConfig, Matches, duel, play_matches
from kibitz.learn.equity import Equity, is_over
from kibitz.learn.run import News, Plan, make_learner, train
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.senses import sense

GAME = make("coinche", target=1000)
SEATING = Seating((0, 1, 2, 3), "all", ("coinche-strong",))
SMALL = MatchConfig(layers=(16,), games=32, batch=64, coach="coinche-strong")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def learner(config: MatchConfig) -> Matches:
    bots = {name: make_bot(GAME, name) for name in ("random", "coinche-strong")}
    made = make_learner(Plan(GAME, "matches", config, SEATING, frames=1), bots)[1]
    assert isinstance(made, Matches)
    return made


def test_chances_are_fair_certain_at_the_end_and_counted() -> None:
    equity = Equity(1000)
    totals = np.array([[0, 0], [450, 450], [900, 100], [1010, 990], [1100, 1150]])
    chance = equity.chance(totals)
    assert chance[:2] == pytest.approx(0.5) and chance[2] > 0.8 and list(chance[3:]) == [1.0, 0.0]
    assert equity.chance(totals[:, ::-1]) == pytest.approx(1.0 - chance)
    equity.note(np.tile([[300, 500]], (5000, 1)), np.arange(5000) % 10 < 3)
    assert equity.chance(np.array([[300, 500], [500, 300]])) == pytest.approx([0.3, 0.7], abs=0.01)
    assert list(is_over(np.array([[1000, 999], [1000, 1000], [999, 0]]), 1000)) == [True, False, False]


def test_the_score_is_in_sight_only_of_who_sees_it() -> None:
    for sees in (True, False):
        one = learner(replace(SMALL, sees_score=sees))
        one.round(0.0)
        one.round(0.0)
        assert one.selfplay.tables.state[:, TOTAL_NS].max() > 0
        shelf = one.selfplay._shelves[0]
        assert bool((shelf.observation[: shelf.used, WATCHED] > 0).any()) == sees


def test_what_is_learned_adds_up_to_the_match() -> None:
    one = learner(SMALL)
    for _ in range(30):
        one.round(0.0)
    assert one.finished > 32 and one.equity.seen.sum() > 2 * 11 * 11 * 10
    chance = one.equity.chance(np.array([[0, 0], [600, 0]]))
    assert chance[0] == pytest.approx(0.5) and chance[1] > 0.6


def test_the_better_player_wins_more_matches_whatever_the_seats() -> None:
    strong, simple = make_bot(GAME, "coinche-strong"), make_bot(GAME, "coinche-simple")
    shares = duel(sense(GAME), strong, simple, 128, 5)
    assert set(np.unique(shares)) <= {0.0, 0.25, 0.5, 0.75, 1.0} and shares.mean() > 0.7
    assert play_matches(sense(GAME), [strong, strong], 64, 5).mean() == pytest.approx(0.5, abs=0.2)


def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    plan = Plan(GAME, "matches", SMALL, SEATING, frames=8000, evaluation_games=8, checkpoint_every=0.0)

    def watch(news: News) -> None:
        if 3000 < news.frames < 6000:
            raise RuntimeError("killed")

    whole = train(plan, tmp_path / "whole", make_bot)
    with pytest.raises(RuntimeError, match="killed"):
        train(plan, tmp_path / "parts", make_bot, watch)
    assert train(plan, tmp_path / "parts", make_bot).sha256 == whole.sha256


def test_other_games_and_goals_are_refused() -> None:
    with pytest.raises(BadInput, match="goal=fun is not possible"):
        learner(MatchConfig(goal="fun"))
    leduc = make("leduc")
    with pytest.raises(BadInput, match="learned in Coinche"):
        Matches(sense(leduc), Seats(leduc, Seating((0,)), {}, 1), MatchConfig(), 1)
