"""Deep Monte Carlo with a coach: a rule player shows the game first,
then learners play each other and whole rival sides.

From scratch, learners of a game with an auction find out that bidding loses, and pass. So for the first part of a run a
coach decides in the learners' place, straying now and then, and the network learns what each action is worth if one
goes on as the coach does. After that it plays for itself: that is the first step above the coach, and ordinary DMC
takes it from there. In a share of the rounds one side is a rival's, both partners alike, as in a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.learn.dmc import Dmc, DmcConfig
from kibitz.learn.model import NOBODY
from kibitz.learn.seats import SNAPSHOT, Seats, constant_sides
from kibitz.learn.selfplay import Actor, SelfPlay, any_allowed
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch
from kibitz.learn.settings import CoachSettings, share


@dataclass(frozen=True)
class CoachedConfig(DmcConfig, CoachSettings):
    """The settings of DMC, and those of the coach."""

    stray: float = share(0.15)
    """How likely any action is tried in the coach's time."""
    rival_rounds: float = share(0.5)
    """The share of the later rounds in which one side is a rival's."""


PRESETS: Mapping[str, CoachedConfig] = {"default": CoachedConfig()}


class CoachedPlay(SelfPlay):
    """Self-play in which an actor can ask what a bot would do where it sits."""

    def shown(self, coach: Bot, observed: ObservationBatch) -> Ints:
        """[n]: the coach's actions, as the observation numbers them."""
        actions = coach.act_batch(self.tables.views(observed.rows))
        numbers: Ints = ((observed.real == actions[:, None]) & observed.allowed).argmax(axis=1)
        return numbers


class Coached(Dmc):
    """The learner: DMC whose rounds have other players."""

    method = "coached"
    config: CoachedConfig

    def __init__(self, sense: Sense, seats: Seats, config: CoachedConfig, seed: int) -> None:
        super().__init__(sense, seats, config, seed)
        if config.coach and config.coach not in seats.bots:
            raise BadInput(f"coach={config.coach} is nobody here: name that bot among the rivals or the baselines")
        self.selfplay: CoachedPlay = CoachedPlay(sense, config.games)
        self.sides = constant_sides(sense.game)

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; `progress` goes from 0 to 1 over the run."""
        return super().round(progress) | {"coached": float(self._is_coached(progress))}

    def _is_coached(self, progress: float) -> bool:
        return bool(self.config.coach) and progress < self.config.coached

    def _seated(self, progress: float) -> Sequence[Actor | Bot]:
        return self._with_coach() if self._is_coached(progress) else self._with_rivals(super()._seated(progress))

    def _with_coach(self) -> Sequence[Actor | Bot]:
        coach = self.seats.bots[self.config.coach]
        actors = [
            self._actor(straying(lambda observed: self.selfplay.shown(coach, observed), self.config.stray), slot)
            for slot in range(self.seats.networks)
        ]
        return self.seats.fill(self.rounds, actors)

    def _with_rivals(self, players: Sequence[Actor | Bot]) -> Sequence[Actor | Bot]:
        """In some rounds one side is a rival's."""
        luck = rng.generator(self.seed, "coach", self.rounds)
        rivals = [name for name in self.seats.seating.rivals if name != SNAPSHOT]
        if not rivals or luck.random() >= self.config.rival_rounds:
            return players
        rival, side = self.seats.bots[rivals[luck.integers(len(rivals))]], int(luck.integers(2))
        taken = [own == side for own in self.sides]
        keeps = any(slot != NOBODY and not gone for slot, gone in zip(self.seats.slots, taken, strict=True))
        return [rival if gone and keeps else player for gone, player in zip(taken, players, strict=True)]


def straying(choose: Callable[[ObservationBatch], Ints], stray: float) -> Callable[[ObservationBatch], Ints]:
    """Choose as somebody does, or with some probability any allowed action."""

    def stray_at(observed: ObservationBatch) -> Ints:
        chosen = choose(observed)
        strays = np.flatnonzero(observed.luck[:, 0] < stray)
        chosen[strays] = any_allowed(observed.allowed[strays], observed.luck[strays, 1])
        return chosen

    return stray_at
