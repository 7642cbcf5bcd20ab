"""Traversals of an iteration of Deep CFR as pieces: batches with luck of their own, which anybody can run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.work import Countable
from kibitz.learn.ledger import Ledgers
from kibitz.learn.network import Network
from kibitz.learn.probes import Probing
from kibitz.learn.selfplay import Actor
from kibitz.learn.senses import sense
from kibitz.learn.senses.branches import dealt
from kibitz.learn.senses.rows import ObservationBatch, has_choice
from kibitz.learn.traversal import PROBES, Company, Harvest, Sampling, Traversal, matched

TOGETHER = 2048
"""Rows or lines that caches hold."""


@dataclass(frozen=True, eq=False)
class Matching:
    """Regret matching on what an advantage network says; all alike before there is one."""

    advantage: Network | None
    uniform_fallback: bool
    power: float
    skips_forced: bool = False
    """Whether the network is asked only where there is a choice, some rows at a time: the same but for rounding."""

    def __call__(self, observed: ObservationBatch) -> Floats:
        """[n, ACTIONS]: how likely each action is."""
        if self.advantage is None:
            uniform: Floats = observed.allowed / observed.allowed.sum(axis=1, keepdims=True)
            return uniform
        if not self.skips_forced:
            return self._matched(self.advantage, observed.observation, observed.allowed)
        strategy = observed.allowed.astype(np.float64)
        free = has_choice(observed.allowed)
        for part in np.split(free, range(TOGETHER, len(free), TOGETHER)):
            strategy[part] = self._matched(self.advantage, observed.observation[part], observed.allowed[part])
        return strategy

    def _matched(self, network: Network, observation: NDArray[np.float32], allowed: Bools) -> Floats:
        with torch.inference_mode():
            advantages = network(torch.from_numpy(observation)).numpy()
        return matched(advantages, allowed, self.uniform_fallback, self.power)


@dataclass(frozen=True)
class Batch(Countable):
    """Traversals `first` .. `first` + `count` - 1 of a slot's iteration."""

    number: int
    first: int
    count: int
    kin: str


@dataclass(frozen=True, eq=False)
class Traversing:
    """What all batches of a slot's iteration share, the weights within its strategies."""

    game: Game
    observation: str
    config: Any
    players: Sequence[Actor | Bot]
    strategies: Sequence[Matching]
    coach: Bot | None
    own: Ints
    """The slot's seats."""
    baseline: float
    seed: int
    stream: tuple[int, int]
    """The iteration and the slot, for luck."""
    threads: int

    def __call__(self, batch: Batch) -> Harvest:
        """Run a batch with luck of its own."""
        torch.set_num_threads(self.threads)
        return self.run(batch, rng.generator(self.seed, "deep_cfr_replay", *self.stream, 1 + batch.number))

    def run(self, batch: Batch, luck: np.random.Generator) -> Harvest:
        """Run a batch."""
        config, seen = self.config, sense(self.game, self.observation)
        company = Company(seen, self.players, self.strategies, self.coach, config.barred)
        numbers = batch.first + np.arange(batch.count)
        roots, seats = dealt(self.game, self.seed, numbers), self.own[numbers % len(self.own)]
        if config.estimator == PROBES:
            kinds = Ledgers(config.kinds, 1, seen.size, self.game.ACTIONS)
            together = TOGETHER if config.by_hand else 0
            return Probing(company, kinds, config.probes, config.tries, config.explore, together).run(
                roots, seats, luck
            )
        sampling = Sampling(config.samples, config.estimator, config.explore)
        return Traversal(company, sampling).run(roots, seats, self.baseline, luck)

    def batches(self, first: int) -> list[Batch]:
        """The batches of the traversals from `first` on."""
        config = self.config
        kin = f"traversals {self.game.tag} {self.observation} {config.estimator}"
        return [
            Batch(number, first + start, min(config.at_once, config.traversals - start), kin)
            for number, start in enumerate(range(0, config.traversals, config.at_once))
        ]
