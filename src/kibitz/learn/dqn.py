"""Deep Q-learning: learn an action's value from the next decision's value instead of from the end of the game.

Double Q-learning (van Hasselt et al., 2016) with a ring of the latest decisions and a target network that follows in
steps. The reward of a decision is what was banked until the seat's next one: the points of tricks in games that count
them, the result at the end in the others, and with `rewards=end` in all.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadOption, BadRecord
from kibitz.learn.by_hand import ByHand
from kibitz.learn.checkpoint import Part, numbered, restore_parts, state_of_parts, taken
from kibitz.learn.descent import cosine, descend, make_optimiser, set_rate
from kibitz.learn.dmc import units
from kibitz.learn.memory import Replay, Step
from kibitz.learn.model import VALUES
from kibitz.learn.network import ACTIONS, Network
from kibitz.learn.rounds import Rounds
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Frames, SelfPlay, exploring
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import has_choice
from kibitz.learn.settings import Settings, from_zero, positive, share
from kibitz.learn.slopes import one_step


@dataclass(frozen=True)
class DqnConfig(Settings):
    """How a network of values learns from single steps."""

    form: str = ACTIONS
    games: int = 256
    """Games per round."""
    replay: int = 100_000
    """Decisions remembered."""
    warm_up: int = from_zero(0)
    """Decisions remembered before any is learned from."""
    learned: float = positive(1.0)
    """How often a decision is learned from, on average."""
    last_rate: float = share(0.02)
    """The share of the learning rate that is left at the end."""
    optimiser: str = "adam"
    rewards: str = "tricks"
    """When points are rewarded: with every trick, or at the end alone."""
    unit: float = 0.0
    """What rewards are counted in; 0: in the spread of random play."""
    discount: float = share(1.0)
    target_every: int = 100
    """Learning steps between two copies to the target network."""
    first_epsilon: float = share(1.0)
    last_epsilon: float = share(0.05)
    exploring: float = share(0.1)
    """The share of the run in which epsilon falls from first to last."""
    exploring_frames: int = from_zero(0)
    """The decisions in which it does, instead of a share of the run; 0: a share."""
    double: bool = True
    by_hand: bool = False
    """Whether gradients are written out: the same but for rounding, and quicker where batches are small."""


PRESETS: Mapping[str, DqnConfig] = {
    "default": DqnConfig(),
    "small": DqnConfig(
        layers=(64, 64), replay=400_000, batch=512, learned=4.0, target_every=200, last_epsilon=0.1, exploring=0.5
    ),
    "paper": DqnConfig(
        observation="paper", layers=(512, 512), games=10, batch=32, warm_up=100, learned=32.0, rate=1e-5, last_rate=1.0,
        rewards="end", unit=1.0, discount=0.95, target_every=10_000, last_epsilon=0.1, exploring_frames=100_000,
        by_hand=True,
    ),
    "paper-quick": DqnConfig(observation="paper", rewards="end"),
}  # fmt: skip
"""`small` is for games of a few hundred information sets; `paper` has the hyper-parameters of the Cego paper (Table
IV), with one batch of 32 per decision and rewards in points; papers/cego_presets.py trains it by the paper's stop rule.
`paper-quick` has its observation and its rewards with our recipe."""
REWARDS = ("tricks", "end")
TOGETHER = 1024
"""Observations that the target network is shown at once."""


class QSlot:
    """A network of values with its target, optimiser and memory."""

    def __init__(self, sense: Sense, config: DqnConfig, seed: int) -> None:
        if config.rewards not in REWARDS:
            raise BadOption(f"rewards={config.rewards} is not possible: it is {' or '.join(REWARDS)}")
        self.config = config
        self.network = Network(sense.size, sense.game.ACTIONS, config.layers, config.form, seed, sense.calls)
        self.target = copy.deepcopy(self.network)
        self.by_hand, self.ahead = (ByHand(one) if config.by_hand else None for one in (self.network, self.target))
        self.optimiser = make_optimiser(config.optimiser, self.by_hand or self.network, config.rate)
        draws = config.batch * config.target_every / config.replay
        has_values = config.by_hand and draws >= 1.0
        self.replay = Replay(config.replay, sense.size, sense.game.ACTIONS, has_values=has_values)
        self.spread, self.steps, self.owed = config.unit, 0, 0.0
        """The unit of rewards, steps learned, decisions still to be learned from."""

    def learn(self, frames: Frames, rate: float, luck: np.random.Generator) -> float:
        """Remember a round and learn from memory in proportion; gives the mean loss."""
        if self.config.rewards == "end":
            frames = replace(frames, banked=np.zeros_like(frames.banked))
        self._foresee(self.replay.add(frames, self.spread))
        set_rate(self.optimiser, rate)
        if self.replay.size >= self.config.warm_up:
            self.owed += self.config.learned * len(frames)
        total, done = 0.0, 0
        while self.owed >= self.config.batch:
            total += self._step(luck)
            self.owed -= self.config.batch
            done += 1
        return total / max(1, done)

    def _step(self, luck: np.random.Generator) -> float:
        step = self.replay.draw(luck, self.config.batch)
        lost = (
            self._descend_by_hand(self.by_hand, self.ahead, step)
            if self.by_hand and self.ahead
            else self._descend(step)
        )
        self.steps += 1
        if self.steps % self.config.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
            self._foresee(torch.arange(self.replay.size))
        return lost

    @torch.no_grad()
    def _foresee(self, places: Tensor) -> None:
        """Note what the target network says of remembered observations, where each is drawn more than once before that
        network changes."""
        if self.replay.values is not None and self.ahead is not None:
            for some in torch.split(places, TOGETHER):
                self.replay.values[some] = self.ahead.forward(self.replay.observation[some].float())[-1]

    def _descend(self, step: Step) -> float:
        with torch.no_grad():
            ahead = self.target.values(step.following, step.allowed)
            chooser = self.network.values(step.following, step.allowed) if self.config.double else ahead
            wanted = self._wanted(step, ahead, chooser)
        loss = functional.mse_loss(self.network.taken(step.observation, step.action), wanted)
        return descend(self.optimiser, loss)

    @torch.no_grad()
    def _descend_by_hand(self, by_hand: ByHand, target: ByHand, step: Step) -> float:
        """The same with one pass of the network through both observations of a decision, through the next one only
        where there is a choice."""
        n = len(step.action)
        ahead = target.forward(step.following)[-1] if step.ahead is None else step.ahead
        free = has_choice((step.allowed & ~step.is_last[:, None]).numpy() & self.config.double)
        passed = by_hand.forward(torch.cat([step.observation, step.following[free]]))
        chooser, slope = ahead.clone(), torch.empty_like(ahead)
        chooser[free] = passed[-1][n:]
        loss = one_step(
            passed[-1][:n].numpy(), chooser.numpy(), ahead.numpy(), step.allowed.numpy(), step.action.numpy(),
            step.reward.numpy(), step.is_last.numpy(), self.config.discount, slope.numpy(),
        )  # fmt: skip
        by_hand.backward([one[:n] for one in passed], slope)
        self.optimiser.step()
        return float(loss)

    def _wanted(self, step: Step, ahead: Tensor, chooser: Tensor) -> Tensor:
        """[n]: the reward, and what the target network says of the next action that the chooser likes best."""
        best = ahead.gather(1, chooser.argmax(dim=1, keepdim=True)).squeeze(1)
        return step.reward + self.config.discount * best.masked_fill(step.is_last, 0.0)

    def state(self) -> Arrays:
        """Everything needed to go on."""
        return {"numbers": np.array([self.spread, self.steps, self.owed]), **state_of_parts(self._parts())}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        spread, steps, owed = taken(arrays, "numbers", Column("f8", (3,), 0.0, 1e15))
        if owed >= self.config.batch:
            raise BadRecord(f"numbers[2] is {owed}: less than {self.config.batch} is")
        self.spread, self.steps, self.owed = float(spread), int(steps), float(owed)
        restore_parts(self._parts(), arrays)

    def _parts(self) -> Mapping[str, Part]:
        return {"network": self.network, "target": self.target, "optimiser": self.optimiser, "replay": self.replay}


class Dqn(Rounds):
    """The learner: one Q-learner per slot."""

    method, kind = "dqn", VALUES

    def __init__(self, sense: Sense, seats: Seats, config: DqnConfig, seed: int) -> None:
        super().__init__(sense, seats, config, seed)
        self.slots = [QSlot(sense, config, rng.derived(seed, "network", slot)) for slot in range(seats.networks)]
        self.networks = [slot.network for slot in self.slots]
        self.selfplay = SelfPlay(sense, config.games)

    def round(self, progress: float) -> dict[str, float]:
        """Play one round and learn from memory."""
        epsilon = falling_epsilon(self.config, progress, self.frames)
        rate = self.config.rate * cosine(progress, self.config.last_rate)
        actors = [Actor(exploring(net, epsilon), slot) for slot, net in enumerate(self.networks)]
        players = self.seats.fill(self.rounds, actors)
        played = self.selfplay.play(players, self.seed, self.rounds * self.config.games)
        luck = rng.generator(self.seed, "minibatches", self.rounds)
        set_spreads(self.slots, self.sense, self.seats, self.seed)
        losses = [self.slots[slot].learn(frames, rate, luck) for slot, frames in sorted(played.frames.items())]
        self.end_round(played.decisions)
        return {"loss": float(np.mean(losses)) if losses else 0.0, "rate": rate, "epsilon": epsilon}

    def parts(self) -> Mapping[str, Part]:
        """The slots."""
        return numbered(slot=self.slots)


def set_spreads(slots: list[QSlot], sense: Sense, seats: Seats, seed: int) -> None:
    """Measure the unit of rewards by random play, once, where none is given."""
    if slots[0].spread == 0.0:
        for slot, (_, spread) in zip(slots, units(sense, seats, seed, "final"), strict=True):
            slot.spread = float(spread)


def falling_epsilon(config: DqnConfig, progress: float, frames: int) -> float:
    """From first to last in a straight line over the exploring part of the run."""
    done, length = (frames, config.exploring_frames) if config.exploring_frames else (progress, config.exploring)
    part = min(1.0, done / length) if length else 1.0
    return config.first_epsilon + part * (config.last_epsilon - config.first_epsilon)
