"""Deep Monte Carlo: learn what a game will bring after each action from games played to the end.

Every decision of a round becomes one example: (observation, action) -> what the seat got in the end. Play is greedy with a
little exploration, each example is learned once, and the next round is played by the better network. This is the whole
method (Zha et al., DouZero, 2021); what makes it quick here is one output per action, suits in a canonical order and the
target `togo`, which leaves out the points already won.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadOption
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.learn.checkpoint import (
    counts,
    module_state,
    optimiser_state,
    packed,
    restore_module,
    restore_optimiser,
    taken,
    unpacked,
)  # fmt: skip
from kibitz.learn.model import VALUES
from kibitz.learn.network import ACTIONS, STATE_ACTION, Network
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Frames, Round, SelfPlay, exploring
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch
from kibitz.learn.settings import positive, share

TARGETS = ("togo", "final", "win")
UNIT_GAMES = 2048


@dataclass(frozen=True)
class DmcConfig:
    """How a network of values learns from finished games."""

    observation: str = ""
    """Which observation; the best one for the game if empty."""
    layers: tuple[int, ...] = (256, 128)
    form: str = ACTIONS
    """One output per action (actions), state-action as in the papers, or recurrent over an auction's calls."""
    target: str = "togo"
    """What is learned: points still to come, the final return, or whether the game is won."""
    games: int = 2048
    """Games per round."""
    batch: int = 1024
    rate: float = positive(1.5e-3)
    """Learning rate at the start."""
    last_rate: float = share(0.02)
    """The share of it that is left at the end; in between it falls as a cosine."""
    optimiser: str = "adam"
    """adam, or rmsprop as in the paper."""
    epsilon: float = share(0.05)
    """How likely any action is tried."""
    clip: float = 0.0
    """The largest gradient norm; 0: any."""


PRESETS: Mapping[str, DmcConfig] = {
    "default": DmcConfig(),
    "small": DmcConfig(layers=(128, 128), games=1024, batch=512, rate=1e-3),
    "paper": DmcConfig(
        observation="paper", layers=(512,) * 5, form=STATE_ACTION, target="final", games=256, batch=32, rate=1e-4,
        last_rate=1.0, optimiser="rmsprop", epsilon=0.01, clip=40.0,
    ),
    "paper-quick": DmcConfig(observation="paper", layers=(128, 128), games=1024, batch=512, rate=1e-3),
}  # fmt: skip
"""`paper` has the hyper-parameters of the Cego paper (Table IV); `paper-quick` its observation with our recipe."""


class Dmc:
    """The learner: one network, one optimiser and one scale per slot."""

    method, kind = "dmc", VALUES

    def __init__(self, sense: Sense, seats: Seats, config: DmcConfig, seed: int) -> None:
        if config.target not in TARGETS:
            raise BadOption(f"target={config.target} is not possible: it is {', '.join(TARGETS)}")
        self.sense, self.seats, self.config, self.seed = sense, seats, config, seed
        self.frames, self.rounds = 0, 0
        self.networks = [
            Network(
                sense.size,
                sense.game.ACTIONS,
                config.layers,
                config.form,
                rng.derived(seed, "network", slot),
                sense.calls,
            )
            for slot in range(seats.networks)
        ]
        self.optimisers = [make_optimiser(config.optimiser, network, config.rate) for network in self.networks]
        self.scales = np.zeros((seats.networks, 2))
        """Per slot: the middle and the spread of random play, the units that targets are learned in."""
        self.selfplay = SelfPlay(sense, config.games)

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; `progress` goes from 0 to 1 over the run."""
        players = self._seated(progress)
        played = self._judged(self.selfplay.play(players, self.seed, self.rounds * self.config.games))
        rate = self.config.rate * cosine(progress, self.config.last_rate)
        losses = [self._learn(slot, frames, rate) for slot, frames in sorted(played.frames.items())]
        self.frames += sum(len(frames) for frames in played.frames.values())
        self.rounds += 1
        self.seats.remember(self.rounds, self.networks)
        return {"loss": float(np.mean(losses)) if losses else 0.0, "rate": rate}

    def _seated(self, progress: float) -> Sequence[Actor | Bot]:
        """Who plays the round."""
        actors = [self._actor(exploring(net, self.config.epsilon), slot) for slot, net in enumerate(self.networks)]
        return self.seats.fill(self.rounds, actors)

    def _actor(self, choose: Callable[[ObservationBatch], Ints], slot: int) -> Actor:
        """A learner that decides so."""
        return Actor(choose, slot)

    def _judged(self, played: Round) -> Round:
        """The round with the returns that are learned."""
        return played

    def _learn(self, slot: int, frames: Frames, rate: float) -> float:
        network, optimiser, config = self.networks[slot], self.optimisers[slot], self.config
        for group in optimiser.param_groups:
            group["lr"] = rate
        wanted = torch.from_numpy(self._scaled(slot, targets(frames, config.target)))
        seen, actions = torch.from_numpy(frames.observation), torch.from_numpy(frames.action)
        order = torch.from_numpy(rng.generator(self.seed, "minibatches", self.rounds, slot).permutation(len(frames)))
        total = 0.0
        parts = torch.split(order, config.batch)
        for pick in parts:
            loss = functional.mse_loss(network.taken(seen[pick], actions[pick]), wanted[pick])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            if config.clip:
                torch.nn.utils.clip_grad_norm_(network.parameters(), config.clip)
            optimiser.step()
            total += float(loss.detach())
        return total / len(parts)

    def _scaled(self, slot: int, wanted: NDArray[np.float32]) -> NDArray[np.float32]:
        if self.scales[slot, 1] == 0.0:
            self.scales[:] = units(self.sense, self.seats, self.seed, self.config.target)
        middle, spread = self.scales[slot]
        scaled: NDArray[np.float32] = ((wanted - middle) / spread).astype(np.float32)
        return scaled

    def state(self) -> Arrays:
        """Everything needed to go on."""
        arrays: Arrays = {"counts": np.array([self.frames, self.rounds]), "scales": self.scales.copy()}
        for slot, (network, optimiser) in enumerate(zip(self.networks, self.optimisers, strict=True)):
            arrays |= packed(f"network{slot}", module_state(network))
            arrays |= packed(f"optimiser{slot}", optimiser_state(optimiser))
        return arrays | packed("snapshots", self.seats.state())

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.frames, self.rounds = counts(arrays, "counts", 2)
        self.scales[:] = taken(arrays, "scales", Column("f8", self.scales.shape))
        for slot, (network, optimiser) in enumerate(zip(self.networks, self.optimisers, strict=True)):
            restore_module(network, unpacked(f"network{slot}", arrays))
            restore_optimiser(optimiser, unpacked(f"optimiser{slot}", arrays))
        self.seats.restore(unpacked("snapshots", arrays), self.networks)


def units(sense: Sense, seats: Seats, seed: int, target: str) -> NDArray[np.float64]:
    """[slots, 2]: the middle and the spread of what the slots' seats get when everybody plays at random.

    A first round of a network would not do: one that never wins leaves no spread to measure.
    """
    anybody = seats.bots["random"]
    played = SelfPlay(sense, UNIT_GAMES).play([anybody] * sense.game.PLAYERS, rng.derived(seed, "units"))
    results = played.won.astype(np.float64) if target == "win" else played.returns
    found = np.ones((seats.networks, 2))
    for slot in range(seats.networks):
        own = results[:, [seat for seat, owner in enumerate(seats.slots) if owner == slot]]
        is_rest = target == "togo" and sense.banked is not None
        found[slot] = 0.0 if is_rest else own.mean(), float(own.std()) or 1.0
    return found


def targets(frames: Frames, target: str) -> NDArray[np.float32]:
    """[n]: what each decision was good for."""
    if target == "win":
        return frames.won.astype(np.float32)
    return frames.returns - frames.banked if target == "togo" else frames.returns


def cosine(progress: float, last: float) -> float:
    """From 1 down to `last` as progress goes from 0 to 1."""
    return last + (1.0 - last) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))


def make_optimiser(name: str, network: torch.nn.Module, rate: float) -> torch.optim.Optimizer:
    """Adam, or RMSprop with the paper's numbers."""
    if name == "adam":
        return torch.optim.Adam(network.parameters(), rate, fused=True)
    if name == "rmsprop":
        return torch.optim.RMSprop(network.parameters(), rate, alpha=0.99, eps=1e-5)
    raise BadOption(f"optimiser={name} is not possible: it is adam or rmsprop")
