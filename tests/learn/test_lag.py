"""DMC that plays a round while it learns the one before: the same whether side by side or in turn, killed or not."""

from pathlib import Path

import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import make
from kibitz.core.work import Serial
from kibitz.learn.run import Plan, configured, make_learner, train
from tests.learn.test_run import plan, run


def test_side_by_side_and_in_turn_give_the_same_weights(tmp_path: Path) -> None:
    asked = plan(config={"lag": 1})
    in_turn = run(asked, tmp_path / "in turn")
    try:
        torch.set_num_threads(2)
        side_by_side = run(asked, tmp_path / "side by side")
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)
    assert side_by_side.sha256 == in_turn.sha256 != run(plan(), tmp_path / "no lag").sha256


def test_a_killed_run_that_lags_ends_with_the_same_weights(tmp_path: Path) -> None:
    asked = plan(config={"lag": 1, "trace": 0.5, "last_epsilon": 0.1})
    whole = run(asked, tmp_path / "whole")
    for stop in (200, 600, 1100):
        with pytest.raises(RuntimeError, match="killed"):
            run(asked, tmp_path / "parts", stop)
    assert run(asked, tmp_path / "parts").sha256 == whole.sha256


def test_a_round_is_played_with_the_weights_from_before_the_last_one_was_learned() -> None:
    game = make("leduc")
    config = configured("dmc", "default", {"layers": "16", "games": "64", "batch": "64", "lag": "1"})
    _, learner = make_learner(Plan(game, "dmc", config, frames=1), {"random": make_bot(game, "random")})
    seen = []
    for number in range(3):
        before = learner.networks[0].layers[0].weight.detach().clone()
        learner.round(number / 3)
        seen.append(learner.behind[0].layers[0].weight.detach().clone())  # type: ignore[attr-defined]
        assert torch.equal(seen[-1], before) and not torch.equal(learner.networks[0].layers[0].weight, before)
    assert learner.rounds == 3


def test_who_cannot_lag_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="with dmc it is"):
        make_learner(Plan(make("coinche"), "coached", configured("coached", "default", {"lag": "1"}), frames=1), {})
    with pytest.raises(BadOption, match="from 0 to 1"):
        configured("dmc", "default", {"lag": "2"})
    with pytest.raises(BadInput, match="--staleness"):
        train(plan(config={"lag": 1}), tmp_path, make_bot, executor=Serial)
