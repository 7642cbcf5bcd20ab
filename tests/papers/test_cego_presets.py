"""The Cego paper's own settings: the stop rule, what the presets say, and a course that a kill does not change."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kibitz.core.arrays import Arrays
from kibitz.learn.dqn import falling_epsilon
from kibitz.learn.run import configured
from kibitz.learn.stopping import StopRule
from kibitz.papers.cego_playing import needs_torch
from kibitz.papers.cego_presets import KEPT, course
from kibitz.papers.experiment import Bookmark, Scale

RULE = StopRule(every=20, games=40, stretch=2, most=120)


def test_training_stops_when_a_stretch_is_below_the_one_before() -> None:
    rule = StopRule(stretch=2)
    assert not rule.is_falling([]) and not rule.is_falling([41.0, 42.0])
    assert not rule.is_falling([41.0, 42.0, 40.0])  # an unfinished stretch decides nothing
    assert rule.is_falling([41.0, 42.0, 40.0, 42.5])
    assert not rule.is_falling([41.0, 42.0, 42.0, 41.0])  # level is not lower
    assert not rule.is_falling([50.0, 50.0, 41.0, 42.0, 41.5, 42.0])  # only the stretch before counts


@pytest.mark.parametrize("method", ["dqn", "nfsp"])
def test_the_preset_has_the_settings_of_table_4(method: str) -> None:
    config = configured(method, "paper")
    assert (config.replay, config.warm_up, config.target_every, config.batch) == (100_000, 100, 10_000, 32)
    assert (config.discount, config.rate, config.layers, config.rewards) == (0.95, 1e-5, (512, 512), "end")
    assert config.double and config.learned == config.batch and config.last_rate == config.unit == 1.0
    assert [falling_epsilon(config, 0.0, frames) for frames in (0, 50_000, 100_000, 10**6)] == pytest.approx(
        [1.0, 0.55, 0.1, 0.1]
    )
    if method == "nfsp":
        assert (config.policy_layers, config.reservoir, config.eta) == ((512, 512), 100_000, 0.5)
        assert config.policy_batch == config.policy_learned == 32 and config.policy_rate == 1e-4 and config.strays


class Interrupted(Bookmark):
    """Puts everything aside after so many rounds, and ends there."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after
        self.aside: tuple[Arrays, Any] | None = None

    def take_up(self, restore: Callable[[Arrays], None]) -> Any:
        if self.aside is None:
            return None
        restore(self.aside[0])
        return self.aside[1]

    def keep(self, state: Callable[[], Arrays], notes: Any) -> None:
        self.after -= 1
        if self.after == 0:
            self.aside = state(), {**notes, "points": list(notes["points"])}
            raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["DQN", "NFSP"])
def test_a_course_that_was_killed_ends_the_same(method: str) -> None:
    needs_torch()
    changes = {"layers": "16", "replay": "1000", "rate": "1e-3"}
    more = {"policy_layers": "16", "reservoir": "500"} if method == "NFSP" else {}
    config = configured(method.lower(), "paper", changes | more)
    whole = course(f"{method} 3", config, RULE, 3, Scale(), Bookmark())
    mark = Interrupted(7)
    with pytest.raises(KeyboardInterrupt):
        course(f"{method} 3", config, RULE, 3, Scale(), mark)
    again = course(f"{method} 3", config, RULE, 3, Scale(), mark)
    points, (used, is_stopped, _) = whole["points"].tolist(), whole["numbers"]
    assert is_stopped == RULE.is_falling(points) and (is_stopped or len(points) == RULE.most / RULE.every)
    assert used == len(points) * RULE.every - (RULE.stretch * RULE.every if is_stopped else 0)
    assert any(name.startswith(KEPT) for name in whole)
    assert all(np.array_equal(again[name], array) for name, array in whole.items() if name != "numbers")
    assert np.array_equal(again["numbers"][:2], whole["numbers"][:2])
