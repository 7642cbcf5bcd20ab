"""Cego: DQN and NFSP with the paper's own settings, trained until its stop rule ends it (Table V)."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Score, WinRate
from kibitz.bots import make_bot
from kibitz.core import rng
from kibitz.core.arrays import Arrays
from kibitz.core.game import make
from kibitz.papers import charts, claims
from kibitz.papers.cego import TABLE_3
from kibitz.papers.cego_playing import GAMES, SEEDS_5, TABLE_5, needs_torch, play, published
from kibitz.papers.experiment import Asked, Bookmark, Cell, Claim, Figure, Result, Scale, Table, experiment

if TYPE_CHECKING:
    from kibitz.core.policy import Bot
    from kibitz.core.shapes import Ints
    from kibitz.learn.network import Network
    from kibitz.learn.senses.rows import ObservationBatch
    from kibitz.learn.stopping import StopRule

SEEDS = (20,)
"""Of trainings; the paper trained once, with seed 20. More can be added: each is a piece of its own."""
EPISODES = {"DQN": 450_000, "NFSP": 250_000}
"""After which the paper's rule stopped."""
MOST = {"DQN": 400_000, "NFSP": 250_000}
"""After which ours end at the latest: what two cores learn in less than three hours."""
SHOWN = 10
"""Measurements of which the picture shows the mean."""
KEPT = "kept/"
DIFFERENCES = "the settings are the paper's; networks are plain layers of rectified units"


@dataclass(frozen=True)
class Trained:
    """A training: points measured every so many episodes, and the weights before they began to fall."""

    points: Sequence[float]
    episodes: int
    """Of the weights that are used."""
    is_stopped: bool
    """By the rule."""
    seconds: float
    """Of processor time."""
    weights: Arrays


@experiment("cego.presets")
def presets(scale: Scale) -> Result:
    """Train as the paper did, then play 250,000 games against random players."""
    needs_torch()
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    lines: dict[str, Any] = {}
    best: dict[str, Score] = {}
    for method in EPISODES:
        runs = {seed: _trained(method, seed, scale) for seed in scale.track(SEEDS, f"trainings of {method}")}
        rule = _rule(method, scale)
        found = {seed: _games(method, seed, run, scale) for seed, run in runs.items()}
        for seed, run in runs.items():
            for how, (points, won) in found[seed].items():
                cost = round(1e3 * run.seconds / (len(run.points) * rule.every), 1)
                end = "stopped by the rule" if run.is_stopped else "not yet falling"
                trained = f"{len(run.points) * rule.every:,}, {end}"
                rows.append([f"{method}{how}", seed, trained, f"{run.episodes:,}", points, won, cost])
            lines[f"{method}, seed {seed}"] = _smooth(run.points, rule)
        points, won = _over_trainings([one[""] for one in found.values()])
        best[method] = points
        why = _why(runs.values())
        judge = partial(claims.number, better="higher", reason=why, caveat=why, is_alike=False)
        says = f"{method} with the paper's settings as soloist against random players"
        made.append(judge(method, f"{says}: points a game", published("standard", TABLE_5[method][0]), points))
        made.append(judge(f"{method} won", f"{says}: games won", published("", TABLE_5[method][1]), won))
        made.append(_stopped(method, runs, rule))
    gap, error = best["DQN"].mean - best["NFSP"].mean, math.hypot(best["DQN"].se, best["NFSP"].se)
    apart = f"{gap:+.2f} ± {error:.2f}"
    made.append(
        claims.sentence("order", "DQN is better than NFSP", "by 1.33 points", apart, gap > 2 * error, is_alike=False)
    )
    levels = {f"{name}, paper": TABLE_5[name][0] for name in EPISODES} | {"random": TABLE_3["standard"][0]}
    columns = ["method", "seed", "episodes trained", "episodes used", "points", "games won", "CPU ms an episode"]
    return Result(
        "DQN and NFSP as the paper trained them",
        tables=[Table("Soloists of Standard-Cego against random players", columns, rows)],
        figures=[Figure("Points in training", chart=charts.curves(lines, "episodes", "points a game", levels))],
        claims=made,
        notes=[
            "Settings are those of Table IV: double DQN, rewards in points and at the end alone, a batch of 32 learned "
            "from every decision. Ten games are played at a time, so that the player is up to ten games behind the "
            "learner.",
            "The stop rule: every 1,000 episodes 1,000 games against random players; after every 50,000 the mean of "
            "these measurements is compared with that of the 50,000 before; if it is lower, training ends and the "
            "weights from before that stretch are used. Ours end after "
            f"{' and '.join(f'{most:,} ({name})' for name, most in MOST.items())} at the latest.",
            "NFSP is measured by drawing from its average policy, as RLCard does; argmax is its likeliest action.",
        ],
    )


def _why(runs: Iterable[Trained]) -> str:
    """What sets ours apart from the paper's."""
    is_over = all(run.is_stopped for run in runs)
    return DIFFERENCES + (", and the stop rule has its own luck" if is_over else ", still getting better at the end")


def _rule(method: str, scale: Scale) -> StopRule:
    from kibitz.learn.stopping import StopRule

    return scale.pick(quick=StopRule(20, 100, 2, 80), full=StopRule(most=MOST[method]))


def _trained(method: str, seed: int, scale: Scale) -> Trained:
    """A training by the rule, kept as one long piece."""
    from kibitz.learn.run import configured

    config, rule = configured(method.lower(), "paper"), _rule(method, scale)
    name = f"{method} {seed}"
    arrays = scale.arrays(
        name, [make("cego-standard"), method, config, rule, seed], partial(course, name, config, rule, seed, scale)
    )
    points, numbers = arrays["points"].tolist(), arrays["numbers"].tolist()
    weights = {name: array for name, array in arrays.items() if name.startswith(KEPT)}
    return Trained(points, int(numbers[0]), bool(numbers[1]), numbers[2], weights)


def course(name: str, config: Any, rule: StopRule, seed: int, scale: Scale, mark: Bookmark) -> Arrays:
    """Train until the rule says stop; gives the measurements and the weights of the last stretch that was no worse."""
    from kibitz.learn.checkpoint import module_state
    from kibitz.learn.run import Plan, make_learner, measure
    from kibitz.learn.selfplay import Actor

    game, method = make("cego-standard"), name.split()[0]
    anybody = make_bot(game, "random")
    seen, learner = make_learner(Plan(game, method.lower(), config, seed=seed, frames=1), {"random": anybody})
    kept: Arrays = {}

    def restore(arrays: Arrays) -> None:
        kept.update({name: arrays.pop(name) for name in list(arrays) if name.startswith(KEPT)})
        learner.restore(arrays)

    notes = mark.take_up(restore) or {"points": [], "used": 0, "seconds": 0.0}
    points, used, begun = notes["points"], notes["used"], time.process_time() - notes["seconds"]
    is_over = False
    while not is_over and (episodes := learner.rounds * config.games) < rule.most:
        scale.progress(name, episodes, rule.most)
        learner.round(0.0)
        if (episodes := learner.rounds * config.games) % rule.every == 0:
            players: list[Actor | Bot] = [Actor(_chooser(method, learner.networks[0])), *[anybody] * 3]
            fresh = rng.derived(seed, "evaluation", len(points))
            points.append(measure(seen, players, rule.games, fresh, 0)["mean"])
            is_over = rule.is_falling(points)
            if rule.ends_stretch(points) and not is_over:
                used = episodes
                kept.update({f"{KEPT}{name}": array for name, array in module_state(learner.networks[0]).items()})
        now = {"points": points, "used": used, "seconds": time.process_time() - begun}
        mark.keep(lambda: {**learner.state(), **kept}, now)
    numbers = np.array([used, float(is_over), time.process_time() - begun])
    return {"points": np.array(points), "numbers": numbers, **kept}


def _chooser(method: str, network: Network) -> Callable[[ObservationBatch], Ints]:
    """How a method's network is measured."""
    from kibitz.learn.nfsp import sampling
    from kibitz.learn.selfplay import greedy

    return sampling(network) if method == "NFSP" else greedy(network)


def _games(method: str, seed: int, run: Trained, scale: Scale) -> dict[str, tuple[Score, WinRate]]:
    """Points and games won with the weights of a training, by how they choose."""
    from kibitz.learn.checkpoint import restore_module
    from kibitz.learn.network import Network
    from kibitz.learn.run import configured
    from kibitz.learn.selfplay import Actor, greedy
    from kibitz.learn.senses import sense

    game, config = make("cego-standard"), configured(method.lower(), "paper")
    seen = sense(game, config.observation)
    layers = config.policy_layers if method == "NFSP" else config.layers
    network = Network(seen.size, game.ACTIONS, layers)
    restore_module(network, {name.removeprefix(KEPT): array for name, array in run.weights.items()})
    digest = hashlib.sha256(b"".join(array.tobytes() for _, array in sorted(run.weights.items()))).hexdigest()
    choosers = {"": _chooser(method, network)} | ({", argmax": greedy(network)} if method == "NFSP" else {})
    found, games = {}, scale.pick(quick=500, full=GAMES)
    for how, choose in choosers.items():
        player = Actor(choose, sense=seen)

        def compute(deals: int, player: Actor = player) -> list[float]:
            returns, won = play("standard", [player, None, None, None], deals, games)
            points = returns[:, 0].astype(np.float64)
            return [len(points), points.sum(), (points * points).sum(), won[:, 0].sum()]

        asked = [
            Asked(f"{method}{how} {seed} on {deals}", [game, method, digest, games], partial(compute, deals))
            for deals in SEEDS_5
        ]
        played, total, squares, won = np.array(scale.each(asked, "deals")).sum(axis=0)
        error = math.sqrt((squares - total * total / played) / (played - 1) / played)
        found[how] = Score(total / played, error, int(played)), WinRate(int(won), int(played))
    return found


def _over_trainings(found: Sequence[tuple[Score, WinRate]]) -> tuple[Score, WinRate]:
    """Of one training with the error of its games, of several with the error between them."""
    won = WinRate(sum(rate.wins for _, rate in found), sum(rate.games for _, rate in found))
    if len(found) == 1:
        return found[0][0], won
    means = np.array([score.mean for score, _ in found])
    return Score(float(means.mean()), float(means.std(ddof=1) / math.sqrt(len(means))), len(means), "training"), won


def _smooth(points: Sequence[float], rule: StopRule) -> tuple[Any, Any]:
    """Episodes and the mean of some measurements each."""
    width = min(SHOWN, rule.stretch)
    means = np.array(points[: len(points) // width * width]).reshape(-1, width).mean(axis=1)
    return (np.arange(len(means)) + 1) * width * rule.every, means


def _stopped(method: str, runs: Mapping[int, Trained], rule: StopRule) -> Claim:
    told = ", ".join(
        f"{len(run.points) * rule.every:,}{'' if run.is_stopped else ' (not yet)'}" for run in runs.values()
    )
    says = f"Episodes after which the stop rule ends {method}'s training"
    return claims.form(f"{method} stop", says, f"{EPISODES[method]:,}", told, "depends on the run", is_alike=False)
