"""What learners must reach on games whose answers are known, over several seeds; and kills at random moments."""

import time
from pathlib import Path

import numpy as np
import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.learn.model import unsaved
from kibitz.learn.run import Learner, Plan, configured, make_learner, measure, train
from kibitz.learn.seats import Seating
from kibitz.learn.selfplay import Actor, greedy
from kibitz.learn.tree_policy import entries
from kibitz.tabular.best_response import best_response, expected_value, nash_conv
from tests.learn.kills import ends_the_same
from tests.learn.test_run import SMALL

pytestmark = pytest.mark.slow
KILLED = {"dmc": "40000", "dqn": "20000", "nfsp": "8000"}
"""Frames of the runs that are killed."""


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def trained(
    name: str, method: str, preset: str, frames: int, seed: int, seating: Seating
) -> tuple[Learner, np.ndarray]:
    """A learner after so many frames, and its policy over the unrolled game."""
    game = make(name)
    plan = Plan(game, method, configured(method, preset), seating, seed, frames)
    seen, learner = make_learner(plan, {"random": make_bot(game, "random")})
    while learner.frames < frames:
        learner.round(learner.frames / frames)
    tree = unroll(game)
    slots = [0, 1] if len(seating.learners) == 2 else [0, 0]
    return learner, entries(tree, unsaved(seen, learner.networks, learner.kind, slots))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nfsp_comes_near_an_equilibrium_of_kuhn(seed: int) -> None:
    _, policy = trained("kuhn", "nfsp", "default", 200_000, seed, Seating((0, 1)))
    gap = nash_conv(unroll(make("kuhn")), policy)
    print(f"NFSP, Kuhn, seed {seed}: NashConv {gap:.4f}")
    assert gap < 0.15


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dqn_finds_the_best_response_to_random_play_in_leduc(seed: int) -> None:
    tree = unroll(make("leduc"))
    _, policy = trained("leduc", "dqn", "small", 800_000, seed, Seating((0,)))
    mixed = tree.uniform()
    own = np.repeat(tree.owner == 0, np.diff(tree.offset))
    mixed[own] = policy[own]
    best, _ = best_response(tree, tree.uniform(), 0)
    value = expected_value(tree, mixed)[0]
    print(f"DQN, Leduc, seed {seed}: {value:.4f} of {best:.4f}")
    assert value > 0.98 * best


@pytest.mark.parametrize("seed", [1, 2])
def test_dmc_passes_46_points_in_cego_within_two_minutes(seed: int) -> None:
    torch.set_num_threads(2)
    game = make("cego-standard")
    random_bot = make_bot(game, "random")
    seen, learner = make_learner(Plan(game, "dmc", configured("dmc"), seed=seed), {"random": random_bot})
    learner.round(0.0)
    begun, limit = time.perf_counter(), 115.0
    while (spent := time.perf_counter() - begun) < limit:
        learner.round(spent / limit)
    players = [Actor(greedy(learner.networks[0])), random_bot, random_bot, random_bot]
    score = measure(seen, players, 65_536, 99, 0)
    print(f"DMC, Cego standard, seed {seed}: {score['mean']:.3f} +- {score['se']:.3f} points")
    assert score["mean"] > 46.0


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("method", list(SMALL))
def test_twenty_kills_leave_the_same_weights(tmp_path: Path, method: str) -> None:
    settings = [part for key, value in SMALL[method].items() for part in ("--with", f"{key}={value}")]
    assert ends_the_same(tmp_path, "leduc", "--method", method, "--frames", KILLED[method], *settings)


def test_a_learner_that_starts_again_is_the_same_learner(tmp_path: Path) -> None:
    plan = Plan(make("kuhn"), "dmc", configured("dmc", "small"), Seating((0, 1)), frames=40_000, evaluation_games=64)
    first = train(plan, tmp_path / "first", make_bot)
    assert train(plan, tmp_path / "second", make_bot).sha256 == first.sha256
