"""Playing Coinche with Deep Counterfactual Regret Minimization: its learners trained again (Figures 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena import plots
from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.errors import MissingExtra
from kibitz.core.game import Game, make
from kibitz.games.coinche.metrics import Metrics, metrics
from kibitz.papers.coinche import PAPER, PEOPLE, cell
from kibitz.papers.course import taught
from kibitz.papers.experiment import (
    Bookmark,
    Cell,
    Figure,
    Published,
    Result,
    Scale,
    Table,
    Verdict,
    experiment,
    verdict,
)

if TYPE_CHECKING:
    from kibitz.core.policy import Bot
    from kibitz.learn.run import Learner
    from kibitz.learn.senses import Sense

TEN = (
    "attack_rate", "reward_attacker", "reward_defender", "reward_mean", "success_attacker", "success_defender",
    "bid_precision", "contract_value", "capot_rate", "table_turns",
)  # fmt: skip
"""The ten metrics of Appendix C."""
HEURISTICS = ("random", "coinche-simple", "coinche-strong")
MATRICES = ("classic", "mirror", "no_defense", "good")
NORTH_SOUTH = (0, 2)
EVERYBODY = (0, 1, 2, 3)
JUDGED = 1 << 32
"""Added to the seed of the deals on which learners are measured."""
DEFENCE = {"coinche-simple": Published(75, unit="%"), "coinche-strong": Published(70, unit="%")}
"""Section 5.3: how many of the opponents' contracts PPO breaks in the end."""
DEFENCE_TOLERANCE = 0.05
FEW_ATTACKS = 0.2
ALWAYS = 0.9


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
    measured: tuple[int, ...] = ()
    """The seats it has when it is looked at; those in which it learns if empty."""
    coach: str = ""
    """A further bot that the method asks for by name."""


@dataclass(frozen=True)
class Look:
    """How a learner plays at some moment."""

    frames: int
    side: Metrics


def course(lesson: Lesson, scale: Scale, what: str) -> list[Look]:
    """Train and look at the learner from time to time, before the first round and after the last one included."""
    stops = {round(lesson.rounds * k / lesson.looks) for k in range(lesson.looks + 1)}
    return [seen for seen, _ in followed(lesson, scale, what, stops)]


def followed(lesson: Lesson, scale: Scale, what: str, stops: Iterable[int]) -> list[tuple[Look, dict[str, float]]]:
    """Train, as one piece; gives how the learner plays after each of some rounds, and what the round itself said."""

    def compute(mark: Bookmark) -> list[Any]:
        bots, sense, learner = pupil(lesson, scale)

        def look(said: dict[str, float]) -> list[Any]:
            found = look_at(lesson, bots, sense, learner, scale)
            return [found.frames, found.side.side, found.side.tallies.tolist(), said]

        return taught(learner, lesson.rounds, scale, what, mark, look, stops)

    kept = scale.long_piece(what, [lesson, sorted(stops)], compute)
    return [(Look(frames, Metrics(side, np.array(total))), said) for frames, side, total, said in kept]


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
    plan = Plan(lesson.game, lesson.method, lesson.config, seating, scale.seed, frames=1)
    sense, learner = make_learner(plan, bots)
    return bots, sense, learner


def look_at(lesson: Lesson, bots: Mapping[str, Bot], sense: Sense, learner: Learner, scale: Scale) -> Look:
    """Play deals that nobody learns from and give the metrics of North and South."""
    own = net_bot(lesson, sense, learner)
    ours = lesson.measured or lesson.learners
    seats = [own if seat in ours else bots[lesson.rival] for seat in range(lesson.game.PLAYERS)]
    total = np.zeros(lesson.game.TALLIES)
    deals = scale.pick(quick=lesson.deals // 4, full=lesson.deals)
    for chunk in play(lesson.game, seats, deals, JUDGED + scale.seed, threads=scale.threads):
        total += chunk.tallies
    return Look(learner.frames, metrics(total)[0])


def net_bot(lesson: Lesson, sense: Sense, learner: Learner) -> Bot:
    """The learner's networks as a bot, without a file."""
    from kibitz.bots.net import NetBot
    from kibitz.learn.model import POLICY, unsaved

    model = unsaved(sense, learner.networks, learner.kind, method=lesson.method)
    return NetBot(lesson.method, model, learner.kind == POLICY)


def drawn_courses(courses: Mapping[str, Sequence[Look]], names: Sequence[str], x_label: str) -> list[Figure]:
    """One figure per metric, one curve with a 95 % band per course."""
    figures = []
    for name in names:
        curves = {}
        for label, looks in courses.items():
            told = [look for look in looks if look.side[name].n > 1]
            if told:
                found = [look.side[name] for look in told]
                columns = ([one.mean for one in found], [one.low for one in found], [one.high for one in found])
                curves[label] = ([look.frames for look in told], *columns)
        if curves:
            drawing = plots.learning_curves(curves, title=name.replace("_", " "), x_label=x_label, y_label=name)
            figures.append(Figure(name.replace("_", " "), plots.svg(drawing)))
    return figures


def ends(courses: Mapping[str, Sequence[Look]], names: Sequence[str], caption: str, first: str) -> Table:
    """The metrics at the end of each course, and what the paper expects of people."""
    rows: list[list[Cell]] = [
        [label, looks[-1].frames, *(cell(looks[-1].side, name) for name in names)] for label, looks in courses.items()
    ]
    rows.append(["people (Appendix C)", None, *(PEOPLE.get(name) for name in names)])
    return Table(caption, [first, "decisions", *names], rows)


# ---- Figure 1 -------------------------------------------------------------------------------------------------------


def sampled_config(scale: Scale, estimator: str) -> Any:
    """The paper's Deep CFR with samples at the first two decisions only, and fits that go on from the last one.

    From nothing, as the paper has it, so few batches would not fit its large numbers at all.
    """
    from kibitz.learn.deep_cfr import PRESETS

    whole = PRESETS["paper-schedule"]
    config = whole if estimator == "paper" else replace(whole, estimator=estimator, explore=0.5)
    short = replace(
        config, afresh=False, traversals=128, at_once=128, batch=512, epochs=0.0, steps=60, rate=1e-3, policy_batch=512,
        policy_epochs=0.0, policy_steps=40, policy_rate=1e-3, memory=50_000, policy_memory=100_000,
    )  # fmt: skip
    longer = replace(
        short, traversals=256, at_once=256, steps=200, policy_steps=100, memory=100_000, policy_memory=500_000
    )
    return scale.pick(quick=short, full=longer)


@experiment("coinche.figure1", paper=PAPER, about="Deep CFR by self-play: does it come to pass always?", minutes=40)
def figure1(scale: Scale) -> Result:
    """Section 4.2, with the paper's estimator and an unbiased one, under several rewards."""
    rounds, looks = scale.pick(quick=(12, 4), full=(400, 20))
    kinds = [("mirror", "paper"), ("mirror", "unbiased"), ("good", "paper"), ("classic", "paper")]
    courses = {}
    for reward, estimator in kinds:
        label = f"{reward}, {estimator} estimator"
        game = make("coinche-paper", reward=reward)
        lesson = Lesson(game, "deep-cfr", sampled_config(scale, estimator), rounds, EVERYBODY, looks=looks, deals=2048)
        courses[label] = course(lesson, scale, label)
    names = ("episode_actions", "void_rate", "attack_rate", "contract_value", "coinche_rate", "reward_mean")
    rows: list[list[Cell]] = []
    for label, seen in courses.items():
        length, void = seen[-1].side["episode_actions"], seen[-1].side["void_rate"]
        goes = (
            Verdict("agrees", "passes") if void.mean > ALWAYS else Verdict("differs", f"void {100 * void.mean:.0f} %")
        )
        rows.append([label, Published(4), cell(seen[-1].side, "episode_actions") if length.n else None, goes])
    published = Table(
        "Calls and cards of a deal, four if everybody passes", ["reward", "published", "ours", "verdict"], rows
    )
    notes = [
        f"{rounds} iterations of {sampled_config(scale, 'paper').traversals} traversals, the paper names 5,000 of 256 with four "
        "samples at every decision, which is a million lines a traversal; here a seat has four at its first two decisions, then one.",
        "Fits go on from the last network instead of starting afresh. One network for all seats. The average policy is measured, drawn from its probabilities, "
        f"on {scale.pick(quick=512, full=2048):,} deals.",
        "Only mirror is zero-sum. See coinche.all_pass: with any card play that is the same on both sides, strong hands gain by opening.",
    ]
    table = ends(courses, names, "At the end", "reward")
    return Result("Deep CFR by self-play", [published, table], drawn_courses(courses, names, "decisions"), notes)


# ---- Figure 2 -------------------------------------------------------------------------------------------------------


def paper_ppo(scale: Scale) -> Any:
    """The paper's PPO; the quick edition learns after every 128 steps instead of 512."""
    from kibitz.learn.ppo import PRESETS

    return scale.pick(quick=replace(PRESETS["paper"], steps=128), full=PRESETS["paper"])


@experiment("coinche.figure2", paper=PAPER, about="PPO against three heuristics, ten metrics over training", minutes=40)
def figure2(scale: Scale) -> Result:
    """Section 5.3: one policy for North and South, reward `good` and a tenth of every trick's points."""
    rounds, looks = scale.pick(quick=(6, 3), full=(92, 23))
    game = make("coinche-paper", reward="good")
    courses = {
        rival: course(Lesson(game, "ppo", paper_ppo(scale), rounds, rival=rival, looks=looks), scale, rival)
        for rival in HEURISTICS
    }
    notes = [
        f"{courses['random'][-1].frames:,} decisions of North and South; the paper does not say how many it had.",
        f"MaskablePPO of sb3-contrib, 64 tables, {paper_ppo(scale).steps} steps, batches of 512, otherwise its defaults; our units are rectified, not tangents.",
        "coinche-simple and coinche-strong are the paper's text; its program differs from it (see coinche.heuristics).",
    ]
    claims = Table(
        "What section 5.3 says of the end of training", ["claim", "published", "ours", "verdict"], _claims(courses)
    )
    table = ends(courses, TEN, "At the end, North and South", "against")
    return Result("PPO against three heuristics", [claims, table], drawn_courses(courses, TEN, "decisions"), notes)


def _claims(courses: Mapping[str, Sequence[Look]]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for rival, published in DEFENCE.items():
        if rival in courses:
            side = courses[rival][-1].side
            judged = verdict(side["success_defender"].mean, published.value / 100, DEFENCE_TOLERANCE)
            rows.append([f"contracts of {rival} broken", published, cell(side, "success_defender"), judged])
            few = side["attack_rate"].mean
            told = Verdict("agrees" if few < FEW_ATTACKS else "differs", f"attacks {100 * few:.0f} %")
            rows.append([f"few attacks against {rival}", "few", cell(side, "attack_rate"), told])
    if "random" in courses:
        capots = [look.side["capot_rate"].mean for look in courses["random"]]
        fewer = Verdict("agrees" if capots[-1] < capots[0] else "differs", f"{capots[0]:.2f} to {capots[-1]:.2f}")
        rows.append(["fewer capots against random", "fewer", cell(courses["random"][-1].side, "capot_rate"), fewer])
    return rows


# ---- Figure 3 -------------------------------------------------------------------------------------------------------


@experiment("coinche.figure3", paper=PAPER, about="Deep CFR against three heuristics", minutes=70)
def figure3(scale: Scale) -> Result:
    """Section 5.4: North and South traverse by turns, the other side is a heuristic."""
    rounds, looks = scale.pick(quick=(12, 4), full=(400, 20))
    game = make("coinche-paper", reward="good")
    courses = {}
    for rival in HEURISTICS:
        for estimator in ("paper", "unbiased"):
            label = f"{rival}, {estimator}"
            lesson = Lesson(
                game, "deep-cfr", sampled_config(scale, estimator), rounds, rival=rival, looks=looks, deals=2048
            )
            courses[label] = course(lesson, scale, label)
    notes = [
        f"{rounds} iterations; the paper's hyper-parameters except where coinche.figure1 says, both estimators.",
        "The paper finds that against coinche-simple Deep CFR ends up attacking always and high, and puts it down to sampling: "
        "compare the two estimators.",
    ]
    table = ends(courses, TEN, "At the end, North and South", "against, estimator")
    return Result("Deep CFR against three heuristics", [table], drawn_courses(courses, TEN, "decisions"), notes)


# ---- Figure 4 -------------------------------------------------------------------------------------------------------


@experiment(
    "coinche.figure4", paper=PAPER, about="PPO against the stronger player under four reward matrices", minutes=60
)
def figure4(scale: Scale) -> Result:
    """Appendix D, and its `classic` once more with the program's artefact that a coinche makes the coincher attack."""
    rounds, looks = scale.pick(quick=(4, 2), full=(92, 23))
    games = {name: make("coinche-paper", reward=name) for name in MATRICES}
    games["classic, coinche swaps attack"] = make("coinche-paper", reward="classic", paper_coinche_swaps_attack=1)
    names = (*TEN, "coinche_rate", "coinche_success")
    courses = {
        label: course(Lesson(game, "ppo", paper_ppo(scale), rounds, rival="coinche-strong", looks=looks), scale, label)
        for label, game in games.items()
    }
    rows: list[list[Cell]] = []
    for label, seen in courses.items():
        rate = seen[-1].side["coinche_rate"].mean
        wanted = "near 1" if label.startswith("classic") else "not reported"
        kind = ("agrees" if rate > ALWAYS else "differs") if label.startswith("classic") else "open"
        rows.append([label, wanted, cell(seen[-1].side, "coinche_rate"), Verdict(kind, f"{100 * rate:.0f} %")])
    claims = Table("How often the defence coinches", ["matrix", "published", "ours", "verdict"], rows)
    notes = [
        f"{courses['good'][-1].frames:,} decisions each. Rewards differ, so only the dynamics can be compared.",
        "Whoever has learned nothing coinches nearly every contract, as one legal call of a few: that it is near 1 tells something "
        "only where it has fallen under the other matrices.",
        "A failed coinche costs nothing under classic, 2 x bid under the others: coinching pays from a chance of 0 there, "
        "from bid / (160 + bid) under mirror, 38 % at 100.",
    ]
    table = ends(courses, names, "At the end, North and South against coinche-strong", "matrix")
    return Result("PPO under four reward matrices", [claims, table], drawn_courses(courses, names, "decisions"), notes)
