"""Playing Coinche with Deep Counterfactual Regret Minimization:
its learners against heuristics (Figures 2, 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kibitz.core.game import Game, make
from kibitz.papers import coinche_claims as claims
from kibitz.papers.coinche_course import (
    DRAWN,
    GREEDY,
    HEURISTICS,
    TEN,
    Course,
    Lesson,
    drawn_groups,
    ends_table,
    random_play,
    several,
)
from kibitz.papers.coinche_selfplay import PROBES, SAMPLED, sampled_config
from kibitz.papers.experiment import Result, Scale, experiment

MATRICES = ("classic", "mirror", "no_defense", "good")
OURS, THEIRS = "ours", "paper's"
SHAPING = 0.1
"""Of every trick's points, paid at once (section 5.2)."""
LAST = 16384
"""Deals on which the end of a course is judged."""
STRONGEST = "coinche-strong"
"""Whoever learned against it by our own means plays on in coinche.crossplay."""
Groups = Mapping[str, Sequence[Course]]


def paper_ppo(scale: Scale) -> Any:
    """The paper's PPO; the quick edition learns after every 128 steps instead of 512."""
    from kibitz.learn.ppo import PRESETS

    whole: Any = PRESETS["paper"]
    return scale.pick(quick=replace(whole, steps=128), full=whole)


def own_ppo(scale: Scale, **changes: Any) -> Any:
    """Our PPO, with the paper's pay by the trick."""
    from kibitz.learn.run import presets

    whole: Any = presets("ppo")["coinche"]
    config = replace(whole, tricks=SHAPING, **scale.pick(quick={"games": 512}, full={}), **changes)
    return replace(config, by_hand=config.form == "actions")


def ppo_lesson(game: Game, scale: Scale, kind: str, rival: str) -> Lesson:
    """PPO as North and South against a heuristic: ours for six million decisions,
    the paper's preset for its one million."""
    rounds, looks = scale.pick(quick=(3, 2), full=(210, 21) if kind == OURS else (31, 31))
    config = own_ppo(scale) if kind == OURS else paper_ppo(scale)
    return Lesson(
        game, "ppo", config, rounds, rival=rival, looks=looks, deals=2048, last_deals=scale.pick(quick=2048, full=LAST),
        is_kept=kind == OURS and rival == STRONGEST and game.options["reward"] == "good",
    )  # fmt: skip


def cfr_lesson(game: Game, scale: Scale, estimator: str, rival: str) -> Lesson:
    """Deep CFR as North and South against a heuristic."""
    rounds, looks = scale.pick(quick=(4, 2), full=(400, 20))
    if estimator == PROBES:
        rounds, looks = scale.pick(quick=(4, 2), full=(80, 16))
    return Lesson(
        game, "deep-cfr", sampled_config(scale, estimator), rounds, rival=rival, looks=looks, deals=2048,
        last_deals=scale.pick(quick=2048, full=LAST), is_kept=estimator == PROBES and rival == STRONGEST,
    )  # fmt: skip


def runs_of(scale: Scale) -> int:
    """How often each course is taken, each time with other luck."""
    return scale.pick(quick=1, full=3)


def _courses(
    lesson: Callable[[Game, Scale, str, str], Lesson], method: str, kinds: Sequence[str], game: Game, scale: Scale
) -> dict[str, Groups]:
    """Every kind of learner against each heuristic."""
    return {
        kind: {
            rival: several(lesson(game, scale, kind, rival), scale, f"{method} {kind}, {rival}", runs_of(scale))
            for rival in HEURISTICS
        }
        for kind in kinds
    }


def _told(
    game: Game, scale: Scale, found: Mapping[str, Groups], judged: Callable[[Groups, str], Iterable[claims.Claim]],
    reading: str, says: str, column: str, name: str, notes: list[str], before: str = "",
) -> Result:  # fmt: skip
    """Claims run by run, where every kind of learner ends up against each heuristic, and the way there."""
    judgements = [(kind, claim) for kind, groups in found.items() for claim in judged(groups, reading)]
    tables = [claims.table(says, [column], [claim.row(kind) for kind, claim in judgements])]
    tables += [
        ends_table(groups, TEN, f"At the end, North and South, {before}{kind}", "against")
        for kind, groups in found.items()
    ]
    levels = random_play(game, HEURISTICS, scale)
    figures = [
        figure
        for kind, groups in found.items()
        for figure in drawn_groups(groups, TEN, reading, levels=levels, note=f", {before}{kind}")
    ]
    return Result(name, tables, figures, notes, [claim.stated(f"{before}{kind}") for kind, claim in judgements])


@experiment("coinche.figure2")
def figure2(scale: Scale) -> Result:
    """Section 5.3: one policy for North and South, reward `good` and a tenth of every trick's points."""
    runs, game = runs_of(scale), make("coinche-paper", reward="good")
    found = _courses(ppo_lesson, "ppo", (OURS, THEIRS), game, scale)
    notes = [
        f"{runs} runs each. Ours: whole deals, rewards in units of 250, policy and value clipped apart, a falling "
        "rate, the compact observation. Paper's: MaskablePPO of sb3-contrib, 64 tables, 512 steps, batches of 512, "
        "otherwise its defaults, for the million decisions that its program's configuration names.",
        "Figures show the mean of the runs with a band from the lowest to the highest; broken lines are random play as "
        "North and South.",
        "coinche-simple and coinche-strong are the paper's text; its program differs from it (see coinche.heuristics).",
    ]
    says, name = "What section 5.3 says, run by run (policies drawn from)", "PPO against three heuristics"
    return _told(game, scale, found, claims.figure2, DRAWN, says, "PPO", name, notes, "PPO ")


@experiment("coinche.figure3")
def figure3(scale: Scale) -> Result:
    """Section 5.4: North and South traverse by turns, the other side is a heuristic."""
    runs, game = runs_of(scale), make("coinche-paper", reward="good")
    found = _courses(cfr_lesson, "deep-cfr", (*SAMPLED, PROBES), game, scale)
    lengths = {one: groups[STRONGEST][0].lesson.rounds for one, groups in found.items()}
    notes = [
        f"{runs} runs each of {', '.join(f'{rounds} iterations ({name})' for name, rounds in lengths.items())}; "
        "paper and unbiased have the paper's hyper-parameters except where coinche.figure1 says. Probes try all "
        "actions at one decision of a deal and remember calls and cards apart.",
        "The authors' program evaluates the likeliest action, so the claims are held against greedy play; tables show "
        "both.",
        "The paper puts attacking always and high against coinche-simple down to sampling: compare the estimators.",
    ]
    says, name = "What section 5.4 says, run by run (policies greedy)", "Deep CFR against three heuristics"
    return _told(game, scale, found, claims.figure3, GREEDY, says, "estimator", name, notes)


@experiment("coinche.figure4")
def figure4(scale: Scale) -> Result:
    """Appendix D, and its `classic` once more with the program's artefact that a coinche makes the coincher attack."""
    runs = runs_of(scale)
    games = {name: make("coinche-paper", reward=name) for name in MATRICES}
    games["classic, coinche swaps attack"] = make("coinche-paper", reward="classic", paper_coinche_swaps_attack=1)
    names = (*TEN, "coinche_rate", "coinche_success")
    rival = STRONGEST
    groups = {
        label: several(ppo_lesson(game, scale, OURS, rival), scale, _figure4_label(label, rival), runs)
        for label, game in games.items()
    }
    rows = [claim.row() for claim in claims.figure4(groups, DRAWN)]
    notes = [
        f"{runs} runs each of our PPO. Rewards differ, so only the dynamics can be compared.",
        "Whoever has learned nothing coinches nearly every contract, as one legal call of a few: the broken line is "
        "random play.",
        "A failed coinche costs nothing under classic, 2 x bid under the others: coinching pays from a chance of 0 "
        "there, from bid / (160 + bid) under mirror, 38 % at 100.",
    ]
    tables = [
        claims.table("What Appendix D says, run by run (policies drawn from)", [], rows),
        ends_table(groups, names, "At the end, North and South against coinche-strong", "matrix"),
    ]
    levels = random_play(games["mirror"], [rival], scale)
    figures = drawn_groups(groups, names, DRAWN, levels=levels)
    made = [claim.stated() for claim in claims.figure4(groups, DRAWN)]
    return Result("PPO under four reward matrices", tables, figures, notes, made)


def _figure4_label(matrix: str, rival: str) -> str:
    """Under `good` these are the runs of Figure 2, and are taken from there."""
    return f"ppo {OURS}, {rival}" if matrix == "good" else f"ppo {OURS}, {matrix}"
