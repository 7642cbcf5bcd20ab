"""Training runs: interrupted or not, the same weights; nonsense is never saved;
one clear line when something is wrong."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import make
from kibitz.learn import run as learn_run
from kibitz.learn.model import NOBODY, Card, load_model
from kibitz.learn.run import News, Plan, configured, train
from kibitz.learn.seats import Seating, opposed

SMALL = {
    "dmc": {"layers": "16", "games": "64", "batch": "64"},
    "dqn": {"layers": "16", "games": "32", "batch": "32", "replay": "300", "target_every": "5"},
    "nfsp": {"layers": "16", "policy_layers": "16", "games": "32", "batch": "32", "policy_batch": "32", "replay": "300",
        "reservoir": "100", "eta": "0.3"},
}  # fmt: skip
FRAMES = 1500


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def plan(method: str = "dmc", **other: object) -> Plan:
    asked: Any = other.pop("config", {})
    changes = SMALL[method] | {key: str(value) for key, value in asked.items()}
    defaults = {
        "seating": Seating((0, 1), rivals=("random", "snapshot"), rival_share=0.3, snapshot_rounds=3),
        "frames": FRAMES, "evaluation_games": 64, "checkpoint_every": 0.0,
    }  # fmt: skip
    merged: Any = defaults | other
    return Plan(make("leduc"), method, configured(method, "default", changes), **merged)


def run(asked: Plan, out: Path, stop_at: int = 10**9) -> Card:
    def watch(news: News) -> None:
        if news.frames >= stop_at:
            raise RuntimeError("killed")

    return train(asked, out, make_bot, watch)


@pytest.mark.parametrize("method", list(SMALL))
def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path, method: str) -> None:
    whole = run(plan(method), tmp_path / "whole")
    for stop in (200, 600, 1100):
        with pytest.raises(RuntimeError, match="killed"):
            run(plan(method), tmp_path / "parts", stop)
    assert run(plan(method), tmp_path / "parts").sha256 == whole.sha256
    lines = [json.loads(line) for line in (tmp_path / "parts" / "metrics.jsonl").read_text().splitlines()]
    assert [line["frames"] for line in lines] == sorted(line["frames"] for line in lines)
    assert run(plan(method, seed=2), tmp_path / "other").sha256 != whole.sha256


def test_a_model_that_was_trained_plays(tmp_path: Path) -> None:
    card = run(plan(), tmp_path)
    assert card.frames >= FRAMES and list(card.seats) == [0, 1]
    assert set(card.scores) == {"seat 0 against random", "seat 1 against random"}
    score = card.scores["seat 0 against random"]
    assert score["games"] == 512 and score["se"] > 0 and 0 < score["won"] < 1
    assert load_model(tmp_path, make("leduc")).networks[1].sizes == (16,)


def test_whoever_plays_both_sides_is_measured_on_one_at_a_time(tmp_path: Path) -> None:
    card = run(plan(seating=Seating((0, 1), "all")), tmp_path)
    assert set(card.scores) == {"seat 0 against random", "seat 1 against random"}
    assert opposed(make("coinche"), [0, 0, 0, 0]) == [(0, [0, 2]), (0, [1, 3])]
    assert opposed(make("cego-standard"), [0, 1, 1, NOBODY]) == [(0, [0]), (1, [1, 2])]
    assert opposed(make("skat"), [0, 0, 0]) == [(0, [0]), (0, [1]), (0, [2])]


def test_compiling_is_told_first_and_not_counted(tmp_path: Path) -> None:
    news: list[News] = []
    train(plan(), tmp_path, make_bot, news.append)
    assert news[0].doing.startswith("getting ready") and news[-1].doing == "measuring"
    assert [one.frames for one in news[1:-1]] == sorted({one.frames for one in news[1:-1]})


def test_a_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    first = run(plan(), tmp_path)
    lines = (tmp_path / "metrics.jsonl").read_text()
    assert run(plan(), tmp_path) == first
    assert (tmp_path / "metrics.jsonl").read_text() == lines


def test_time_is_a_bound_as_well(tmp_path: Path) -> None:
    card = run(plan(frames=None, seconds=0.3), tmp_path)
    assert 0.3 <= card.seconds < 3.0


def test_ctrl_c_keeps_a_checkpoint_of_the_last_whole_round(tmp_path: Path) -> None:
    whole = run(plan(), tmp_path / "whole")

    def watch(news: News) -> None:
        if news.frames > 500:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(plan(checkpoint_every=1e9), tmp_path / "parts", make_bot, watch)
    assert (tmp_path / "parts" / "checkpoint.npz").exists()
    assert run(plan(), tmp_path / "parts").sha256 == whole.sha256


def train_and_die(out: str, what: str, checkpoint_every: float) -> None:
    """Train until this process kills itself: in the middle of a checkpoint, or between checkpoint and model."""

    def cut_off(file: BinaryIO, **_: object) -> None:
        file.write(b"half a checkpoint")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    torch.set_num_threads(1)
    if what == "checkpoint":
        np.savez = cut_off
    else:
        learn_run.save_model = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    run(plan(checkpoint_every=checkpoint_every), Path(out))


def killed_while_saving(out: Path, what: str, checkpoint_every: float) -> None:
    script = (
        f"from tests.learn.test_run import train_and_die; train_and_die({str(out)!r}, {what!r}, {checkpoint_every})"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], timeout=300)
    assert ended.returncode == -signal.SIGKILL


def test_a_kill_in_the_first_checkpoint_does_not_spoil_the_folder(tmp_path: Path) -> None:
    whole = run(plan(), tmp_path / "whole")
    killed_while_saving(tmp_path / "parts", "checkpoint", 0.0)
    (tmp_path / "parts" / ".checkpoint.npz.4242.part").write_bytes(b"of another kill")
    (tmp_path / "parts" / "events.out.tfevents.1.host").touch()
    assert run(plan(), tmp_path / "parts").sha256 == whole.sha256
    names = sorted(path.name for path in (tmp_path / "parts").iterdir())
    assert names == [
        f"{whole.sha256[:12]}.safetensors",
        "card.json",
        "checkpoint.npz",
        "events.out.tfevents.1.host",
        "metrics.jsonl",
    ]


def test_a_kill_between_the_last_checkpoint_and_the_model_is_made_good(tmp_path: Path) -> None:
    whole = run(plan(checkpoint_every=1e9), tmp_path / "whole")
    with pytest.raises(RuntimeError, match="killed"):
        run(plan(), tmp_path / "parts", 600)  # an early model lies in the folder
    killed_while_saving(tmp_path / "parts", "model", 1e9)
    found = run(plan(checkpoint_every=1e9), tmp_path / "parts")
    assert (found.sha256, found.frames, found.scores) == (whole.sha256, whole.frames, whole.scores)


def test_ctrl_c_in_the_last_round_does_not_cost_the_evaluation(tmp_path: Path) -> None:
    whole = run(plan(), tmp_path / "whole")

    def watch(news: News) -> None:
        if news.progress >= 1.0 and not news.doing:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(plan(), tmp_path / "parts", make_bot, watch)
    assert run(plan(), tmp_path / "parts").scores == whole.scores


def test_a_folder_has_one_trainer(tmp_path: Path) -> None:
    refused = []

    def watch(news: News) -> None:
        if news.frames > 500 and not refused:
            with pytest.raises(BadInput, match="wait for it, or give another --out") as told:
                run(plan(), tmp_path)
            refused.append(str(told.value))

    whole = train(plan(), tmp_path, make_bot, watch)
    assert f"{tmp_path} is being trained by process {os.getpid()} on {socket.gethostname()}" in refused[0]
    assert run(plan(), tmp_path) == whole and not (tmp_path / ".lock").exists()


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError, match="killed"):
        run(plan(), tmp_path, 600)
    kept = (tmp_path / "checkpoint.npz").read_bytes()
    monkeypatch.setattr("kibitz.learn.dmc.targets", lambda frames, target: np.full(len(frames), np.nan, np.float32))
    with pytest.raises(
        BadInput, match=r"no longer a number after .* frames; the last good checkpoint is .*checkpoint.npz"
    ):
        run(plan(), tmp_path)
    assert (tmp_path / "checkpoint.npz").read_bytes() == kept


def test_a_full_disk_is_told_and_the_last_checkpoint_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="killed"):
        run(plan(), tmp_path, 600)
    kept = (tmp_path / "checkpoint.npz").read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("kibitz.core.checkpoint.np.savez", full)
    with pytest.raises(BadInput, match=r"checkpoint.npz cannot be written: No space left on device"):
        run(plan(), tmp_path)
    assert (tmp_path / "checkpoint.npz").read_bytes() == kept
    assert not list(tmp_path.glob(".*.part"))


def test_checkpoints_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="killed"):
        run(plan(), tmp_path, 600)
    with pytest.raises(BadInput, match=r"checkpoint of another run \(seed 1, asked for 2\)"):
        run(plan(seed=2), tmp_path)
    with pytest.raises(BadInput, match=r"checkpoint of another run \(method dmc, asked for dqn\)"):
        run(plan("dqn"), tmp_path)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(BadInput, match="not a checkpoint of kibitz, or is damaged"):
        run(plan(), tmp_path)
    path.unlink()
    with pytest.raises(BadInput, match="already holds a model of leduc"):
        run(plan(), tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(BadInput, match="holds something else"):
        run(plan(), tmp_path)


def test_numbers_keep_within_the_bounds_that_their_fields_state() -> None:
    for method, preset, changes, right in (
        ("nfsp", "default", {"eta": "1.5"}, "0 to 1"),
        ("nfsp", "default", {"rate": "0"}, "1e-12 to 1e"),
        ("dmc", "default", {"clip": "-1"}, "0 to 1e"),
        ("deep-cfr", "default", {"samples": "4,-1"}, "0 to 1e"),
        ("ppo", "paper", {"steps": "0"}, "1 to 1e"),
    ):
        with pytest.raises(BadOption, match=f"numbers from {right}"):
            configured(method, preset, changes)
    assert configured("deep-cfr", "default", {"steps": "0", "samples": "4,0"}).samples == (4, 0)


def test_settings_are_read_and_refused() -> None:
    config = configured("dqn", "paper", {"layers": "64,32", "double": "on", "rate": "0.5"})
    assert (config.layers, config.double, config.rate, config.observation) == ((64, 32), True, 0.5, "paper")
    for changes, message in (({"speed": "1"}, "has no setting speed"), ({"rate": "fast"}, "rate=fast is not possible")):
        with pytest.raises(BadOption, match=message):
            configured("dqn", "default", changes)
    with pytest.raises(BadOption, match="has no preset big"):
        configured("dmc", "big")
    with pytest.raises(BadOption, match="there is no method sarsa"):
        configured("sarsa")
    with pytest.raises(BadInput, match="one of the two"):
        train(plan(frames=None), Path("nowhere"), make_bot)
