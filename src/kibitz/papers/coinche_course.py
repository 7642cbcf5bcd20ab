"""Courses of training in Coinche: who learns what against whom, looked at on the way, drawn and greedy,
over several runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.play import play
from kibitz.arena.statistics import Score, score
from kibitz.bots import make_bot
from kibitz.core.arrays import Arrays
from kibitz.core.errors import MissingExtra
from kibitz.core.game import Game
from kibitz.games.coinche.metrics import RATES, Metrics, metrics
from kibitz.papers import charts
from kibitz.papers.coinche import PEOPLE, tallies_of
from kibitz.papers.course import taught
from kibitz.papers.experiment import Bookmark, Cell, Figure, Published, Scale, Table

if TYPE_CHECKING:
    from kibitz.bots.net import NetBot
    from kibitz.core.policy import Bot
    from kibitz.learn.run import Learner
    from kibitz.learn.senses import Sense

TEN = (
    "attack_rate", "reward_attacker", "reward_defender", "reward_mean", "success_attacker", "success_defender",
    "bid_precision", "contract_value", "capot_rate", "table_turns",
)  # fmt: skip
"""The ten metrics of Appendix C."""
HEURISTICS = ("random", "coinche-simple", "coinche-strong")
NORTH_SOUTH = (0, 2)
EVERYBODY = (0, 1, 2, 3)
DRAWN, GREEDY = "drawn", "greedy"
READINGS = (DRAWN, GREEDY)
"""A policy can be drawn from, or its likeliest action played."""
JUDGED = 1 << 32
"""Added to the seed of the deals on which learners are measured, the same for all runs."""
ANOTHER_RUN = 1000
"""Added to the seed of training from run to run."""
SHARED = "coinche.course"
"""Courses that several figures show are taken once."""


@dataclass(frozen=True)
class Lesson:
    """Who learns what against whom, for how long, and how often it is looked at."""

    game: Game
    method: str
    config: Any
    rounds: int
    learners: tuple[int, ...] = NORTH_SOUTH
    rival: str = "random"
    looks: int = 6
    deals: int = 4096
    """Per look at full scale, a quarter of them at the quick one."""
    last_deals: int = 0
    """Those of the last look, if it has more than the others."""
    measured: tuple[int, ...] = ()
    """The seats it has when it is looked at; those in which it learns if empty."""
    coach: str = ""
    """A further bot that the method asks for by name."""
    is_kept: bool = False
    """Whether its networks are kept with what was seen of them, for other experiments to play with."""
    run: int = 0
    """Several runs differ in everything random about their training; all are judged on the same deals."""


class Look(NamedTuple):
    """How a learner plays at some moment, its policy drawn from and greedy; and what the last round said of itself."""

    frames: int
    drawn: Metrics
    greedy: Metrics
    said: Mapping[str, float]

    def read(self, reading: str) -> Metrics:
        """The metrics of North and South in one of the two readings."""
        return self.greedy if reading == GREEDY else self.drawn


@dataclass(frozen=True)
class Course:
    """What a course of training came to."""

    lesson: Lesson
    looks: Sequence[Look]
    weights: Arrays
    """Of the networks, at the end, where the lesson keeps them."""

    def bot(self, scale: Scale, reading: str) -> NetBot:
        """The learner at its end, as a bot for every seat of its game."""
        _, sense, learner = pupil(self.lesson, scale)
        load_weights(learner, self.weights)
        return net_bot(self.lesson, sense, learner, reading)


def course(lesson: Lesson, scale: Scale, what: str, stops: Iterable[int] | None = None) -> Course:
    """Train, as one piece, and look at the learner from time to time: by default also before the first round."""
    wanted = sorted(set(stops or (round(lesson.rounds * k / lesson.looks) for k in range(lesson.looks + 1))))

    def attended(mark: Bookmark) -> tuple[list[Any], Learner]:
        bots, sense, learner = pupil(lesson, scale)

        def look(said: dict[str, float]) -> list[Any]:
            is_last = learner.rounds == lesson.rounds
            found = [look_at(lesson, bots, sense, learner, scale, one, is_last) for one in READINGS]
            return [learner.frames, *found, said]

        return taught(learner, lesson.rounds, scale, what, mark, look, wanted), learner

    def with_networks(mark: Bookmark) -> Arrays:
        seen, learner = attended(mark)
        return {"looks": np.frombuffer(json.dumps(seen).encode(), np.uint8), **weights_of(learner)}

    if lesson.is_kept:
        kept = dict(scale.arrays(what, [lesson, wanted], with_networks, of=SHARED))
        seen = json.loads(kept.pop("looks").tobytes())
    else:
        kept = {}
        seen = scale.long_piece(what, [lesson, wanted], lambda mark: attended(mark)[0], of=SHARED)
    looks = [Look(frames, _side(drawn), _side(greedy), said) for frames, drawn, greedy, said in seen]
    return Course(lesson, looks, kept)


def several(lesson: Lesson, scale: Scale, what: str, runs: int) -> list[Course]:
    """The same course some times, each run with luck of its own."""
    return [course(replace(lesson, run=run), scale, f"{what}, run {run + 1}") for run in range(runs)]


def _side(tallies: Sequence[float]) -> Metrics:
    return metrics(np.array(tallies))[0]


def pupil(lesson: Lesson, scale: Scale) -> tuple[dict[str, Bot], Sense, Learner]:
    """The rivals, and a learner at its beginning."""
    try:
        from kibitz.learn.run import Plan, make_learner, use_threads
        from kibitz.learn.seats import Seating
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn,envs,sb3") from None
    use_threads(scale.threads)
    seating = Seating(lesson.learners, "all", (lesson.rival,))
    bots = {name: make_bot(lesson.game, name) for name in dict.fromkeys([lesson.rival, "random", lesson.coach]) if name}
    seed = scale.seed + ANOTHER_RUN * lesson.run
    sense, learner = make_learner(Plan(lesson.game, lesson.method, lesson.config, seating, seed, frames=1), bots)
    return bots, sense, learner


def look_at(
    lesson: Lesson, bots: Mapping[str, Bot], sense: Sense, learner: Learner, scale: Scale, reading: str = GREEDY,
    is_last: bool = False,
) -> list[float]:  # fmt: skip
    """Play deals that nobody learns from and give the counters of the metrics."""
    own = net_bot(lesson, sense, learner, reading)
    ours = lesson.measured or lesson.learners
    seats = [own if seat in ours else bots[lesson.rival] for seat in range(lesson.game.PLAYERS)]
    deals = max(lesson.deals, lesson.last_deals) if is_last else lesson.deals
    return tallied(lesson.game, seats, scale.pick(quick=deals // 4, full=deals), scale).tolist()


def tallied(game: Game, seats: Sequence[Bot], deals: int, scale: Scale) -> NDArray[np.float64]:
    """The counters of the metrics over the deals on which learners are judged."""
    total = np.zeros(game.TALLIES)
    for chunk in play(game, seats, deals, JUDGED + scale.seed, threads=scale.threads):
        total += chunk.tallies
    return total


def net_bot(lesson: Lesson, sense: Sense, learner: Learner, reading: str) -> NetBot:
    """The learner's networks as a bot, without a file; values have no probabilities to draw from."""
    from kibitz.bots.net import NetBot
    from kibitz.learn.model import POLICY, unsaved

    barred = getattr(lesson.config, "barred", ())
    model = unsaved(sense, learner.networks, learner.kind, method=lesson.method, barred=barred)
    return NetBot(f"{lesson.method} {reading}", model, reading == DRAWN and learner.kind == POLICY)


def weights_of(learner: Learner) -> Arrays:
    """What is learned, without what training needs to go on."""
    from kibitz.learn.checkpoint import module_state, packed

    found: Arrays = {}
    for k, network in enumerate(learner.networks):
        found |= packed(f"network{k}", module_state(network))
    return found


def load_weights(learner: Learner, weights: Arrays) -> None:
    """Put what was learned back."""
    from kibitz.learn.checkpoint import restore_module, unpacked

    for k, network in enumerate(learner.networks):
        restore_module(network, unpacked(f"network{k}", weights))


# ---- Several runs as one curve, one cell -----------------------------------------------------------------------------


def over_runs(sides: Iterable[Metrics], name: str) -> Score | None:
    """A metric's mean over runs, rates in per cent; its error is that of the runs, which contains training's luck."""
    found = [side[name].mean * (100 if name in RATES else 1) for side in sides if side[name].n]
    if not found:
        return None
    return score(found, "run") if len(found) > 1 else Score(found[0], float("nan"), 1, "run")


def at_the_end(courses: Sequence[Course], reading: str) -> list[Metrics]:
    """How the runs play at their end."""
    return [one.looks[-1].read(reading) for one in courses]


def labelled(name: str) -> str:
    """A metric as a column's head."""
    return f"{name} %" if name in RATES else name


def ends_table(groups: Mapping[str, Sequence[Course]], names: Sequence[str], caption: str, first: str) -> Table:
    """The metrics at the end of each group of runs, in both readings, and what the paper expects of people."""
    rows: list[list[Cell]] = []
    for label, courses in groups.items():
        for reading in READINGS:
            sides = at_the_end(courses, reading)
            frames = round(float(np.mean([one.looks[-1].frames for one in courses])))
            rows.append([label, reading, frames, *(over_runs(sides, name) for name in names)])
    people = [_percent(PEOPLE.get(name)) for name in names]
    rows.append(["people (Appendix C)", "", None, *people])
    return Table(caption, [first, "policy", "decisions", *map(labelled, names)], rows)


def _percent(cell: Cell) -> Cell:
    return f"{cell.value:g} %" if isinstance(cell, Published) and cell.unit == "%" else cell


def drawn_groups(
    groups: Mapping[str, Sequence[Course]], names: Sequence[str], reading: str, x_label: str = "decisions",
    levels: Mapping[str, Metrics] | None = None, note: str = "",
) -> list[Figure]:  # fmt: skip
    """One figure per metric, one curve per group with a band from its lowest run to its highest."""
    figures = []
    for name in names:
        factor = 100.0 if name in RATES else 1.0
        curves = {}
        for label, courses in groups.items():
            x, y, low, high = [], [], [], []
            for looks in zip(*(one.looks for one in courses), strict=True):
                found = [look.read(reading)[name].mean * factor for look in looks if look.read(reading)[name].n > 1]
                if found:
                    x.append(float(np.mean([look.frames for look in looks])))
                    y.append(float(np.mean(found)))
                    low.append(min(found))
                    high.append(max(found))
            if x:
                curves[label] = (x, y, low, high)
        if curves:
            lines = {label: side[name].mean * factor for label, side in (levels or {}).items() if side[name].n}
            title = f"{name.replace('_', ' ')}, {reading}{note}"
            figures.append(Figure(title, chart=charts.curves(curves, x_label, labelled(name), lines)))
    return figures


def random_play(game: Game, rivals: Iterable[str], scale: Scale) -> dict[str, Metrics]:
    """How the random player does as North and South, against each of some rivals:
    what learning has to be measured by."""
    deals = scale.pick(quick=4096, full=65536)
    return {
        f"random against {rival}": metrics(tallies_of(game, f"random,{rival},random,{rival}", deals, scale))[0]
        for rival in rivals
    }
