"""Playing Coinche with Deep Counterfactual Regret Minimization:
matches to 1000, with the score in sight (future work there)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Score, score
from kibitz.core.game import make
from kibitz.papers import claims
from kibitz.papers.coinche_course import EVERYBODY, Lesson, pupil
from kibitz.papers.course import taught
from kibitz.papers.experiment import Bookmark, Cell, Claim, Result, Scale, Table, experiment

if TYPE_CHECKING:
    from kibitz.learn.coinche.matches import Matches

POINTS = 1000
ROUNDS = {"quick": 16, "full": 150}
RUNS = {"quick": 1, "full": 3}
"""Trainings of each learner, each with luck of its own."""
MATCHES = {"quick": 192, "full": 4096}
"""Pairs of matches per comparison of two trainings."""
RIVAL = "coinche-strong"
COACH = "coinche-strong-plus"
SEEING, BLIND, BY_DEAL = "wins matches, sees the score", "wins matches, blind", "scores deals, blind"
PUPILS = {
    SEEING: {"goal": "match", "sees_score": True},
    BLIND: {"goal": "match", "sees_score": False},
    BY_DEAL: {"goal": "deal", "sees_score": False},
}
"""What each of them learns to do, and whether it is shown the score."""
JUDGED = 1 << 33
"""Added to the seed of the matches that judge."""
STANDINGS = ((0, 0), (500, 500), (700, 300), (900, 500), (900, 900))


@experiment("coinche.matches")
def matches(scale: Scale) -> Result:
    """Learners of three kinds with the same games and the same network, told apart by matches won on the same deals."""
    rounds, runs, count = scale.pick(**ROUNDS), scale.pick(**RUNS), scale.pick(**MATCHES)

    @cache
    def pupil_of(label: str, run: int) -> Matches:
        return _taught(label, PUPILS[label], rounds, run, scale)

    def met(one: str, other: str, run: int) -> list[float]:
        """The share of matches won, and its error."""

        def compute() -> list[float]:
            from kibitz.learn.coinche.matches import duel

            learner = pupil_of(one, run)
            opponent = learner.seats.bots[RIVAL] if other == RIVAL else _player(pupil_of(other, run))
            shares = duel(learner.sense, _player(learner), opponent, count, JUDGED + scale.seed)
            return [float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(count))]

        settings = [make("coinche", target=POINTS), PUPILS[one], PUPILS.get(other, RIVAL), rounds, count, run]
        return scale.piece(f"{one} against {other}, run {run + 1}", settings, compute)

    def counted(label: str, run: int) -> list[int]:
        """Decisions and matches that a pupil learned from."""

        def compute() -> list[int]:
            learner = pupil_of(label, run)
            return [learner.frames, learner.finished]

        return scale.piece(f"{label}, learned from, run {run + 1}", [PUPILS[label], rounds, run], compute)

    def over_runs(one: str, other: str) -> Score:
        """The share over all runs; with the error between them, or of the matches if there is one run alone."""
        found = [met(one, other, run) for run in range(runs)]
        if runs == 1:
            ((mean, se),) = found
            return Score(mean, se, count, "pair")
        return score([mean for mean, _ in found], "run")

    rows: list[list[Cell]] = []
    for label in scale.track(list(PUPILS), "against the rival"):
        learned = [counted(label, run) for run in range(runs)]
        rows.append([label, *(round(float(mean)) for mean in np.mean(learned, axis=0)), over_runs(label, RIVAL)])
    pairs = [(SEEING, BLIND), (SEEING, BY_DEAL), (BLIND, BY_DEAL)]
    duels: list[list[Cell]] = []
    made: list[Claim] = []
    for one, other in scale.track(pairs, "duels"):
        share = over_runs(one, other)
        low, high = share.interval()
        told = "more" if low > 0.5 else "fewer" if high < 0.5 else "no difference seen"
        duels.append([one, other, share, told])
        says = f"Matches won: {one} against {other}"
        made.append(claims.form(f"{one} {other}", says, "future work", share, told, is_alike=False))
    chance = scale.piece(
        "chance to win", [STANDINGS, rounds], lambda: pupil_of(SEEING, 0).equity.chance(np.array(STANDINGS))
    )
    return Result(
        "Matches to 1000",
        [
            Table(
                f"Share of matches won against {RIVAL}", ["learner", "decisions", "matches learned", "share won"], rows
            ),
            Table("The learners against each other", ["one", "other", "share won by one", ""], duels),
            Table(
                "The chance to win from a score, as counted in training",
                ["we", "they", "chance"],
                [[ours, theirs, round(float(one), 3)] for (ours, theirs), one in zip(STANDINGS, chance, strict=True)],
            ),
        ],
        claims=made,
        notes=[
            f"Game coinche, target {POINTS}; {count:,} pairs of matches for each training, both on the same deals with "
            "the sides changed. The dealer of every deal is drawn.",
            f"Each learner is DMC with a start by {COACH} and rounds against {RIVAL}, one network for all seats, "
            f"{rounds} rounds. {_errors(runs)}",
            "Who wins matches learns from a deal how much it changed the chance to win, counted in the learner's own "
            "matches.",
        ],
    )


def _errors(runs: int) -> str:
    if runs == 1:
        return "One training each: the errors do not contain the luck of training."
    return (
        f"{runs} trainings each, compared one by one; errors are those between trainings, differences by Student's t."
    )


def _taught(label: str, kind: dict[str, Any], rounds: int, run: int, scale: Scale) -> Matches:
    from kibitz.learn.coinche.matches import MatchConfig, Matches

    small = {"layers": (128, 128), "games": 256, "batch": 512, "rate": 1e-3}
    large = {"layers": (256, 128), "games": 2048, "batch": 1024, "rate": 1.5e-3}
    what = f"{label}, run {run + 1}"
    config = MatchConfig(
        **{**scale.pick(quick=small, full=large), "coach": COACH, "coached": 0.2, "epsilon": 0.03, **kind}
    )
    lesson = Lesson(make("coinche", target=POINTS), "matches", config, rounds, EVERYBODY, RIVAL, coach=COACH, run=run)
    _, _, learner = pupil(lesson, scale)
    assert isinstance(learner, Matches)

    def compute(mark: Bookmark) -> dict[str, Any]:
        taught(learner, rounds, scale, what, mark, lambda said: None)
        return learner.state()

    learner.restore(scale.arrays(what, lesson, compute))
    return learner


def _player(learner: Matches) -> Any:
    from kibitz.learn.coinche.matches import blinded
    from kibitz.learn.selfplay import Actor, greedy

    choose = greedy(learner.networks[0])
    return Actor(choose if learner.config.sees_score else blinded(choose))
