"""Runs that are killed and taken up again, and tables that play."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.tabular.solving import load_checkpoint, save_checkpoint, solve_to_the_end, start
from kibitz.tabular.table import load

pytestmark = pytest.mark.skipif(PLAIN, reason="too slow without compilation")


def command(method: str, iterations: int, folder: Path, name: str) -> list[str]:
    out = ["--out", str(folder / f"{name}.npz"), "--checkpoint", str(folder / f"{name}.part"), "--every", "0.02"]
    return [sys.executable, "-m", "kibitz", "solve", "leduc", "--method", method, "--iterations", str(iterations), *out]


def killed_and_resumed(method: str, iterations: int, kills: int, folder: Path) -> None:
    subprocess.run(command(method, iterations, folder, "whole"), check=True, capture_output=True)
    luck = np.random.default_rng(1)
    hits = 0
    for _ in range(kills):
        begun = time.perf_counter()
        one = subprocess.Popen(
            command(method, iterations, folder, "parts"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        checkpoint = folder / "parts.part"
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while one.poll() is None and time.perf_counter() - begun < 60:
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:
                time.sleep(float(luck.uniform(0.0, 0.1)))
                break
            time.sleep(0.005)
        if one.poll() is None:
            os.kill(one.pid, signal.SIGKILL)
            hits += 1
        one.wait()
    subprocess.run(command(method, iterations, folder, "parts"), check=True, capture_output=True)
    assert hits > 0
    assert (folder / "whole.npz").read_bytes() == (folder / "parts.npz").read_bytes()


def test_a_killed_run_ends_with_the_same_bytes(tmp_path: Path) -> None:
    killed_and_resumed("external", 200_000, 2, tmp_path)


def test_a_pruned_run_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    whole, first, second = (start(make("leduc"), "cfr", pruning="brp") for _ in range(3))
    whole.run(60)
    first.run(37)
    save_checkpoint(tmp_path / "part.npz", first, {})
    load_checkpoint(tmp_path / "part.npz", second, {})
    second.run(23)
    ours, theirs = whole.state(), second.state()
    assert all((ours[name] == theirs[name]).all() for name in ours)


def test_pruning_that_a_method_does_not_know_is_named() -> None:
    with pytest.raises(BadInput, match="by partial, brp it can"):
        start(make("leduc"), "cfr", pruning="visits")
    with pytest.raises(BadInput, match="brp is for the method cfr in games of two: this is cfr"):
        start(make("leduc"), "cfr+", pruning="brp")


def test_a_table_that_grows_beyond_its_memory_is_kept_and_named(tmp_path: Path) -> None:
    run, part = start(make("leduc"), "external", memory=0.001), tmp_path / "part.npz"
    while len(run.shards[0].store.key) < 1 << 13 and run.iterations < 3000:
        run.shards[0].memory = 1 << 40
        run.run(100)
    with pytest.raises(BadInput, match="--memory allows more"):
        run.shards[0].memory = 1
        run.shards[0].store.counts[4] = len(run.shards[0].store.key)
        solve_to_the_end(
            run, iterations=10**6, seconds=None, checkpoint=part, label={}, every=1e9, report=lambda n: None
        )
    assert part.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "iterations"), [("external", 600_000), ("outcome", 1_500_000), ("cfr+", 30_000), ("pcfr+", 30_000)]
)
def test_twenty_kills_leave_the_same_bytes(method: str, iterations: int, tmp_path: Path) -> None:
    killed_and_resumed(method, iterations, 20, tmp_path)


def checkpoint_then_ctrl_c(folder: Path, every: float, **environment: str) -> tuple[float, float]:
    """Seconds until the first checkpoint of a solver whose first iteration does not end, and until it heeds Ctrl-C."""
    words = ["solve", "cheat-paper", "--method", "external", "--threads", "2", "--every", str(every)]
    one = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *words, "--checkpoint", "kept.npz"], cwd=folder, stderr=subprocess.PIPE,
        text=True, env={**os.environ, **environment},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        begun = time.perf_counter()
        while not (folder / "kept.npz").exists() and time.perf_counter() - begun < 120:
            time.sleep(0.05)
        written = time.perf_counter() - begun
        assert one.poll() is None and written < 120
        time.sleep(0.5)
        begun = time.perf_counter()
        one.send_signal(signal.SIGINT)
        _, said = one.communicate(timeout=60)
        assert one.returncode == 130 and "the same command goes on from it" in said
        return written, time.perf_counter() - begun
    finally:
        one.kill()


def test_a_long_iteration_heeds_checkpoints_and_ctrl_c(tmp_path: Path) -> None:
    written, heeded = checkpoint_then_ctrl_c(tmp_path, 1.0, NUMBA_DISABLE_JIT="1")
    assert written < 60 and heeded < 15
    game = make("cheat-paper")
    run = start(game, "external", shards=2)
    with np.load(tmp_path / "kept.npz") as kept:
        run.restore({name: kept[name] for name in kept.files})
    assert run.iterations == 0 and all(shard.touched > 0 and shard.walk.where[2] > 0 for shard in run.shards)


@pytest.mark.slow
def test_a_long_iteration_heeds_checkpoints_and_ctrl_c_when_compiled(tmp_path: Path) -> None:
    checkpoint_then_ctrl_c(tmp_path, 1.0)  # compiles
    (tmp_path / "kept.npz").unlink()
    written, heeded = checkpoint_then_ctrl_c(tmp_path, 5.0)
    assert written < 30 and heeded < 8


def test_time_is_a_bound_even_in_the_middle_of_an_iteration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.tabular.mccfr.NODES", 1)
    run = start(make("leduc"), "chance", shards=2)
    run.run_to(1, until=0.0)  # compiles
    reported: list[int] = []
    path = tmp_path / "kept.npz"
    spent = solve_to_the_end(
        run, iterations=None, seconds=0.5, checkpoint=path, label={}, every=0.05, report=reported.append
    )  # fmt: skip
    assert 0.5 <= spent < 5.0 and len(reported) >= 5 and sum(reported) == run.iterations > 0
    again = start(make("leduc"), "chance", shards=2)
    load_checkpoint(path, again, {})
    assert again.iterations == run.iterations


def test_a_checkpoint_belongs_to_its_run(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.part"
    run = start(make("kuhn"), "cfr+")
    run.run(10)
    save_checkpoint(path, run, {"game": "kuhn", "method": "cfr+"})
    again = start(make("kuhn"), "cfr+")
    load_checkpoint(path, again, {"game": "kuhn", "method": "cfr+"})
    assert again.iterations == 10
    with pytest.raises(BadInput, match="another run"):
        load_checkpoint(path, again, {"game": "kuhn", "method": "cfr"})
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(BadInput, match="damaged"):
        load_checkpoint(path, again, {"game": "kuhn", "method": "cfr+"})


@pytest.mark.parametrize("train", [{}, pytest.param({"max_turns": 20}, marks=pytest.mark.slow)])
def test_a_cheat_table_plays_by_the_rules(tmp_path: Path, train: dict[str, int]) -> None:
    from kibitz.arena.simulate import simulate

    game = make("cheat-paper")
    run = start(game, "trajectory", keys="features", actions="tf", pruning="visits", train=make("cheat-paper", **train))
    run.run(300)
    run.table({"method": "trajectory"}).save(tmp_path / "cheat.npz")
    assert load(tmp_path / "cheat.npz", game).about["actions"] == "tf"
    bot = make_bot(game, f"table:{tmp_path / 'cheat.npz'}")
    outcome = simulate(game, [bot, make_bot(game, "cheat-naive")], 300, 3)
    assert outcome.win_rate[0] > 0.6


def test_exact_methods_take_no_sampling_options() -> None:
    with pytest.raises(BadInput, match="sampling methods"):
        start(make("kuhn"), "cfr", keys="rel")
    with pytest.raises(BadInput, match="there is no method"):
        start(make("kuhn"), "cfr++")
