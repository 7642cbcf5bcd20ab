"""Cego: what the learners reach in the soloist's seat (Table V), and whether rewards decide which one is best."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.statistics import Score
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.papers import charts, claims
from kibitz.papers.cego import TABLE_3
from kibitz.papers.cego_playing import (
    SEEDS_5,
    TABLE_5,
    Seated,
    is_shipped,
    needs_torch,
    per_seed,
    published,
    soloist,
)  # fmt: skip
from kibitz.papers.experiment import Bookmark, Cell, Claim, Figure, Result, Scale, Table, experiment

BY_SELF_PLAY = (
    "ours see suits in a canonical order and trust the network's values on the way to the end; half of the other seats "
    "were other players'"
)
EASIER = (
    "ours are rewarded trick by trick and not at the end, see suits in a canonical order and learn from thousands of "
    "games at once"
)
QUICKER = "our recipe and a network of two layers of 128, learned against random players"
FEWER = "our model learned from far fewer games than the paper's 2,500 million frames"
LESS_OFTEN = (
    "as many games as the paper's, but a decision is learned from once on average, where the paper learned a batch of "
    "32 from each"
)
CASES: Sequence[tuple[str, str, bool, str, str]] = (
    ("DMC", "cego-standard", False, "by self-play", BY_SELF_PLAY),
    ("DMC", "cego-standard-soloist", False, "learned against random players", EASIER),
    ("DQN", "cego-standard-dqn", False, "learned against random players", EASIER),
    ("NFSP", "cego-standard-nfsp", True, "learned against random players", EASIER),
    ("NFSP", "cego-standard-nfsp", False, "learned against random players, argmax", EASIER),
    ("DMC", "cego-standard-paper", False, "the paper's observation", QUICKER),
    ("DQN", "cego-standard-dqn-paper", False, "the paper's observation and rewards", QUICKER),
    ("NFSP", "cego-standard-nfsp-paper", True, "the paper's observation and rewards", QUICKER),
)
"""Method, model, whether it is drawn from, how it learned, and what made it easier. The paper's DMC learned by
self-play, its DQN and NFSP against random players."""
KEYS = {
    "cego-standard": "DMC", "cego-standard-soloist": "DMC special", "cego-standard-dqn": "DQN",
    "cego-standard-nfsp": "NFSP", "cego-standard-paper": "DMC paper", "cego-standard-dqn-paper": "DQN paper",
    "cego-standard-nfsp-paper": "NFSP paper",
}  # fmt: skip
ORDERS = {
    "order": ("rewards by tricks", ("DMC special", "DQN", "NFSP")),
    "order paper": (
        "the paper's observation, DQN and NFSP rewarded at the end",
        ("DMC paper", "DQN paper", "NFSP paper"),
    ),
}
"""Models that learned in the same way, against random players, in the order that the paper found."""


@experiment("cego.table5")
def table5(scale: Scale) -> Result:
    """Play the shipped soloists against three random players."""
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    best: dict[str, Score] = {}
    for method, name, samples, how, caveat in scale.track([case for case in CASES if is_shipped(case[1])], "models"):
        points, won = soloist("standard", [Seated(name, samples=samples), *[None] * 3], SEEDS_5, per_seed(scale), scale)
        known, rate = published("standard", TABLE_5[method][0]), published("", TABLE_5[method][1])
        rows.append([f"{method}, {how}", name, known, points, rate, won])
        if "argmax" in how:
            continue  # the paper's one number is compared with the policy that NFSP is about, the average one
        key, says = KEYS[name], f"{method} as soloist against random players, {how}"
        reason = LESS_OFTEN if name.endswith(("-dqn-paper", "-nfsp-paper")) else FEWER
        judge = partial(claims.number, better="higher", reason=reason, caveat=caveat)
        made.append(judge(key, f"{says}: points a game", known, points))
        made.append(judge(f"{key} won", f"{says}: games won", rate, won))
        best[key] = points
    made += [_order(key, told, keys, best) for key, (told, keys) in ORDERS.items() if set(keys) <= set(best)]
    columns = ["method", "model", "points published", "points ours", "won published", "won ours"]
    drawn = charts.pairs(
        [key.replace(" paper", ", paper's observation").replace(" special", " v random") for key in best],
        [TABLE_5[key.split()[0]][0] for key in best], [one.mean for one in best.values()],
        [one.se for one in best.values()], "points a game; random players have 40.8",
    )  # fmt: skip
    return Result(
        "Soloists of Standard-Cego against random players (Table V)",
        tables=[Table(f"{len(SEEDS_5)} seeds with {per_seed(scale):,} games each", columns, rows)],
        figures=[Figure("Soloists against three random players", chart=drawn)],
        claims=made,
        notes=[
            "The models come with kibitz (see kibitz models); this experiment plays them. Each is one training.",
            "The paper's DMC learned by self-play, its DQN and NFSP against random players; how ours learned is said "
            "with each.",
            "Which of NFSP's policies the paper evaluated is not stated: its average policy is drawn from, and once "
            "its most likely action is played (argmax).",
        ],
    )


def _order(key: str, told: str, keys: Sequence[str], best: Mapping[str, Score]) -> Claim:
    """DMC before DQN before NFSP, each told apart by two standard errors."""
    order = sorted(keys, key=lambda one: -best[one].mean)
    gaps = [(best[a].mean - best[b].mean, math.hypot(best[a].se, best[b].se)) for a, b in pairwise(order)]
    least, error = min(gaps, key=lambda gap: gap[0] / gap[1])
    text = f"the closest two are {least:.2f} ± {error:.2f} apart, one training of each"
    holds = order == list(keys) and least > 2 * error
    reason = "the methods come out in another order, or too close to tell"
    ours = " > ".join(one.split()[0] for one in order)
    return claims.sentence(
        key, f"The order of the methods, {told}", " > ".join(TABLE_5), ours, holds, text, reason=reason
    )


METHODS: Mapping[str, Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "DMC": {"tricks": ("paper-quick", {}), "end": ("paper-quick", {"target": "final"})},
    "DQN": {"tricks": ("paper-quick", {"rewards": "tricks"}), "end": ("paper-quick", {})},
    "NFSP": {"tricks": ("paper-quick", {"rewards": "tricks"}), "end": ("paper-quick", {})},
}
"""Method -> rewards -> preset and what differs from it."""
WHEN = {"tricks": "rewards by tricks", "end": "rewards at the end"}
POINTS = 5
"""Measurements of a curve."""


@experiment("cego.rewards")
def rewards(scale: Scale) -> Result:
    """Train every method with rewards by tricks and at the end, with several seeds."""
    needs_torch()
    from kibitz.learn.run import configured

    seeds = scale.pick(quick=[1], full=[1, 2, 3])
    frames = scale.pick(quick=20_000, full=400_000)
    found: dict[tuple[str, str], Score] = {}
    lines: dict[str, Any] = {}
    cases = [(method, when) for method in METHODS for when in WHEN]
    for method, when in scale.track(cases, "methods"):
        preset, changes = METHODS[method][when]
        config = configured(method.lower(), preset, changes)
        runs = [
            train_curve(f"{method} {when} {seed}", method.lower(), config, frames, scale, points=POINTS, seed=seed)
            for seed in seeds
        ]
        ends = np.array([curve.points[-1] for curve in runs])
        error = float(ends.std(ddof=1) / math.sqrt(len(ends))) if len(ends) > 1 else math.nan
        found[method, when] = Score(float(ends.mean()), error, len(ends), "training")
        lines[f"{method}, {WHEN[when]}"] = (runs[0].frames, np.mean([curve.points for curve in runs], axis=0))
    rows: list[list[Cell]] = [[method, WHEN[when], score] for (method, when), score in found.items()]
    levels = {f"{name}, paper": value[0] for name, value in TABLE_5.items()} | {"random": TABLE_3["standard"][0]}
    drawn = charts.curves(lines, "decisions learned from", "points a game", levels)
    return Result(
        "Is DMC the best method, or only where rewards come at the end?",
        tables=[
            Table(
                f"Points as soloist against random players after {frames:,} decisions, {len(seeds)} trainings each",
                ["method", "rewards", "points"],
                rows,
            )
        ],
        figures=[Figure(f"Soloists in training, the mean of {len(seeds)} seeds", chart=drawn)],
        claims=[_clearly_best(when, found) for when in WHEN],
        notes=[
            "All have the paper's observation, two layers of 128 and our batches. DMC is rewarded by tricks if it "
            "learns the points still to come (target=togo) and at the end if it learns all points (target=final).",
            "NFSP plays its average policy's likeliest action. Errors are those over trainings.",
        ],
    )


def _clearly_best(when: str, found: Mapping[tuple[str, str], Score]) -> Claim:
    """Whether DMC is ahead of the second best by two standard errors."""
    dmc = found["DMC", when]
    rival, other = max(
        ((method, score) for (method, own), score in found.items() if own == when and method != "DMC"),
        key=lambda pair: pair[1].mean,
    )
    gap, error = dmc.mean - other.mean, math.hypot(dmc.se, other.se)
    return claims.sentence(
        f"best {when}", f"DMC is clearly the best method, {WHEN[when]}", "by 2.6 points before DQN",
        f"{gap:+.2f} ± {error:.2f} before {rival}", gap > 2 * error,
        reason=f"with {WHEN[when]} {rival} learns as much from as many decisions", is_alike=False,
    )  # fmt: skip


class Curve(NamedTuple):
    """How a training went: decisions learned from, points against random players, processor seconds until then."""

    frames: Sequence[float]
    points: Sequence[float]
    seconds: Sequence[float] = ()
    """None in trainings kept by earlier versions."""


def train_curve(
    name: str, method: str, config: Any, frames: int, scale: Scale, *, points: int, games: int = 16_384,
    seed: int | None = None, floors: Sequence[float] = (),
) -> Curve:  # fmt: skip
    """Train a soloist and measure it so many times on the way; it is given up where it is below a floor."""
    game = make("cego-standard")
    own = scale.seed if seed is None else seed

    def compute(mark: Bookmark) -> list[list[float]]:
        from kibitz.learn.run import Plan, make_learner, measure
        from kibitz.learn.selfplay import Actor, greedy

        anybody = make_bot(game, "random")
        seen, learner = make_learner(Plan(game, method, config, seed=own, frames=frames), {"random": anybody})
        notes = mark.take_up(learner.restore) or {"curve": [], "seconds": 0.0}
        curve: list[list[float]] = notes["curve"]
        begun = time.process_time() - notes["seconds"]
        while learner.frames < frames:
            learner.round(learner.frames / frames)
            scale.progress(name, min(frames, learner.frames), frames)
            if learner.frames >= frames * (len(curve) + 1) / points:
                alone = Actor(greedy(learner.networks[0]))
                found = measure(seen, [alone, anybody, anybody, anybody], games, 10_000 + own, 0)
                curve.append([float(learner.frames), found["mean"], time.process_time() - begun])
                if floors and found["mean"] < floors[len(curve) - 1]:
                    break
            mark.keep(learner.state, {"curve": curve, "seconds": time.process_time() - begun})
        return curve

    settings = [game, method, config, frames, points, games, own]
    curve = scale.long_piece(name, [*settings, list(floors)] if floors else settings, compute)
    return Curve(*([float(number) for number in column] for column in zip(*curve, strict=True)))
