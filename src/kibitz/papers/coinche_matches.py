"""Playing Coinche with Deep Counterfactual Regret Minimization: matches to 1000, with the score in sight (future work there)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Score, z_score
from kibitz.core.game import make
from kibitz.papers.coinche import PAPER
from kibitz.papers.coinche_learning import EVERYBODY, Lesson, pupil
from kibitz.papers.experiment import Cell, Result, Scale, Table, Verdict, experiment

if TYPE_CHECKING:
    from kibitz.learn.matches import Matches

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


@experiment(
    "coinche.matches", paper=PAPER, about="matches to 1000: does a learner that sees the score win more?", minutes=30
)
def matches(scale: Scale) -> Result:
    """Three learners with the same games and the same network, told apart by matches won on the same deals."""
    rounds, count = scale.pick(**ROUNDS), scale.pick(**MATCHES)
    pupils = {label: _taught(label, kind, rounds, scale) for label, kind in PUPILS.items()}
    players: dict[str, Any] = {label: _player(one) for label, one in pupils.items()}
    first = pupils[SEEING]
    rival = first.seats.bots[RIVAL]
    from kibitz.learn.matches import duel

    def met(one: str, other: str) -> Score:
        shares = duel(first.sense, players[one], players.get(other, rival), count, JUDGED + scale.seed)
        return Score(float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(count)), count)

    rows: list[list[Cell]] = [
        [label, one.frames, one.finished, met(label, RIVAL)]
        for label, one in scale.track(list(pupils.items()), "against the rival")
    ]
    pairs = [(SEEING, BLIND), (SEEING, BY_DEAL), (BLIND, BY_DEAL)]
    duels: list[list[Cell]] = []
    for one, other in scale.track(pairs, "duels"):
        share = met(one, other)
        away = z_score(share, 0.5)
        told = "no difference seen" if abs(away) < 2 else f"{'more' if away > 0 else 'fewer'}, {abs(away):.1f} se"
        duels.append([one, other, share, Verdict("open", told)])
    chance = first.equity.chance(np.array(STANDINGS))
    return Result(
        "Matches to 1000",
        [
            Table(
                f"Share of matches won against {RIVAL}", ["learner", "decisions", "matches learned", "share won"], rows
            ),
            Table("The learners against each other", ["one", "other", "share won by one", "verdict"], duels),
            Table(
                "The chance to win from a score, as counted in training",
                ["we", "they", "chance"],
                [[ours, theirs, round(float(one), 3)] for (ours, theirs), one in zip(STANDINGS, chance, strict=True)],
            ),
        ],
        notes=[
            f"Game coinche, target {POINTS}; {count:,} pairs of matches, both on the same deals with the sides changed; errors "
            "are those of pairs. The dealer of every deal is drawn.",
            f"Each learner is DMC with a start by {COACH} and rounds against {RIVAL}, one network for all seats, {rounds} rounds, "
            "one training seed: the errors do not contain the luck of training.",
            "Who wins matches learns from a deal how much it changed the chance to win, counted in the learner's own matches.",
        ],
    )


def _taught(label: str, kind: dict[str, Any], rounds: int, scale: Scale) -> Matches:
    from kibitz.learn.matches import MatchConfig, Matches

    small = {"layers": (128, 128), "games": 256, "batch": 512, "rate": 1e-3}
    large = {"layers": (256, 128), "games": 2048, "batch": 1024, "rate": 1.5e-3}
    config = MatchConfig(
        **{**scale.pick(quick=small, full=large), "coach": COACH, "coached": 0.2, "epsilon": 0.03, **kind}
    )
    lesson = Lesson(make("coinche", target=POINTS), "matches", config, rounds, EVERYBODY, RIVAL, coach=COACH)
    _, _, learner = pupil(lesson, scale)
    assert isinstance(learner, Matches)
    for done in scale.track(range(rounds), label):
        learner.round(done / rounds)
    return learner


def _player(learner: Matches) -> Any:
    from kibitz.learn.matches import blinded
    from kibitz.learn.selfplay import Brain, greedy

    choose = greedy(learner.networks[0])
    return Brain(choose if learner.config.sees_score else blinded(choose))
