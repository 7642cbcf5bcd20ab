"""Playing Coinche with Deep Counterfactual Regret Minimization: what its authors name as future work, tried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.papers.coinche import PAPER, cell
from kibitz.papers.coinche_learning import (
    EVERYBODY,
    NORTH_SOUTH,
    Lesson,
    Look,
    course,
    drawn_courses,
    followed,
)
from kibitz.papers.experiment import Cell, Figure, Result, Scale, Table, experiment

RIVAL = "coinche-strong"
COACH = "coinche-strong-plus"
SHOWN = ("reward_mean", "attack_rate", "success_attacker", "success_defender", "bid_precision", "contract_value")
SETTINGS = {
    "North and South": NORTH_SOUTH,
    "three, one heuristic": (0, 1, 2),
    "two, opposite teams": (0, 1),
    "all four": EVERYBODY,
}
"""Who learns; the others are the heuristic."""
ENCODINGS = {
    "numbers (paper)": ("paper", "actions"),
    "ladder of bids (default)": ("default", "actions"),
    "one-hot calls": ("onehot", "actions"),
    "calls heard one by one (recurrent)": ("onehot", "recurrent"),
}
"""Label -> observation, form of the network."""


@experiment(
    "coinche.beyond",
    paper=PAPER,
    about="other seatings, encodings, a coached start, guessing the partner's hand",
    minutes=60,
)
def beyond(scale: Scale) -> Result:
    """Four questions, each with its own table."""
    tables, figures = [], []
    for ask in (_seatings, _encodings, _starts, _partners):
        table, drawn = ask(scale)
        tables.append(table)
        figures += drawn
    notes = [
        "Small budgets and one seed: differences of a few points are noise of training, which the errors do not contain.",
        "Game coinche (the federation's rules, returns are score differences) except where the table says coinche-paper.",
        "The recurrent encoding is a gated layer of 32 units over the one-hot calls, each with its speaker.",
        "Matches to 1000 with the score in the observation: coinche.matches.",
    ]
    return Result("What the authors leave for later", tables, figures, notes)


def _dmc(scale: Scale, method: str, **changes: Any) -> Any:
    from kibitz.learn import coached, partner

    made = {"coached": coached.CoachedConfig, "partnered": partner.PartnerConfig}[method]
    small = {"layers": (128, 128), "games": 512, "batch": 512, "rate": 1e-3}
    large = {"layers": (256, 128), "games": 2048, "batch": 1024, "rate": 1.5e-3}
    return made(**{**scale.pick(quick=small, full=large), **changes})


def _row(label: str, look: Look) -> list[Cell]:
    return [label, look.frames, *(cell(look.side, name) for name in SHOWN)]


def _seatings(scale: Scale) -> tuple[Table, list[Figure]]:
    """Whoever learnt, in whatever company, then plays as North and South against two heuristics."""
    from kibitz.core.game import make

    rounds = scale.pick(quick=8, full=200)
    rows = []
    for label, learners in SETTINGS.items():
        config = _dmc(scale, "coached", rival_rounds=0.0)
        lesson = Lesson(make("coinche"), "coached", config, rounds, learners, RIVAL, measured=NORTH_SOUTH)
        rows.append(_row(label, followed(lesson, scale, label, [rounds])[-1][0]))
    caption = f"DMC with different seats learning; afterwards as North and South against {RIVAL}"
    return Table(caption, ["who learnt", "decisions", *SHOWN], rows), []


def _encodings(scale: Scale) -> tuple[Table, list[Figure]]:
    from kibitz.core.game import make
    from kibitz.learn.ppo import PRESETS

    rounds, looks = scale.pick(quick=(4, 2), full=(46, 23))
    game = make("coinche-paper", reward="good")
    courses = {}
    for label, (observation, form) in ENCODINGS.items():
        steps = scale.pick(quick=128, full=512)
        config = replace(PRESETS["default"], observation=observation, form=form, steps=steps, tricks=0.1)
        courses[label] = course(Lesson(game, "ppo", config, rounds, rival=RIVAL, looks=looks), scale, label)
    rows = [_row(label, seen[-1]) for label, seen in courses.items()]
    caption = f"PPO (our settings) by encoding of the auction, against {RIVAL}, coinche-paper, reward good"
    return Table(caption, ["auction", "decisions", *SHOWN], rows), drawn_courses(courses, ["reward_mean"], "decisions")


def _starts(scale: Scale) -> tuple[Table, list[Figure]]:
    from kibitz.core.game import make

    rounds, looks = scale.pick(quick=(12, 2), full=(200, 10))
    courses = {}
    for label, coach in (("from nothing", ""), (f"coached by {COACH}", COACH)):
        config = _dmc(scale, "coached", coach=coach, coached=0.25, rival_rounds=0.5)
        lesson = Lesson(
            make("coinche"), "coached", config, rounds, EVERYBODY, RIVAL, looks, measured=NORTH_SOUTH, coach=coach
        )
        courses[label] = course(lesson, scale, label)
    rows = [_row(label, seen[-1]) for label, seen in courses.items()]
    caption = f"DMC by self-play with a start or without; North and South against {RIVAL}"
    return Table(caption, ["start", "decisions", *SHOWN], rows), drawn_courses(courses, ["reward_mean"], "decisions")


def _partners(scale: Scale) -> tuple[Table, list[Figure]]:
    from kibitz.core.game import make

    rounds = scale.pick(quick=8, full=200)
    rows = []
    for label, weight in (("only measured", 0.0), ("learned, weight 0.1", 0.1)):
        lesson = Lesson(
            make("coinche"), "partnered", _dmc(scale, "partnered", weight=weight), rounds, NORTH_SOUTH, RIVAL
        )
        look, said = followed(lesson, scale, f"guess {label}", [rounds])[-1]
        rows.append([*_row(label, look), round(said["guess"], 4)])
    caption = f"DMC with a guess of the partner's hand as a second loss, the paper's observation, against {RIVAL}"
    return Table(caption, ["guess", "decisions", *SHOWN, "nats per card"], rows), []
