"""Cheat, Figures 4 to 6: the value of the game and games won along training, with and without pruning.

Two ways to learn: external sampling as in the paper (its information sets, all discards, from the deal), and whole
games by trajectory sampling. Each is trained from several seeds; errors are over seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from kibitz.arena.simulate import simulate
from kibitz.arena.statistics import Score
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.papers import charts, claims
from kibitz.papers.cheat_training import (
    OWN_PLAYERS,
    PUBLISHED_RATES,
    SPREAD,
    player,
    trained,
    trainer,
    win_rate,
)
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
from kibitz.tabular.regret_store import ROWS

DEPTH = 2
"""Own decisions of external sampling before the rest is played out."""
PUBLISHED_VALUES = {False: Published(0.02), True: Published(0.12)}
NAMES = {False: "without pruning", True: "with pruning"}
NO_STRONGER = (
    "what is skipped here would not have changed play within the visits it is skipped for: it saves time, not games"
)
WHOSE = "the paper does not say whose value it plots, nor with which strategies; this is that of whoever discards first"
WAYS = ("external", "trajectory")
MEASURED = tuple(PUBLISHED_RATES)


class Point(NamedTuple):
    """One stop on the way of training."""

    iterations: int
    seconds: float
    infosets: int
    value: float
    """What whoever discards first gets in self-play of the average policy."""
    won: dict[str, float]
    """Per cent of games won, by opponent."""


def learner(way: str, prunes: bool, seed: int) -> Sampler:
    """A sampler of one of the two ways."""
    if way == "trajectory":
        return trainer("rel", prunes, seed)
    seen = abstraction(make("cheat-paper"), "paper", "full")
    return Sampler(seen, "external", seed, False, "visits" if prunes else "", SPREAD, DEPTH)


def curve(
    way: str, prunes: bool, marks: tuple[int, ...], games: int, seed: int, mark: Bookmark, progress: Progress = silent
) -> list[dict[str, Any]]:
    """The fields of the points of one run."""
    sampler = learner(way, prunes, seed)
    kept = mark.take_up(sampler.restore) or {"points": [], "spent": 0.0}
    points, spent = kept["points"], kept["spent"]
    if not sampler.iterations:
        sampler.run(1)
    for stop in marks[len(points) :]:
        spent = trained(sampler, stop, mark, points, spent, lambda what, done, _: progress(what, done, marks[-1]))
        bot = player(sampler)
        won = {name: win_rate(bot, make_bot(make("cheat-paper"), name), games, seed) for name in MEASURED}
        points.append({
            "iterations": stop, "seconds": spent, "infosets": int(sampler.store.counts[ROWS]),
            "value": first_value(sampler, games, seed), "won": {name: 100 * rate.rate for name, rate in won.items()},
        })  # fmt: skip
    return points


def first_value(sampler: Sampler, games: int, seed: int) -> float:
    """What whoever discards first gets when the average policy plays itself."""
    game = make("cheat-paper", first_player="0")
    bot = player(sampler, game=game)
    return float(simulate(game, [bot, bot], games, seed).scores[0].mean)


@cache
def unkept_curve(way: str, prunes: bool, marks: tuple[int, ...], games: int, seed: int) -> list[dict[str, Any]]:
    """The same for all figures where nothing is kept in a work folder."""
    return curve(way, prunes, marks, games, seed, Bookmark())


def _runs(scale: Scale, way: str, prunes: bool) -> list[list[Point]]:
    """One list of points for each seed."""
    marks = {
        "external": scale.pick(quick=(30, 100), full=(100, 1_000)),
        "trajectory": scale.pick(quick=(300, 1_000), full=(300, 1_000, 3_000)),
    }[way]
    games = _games(scale)
    runs = []
    for seed in range(scale.seed, scale.seed + scale.pick(quick=2, full=3)):

        def compute(mark: Bookmark, seed: int = seed) -> list[dict[str, Any]]:
            if scale.pieces is None:
                return unkept_curve(way, prunes, marks, games, seed)
            return curve(way, prunes, marks, games, seed, mark, scale.progress)

        name = f"{way} {NAMES[prunes]} seed {seed}"
        settings = [way, prunes, marks, games, seed, DEPTH]
        runs.append([Point(**one) for one in scale.long_piece(name, settings, compute, of="cheat.curves")])
    return runs


def over_seeds(values: list[float], least: float = 0.0) -> Score:
    """The mean of what the seeds gave; its error is at least what the games of one seed leave open."""
    array = np.array(values)
    error = max(float(array.std(ddof=1)), least) / np.sqrt(len(array))
    return Score(float(array.mean()), float(error), len(array), "seed")


def is_above(gap: Score) -> bool:
    """Whether a difference over seeds is above nothing, one-sided at 2.5 %: few seeds need a larger one."""
    return bool(gap.mean > stdtrit(gap.n - 1, 0.975) * gap.se)


def _games(scale: Scale) -> int:
    return scale.pick(quick=200, full=500)


Read = Callable[[Point], float]


def _read(
    scale: Scale, read: Read, least: float
) -> tuple[list[list[Cell]], dict[str, tuple[list[float], ...]], dict[Any, Any]]:
    """Rows, curves, and by way and pruning what each seed ended with."""
    rows: list[list[Cell]] = []
    curves: dict[str, tuple[list[float], ...]] = {}
    ends: dict[tuple[str, bool], list[float]] = {}
    for way in scale.track(WAYS, "ways"):
        for prunes, name in NAMES.items():
            runs = _runs(scale, way, prunes)
            columns = list(zip(*runs, strict=True))
            scores = [over_seeds([read(point) for point in points], least) for points in columns]
            for points, found in zip(columns, scores, strict=True):
                seconds = float(np.mean([point.seconds for point in points]))
                sets = int(np.mean([point.infosets for point in points]))
                rows.append([way, name, points[0].iterations, round(seconds, 1), sets, found])
            curves[f"{way}, {name}"] = (
                [float(points[0].iterations) for points in columns], [one.mean for one in scores],
                [one.mean - 2 * one.se for one in scores], [one.mean + 2 * one.se for one in scores],
            )  # fmt: skip
            ends[way, prunes] = [read(run[-1]) for run in runs]
    return rows, curves, ends


COLUMNS = ["learned by", "", "iterations", "CPU seconds", "information sets"]
NOTES = (
    f"external: the paper's information sets and all discards, branching in {DEPTH} own decisions from the deal, the "
    "rest played out; the paper's iterations are of this kind, of a depth that it does not tell.",
    "trajectory: keys rel, actions tf, games cut after 20 turns; an iteration is a self-play game for each seat with "
    "all own actions tried: iterations of the two ways are not comparable.",
    "Trained by self-play only. Means and errors are over training seeds.",
)


@experiment("cheat.figure4")
def figure4(scale: Scale) -> Result:
    """What whoever discards first gets in self-play of the average policies along training."""
    least = 1 / np.sqrt(_games(scale))
    rows, curves, ends = _read(scale, lambda point: point.value, least)
    levels = {"paper, with pruning": 0.12, "paper, without": 0.02}
    title = "Figure 4: average game value for whoever discards first"
    drawn = charts.curves(curves, "iterations", "mean return", levels, log_x=True)
    made = [
        _value_claim(way, prunes, known, over_seeds(ends[way, prunes], least))
        for way in WAYS
        for prunes, known in PUBLISHED_VALUES.items()
    ]
    made.append(_difference("higher", "The value is higher with pruning", "+0.10", ends["external", True],
        ends["external", False], least, NO_STRONGER))  # fmt: skip
    notes = (
        "By symmetry the value for a seat is 0 when the first player is drawn: it is the first discard that pays.",
    )
    table = Table("Mean return of whoever discards first", [*COLUMNS, "value"], rows)
    return Result(title, [table], [Figure(title, chart=drawn)], (*notes, *NOTES), made)


def _value_claim(way: str, prunes: bool, known: Published, found: Score) -> Claim:
    """A value is judged only where its error could tell the paper's two values apart."""
    key, says = f"{way} {NAMES[prunes]}", f"Average game value {NAMES[prunes]}, {way}"
    apart = PUBLISHED_VALUES[True].value - PUBLISHED_VALUES[False].value
    if 2 * claims.MOST * found.se > apart:
        few = f"too few games to tell {PUBLISHED_VALUES[False]} from {PUBLISHED_VALUES[True]}"
        return claims.form(key, says, known, found, few, is_alike=False)
    return claims.number(key, says, known, found, reason=WHOSE, is_alike=False)


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
    least = 50 / np.sqrt(_games(scale))
    rows, curves, ends = _read(scale, lambda point: point.won[opponent], least)
    drawn = charts.curves(curves, "iterations", "per cent of games won", {"paper, final": known.value}, log_x=True)
    made = []
    for way in WAYS:
        found = over_seeds(ends[way, True], least)
        says = f"Per cent of games won against {opponent} in the end, {way}, with pruning"
        made.append(claims.number(f"{way} with pruning", says, known, found, better="higher", reason=OWN_PLAYERS,
            caveat=OWN_PLAYERS, is_alike=False))  # fmt: skip
        says = f"The player trained with pruning is the stronger one, {way}"
        made.append(
            _difference(f"stronger {way}", says, "stronger", ends[way, True], ends[way, False], least, NO_STRONGER)
        )
    table = Table("Average policies", [*COLUMNS, "per cent won"], rows)
    return Result(title, [table], [Figure(title, chart=drawn)], NOTES, made)


def _difference(
    key: str, says: str, known: str, pruned: list[float], plain: list[float], least: float, reason: str
) -> Claim:
    """Whether more comes of learning with pruning, over seeds."""
    gap = over_seeds([a - b for a, b in zip(pruned, plain, strict=True)], float(np.sqrt(2)) * least)
    if not is_above(gap) and not is_above(replace(gap, mean=-gap.mean)):
        return claims.form(key, says, known, gap, "not told from nothing", is_alike=False)
    return claims.sentence(key, says, known, gap, is_above(gap), reason=reason, is_alike=False)
