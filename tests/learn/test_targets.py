"""Targets: how far they trust the end of a game, and when a decision is rewarded."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.errors import BadOption
from kibitz.core.game import make
from kibitz.learn.dmc import traced
from kibitz.learn.run import Plan, configured, make_learner
from tests.learn.test_run import SMALL, plan, run


def column(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def test_a_target_lies_between_the_end_of_the_game_and_the_value_of_the_next_decision() -> None:
    end, value = column(5, 5, 5, 2, 2), column(1, 2, 3, 7, 8)
    is_last = np.array([False, False, True, False, True])
    assert traced(end, value, is_last, 1.0).tolist() == end.tolist()
    assert traced(end, value, is_last, 0.0).tolist() == [2, 3, 5, 8, 2]
    assert traced(end, value, is_last, 0.5).tolist() == [3.0, 4.0, 5.0, 5.0, 2.0]


def test_a_killed_run_with_traced_targets_and_fading_exploration_ends_the_same(tmp_path: Path) -> None:
    asked = plan(config={"trace": 0.3, "last_epsilon": 0.1})
    whole = run(asked, tmp_path / "whole")
    with pytest.raises(RuntimeError, match="killed"):
        run(asked, tmp_path / "parts", 600)
    assert run(asked, tmp_path / "parts").sha256 == whole.sha256
    assert run(plan(), tmp_path / "plain").sha256 != whole.sha256


@pytest.mark.parametrize("method", ["dqn", "nfsp"])
def test_with_rewards_at_the_end_only_the_last_decision_is_rewarded(method: str) -> None:
    game = make("cego-standard")
    config = configured(method, "default", {**SMALL[method], "rewards": "end", "replay": "1000"})
    _, learner = make_learner(Plan(game, method, config, frames=1), {"random": make_bot(game, "random")})
    learner.round(0.0)
    slot = (learner.slots if method == "dqn" else learner.best)[0]  # type: ignore[attr-defined]
    rewards = slot.replay.reward[: slot.replay.size].reshape(32, 11).numpy()
    assert not rewards[:, :10].any() and (rewards[:, 10] > 0).all()
    with pytest.raises(BadOption, match="tricks or end"):
        make_learner(Plan(game, "dqn", configured("dqn", "default", {"rewards": "now"}), frames=1), {})
