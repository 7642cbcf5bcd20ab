"""Playing Coinche with Deep Counterfactual Regret Minimization:
matches to 1000, with the score in sight (future work there)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Score, z_score
from kibitz.core.game import make
from kibitz.papers import claims
from kibitz.papers.coinche_course import EVERYBODY, Lesson, pupil
from kibitz.papers.course import taught
from kibitz.papers.experiment import Bookmark, Cell, Claim, Result, Scale, Table, experiment

if TYPE_CHECKING:
    from kibitz.learn.coinche.matches import Matches

POINTS = 1000
ROUNDS = {"quick": 16, "full": 300}
MATCHES = {"quick": 192, "full": 4096}
"""Pairs of matches per comparison."""
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
    """Three learners with the same games and the same network, told apart by matches won on the same deals."""
    rounds, count = scale.pick(**ROUNDS), scale.pick(**MATCHES)

    @cache
    def pupil_of(label: str) -> Matches:
        return _taught(label, PUPILS[label], rounds, scale)

    def met(one: str, other: str) -> Score:
        def compute() -> tuple[float, float]:
            from kibitz.learn.coinche.matches import duel

            learner = pupil_of(one)
            opponent = learner.seats.bots[RIVAL] if other == RIVAL else _player(pupil_of(other))
            shares = duel(pupil_of(SEEING).sense, _player(learner), opponent, count, JUDGED + scale.seed)
            return float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(count))

        settings = [make("coinche", target=POINTS), PUPILS[one], PUPILS.get(other, RIVAL), rounds, count]
        mean, se = scale.piece(f"{one} against {other}", settings, compute)
        return Score(mean, se, count)

    rows: list[list[Cell]] = []
    for label in scale.track(list(PUPILS), "against the rival"):
        learned = scale.piece(f"{label}, learned from", [PUPILS[label], rounds], partial(_counted, pupil_of, label))
        rows.append([label, *learned, met(label, RIVAL)])
    pairs = [(SEEING, BLIND), (SEEING, BY_DEAL), (BLIND, BY_DEAL)]
    duels: list[list[Cell]] = []
    made: list[Claim] = []
    for one, other in scale.track(pairs, "duels"):
        share = met(one, other)
        away = z_score(share, 0.5)
        told = "no difference seen" if abs(away) < 2 else f"{'more' if away > 0 else 'fewer'}, {abs(away):.1f} se"
        duels.append([one, other, share, told])
        says = f"Matches won: {one} against {other}"
        made.append(claims.form(f"{one} {other}", says, "future work", share, told, is_alike=False))
    chance = scale.piece(
        "chance to win", [STANDINGS, rounds], lambda: pupil_of(SEEING).equity.chance(np.array(STANDINGS))
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
            f"Game coinche, target {POINTS}; {count:,} pairs of matches, both on the same deals with the sides "
            "changed; errors are those of pairs. The dealer of every deal is drawn.",
            f"Each learner is DMC with a start by {COACH} and rounds against {RIVAL}, one network for all seats, "
            f"{rounds} rounds, one training seed: the errors do not contain the luck of training.",
            "Who wins matches learns from a deal how much it changed the chance to win, counted in the learner's own "
            "matches.",
        ],
    )


def _taught(label: str, kind: dict[str, Any], rounds: int, scale: Scale) -> Matches:
    from kibitz.learn.coinche.matches import MatchConfig, Matches

    small = {"layers": (128, 128), "games": 256, "batch": 512, "rate": 1e-3}
    large = {"layers": (256, 128), "games": 2048, "batch": 1024, "rate": 1.5e-3}
    config = MatchConfig(
        **{**scale.pick(quick=small, full=large), "coach": COACH, "coached": 0.2, "epsilon": 0.03, **kind}
    )
    lesson = Lesson(make("coinche", target=POINTS), "matches", config, rounds, EVERYBODY, RIVAL, coach=COACH)
    _, _, learner = pupil(lesson, scale)
    assert isinstance(learner, Matches)

    def compute(mark: Bookmark) -> dict[str, Any]:
        taught(learner, rounds, scale, label, mark, lambda said: None)
        return learner.state()

    learner.restore(scale.arrays(label, lesson, compute))
    return learner


def _counted(pupil_of: Callable[[str], Matches], label: str) -> tuple[int, int]:
    """Decisions and matches that a pupil learned from."""
    return pupil_of(label).frames, pupil_of(label).finished


def _player(learner: Matches) -> Any:
    from kibitz.learn.coinche.matches import blinded
    from kibitz.learn.selfplay import Actor, greedy

    choose = greedy(learner.networks[0])
    return Actor(choose if learner.config.sees_score else blinded(choose))
