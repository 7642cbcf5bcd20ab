"""Deep Monte Carlo: learn what a game will bring after each action from games played to the end.

Every decision of a round becomes one example: (observation, action) -> what the seat got in the end. Play is greedy
with a little exploration, each example is learned once, and the next round is played by the better network. This is the
whole method (Zha et al., DouZero, 2021); what makes it quick here is one output per action, suits in a canonical order
and the target `togo`, which leaves out the points already won.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadOption
from kibitz.core.jit import kernel
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Ints
from kibitz.learn.checkpoint import Part, numbered, taken
from kibitz.learn.descent import cosine, descend, make_optimiser, set_rate
from kibitz.learn.helper import helper
from kibitz.learn.model import VALUES
from kibitz.learn.network import ACTIONS, STATE_ACTION, Network
from kibitz.learn.rounds import Rounds
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Frames, Round, SelfPlay, exploring
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch
from kibitz.learn.settings import Settings, positive, share, whole

Floats = NDArray[np.float32]

TARGETS = ("togo", "final", "win")
UNIT_GAMES = 2048


@dataclass(frozen=True)
class DmcConfig(Settings):
    """How a network of values learns from finished games."""

    layers: tuple[int, ...] = (256, 128)
    form: str = ACTIONS
    """One output per action (actions), state-action as in the papers, or recurrent over an auction's calls."""
    target: str = "togo"
    """What is learned: points still to come, the final return, or whether the game is won."""
    trace: float = share(1.0)
    """How far a target trusts the end of the game: 1 alone (Monte Carlo), 0 the value of the seat's next decision."""
    games: int = 2048
    """Games per round."""
    batch: int = 1024
    rate: float = positive(1.5e-3)
    last_rate: float = share(0.02)
    """The share of it that is left at the end; in between it falls as a cosine."""
    optimiser: str = "adam"
    """adam, or rmsprop as in the paper."""
    epsilon: float = share(0.05)
    """How likely any action is tried."""
    last_epsilon: float = share(1.0)
    """The share of it that is left at the end; in between it falls as the rate does."""
    clip: float = 0.0
    """The largest gradient norm; 0: any."""
    lag: int = whole(0, 1)
    """1: a round is played with the weights from before the last one was learned, so that two cores play and learn side
    by side; 0: with those from after it."""


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


class Dmc(Rounds):
    """The learner: one network, one optimiser and one scale per slot."""

    method, kind = "dmc", VALUES
    config: DmcConfig

    def __init__(self, sense: Sense, seats: Seats, config: DmcConfig, seed: int) -> None:
        if config.target not in TARGETS:
            raise BadOption(f"target={config.target} is not possible: it is {', '.join(TARGETS)}")
        super().__init__(sense, seats, config, seed)
        self.networks = [
            Network(sense.size, sense.game.ACTIONS, config.layers, config.form, own, sense.calls)
            for own in (rng.derived(seed, "network", slot) for slot in range(seats.networks))
        ]
        self.optimisers = [make_optimiser(config.optimiser, network, config.rate) for network in self.networks]
        self.scales = np.zeros((seats.networks, 2))
        """Per slot: the middle and the spread of random play, the units that targets are learned in."""
        self.selfplay = SelfPlay(sense, config.games)
        if config.lag:
            if self.method != Dmc.method:
                raise BadOption(f"lag=1 is not possible with {self.method}: with {Dmc.method} it is")
            self.behind = [copy.deepcopy(network) for network in self.networks]
            self.spare = SelfPlay(sense, config.games)
            self.progress = np.zeros(())
            self.ahead: Round | None = None
            """Who plays, tables for what they play, how far the run was when they sat down, and what they played."""

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; `progress` goes from 0 to 1 over the run."""
        rate = self.config.rate * cosine(progress, self.config.last_rate)
        if self.config.lag:
            losses = self._learn_while_playing(progress, rate)
        else:
            players = self._seated(progress)
            played = self._judged(self.selfplay.play(players, self.seed, self.rounds * self.config.games))
            losses = self._learn_round(played, rate)
            self.end_round(played.decisions)
        return {"loss": float(np.mean(losses)) if losses else 0.0, "rate": rate}

    def _learn_while_playing(self, progress: float, rate: float) -> list[float]:
        """Learn the round that was played ahead, and play the next one with the weights from before.

        Nothing depends on whether they have a core each or take turns.
        """
        if self.rounds:
            self.seats.remember(self.rounds, self.networks)
        with helper() as begin:
            played = self.ahead or self._play_ahead(progress, 0)
            for behind, network in zip(self.behind, self.networks, strict=True):
                behind.load_state_dict(network.state_dict())
            ahead = begin(partial(self._play_ahead, progress, self.rounds + 1))
            losses = self._learn_round(played, rate)
            self.ahead = ahead.result()
        self.frames += played.decisions
        self.rounds += 1
        return losses

    def _play_ahead(self, progress: float, number: int) -> Round:
        """Play a round with the weights that are behind, at the tables that are free."""
        self.progress[...] = progress
        self.selfplay, self.spare = self.spare, self.selfplay
        players = self._filled(self.behind, progress, number)
        return self.selfplay.play(players, self.seed, number * self.config.games)

    def _seated(self, progress: float) -> Sequence[Actor | Bot]:
        """Who plays the round."""
        return self._filled(self.networks, progress, self.rounds)

    def _filled(self, networks: Sequence[Network], progress: float, number: int) -> Sequence[Actor | Bot]:
        """Who plays round `number` if these networks do."""
        epsilon = self.config.epsilon * cosine(progress, self.config.last_epsilon)
        actors = [self._actor(exploring(net, epsilon), slot) for slot, net in enumerate(networks)]
        return self.seats.fill(number, actors)

    def _actor(self, choose: Callable[[ObservationBatch], Ints], slot: int) -> Actor:
        """A learner that decides so."""
        return Actor(choose, slot)

    def _judged(self, played: Round) -> Round:
        """The round with the returns that are learned."""
        return played

    def _learn_round(self, played: Round, rate: float) -> list[float]:
        return [self._learn(slot, frames, rate) for slot, frames in sorted(played.frames.items())]

    def _learn(self, slot: int, frames: Frames, rate: float) -> float:
        network, optimiser, config = self.networks[slot], self.optimisers[slot], self.config
        set_rate(optimiser, rate)
        seen, actions = torch.from_numpy(frames.observation), torch.from_numpy(frames.action)
        wanted = torch.from_numpy(self._scaled(slot, targets(frames, config.target)))
        if config.trace < 1.0:
            wanted = self._bootstrapped(slot, frames, wanted)
        order = torch.from_numpy(rng.generator(self.seed, "minibatches", self.rounds, slot).permutation(len(frames)))
        total = 0.0
        parts = torch.split(order, config.batch)
        for pick in parts:
            loss = functional.mse_loss(network.taken(seen[pick], actions[pick]), wanted[pick])
            total += descend(optimiser, loss, config.clip)
        return total / len(parts)

    def _bootstrapped(self, slot: int, frames: Frames, wanted: torch.Tensor) -> torch.Tensor:
        """[n]: targets that mix the end of the game with what the network says of the decisions on the way there."""
        config = self.config
        with torch.inference_mode():
            seen, allowed = torch.from_numpy(frames.observation), torch.from_numpy(frames.allowed)
            best = self.networks[slot].values(seen, allowed).max(dim=1).values.numpy()
        # What was sure at each decision makes values of different decisions comparable.
        sure = frames.banked / self.scales[slot, 1] if config.target == "togo" else np.zeros(len(frames), np.float32)
        order = frames.history()
        row, seat = frames.row[order], frames.seat[order]
        is_last = np.append((row[1:] != row[:-1]) | (seat[1:] != seat[:-1]), True)
        mixed = np.empty(len(frames), np.float32)
        mixed[order] = traced((wanted.numpy() + sure)[order], (best + sure)[order], is_last, config.trace)
        return torch.from_numpy((mixed - sure).astype(np.float32))

    def _scaled(self, slot: int, wanted: NDArray[np.float32]) -> NDArray[np.float32]:
        if self.scales[slot, 1] == 0.0:
            self.scales[:] = units(self.sense, self.seats, self.seed, self.config.target)
        middle, spread = self.scales[slot]
        scaled: NDArray[np.float32] = ((wanted - middle) / spread).astype(np.float32)
        return scaled

    def parts(self) -> Mapping[str, Part]:
        """The networks and their optimisers."""
        behind = {"behind": self.behind} if self.config.lag else {}
        return numbered(network=self.networks, optimiser=self.optimisers, **behind)

    def state(self) -> Arrays:
        """Everything needed to go on; a round that was played ahead is played again."""
        own = {"scales": self.scales.copy()} | ({"progress": self.progress.copy()} if self.config.lag else {})
        return super().state() | own

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        super().restore(arrays)
        self.scales[:] = taken(arrays, "scales", Column("f8", self.scales.shape))
        if self.config.lag:
            self.progress[...] = taken(arrays, "progress", Column("f8", (), 0.0, 1.0))
            with helper():
                self.ahead = self._play_ahead(float(self.progress), self.rounds) if self.rounds else None


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


@kernel
def traced(end: Floats, value: Floats, is_last: Bools, trace: float) -> Floats:
    """[n]: for decisions in the order of play, the end of the game or the next decision's value, by turns as traced."""
    out = end.copy()
    for i in range(len(end) - 2, -1, -1):
        if not is_last[i]:
            out[i] = trace * out[i + 1] + (1.0 - trace) * value[i + 1]
    return out


def targets(frames: Frames, target: str) -> NDArray[np.float32]:
    """[n]: what each decision was good for."""
    if target == "win":
        return frames.won.astype(np.float32)
    return frames.returns - frames.banked if target == "togo" else frames.returns
