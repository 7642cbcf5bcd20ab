"""Coinche matches: deals added up to a target, with the score in sight or not, and a network that learns to win them.

A round deals once at every table; the matches there go on from round to round. What a decision was good for is how much
its deal changed the chance to win the match, and that chance is counted in the matches that have come to their end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kibitz.core.arrays import Arrays, Column
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.games.coinche.layout import SCORING, TARGET, TOTAL_EW, TOTAL_NS
from kibitz.games.coinche.scoring import score_of, usual_target
from kibitz.learn.checkpoint import count, packed, taken, unpacked
from kibitz.learn.coinche.sense import SLICES
from kibitz.learn.dmc_coached import Coached, CoachedConfig, CoachedPlay
from kibitz.learn.equity import Equity, is_over
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Round
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch

MOST_POINTS = 10**6
"""More than a side can have in a match, either way."""
MOST_DEALS = 64
"""A match that is not over by then, because everybody passes, is begun anew and counts for nobody."""
SPREAD = 0.25
"""The unit in which changes of the chance to win are learned."""
WATCHED = SLICES["totals"]


@dataclass(frozen=True)
class MatchConfig(CoachedConfig):
    """The settings of a coached learner, and what it sees and wants."""

    observation: str = "compact"
    goal: str = "match"
    """match: to win it; deal: the score of each deal, whatever the match stands at."""
    sees_score: bool = True


PRESETS: Mapping[str, MatchConfig] = {"default": MatchConfig(coach="coinche-strong-plus", epsilon=0.03)}


class MatchPlay(CoachedPlay):
    """Self-play in which every table has a match to go on with."""

    def __init__(self, sense: Sense, games: int) -> None:
        super().__init__(sense, games)
        self.totals = np.zeros((games, 2), np.int64)
        """[games, 2]: the points of seats 0 and 2, and of seats 1 and 3, before the deal."""

    def open(self, seed: int, first: int) -> Batch:
        """Deal, and write the scores where the seats can see them."""
        tables = super().open(seed, first)
        tables.state[:, TOTAL_NS], tables.state[:, TOTAL_EW] = self.totals[:, 0], self.totals[:, 1]
        return tables

    def scores(self) -> Ints:
        """[games, 2]: what the deals just played count."""
        return np.array([[score_of(s, 0), score_of(s, 1)] for s in self.tables.state], np.int64)


class Matches(Coached):
    """The learner: coached DMC at tables where matches are played."""

    method = "matches"
    config: MatchConfig
    selfplay: MatchPlay

    def __init__(self, sense: Sense, seats: Seats, config: MatchConfig, seed: int) -> None:
        if not package_of(sense.game.name).endswith(".coinche") or sense.kind != "compact":
            raise BadInput(f"matches are learned in Coinche with observation=compact, not in {sense.game.name}")
        if config.goal not in ("match", "deal"):
            raise BadInput(f"goal={config.goal} is not possible: it is match or deal")
        super().__init__(sense, seats, config, seed)
        self.selfplay = MatchPlay(sense, config.games)
        self.target = target_of(sense.game)
        self.equity = Equity(self.target)
        self.deals = np.zeros(config.games, np.int64)
        self.story = np.zeros((config.games, MOST_DEALS, 2), np.int64)
        """[games, deals]: the scores each running match has gone through."""
        self.finished = 0
        if config.goal == "match":
            self.scales[:] = 0.0, SPREAD

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one deal of every match."""
        return super().round(progress) | {"matches": float(self.finished)}

    def _actor(self, choose: Callable[[ObservationBatch], Ints], slot: int) -> Actor:
        return Actor(choose if self.config.sees_score else blinded(choose), slot)

    def _judged(self, played: Round) -> Round:
        """The round, with the change of the chance to win as returns; the matches go on."""
        before = self.selfplay.totals
        after = before + self.selfplay.scores()
        change = self.equity.chance(after) - self.equity.chance(before)
        self.story[np.arange(len(after)), self.deals] = before
        self.deals += 1
        over = is_over(after, self.target)
        for row in np.flatnonzero(over):
            path = self.story[row, : self.deals[row]]
            self.equity.note(path, np.full(len(path), after[row, 0] > after[row, 1]))
        self.finished += int(over.sum())
        anew = over | (self.deals >= MOST_DEALS)
        self.deals[anew] = 0
        self.selfplay.totals = np.where(anew[:, None], 0, after)
        if self.config.goal == "deal":
            return played
        frames = {
            slot: replace(one, returns=np.where(one.seat % 2, -change[one.row], change[one.row]).astype(np.float32))
            for slot, one in played.frames.items()
        }
        return replace(played, frames=frames)

    def state(self) -> Arrays:
        """Everything needed to go on."""
        arrays: Arrays = {"totals": self.selfplay.totals.copy(), "deals": self.deals.copy(), "story": self.story.copy()}
        arrays |= {"finished": np.array(self.finished)}
        return super().state() | packed("match", arrays) | packed("equity", self.equity.state())

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        super().restore(arrays)
        own = unpacked("match", arrays)
        points = Column("i8", self.story.shape, -MOST_POINTS, MOST_POINTS)
        totals = taken(own, "totals", replace(points, shape=self.selfplay.totals.shape))
        self.selfplay.totals, self.finished = totals.copy(), count(own, "finished")
        self.deals[:] = taken(own, "deals", Column("i8", self.deals.shape, 0, MOST_DEALS - 1))
        self.story[:] = taken(own, "story", points)
        self.equity.restore(unpacked("equity", arrays))


def target_of(game: Game) -> int:
    """The points that win a match."""
    s = game.blank()
    return int(s[TARGET]) or int(usual_target(s[SCORING]))


def blinded(choose: Callable[[ObservationBatch], Ints]) -> Callable[[ObservationBatch], Ints]:
    """Choose without the score of the match; what was seen is blanked for the learning too."""

    def choose_blind(observed: ObservationBatch) -> Ints:
        observed.observation[:, WATCHED] = 0.0
        return choose(observed)

    return choose_blind


def play_matches(sense: Sense, sides: Sequence[Actor | Bot], matches: int, seed: int) -> NDArray[np.float64]:
    """[matches]: 1 where the first of two sides won, 0 where the second, 0.5 without an end;
    the dealer is drawn anew each deal."""
    tables, target = MatchPlay(sense, matches), target_of(sense.game)
    result = np.full(matches, 0.5)
    running = np.ones(matches, np.bool_)
    for number in range(MOST_DEALS):
        tables.play([*sides, *sides], seed, number * matches)
        totals = tables.totals + tables.scores()
        ended = running & is_over(totals, target)
        result[ended] = totals[ended, 0] > totals[ended, 1]
        running &= ~ended
        tables.totals = np.where(running[:, None], totals, 0)
        if not running.any():
            break
    return result


def duel(sense: Sense, one: Actor | Bot, other: Actor | Bot, matches: int, seed: int) -> NDArray[np.float64]:
    """[matches]: the share that `one` wins of two matches on the same deals, one in each seating."""
    there = play_matches(sense, [one, other], matches, seed)
    back = play_matches(sense, [other, one], matches, seed)
    shares: NDArray[np.float64] = (there + 1.0 - back) / 2.0
    return shares
