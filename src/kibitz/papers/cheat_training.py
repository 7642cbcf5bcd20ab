"""Cheat: what experiments on learning share, and what pruning saves in tables that are trained."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from kibitz.arena.simulate import simulate
from kibitz.arena.statistics import WinRate
from kibitz.bots import CompiledBot, make_bot
from kibitz.bots.table import TableBot
from kibitz.core.game import Game, make
from kibitz.core.policy import Bot
from kibitz.papers import claims
from kibitz.papers.experiment import (
    Bookmark,
    Cell,
    Progress,
    Published,
    Result,
    Scale,
    Table,
    experiment,
    silent,
)
from kibitz.tabular.abstraction import abstraction
from kibitz.tabular.mccfr import Opponent, Sampler
from kibitz.tabular.table import from_store

PUBLISHED_RATIO = 280_000 / 30_000
SPREAD = 2.0  # a game is won (+1) or lost (-1)
TRAINING_TURNS = 20  # self-play lasts about 13 turns; a short limit keeps hopeless games from filling the time
STEP = 5.0
"""Seconds of training between two looks at the clock."""
OPPONENTS = ("cheat-naive", "cheat-heuristic:thr=0", "cheat-heuristic:thr=.5", "cheat-heuristic:thr=.3")
PUBLISHED_RATES = {"cheat-naive": Published(60, unit="%"), "cheat-heuristic:thr=0": Published(20, unit="%")}
"""What the paper's player ends with."""
OWN_PLAYERS = "the paper tells what its two players remember and not how they decide, so ours are others"


def trainer(
    keys: str, prunes: bool, seed: int, frozen: Sampler | None = None, against: str = "", game: Game | None = None
) -> Sampler:
    """Trajectory sampling over true and false cards, on games cut short unless another game is given."""
    learned_on = game or make("cheat-paper", max_turns=TRAINING_TURNS)
    seen = abstraction(learned_on, keys, "tf")
    held = frozen.store if frozen else None
    rule = make_bot(learned_on, against) if against else None
    opponent = Opponent(rule.kernel, rule.knobs) if isinstance(rule, CompiledBot) else None
    return Sampler(
        seen, "trajectory", seed, True, "visits" if prunes else "", SPREAD, frozen=held, opponent=opponent
    )  # fmt: skip


def player(sampler: Sampler, name: str = "trained", is_current: bool = False, game: Game | None = None) -> Bot:
    """The average policy, or the current one, at the table, for the full length of the game (cheat-paper)."""
    about = {"method": sampler.scheme, "iterations": sampler.iterations, "seed": sampler.seed}
    store = sampler.store
    if is_current:
        store = store._replace(total=np.maximum(store.regret, 0.0))
    return TableBot(name, from_store(sampler.abstraction, store, about, game or make("cheat-paper")))


def win_rate(bot: Bot, opponent: Bot, games: int, seed: int, game: Game | None = None) -> WinRate:
    """Share of games won (of cheat-paper), seats alternated."""
    game = game or make("cheat-paper")
    first = simulate(game, [bot, opponent], games // 2, seed)
    second = simulate(game, [opponent, bot], games // 2, seed + 1)
    wins = round(first.win_rate[0] * first.games + second.win_rate[1] * second.games)
    return WinRate(wins, first.games + second.games)


def trained(
    sampler: Sampler, iterations: int, mark: Bookmark, notes: Sequence[Any] = (), spent: float = 0.0,
    progress: Progress = silent,
) -> float:  # fmt: skip
    """Train up to so many iterations, with stops to put the state aside;
    gives the CPU seconds, those before included."""
    while sampler.iterations < iterations:
        start = time.process_time()
        sampler.run(iterations - sampler.iterations, time.perf_counter() + STEP)
        spent += time.process_time() - start
        progress("iterations", sampler.iterations, iterations)
        mark.keep(sampler.state, {"points": notes, "spent": spent})
    return spent


@experiment("cheat.training")
def training(scale: Scale) -> Result:
    """100 iterations from the deal at equal depth, from a cold and from a warm table."""
    rows: list[list[Cell]] = []
    warm: list[float] = []
    cold: list[float] = []
    warm_iterations = scale.pick(quick=10_000, full=50_000)
    for keys in scale.track(["rel", "features"], "tables"):
        compute = partial(_walked, keys, warm_iterations, scale.seed)
        for start, depth, times, nodes in scale.piece(f"walks {keys}", [keys, warm_iterations], compute):
            rows.append([
                keys, start, depth, f"{times[0]:.2f} s, {nodes[0]:,}", f"{times[1]:.2f} s, {nodes[1]:,}",
                round(times[0] / max(times[1], 1e-9), 2), round(nodes[0] / max(nodes[1], 1), 2),
                Published(round(PUBLISHED_RATIO, 1)),
            ])  # fmt: skip
            (cold if start == "cold" else warm).append(nodes[0] / max(nodes[1], 1))
    fewer = f"{min(warm):.1f} to {max(warm):.1f} times fewer nodes in trained tables"
    made = [
        claims.sentence("faster", "Pruning shortens an iteration", "280,000 s to 30,000 s for 100", fewer,
            min(warm) > 1, is_alike=False),
        claims.form(
            "ratio", "By what factor", Published(round(PUBLISHED_RATIO, 1)), fewer,
            "no constant of the game: it grows with depth and with training", is_alike=False,
        ),
        claims.sentence("warm", "A warm start makes more of pruning", "magnified",
            f"{min(cold):.1f} to {max(cold):.1f} times fewer nodes from an empty table, {fewer}",
            min(warm) > max(cold), is_alike=False),
    ]  # fmt: skip
    notes = (
        "A warm table brings its skip counters along. Seconds are of depth-limited walks with play-outs and not of the "
        "paper's work: only ratios compare.",
        "Pruning is no constant of the game: cold tables have no regret that is negative enough to skip anything.",
    )
    columns = ["keys", "start", "own decisions", "unpruned", "pruned", "ratio of time", "ratio of nodes", "paper"]
    return Result(
        "Pruning in external sampling of Cheat",
        tables=[Table("100 iterations: CPU seconds and nodes touched", columns, rows)], notes=notes, claims=made,
    )  # fmt: skip


def _walked(keys: str, warm_iterations: int, seed: int) -> list[list[Any]]:
    """For a cold and a warm table and two depths: CPU seconds and nodes of 100 iterations, unpruned and pruned."""
    seen = abstraction(make("cheat-paper", max_turns=TRAINING_TURNS), keys, "tf")
    warm = trainer(keys, True, seed)
    warm.run(warm_iterations)
    found: list[list[Any]] = []
    for depth in (4, 6):
        for start in ("cold", f"after {warm_iterations:,} games"):
            times, nodes = [], []
            for prunes in (False, True):
                one = Sampler(seen, "external", seed, True, "visits" if prunes else "", SPREAD, depth)
                one.run(1)
                if start != "cold":
                    one.restore(warm.state())
                touched, before = one.touched, time.process_time()
                one.run(100)
                times.append(time.process_time() - before)
                nodes.append(one.touched - touched)
            found.append([start, depth, times, nodes])
    return found
