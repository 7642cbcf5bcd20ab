"""PPO by sb3-contrib on our tables: rewards add up, the model plays everywhere, an interrupted run ends the same."""

import builtins
import importlib
from pathlib import Path

import numpy as np
import pytest
import torch

from kibitz.adapters.tables import Tables
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.game import make
from kibitz.learn import ppo_sb3 as ppo
from kibitz.learn.model import Card, load_model
from kibitz.learn.ppo import PRESETS, Sb3Config
from kibitz.learn.ppo_sb3 import DealEnv, Sb3Ppo, own_seats
from kibitz.learn.run import News, Plan, configured, make_learner, train
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.senses import sense
from tests.learn.kills import ends_the_same

SMALL = {"layers": "16", "tables": "8", "steps": "16", "batch": "32", "epochs": "2"}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plan(frames: int = 512, **other: object) -> Plan:
    defaults = {"seating": Seating((0,), "all"), "frames": frames, "evaluation_games": 64, "checkpoint_every": 0.0}
    return Plan(
        make("leduc"),
        "ppo",
        configured("ppo", "paper", SMALL | {"observation": "default", "tricks": "0"}),
        **(defaults | other),
    )  # type: ignore[arg-type]


def run(asked: Plan, out: Path, stop_at: int = 10**9) -> Card:
    def watch(news: News) -> None:
        if news.frames >= stop_at:
            raise RuntimeError("killed")

    return train(asked, out, make_bot, watch)


def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = run(plan(), tmp_path / "whole")
    for stop in (128, 300):
        with pytest.raises(RuntimeError, match="killed"):
            run(plan(), tmp_path / "parts", stop)
    assert run(plan(), tmp_path / "parts").sha256 == whole.sha256
    assert run(plan(seed=2), tmp_path / "other").sha256 != whole.sha256


def test_the_saved_network_says_what_sb3_says(tmp_path: Path) -> None:
    game = make("leduc")
    seats = Seats(game, Seating((0,), "all"), {"random": make_bot(game, "random")}, 1)
    learner = Sb3Ppo(
        sense(game, "default"), seats, Sb3Config("default", (16,), tables=8, steps=16, batch=32, tricks=0), 1
    )
    learner.round(0.0)
    seen = torch.from_numpy(learner.env.tables.obs)
    with torch.no_grad():
        theirs = learner.model.policy.get_distribution(seen).distribution.logits
        ours = learner.networks[0](seen)
    assert torch.allclose(torch.log_softmax(ours, 1), theirs, atol=1e-5)


def test_a_recurrent_policy_is_saved_as_sb3_has_it_and_plays(tmp_path: Path) -> None:
    game = make("coinche")
    config = Sb3Config("onehot", (16,), form="recurrent", tables=4, steps=16, batch=32, epochs=1)
    asked = Plan(game, "ppo", config, Seating((0, 2), "all"), frames=64, evaluation_games=8, checkpoint_every=0.0)
    learner = make_learner(asked, {"random": make_bot(game, "random")})[1]
    learner.round(0.0)
    seen = torch.from_numpy(learner.env.tables.obs)
    with torch.no_grad():
        theirs = learner.model.policy.get_distribution(seen).distribution.logits
        ours = learner.networks[0](seen)
    assert torch.allclose(torch.log_softmax(ours, 1), theirs, atol=1e-5)
    train(asked, tmp_path, make_bot)
    model = load_model(tmp_path, game)
    assert model.networks[0].form == "recurrent" and model.networks[0].listener is not None
    with pytest.raises(BadInput, match="PPO has no form=state-action"):
        make_learner(
            Plan(game, "ppo", Sb3Config(form="state-action"), Seating((0, 2), "all")),
            {"random": make_bot(game, "random")},
        )


def test_global_generators_are_left_as_they_were() -> None:
    torch.manual_seed(5)
    np.random.seed(5)
    with ppo._own_luck(1, 2):
        inside = torch.rand(1), np.random.random()
    assert (torch.rand(1), np.random.random()) != inside
    torch.manual_seed(5)
    np.random.seed(5)
    first = float(torch.rand(1)), np.random.random()
    torch.manual_seed(5)
    np.random.seed(5)
    with ppo._own_luck(1, 2):
        torch.rand(3)
        np.random.random(3)
    assert (float(torch.rand(1)), np.random.random()) == first


def test_tricks_pay_a_tenth_of_their_points_and_nothing_else() -> None:
    game = make("coinche-paper", reward="good")
    sums = {}
    for share in (0.0, 0.1):
        env = DealEnv(Tables(game, 32, (0, 2), "random"), Sb3Config("default", tricks=share))
        env.restart(np.arange(32))
        luck, total, deals = np.random.default_rng(1), np.zeros(32), np.zeros(32)
        for _ in range(120):
            env.step_async(env.tables.sample(luck))
            _, rewards, over, _ = env.step_wait()
            total += np.where(deals == 0, rewards, 0.0)
            deals += over
        sums[share] = total
        assert (deals > 0).all()
    extra = (sums[0.1] - sums[0.0]) / 0.1
    assert (extra > -1e-3).all() and (extra < 162.001).all()
    assert extra == pytest.approx(np.round(extra), abs=1e-2)
    assert 60 < extra.mean() < 105


def test_one_policy_takes_one_side() -> None:
    game = make("coinche")
    assert list(own_seats(game, Seats(game, Seating((0, 1, 2, 3), "all"), {}, 1))) == [0, 2]
    assert list(own_seats(game, Seats(game, Seating((1, 3), "all"), {}, 1))) == [1, 3]


def test_the_papers_preset_is_its_section_5_3() -> None:
    paper = PRESETS["paper"]
    assert (paper.tables, paper.steps, paper.batch, paper.tricks) == (64, 512, 512, 0.1)
    assert (paper.rate, paper.epochs, paper.discount, paper.clip, paper.layers) == (3e-4, 10, 0.99, 0.2, (64, 64))


def test_what_cannot_be_is_refused_in_one_line() -> None:
    game = make("coinche")
    seats = Seats(game, Seating((0, 2), "all"), {"random": make_bot(game, "random")}, 1)
    with pytest.raises(BadInput, match="observation=compact"):
        Sb3Ppo(sense(game), seats, Sb3Config(), 1)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith("sb3_contrib"):
            raise ModuleNotFoundError("No module named 'sb3_contrib'", name="sb3_contrib")
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="sb3_contrib is not installed: pip install"):
        importlib.reload(ppo)
    monkeypatch.undo()
    importlib.reload(ppo)


def test_a_trained_policy_sits_at_a_table(tmp_path: Path) -> None:
    run(plan(), tmp_path)
    model = load_model(tmp_path, make("leduc"))
    assert model.card.method == "ppo" and model.card.kind == "policy" and list(model.card.seats) == [0, -1]
    assert make_bot(make("leduc"), f"net:{tmp_path}:sample").name.startswith("net:")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ppo_learns_to_beat_a_random_player_at_leduc(tmp_path: Path) -> None:
    config = configured("ppo", "paper", {"unit": "5", "observation": "default", "tricks": "0"})
    asked = Plan(make("leduc"), "ppo", config, Seating((0,), "all"), frames=400_000, evaluation_games=8192)
    assert next(iter(run(asked, tmp_path).scores.values()))["mean"] > 0.6


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_process_killed_at_twenty_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    changes = [part for key, value in SMALL.items() for part in ("--with", f"{key}={value}")]
    seats = ("--learners", "0", "--share", "all")
    ours = ("--preset", "paper", "--with", "observation=default", "--with", "tricks=0")
    assert ends_the_same(tmp_path, "leduc", "--method", "ppo", *ours, *seats, "--frames", "10000", *changes)
