"""Cheat: learning by self-play with and without pruning (Figures 4 to 6 of the paper), and a player that is strong."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.simulate import simulate
from kibitz.arena.statistics import Score, WinRate
from kibitz.bots import make_bot
from kibitz.bots.table import TableBot
from kibitz.core.game import make
from kibitz.core.policy import Bot
from kibitz.papers import charts, claims
from kibitz.papers.experiment import (
    Bookmark,
    Cell,
    Claim,
    Figure,
    Progress,
    Published,
    Result,
    Scale,
    Table,
    experiment,
    silent,
)
from kibitz.tabular.abstraction import abstraction
from kibitz.tabular.mccfr import Sampler
from kibitz.tabular.regret_store import ROWS, memory
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
SYMMETRIC = "the paper's values are running means of one seat; by symmetry the value is 0 with a random first player"
NO_STRONGER = (
    "what is skipped here would not have changed play within the visits it is skipped for: it saves time, not games"
)


def trainer(keys: str, prunes: bool, seed: int, frozen: Sampler | None = None) -> Sampler:
    """Trajectory sampling over true and false cards, on games cut short."""
    seen = abstraction(make("cheat-paper", max_turns=TRAINING_TURNS), keys, "tf")
    held = frozen.store if frozen else None
    return Sampler(seen, "trajectory", seed, True, "visits" if prunes else "", SPREAD, frozen=held)


def player(sampler: Sampler, name: str = "trained", is_current: bool = False) -> Bot:
    """The average policy, or the current one, at the table, for the full length of the game."""
    about = {"method": sampler.scheme, "iterations": sampler.iterations, "seed": sampler.seed}
    store = sampler.store
    if is_current:
        store = store._replace(total=np.maximum(store.regret, 0.0))
    return TableBot(name, from_store(sampler.abstraction, store, about, make("cheat-paper")))


def win_rate(bot: Bot, opponent: Bot, games: int, seed: int) -> WinRate:
    """Share of games won, seats alternated."""
    game = make("cheat-paper")
    first = simulate(game, [bot, opponent], games // 2, seed)
    second = simulate(game, [opponent, bot], games // 2, seed + 1)
    wins = round(first.win_rate[0] * first.games + second.win_rate[1] * second.games)
    return WinRate(wins, first.games + second.games)


class Point(NamedTuple):
    """One stop on the way of training."""

    iterations: int
    seconds: float
    infosets: int
    rates: dict[str, WinRate]


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


def curve(
    prunes: bool, marks: tuple[int, ...], games: int, seed: int, mark: Bookmark, progress: Progress = silent
) -> list[dict[str, Any]]:
    """Win rates along training with the keys `rel`: the fields of points, rates as wins and games."""
    sampler = trainer("rel", prunes, seed)
    kept = mark.take_up(sampler.restore) or {"points": [], "spent": 0.0}
    points, spent = kept["points"], kept["spent"]
    if not sampler.iterations:
        sampler.run(1)
    for stop in marks[len(points) :]:
        spent = trained(sampler, stop, mark, points, spent, lambda what, done, _: progress(what, done, marks[-1]))
        bot = player(sampler)
        rates = {name: win_rate(bot, make_bot(make("cheat-paper"), name), games, seed) for name in OPPONENTS[:2]}
        points.append({
            "iterations": stop, "seconds": spent, "infosets": int(sampler.store.counts[ROWS]),
            "rates": {name: [rate.wins, rate.games] for name, rate in rates.items()},
        })  # fmt: skip
    return points


@cache
def unkept_curve(prunes: bool, marks: tuple[int, ...], games: int, seed: int) -> list[dict[str, Any]]:
    """The same for both figures where nothing is kept in a work folder."""
    return curve(prunes, marks, games, seed, Bookmark())


def _points(scale: Scale, prunes: bool) -> list[Point]:
    marks = scale.pick(quick=(300, 1_000, 3_000, 10_000), full=(300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000))
    games = scale.pick(quick=1_000, full=20_000)

    def compute(mark: Bookmark) -> list[dict[str, Any]]:
        if scale.pieces is None:
            return unkept_curve(prunes, marks, games, scale.seed)
        return curve(prunes, marks, games, scale.seed, mark, scale.progress)

    found = scale.long_piece(
        f"curve {'with' if prunes else 'without'} pruning", [prunes, marks, games], compute, of="cheat.curves"
    )
    return [Point(**{**one, "rates": {name: WinRate(*rate) for name, rate in one["rates"].items()}}) for one in found]


@experiment("cheat.training")
def training(scale: Scale) -> Result:
    """100 iterations from the deal at equal depth, from a cold and from a warm table."""
    rows: list[list[Cell]] = []
    warm: list[float] = []
    warm_iterations = scale.pick(quick=10_000, full=50_000)
    for keys in scale.track(["rel", "features"], "tables"):
        compute = partial(_walked, keys, warm_iterations, scale.seed)
        for start, depth, times, nodes in scale.piece(f"walks {keys}", [keys, warm_iterations], compute):
            rows.append([
                keys, start, depth, f"{times[0]:.2f} s, {nodes[0]:,}", f"{times[1]:.2f} s, {nodes[1]:,}",
                round(times[0] / max(times[1], 1e-9), 2), round(nodes[0] / max(nodes[1], 1), 2),
                Published(round(PUBLISHED_RATIO, 1)),
            ])  # fmt: skip
            warm += [nodes[0] / max(nodes[1], 1)] if start != "cold" else []
    values = _game_values(scale)
    fewer = f"{min(warm):.1f} to {max(warm):.1f} times fewer nodes in trained tables"
    made = [
        claims.sentence("faster", "Pruning shortens an iteration", "280,000 s to 30,000 s for 100", fewer,
            min(warm) > 1, is_alike=False),
        claims.form(
            "ratio", "By what factor", Published(round(PUBLISHED_RATIO, 1)), fewer,
            "no constant of the game: it grows with depth and with training", is_alike=False,
        ),
        *(
            claims.number(f"value {name}", f"Average game value {name}", Published(known), _last(values, column),
                reason=SYMMETRIC, is_alike=False)
            for column, name, known in ((1, "without pruning", 0.02), (2, "with pruning", 0.12))
        ),
    ]  # fmt: skip
    notes = (
        "A warm table brings its skip counters along. Seconds are of depth-limited walks with play-outs and not of the "
        "paper's work: only ratios compare.",
        "Pruning is no constant of the game: cold tables have no regret that is negative enough to skip anything.",
        "By symmetry the value of the game is 0 with a random first player; the paper's running means (0.12 and 0.02) "
        "are no targets.",
    )
    columns = ["keys", "start", "own decisions", "unpruned", "pruned", "ratio of time", "ratio of nodes", "paper"]
    return Result(
        "Pruning in external sampling of Cheat",
        tables=[Table("100 iterations: CPU seconds and nodes touched", columns, rows), values],
        figures=[_value_figure(values)], notes=notes, claims=made,
    )  # fmt: skip


def _last(values: Table, column: int) -> Score:
    found = values.rows[-1][column]
    assert isinstance(found, Score)
    return found


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


def _game_values(scale: Scale) -> Table:
    """Seat 0's mean return in self-play of the average policies along training."""
    rows: list[list[Cell]] = []
    games = scale.pick(quick=1_000, full=20_000)
    for mark in scale.pick(quick=(100, 1_000), full=(100, 300, 1_000, 3_000, 10_000)):
        line: list[Cell] = [mark]
        for prunes in (False, True):
            name = f"value after {mark} {'with' if prunes else 'without'} pruning"
            compute = partial(_game_value, mark, prunes, games, scale.seed)
            mean, se = scale.piece(name, [mark, prunes, games], compute)
            line.append(Score(mean, se, games))
        rows.append(line)
    return Table("Seat 0's mean return in self-play", ["iterations", "without pruning", "with pruning"], rows)


def _game_value(mark: int, prunes: bool, games: int, seed: int) -> tuple[float, float]:
    sampler = trainer("rel", prunes, seed)
    sampler.run(mark)
    bot = player(sampler)
    found = simulate(make("cheat-paper"), [bot, bot], games, seed).scores[0]
    return found.mean, found.se


def _value_figure(values: Table) -> Figure:
    marks = [float(str(row[0])) for row in values.rows]
    curves = {
        name: (marks, [getattr(row[k], "mean", 0.0) for row in values.rows])
        for k, name in ((1, "without pruning"), (2, "with pruning"))
    }
    levels = {"paper, with pruning": 0.12, "paper, without": 0.02}
    drawn = charts.curves(curves, "iterations", "mean return of seat 0", levels, log_x=True)
    return Figure("Figure 4: average game value", chart=drawn)


@experiment("cheat.figure5")
def figure5(scale: Scale) -> Result:
    """Against cheat-naive; the paper ends at 60 %."""
    return _figure(scale, "cheat-naive", "Figure 5: trained player against Naive")


@experiment("cheat.figure6")
def figure6(scale: Scale) -> Result:
    """Against cheat-heuristic:thr=0; the paper ends at 20 %."""
    return _figure(scale, "cheat-heuristic:thr=0", "Figure 6: trained player against Heuristic")


def _figure(scale: Scale, opponent: str, title: str) -> Result:
    known = PUBLISHED_RATES[opponent]
    rows: list[list[Cell]] = []
    ends: dict[str, WinRate] = {}
    made: list[Claim] = []
    curves: dict[str, tuple[list[float], ...]] = {}
    for prunes, name in ((False, "without pruning"), (True, "with pruning")):
        points = _points(scale, prunes)
        for point in points:
            rows.append([name, point.iterations, round(point.seconds, 1), point.infosets, point.rates[opponent]])
        rates = [point.rates[opponent] for point in points]
        ends[name] = rates[-1]
        early = next(point.rates[opponent] for point in points if point.iterations == 1_000)
        if prunes:
            says = f"Games won against {opponent} in the end, {name}"
            caveat = (
                f"ours learned for {points[-1].iterations:,} iterations, the paper's for 1,000 of another kind; "
                f"{OWN_PLAYERS}"
            )
            made.append(claims.number(name, says, known, rates[-1], better="higher", caveat=caveat, is_alike=False))
            says = f"After 1,000 iterations, {name}"
            made.append(
                claims.form(
                    "after 1,000", says, known, early, "the paper's iterations walk from the deal, ours are games"
                )
            )
        curves[name] = (
            [float(point.iterations) for point in points], [rate.rate for rate in rates],
            [rate.rate - 2 * rate.se for rate in rates], [rate.rate + 2 * rate.se for rate in rates],
        )  # fmt: skip
    drawn = charts.curves(curves, "self-play iterations", "win rate", {"paper, final": known.value / 100}, log_x=True)
    pruned, plain = ends["with pruning"], ends["without pruning"]
    stronger = pruned.rate - plain.rate > 2 * math.hypot(pruned.se, plain.se)
    told = f"{pruned.short} with, {plain.short} without"
    says = "The player trained with pruning is the stronger one"
    made.append(claims.sentence("stronger", says, "stronger", told, stronger, reason=NO_STRONGER, is_alike=False))
    notes = (
        f"The paper: {known} after 1,000 iterations with pruning, less without; its own Naive and Heuristic players "
        "are not specified.",
        "Trained by self-play only, never against the players it is measured with; games trained on end after 20 "
        "turns, games measured after 200.",
        "An iteration here is one self-play game for each seat with all own actions tried: iterations of other schemes "
        "are not comparable.",
    )
    columns = ["", "iterations", "CPU seconds", "information sets", "win rate"]
    table = Table("Average policy, keys rel, actions tf", columns, rows)
    return Result(title, [table], [Figure(title, chart=drawn)], notes, made)


@experiment("cheat.strength")
def strength(scale: Scale) -> Result:
    """Self-play with the keys `features`, several seeds, then responders against the frozen average."""
    iterations = scale.pick(quick=15_000, full=600_000)
    games = scale.pick(quick=1_000, full=20_000)
    rows: list[list[Cell]] = []
    total: dict[str, list[int]] = {}

    @cache
    def taught(seed: int, opponent: int | None = None) -> tuple[Sampler, float]:
        """A trained sampler, against the frozen average of another one if its seed is given, and its CPU seconds."""
        sampler = trainer("features", True, seed, None if opponent is None else taught(opponent)[0])

        def compute(mark: Bookmark) -> dict[str, Any]:
            kept = mark.take_up(sampler.restore) or {"spent": 0.0}
            spent = trained(sampler, iterations, mark, (), kept["spent"], scale.progress)
            return {**sampler.state(), "spent": np.array(spent)}

        state = scale.arrays(f"trained from seed {seed}", [iterations, seed, opponent], compute)
        sampler.restore(state)
        return sampler, float(state["spent"])

    def measured(seed: int) -> list[Any]:
        sampler, spent = taught(seed)
        rates = [win_rate(player(sampler), make_bot(make("cheat-paper"), name), games, seed) for name in OPPONENTS]
        wins = [[rate.wins, rate.games] for rate in rates]
        return [spent, int(sampler.store.counts[ROWS]), memory(sampler.store), wins]

    def answered() -> list[list[float]]:
        responder, first = taught(scale.seed + 100, scale.seed)[0], taught(scale.seed)[0]
        rates = [
            win_rate(player(responder, "responder", is_current), player(first), games, scale.seed)
            for is_current in (False, True)
        ]
        return [[rate.wins, rate.games] for rate in rates]

    for seed in scale.track(range(scale.seed, scale.seed + scale.pick(quick=1, full=3)), "seeds"):
        spent, infosets, size, wins = scale.piece(
            f"measured from seed {seed}", [iterations, games, seed], partial(measured, seed)
        )
        for name, won in zip(OPPONENTS, wins, strict=True):
            rate = WinRate(*won)
            total[name] = [a + b for a, b in zip(total.get(name, [0, 0]), won, strict=True)]
            known = PUBLISHED_RATES.get(name)
            rows.append([seed, round(spent, 1), infosets, f"{size / 1e6:.0f} MB", name, known, rate])
    found = [WinRate(*won) for won in scale.piece("responder", [iterations, games], answered)]
    notes = (
        f"A responder trained for {iterations:,} iterations against the frozen average wins {found[0]} with its "
        f"average policy and {found[1]} with its last one: lower bounds on what a best response wins, 50 % being "
        "nothing gained, and less meaning that it was trained too short to tell. Real exploitability may be much "
        "larger.",
    )
    columns = ["seed", "CPU seconds", "information sets", "memory", "opponent", "published", "win rate"]
    made = [
        claims.number(
            name,
            f"Games won against {name}, all seeds",
            known,
            WinRate(*total[name]),
            better="higher",
            caveat=f"ours learned for {iterations:,} iterations, the paper's for 1,000 of another kind; {OWN_PLAYERS}",
            is_alike=False,
        )
        for name, known in PUBLISHED_RATES.items()
    ]
    for name in OPPONENTS[2:]:
        says = f"Games won against {name}, all seeds"
        made.append(claims.form(name, says, None, WinRate(*total[name]), "not in the paper", is_alike=False))
    return Result(
        "A strong Cheat player",
        [Table(f"{iterations:,} iterations of self-play, seats alternated", columns, rows)],
        notes=notes,
        claims=made,
    )
