"""Small experiments of each kind, and a way to kill one: python small_experiments.py NAME FOLDER KILLS.

They pause between steps, so that a kill has something to interrupt; Kuhn poker in plain Python is large enough.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import numpy as np

from kibitz import papers
from kibitz.arena.play import play
from kibitz.arena.statistics import Score, score
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.papers import course, pieces
from kibitz.papers.experiment import Bookmark, Result, Scale, Table, experiment, find, run_experiment
from kibitz.tabular.best_response import nash_conv
from kibitz.tabular.cfr import Solver

PAUSE = float(os.environ.get("SMALL_PAUSE", "0.05"))
pieces.EVERY = 0.05


@experiment("small.match", paper="none", about="a match in shards", minutes=1)
def match(scale: Scale) -> Result:
    """Twelve shards of ten games each."""
    game = make("kuhn")

    def shard(first: int) -> Any:
        time.sleep(PAUSE)
        chunks = play(game, seat_bots(game, "kuhn-rule,random"), 10, scale.seed, first=first)
        return np.concatenate([chunk.returns[:, 0] for chunk in chunks])

    shards = [scale.piece(f"games from {first}", game, partial(shard, first)) for first in range(0, 120, 10)]
    return Result("A match", [Table("Points", ["ours"], [[score(np.concatenate(shards))]])])


@experiment("small.start", paper="none", about="starts of CFR", minutes=1)
def start(scale: Scale) -> Result:
    """Every number of iterations is a piece of its own."""

    def solved(iterations: int) -> float:
        time.sleep(PAUSE)
        tree = unroll(make("kuhn"))
        solver = Solver(tree, "cfr")
        solver.run(iterations)
        return float(nash_conv(tree, solver.average()))

    rows = [[n, scale.piece(f"after {n}", n, partial(solved, n))] for n in range(1, 17)]
    return Result("Starts", [Table("NashConv", ["iterations", "gap"], rows)])


@experiment("small.course", paper="none", about="a course of training with checkpoints", minutes=1)
def training(scale: Scale) -> Result:
    """DMC in Kuhn poker, with looks at its network on the way, then measured on other deals."""

    def compute(mark: Bookmark) -> Any:
        from kibitz.learn.dmc import DmcConfig
        from kibitz.learn.run import Plan, make_learner, measure, use_threads
        from kibitz.learn.selfplay import Actor, greedy

        use_threads(1)
        game = make("kuhn")
        bots = {"random": seat_bots(game, "random,random")[0]}
        config = DmcConfig(layers=(8,), games=4, batch=4)
        seen, learner = make_learner(Plan(game, "dmc", config, seed=scale.seed, frames=1), bots)

        def look(said: dict[str, float]) -> Any:
            time.sleep(2 * PAUSE)
            found = measure(seen, [Actor(greedy(learner.networks[0])), bots["random"]], 16, 99, 0)
            return [learner.frames, said, found["mean"], found["se"]]

        return course.taught(learner, 40, scale, "rounds", mark, look, range(0, 41, 2))

    looks = scale.long_piece("course", 40, compute)
    rows = [[frames, said.get("loss"), Score(mean, se, 16)] for frames, said, mean, se in looks]
    return Result("A course", [Table("Looks", ["decisions", "loss", "points"], rows)])


def run(name: str, folder: Path, seconds: float = math.inf) -> tuple[float, bool]:
    """Run an experiment in a process of its own, killed after so many seconds;
    gives how long it lived and whether it was killed."""
    begun = time.perf_counter()
    child = os.fork()
    if not child:
        try:
            run_experiment(name, Scale("full", seed=3), folder / "results", folder / "work")
        except BaseException as problem:
            print(type(problem).__name__, problem, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    done, code = 0, 0
    while not done and time.perf_counter() - begun < seconds:
        time.sleep(0.002)
        done, code = os.waitpid(child, os.WNOHANG)
    if not done:
        os.kill(child, signal.SIGKILL)
        _, code = os.waitpid(child, 0)
    if code not in (0, signal.SIGKILL):
        raise SystemExit(f"{name} ended with {code}")
    return time.perf_counter() - begun, code != 0


def main(name: str, folder: str, kills: str) -> None:
    """Once without a kill, then with some at random moments and to the end; two folders of results are left."""
    papers.PAPERS = ()
    find(name)[0].run(Scale("full", seed=3))  # loads everything once and not in every child
    whole, _ = run(name, Path(folder) / "whole")
    moments = random.Random(5)
    most = max(1.5 / int(kills), 0.5) * whole  # long enough to get somewhere, also where loading is slow
    real = sum(run(name, Path(folder) / "killed", moments.uniform(0, most))[1] for _ in range(int(kills)))
    kept = list((Path(folder) / "killed" / "work").glob("*/*"))
    print(json.dumps({"seconds": whole, "kept": len(kept), "kills": real}))
    run(name, Path(folder) / "killed")


if __name__ == "__main__":
    main(*sys.argv[1:])
