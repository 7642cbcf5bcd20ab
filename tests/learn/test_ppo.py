"""Our own PPO: advantages as the textbook adds them up, the clip, units, a coach, and runs that resume."""

from pathlib import Path

import numpy as np
import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import make
from kibitz.learn.model import Card, load_model
from kibitz.learn.ppo import PRESETS, Ppo, PpoConfig, Sb3Config, advantages, surrogate, trick_points
from kibitz.learn.run import News, Plan, configured, make_learner, train
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.senses import sense
from tests.learn.kills import ends_the_same

SMALL = {"layers": "16", "games": "32", "batch": "64", "epochs": "2"}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plan(frames: int = 400, **other: object) -> Plan:
    defaults = {"seating": Seating((0,), "all"), "frames": frames, "evaluation_games": 64, "checkpoint_every": 0.0}
    return Plan(make("leduc"), "ppo", configured("ppo", "default", SMALL), **(defaults | other))  # type: ignore[arg-type]


def run(asked: Plan, out: Path, stop_at: int = 10**9) -> Card:
    def watch(news: News) -> None:
        if news.frames >= stop_at:
            raise RuntimeError("killed")

    return train(asked, out, make_bot, watch)


def test_advantages_are_sums_of_discounted_surprises() -> None:
    paid, expected = np.array([0.0, 2.0, 1.0, -1.0, 5.0]), np.array([1.0, 0.5, 0.2, 0.3, 4.0])
    last = np.array([False, False, True, True, True])
    found = advantages(paid, expected, last, 0.9, 0.8)
    surprise = [0.0 + 0.9 * 0.5 - 1.0, 2.0 + 0.9 * 0.2 - 0.5, 1.0 - 0.2]
    assert found[2] == pytest.approx(surprise[2])
    assert found[1] == pytest.approx(surprise[1] + 0.72 * surprise[2])
    assert found[0] == pytest.approx(surprise[0] + 0.72 * found[1])
    assert found[3:] == pytest.approx([-1.3, 1.0])


def test_beyond_the_clip_there_is_nothing_more_to_gain() -> None:
    before = torch.zeros(1)
    now = torch.tensor([0.5], requires_grad=True)
    surrogate(now, before, torch.ones(1), 0.2).backward()
    assert now.grad is not None and float(now.grad) == 0.0
    now = torch.tensor([0.5], requires_grad=True)
    surrogate(now, before, -torch.ones(1), 0.2).backward()
    assert now.grad is not None and float(now.grad) > 0.0


def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = run(plan(), tmp_path / "whole")
    with pytest.raises(RuntimeError, match="killed"):
        run(plan(), tmp_path / "parts", 150)
    assert run(plan(), tmp_path / "parts").sha256 == whole.sha256
    assert run(plan(seed=2), tmp_path / "other").sha256 != whole.sha256


def test_several_seats_learn_with_one_network_or_their_own(tmp_path: Path) -> None:
    for share, seats in (("all", [0, 0]), ("seat", [0, 1])):
        card = run(plan(200, seating=Seating((0, 1), share)), tmp_path / share)
        assert list(card.seats) == seats and card.kind == "policy" and card.method == "ppo"
    assert load_model(tmp_path / "seat", make("leduc")).networks[1] is not None


def coinche_learner(**changes: object) -> Ppo:
    game = make("coinche-paper", reward="good")
    bots = {name: make_bot(game, name) for name in ("random", "coinche-simple")}
    config = PpoConfig(layers=(16,), games=24, batch=64, epochs=1, **changes)  # type: ignore[arg-type]
    seats = Seats(game, Seating((0, 2), "all", ("coinche-simple",)), bots, 1)
    return Ppo(sense(game, config.observation), seats, config, 1)


def test_what_a_line_is_paid_adds_up_to_the_return_and_a_tenth_of_its_tricks(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, np.ndarray] = {}

    def keep(paid: np.ndarray, expected: np.ndarray, last: np.ndarray, *_: float) -> np.ndarray:
        found.update(paid=paid, last=last)
        return np.zeros(len(paid))

    monkeypatch.setattr("kibitz.learn.ppo.advantages", keep)
    learner = coinche_learner(tricks=0.1, unit=10.0)
    learner.round(0.0)
    sums = np.diff(np.cumsum(found["paid"])[found["last"]], prepend=0.0) * 10.0
    state, games = learner.selfplay.tables.state, np.arange(24)
    points, returns = trick_points(learner.sense.game), learner.selfplay.tables.returns
    whole = [returns[:, seat] + 0.1 * points(state, games, np.full(24, seat)) for seat in (0, 2)]
    assert np.sort(sums) == pytest.approx(np.sort(np.concatenate(whole)), abs=1e-3)


def test_a_coach_is_imitated_first_and_barred_actions_are_never_taken() -> None:
    learner = coinche_learner(coach="coinche-simple", coached=0.5, barred=tuple(range(5, 41)))
    told = learner.round(0.0)
    assert told["loss"] > 0 and learner.frames > 0  # cross-entropy, which PPO's own loss is not
    learner.round(0.9)
    logs = np.concatenate(learner.slots[0].likelihood)
    assert (logs <= 0).all() and np.isfinite(logs).all()
    taken = learner.selfplay._shelves[0].chosen
    assert not np.isin(np.concatenate(taken), range(5, 41)).any()


def test_the_presets_know_which_learner_they_are_for() -> None:
    assert isinstance(PRESETS["default"], PpoConfig) and isinstance(PRESETS["paper"], Sb3Config)
    assert make_learner(plan(), {"random": make_bot(make("leduc"), "random")})[1].__class__ is Ppo


def test_what_cannot_be_is_refused_in_one_line() -> None:
    for changes, problem, message in (
        ({"form": "state-action"}, BadInput, "PPO has no form=state-action"),
        ({"barred": (75,)}, BadOption, "actions below 75"),
        ({"coach": "nobody"}, BadInput, "among the rivals or baselines"),
    ):
        with pytest.raises(problem, match=message):
            coinche_learner(**changes)
    with pytest.raises(BadInput, match="tricks=0"):
        trick_points(make("leduc"))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ppo_learns_to_beat_a_random_player_at_leduc(tmp_path: Path) -> None:
    config = configured("ppo", "default", {"unit": "5", "games": "1024", "batch": "1024"})
    asked = Plan(make("leduc"), "ppo", config, Seating((0,), "all"), frames=400_000, evaluation_games=8192)
    assert next(iter(run(asked, tmp_path).scores.values()))["mean"] > 0.6


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_process_killed_at_twenty_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    changes = [part for key, value in SMALL.items() for part in ("--with", f"{key}={value}")]
    seats = ("--learners", "0", "--share", "all")
    assert ends_the_same(tmp_path, "leduc", "--method", "ppo", *seats, "--frames", "10000", *changes)
