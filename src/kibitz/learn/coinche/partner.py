"""Deep Monte Carlo that also guesses the partner's hand:
a second answer from the same hidden layer, learned beside the first.

The Coinche paper names it as future work: whoever must tell where the partner's cards are, has to listen to the
auction. The guess is only a loss; it is not shown to anybody, and the model that is saved does not have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import package_of
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.games.coinche.layout import CARDS, HAND
from kibitz.learn.checkpoint import Part, numbered
from kibitz.learn.descent import set_rate
from kibitz.learn.dmc import Dmc, DmcConfig, targets
from kibitz.learn.network import Network
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import UNSEEN, Actor, Frames, SelfPlay
from kibitz.learn.senses import Sense


@dataclass(frozen=True)
class PartnerConfig(DmcConfig):
    """The settings of DMC, and how much the guess counts."""

    observation: str = "paper"
    """One that keeps the names of the suits, as the guess is made in them."""
    weight: float = 0.1
    """Of the guess beside the value; 0 leaves it out of the learning, and it is only measured."""


PRESETS: Mapping[str, PartnerConfig] = {"default": PartnerConfig()}


class PartnerPlay(SelfPlay):
    """Self-play that writes down what the partner of whoever decided was holding."""

    hands: dict[int, list[NDArray[np.bool_]]]

    def _decide(self, player: Actor | Bot, tables: Batch, rows: Ints) -> Ints:
        if isinstance(player, Actor) and player.slot != UNSEEN:
            held = tables.state[rows, HAND + (tables.turn[rows] + 2) % 4]
            self.hands.setdefault(player.slot, []).append((held[:, None] >> np.arange(CARDS) & 1).astype(np.bool_))
        return super()._decide(player, tables, rows)


class Partnered(Dmc):
    """The learner: DMC with a head for the partner's cards."""

    method = "partnered"
    config: PartnerConfig

    def __init__(self, sense: Sense, seats: Seats, config: PartnerConfig, seed: int) -> None:
        if not package_of(sense.game.name).endswith(".coinche") or sense.canonical is not None:
            raise BadInput(f"partners' hands are guessed in Coinche with observation=paper, not in {sense.game.name}")
        super().__init__(sense, seats, config, seed)
        self.selfplay: PartnerPlay = PartnerPlay(sense, config.games)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(rng.derived(seed, "network", 77))
            self.heads = [nn.Linear(config.layers[-1], CARDS) for _ in self.networks]
        self.head_optimisers = [torch.optim.Adam(head.parameters(), config.rate) for head in self.heads]
        self.guess = 0.0
        """How badly the partner's cards were guessed in the last round, in nats per card."""

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; gives the loss of the guess as well."""
        self.selfplay.hands = {}
        found = super().round(progress)
        return found | {"guess": self.guess}

    def _learn(self, slot: int, frames: Frames, rate: float) -> float:
        network, head, config = self.networks[slot], self.heads[slot], self.config
        optimisers = (self.optimisers[slot], self.head_optimisers[slot])
        for optimiser in optimisers:
            set_rate(optimiser, rate)
        hands = torch.from_numpy(np.concatenate(self.selfplay.hands[slot])).float()
        wanted = torch.from_numpy(self._scaled(slot, targets(frames, config.target)))
        seen, actions = torch.from_numpy(frames.observation), torch.from_numpy(frames.action)
        order = torch.from_numpy(rng.generator(self.seed, "minibatches", self.rounds, slot).permutation(len(frames)))
        total, guessed = 0.0, 0.0
        parts = order.split(config.batch)  # type: ignore[no-untyped-call]
        for pick in parts:
            hidden = deepest(network, seen[pick])
            values = network.layers[-1](hidden).gather(1, actions[pick][:, None]).squeeze(1)
            loss = functional.mse_loss(values, wanted[pick])
            shown = hidden if config.weight else hidden.detach()
            guess = functional.binary_cross_entropy_with_logits(head(shown), hands[pick])
            for optimiser in optimisers:
                optimiser.zero_grad()
            (loss + (config.weight or 1.0) * guess).backward()  # type: ignore[no-untyped-call]
            for optimiser in optimisers:
                optimiser.step()
            total, guessed = total + float(loss.detach()), guessed + float(guess.detach())
        self.guess = guessed / len(parts)
        return total / len(parts)

    def parts(self) -> Mapping[str, Part]:
        """The heads and their optimisers as well."""
        return {**super().parts(), **numbered(head=self.heads, guess=self.head_optimisers)}


def deepest(network: Network, observation: Tensor) -> Tensor:
    """[n, width]: the last hidden layer."""
    x = observation
    for layer in network.layers[:-1]:
        x = functional.relu(layer(x))
    return x
