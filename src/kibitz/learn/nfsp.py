"""Neural fictitious self-play: a best response is learned by Q-learning, and a policy imitates its average over time.

In each game a seat plays its best response with probability eta and its average policy otherwise (Heinrich and Silver,
2016). Q-learning sees every decision; the average policy is trained on a fair sample of the best response's decisions,
so that it comes to play what the best responses of all times played.
In zero-sum games for two it approaches an equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadRecord
from kibitz.core.shapes import Ints
from kibitz.learn.by_hand import ByHand
from kibitz.learn.checkpoint import MOST_COUNTED, Part, numbered, restore_parts, state_of_parts, taken
from kibitz.learn.descent import cosine, descend, make_optimiser, set_rate
from kibitz.learn.dqn import DqnConfig, QSlot, falling_epsilon, set_spreads
from kibitz.learn.memory import Reservoir
from kibitz.learn.model import POLICY, drawn, softmax
from kibitz.learn.network import NEVER, Network
from kibitz.learn.rounds import Rounds
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Frames, SelfPlay, exploring
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch, has_choice
from kibitz.learn.settings import positive, share


@dataclass(frozen=True)
class NfspConfig(DqnConfig):
    """How a best response and the average policy learn together; the fields of DQN belong to the best response."""

    layers: tuple[int, ...] = (64, 64)
    replay: int = 5000
    batch: int = 128
    learned: float = positive(4.0)
    rate: float = positive(2e-3)
    last_rate: float = share(0.1)
    target_every: int = 50
    eta: float = share(0.2)
    """The anticipatory parameter: how likely a seat plays its best response."""
    policy_layers: tuple[int, ...] = (64, 64)
    reservoir: int = 300_000
    """Decisions of best responses remembered."""
    policy_batch: int = 128
    policy_learned: float = positive(2.0)
    """How often the policy learns from a decision, on average."""
    policy_rate: float = positive(2e-3)
    strays: bool = False
    """Whether the policy imitates also what the best response only tried out (epsilon)."""


PRESETS: Mapping[str, NfspConfig] = {
    "default": NfspConfig(),
    "large": NfspConfig(
        layers=(128, 128), replay=100_000, batch=512, learned=1.0, rate=1e-3, last_rate=0.02, target_every=100, eta=0.5,
        policy_layers=(128, 128), reservoir=200_000, policy_batch=512, policy_learned=1.0, policy_rate=1e-3,
    ),
    "paper": NfspConfig(
        observation="paper", layers=(512, 512), games=10, replay=100_000, batch=32, warm_up=100, learned=32.0,
        rate=1e-5, last_rate=1.0, rewards="end", unit=1.0, discount=0.95, target_every=10_000, last_epsilon=0.1,
        exploring_frames=100_000, eta=0.5, policy_layers=(512, 512), reservoir=100_000, policy_batch=32,
        policy_learned=32.0, policy_rate=1e-4, strays=True, by_hand=True,
    ),
    "paper-quick": NfspConfig(
        observation="paper", layers=(128, 128), replay=100_000, batch=512, learned=1.0, rate=1e-3, last_rate=0.02,
        rewards="end", target_every=100, eta=0.5, policy_layers=(128, 128), reservoir=200_000, policy_batch=512,
        policy_learned=1.0, policy_rate=1e-3,
    ),
}  # fmt: skip
"""`default` comes near an equilibrium of small games; `large` learns less often from a decision and is for card games;
`paper` has the settings of the Cego paper (Table IV) and, as in RLCard, imitates strays too; `paper-quick` has its
observation and its rewards with the settings of `large`."""


class PolicySlot:
    """The average policy of a slot with its optimiser and its reservoir."""

    def __init__(self, sense: Sense, config: NfspConfig, seed: int) -> None:
        self.config = config
        self.network = Network(
            sense.size, sense.game.ACTIONS, config.policy_layers, seed=rng.derived(seed, "network", 1)
        )
        self.by_hand = ByHand(self.network) if config.by_hand else None
        self.optimiser = make_optimiser(config.optimiser, self.by_hand or self.network, config.policy_rate)
        self.reservoir = Reservoir(config.reservoir, sense.size, sense.game.ACTIONS)
        self.owed = 0.0

    def learn(self, frames: Frames, which: Ints, rate: float, luck: np.random.Generator) -> float:
        """Remember the best response's decisions and imitate a sample of all of them; gives the mean loss."""
        self.reservoir.add(frames, which, luck)
        set_rate(self.optimiser, rate)
        if len(self.reservoir) >= self.config.warm_up:
            self.owed += self.config.policy_learned * len(frames)
        total, done = 0.0, 0
        while self.owed >= self.config.policy_batch and len(self.reservoir):
            total, done = total + self._step(luck), done + 1
            self.owed -= self.config.policy_batch
        return total / max(1, done)

    def _step(self, luck: np.random.Generator) -> float:
        seen, allowed, action = self.reservoir.draw(luck, self.config.policy_batch)
        if not self.by_hand:
            loss = functional.cross_entropy(self.network(seen).masked_fill(~allowed, NEVER), action)
            return descend(self.optimiser, loss)
        with torch.no_grad():
            free = has_choice(allowed.numpy())  # elsewhere loss and slopes are 0
            passed, taken = self.by_hand.forward(seen[free]), action[free, None]
            surprise = functional.log_softmax(passed[-1].masked_fill_(~allowed[free], NEVER), dim=1)
            slope = surprise.exp().scatter_add_(1, taken, torch.full(taken.shape, -1.0)) / len(action)
            self.by_hand.backward(passed, slope)
            self.optimiser.step()
        return -float(surprise.gather(1, taken).sum()) / len(action)

    def state(self) -> Arrays:
        """Everything needed to go on."""
        return {"owed": np.array(self.owed), **state_of_parts(self._parts())}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        restore_parts(self._parts(), arrays)
        # What is owed is learned at once, unless nothing was ever remembered.
        most = float(self.config.policy_batch if self.reservoir.seen else MOST_COUNTED)
        self.owed = float(taken(arrays, "owed", Column("f8", (), 0.0, most)))

    def _parts(self) -> Mapping[str, Part]:
        return {"network": self.network, "optimiser": self.optimiser, "reservoir": self.reservoir}


class Nfsp(Rounds):
    """The learner: a best response and an average policy per slot; the policies are the model."""

    method, kind = "nfsp", POLICY

    def __init__(self, sense: Sense, seats: Seats, config: NfspConfig, seed: int) -> None:
        super().__init__(sense, seats, config, seed)
        self.best = [QSlot(sense, config, rng.derived(seed, "network", slot)) for slot in range(seats.networks)]
        self.average = [PolicySlot(sense, config, rng.derived(seed, "network", slot)) for slot in range(seats.networks)]
        self.networks = [slot.network for slot in self.average]
        self.selfplay = SelfPlay(sense, config.games)

    def round(self, progress: float) -> dict[str, float]:
        """Play one round, then learn values and policy."""
        config = self.config
        luck = rng.generator(self.seed, "minibatches", self.rounds)
        responds = luck.random((config.games, self.sense.game.PLAYERS)) < config.eta
        epsilon = falling_epsilon(config, progress, self.frames)
        actors = [
            Actor(
                mixed(exploring(best.network, epsilon), sampling(average.network), responds),
                slot,
                note=(responds, epsilon),
            )
            for slot, (best, average) in enumerate(zip(self.best, self.average, strict=True))
        ]
        players = self.seats.fill(self.rounds, actors)
        played = self.selfplay.play(players, self.seed, self.rounds * config.games)
        fall = cosine(progress, config.last_rate)
        set_spreads(self.best, self.sense, self.seats, self.seed)
        losses, policy_losses = [], []
        for slot, frames in sorted(played.frames.items()):
            losses.append(self.best[slot].learn(frames, config.rate * fall, luck))
            responds, epsilon_then = played.note(slot)
            is_meant = config.strays | (frames.luck[:, 0] >= epsilon_then)
            which = np.flatnonzero(responds[frames.row, frames.seat] & is_meant)
            policy_losses.append(self.average[slot].learn(frames, which, config.policy_rate * fall, luck))
        self.end_round(played.decisions)
        loss, policy_loss = (float(np.mean(found)) if found else 0.0 for found in (losses, policy_losses))
        return {"loss": loss, "policy_loss": policy_loss, "rate": config.rate * fall, "epsilon": epsilon}

    def parts(self) -> Mapping[str, Part]:
        """The slots."""
        return numbered(best=self.best, average=self.average)

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        super().restore(arrays)
        for k, slot in enumerate(self.average):
            most = self.config.policy_learned * self.frames
            if not slot.reservoir.seen and slot.owed > most:
                raise BadRecord(f"average{k}/owed is {slot.owed}: at most {most} is right")


def sampling(network: Network) -> Callable[[ObservationBatch], Ints]:
    """Draw an action from a policy's probabilities."""

    def choose(observed: ObservationBatch) -> Ints:
        with torch.inference_mode():
            seen, allowed = torch.from_numpy(observed.observation), torch.from_numpy(observed.allowed)
            logits = network.values(seen, allowed).double().numpy()
        return drawn(softmax(logits), observed.luck[:, 0])

    return choose


def mixed(
    best: Callable[[ObservationBatch], Ints], average: Callable[[ObservationBatch], Ints], responds: NDArray[np.bool_]
) -> Callable[[ObservationBatch], Ints]:
    """Play the best response in the games and seats that say so, the average policy in the others."""

    def choose(observed: ObservationBatch) -> Ints:
        chosen = np.zeros(len(observed), np.int64)
        is_best = responds[observed.rows, observed.seats]
        for who, asked in ((best, np.flatnonzero(is_best)), (average, np.flatnonzero(~is_best))):
            if len(asked):
                chosen[asked] = who(observed.pick(asked))
        return chosen

    return choose
