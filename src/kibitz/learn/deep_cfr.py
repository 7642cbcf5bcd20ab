"""Deep counterfactual regret minimisation: networks stand in for the tables of regrets and of the average strategy.

An iteration traverses the game for each slot of seats, following strategies that match the regrets its advantage
network predicts (Brown, Lerer, Gross and Sandholm, 2019). The regrets met on the way go into a reservoir, and a new
advantage network is fitted to all of it, later iterations weighing more. How the others decided goes into a second
reservoir, from which a policy network learns the average strategy: that network is the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadOption
from kibitz.core.policy import Bot
from kibitz.core.shapes import Floats
from kibitz.core.work import Executor, Serial
from kibitz.learn import slopes
from kibitz.learn.by_hand import ByHand
from kibitz.learn.checkpoint import Part, numbered, restore_parts, state_of_parts, taken
from kibitz.learn.descent import cosine, descend, make_optimiser, set_rate, take_step
from kibitz.learn.ledger import Ledgers, Notes
from kibitz.learn.model import POLICY
from kibitz.learn.network import NEVER, Network
from kibitz.learn.rounds import Rounds, coach_of
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch, has_choice
from kibitz.learn.settings import CoachSettings, Settings, from_zero, positive, share
from kibitz.learn.traversal import PAPER, Harvest, Sampling
from kibitz.learn.traversing import Matching, Traversing

ENTROPY, SQUARED = "entropy", "squared"


@dataclass(frozen=True)
class DeepCfrConfig(Settings, CoachSettings):
    """How the game is traversed and what the networks make of it."""

    layers: tuple[int, ...] = (64, 64)
    """Of the advantage networks."""
    traversals: int = 512
    """Per iteration and slot, shared by the slot's seats in turn."""
    at_once: int = 4096
    """How many of them advance together."""
    samples: tuple[int, ...] = from_zero((0,))
    """Actions followed at the traverser's first, second, ... decision, the last number for all later ones; 0: all."""
    estimator: str = "unbiased"
    """With samples: unbiased, or paper for the Coinche paper's Algorithm 3 to the letter. Without: probes, which tries
    actions at a few decisions of every deal."""
    explore: float = share(0.5)
    """Unbiased: how much of the sampling is uniform; probes: how often the traverser strays before that decision."""
    kinds: tuple[int, ...] = ()
    """The first action of every further kind of decision (43 in Coinche, where calls end and cards begin): each kind
    has memories and units of its own, and the same share of every batch."""
    probes: tuple[int, ...] = from_zero((1,))
    """Probes: how many decisions of each kind are asked about in a deal, the last number for all further kinds."""
    tries: int = from_zero(0)
    """Probes: how many actions are tried at a decision, besides one of the strategy's; 0: all."""
    uniform_fallback: bool = False
    """Without a positive advantage: play all actions alike, else the one with the least regret."""
    power: float = 1.0
    """Strategies go by this power of the positive advantages: 1 is regret matching, more leaves less to small ones,
    which among many actions are mostly noise (the polynomial forecasters of Cesa-Bianchi and Lugosi)."""
    memory: int = 200_000
    """Regrets remembered per slot."""
    steps: int = from_zero(50)
    """Batches per fit of an advantage network; with epochs at least so many."""
    epochs: float = 0.0
    """Passes over the memory per fit."""
    rate: float = positive(3e-3)
    """Learning rate of the advantage networks; falls over each fit."""
    afresh: bool = False
    """Whether each fit starts from a new network, as in the papers, or from the last one, which needs fewer batches."""
    policy_layers: tuple[int, ...] = (64, 64)
    policy_memory: int = 500_000
    """Decisions remembered per slot for the average strategy."""
    policy_batch: int = 512
    policy_steps: int = from_zero(50)
    """Batches per iteration for the policy network; with epochs at least so many."""
    policy_epochs: float = 0.0
    policy_rate: float = positive(3e-3)
    """Falls over the run."""
    policy_loss: str = ENTROPY
    """entropy, or squared as in the papers."""
    barred: tuple[int, ...] = ()
    """Actions that are not learned and never taken if there are others."""
    by_hand: bool = False
    """Whether gradients are written out and no network is asked where there is no choice: the same but for rounding,
    and quicker."""


_PAPER = DeepCfrConfig(
    observation="paper", traversals=256, samples=(4,), estimator=PAPER, uniform_fallback=True, memory=100_000,
    batch=256, steps=0, epochs=4.0, rate=3e-4, policy_memory=500_000, policy_batch=256, policy_steps=0,
    policy_epochs=4.0, policy_rate=3e-4, policy_loss=SQUARED, at_once=64, afresh=True,
)  # fmt: skip
PRESETS: Mapping[str, DeepCfrConfig] = {
    "default": DeepCfrConfig(),
    "sampled": DeepCfrConfig(samples=(4, 4, 2, 1), layers=(128, 128), policy_layers=(128, 128), steps=100),
    "paper": _PAPER,
    "paper-schedule": DeepCfrConfig(**{**vars(_PAPER), "samples": (4, 4, 1), "at_once": 256}),
}  # fmt: skip
"""`default` follows all actions and suits small games, `sampled` is for large ones. `paper` is Table 3
of the Coinche paper to the letter: four samples at every decision, which no machine can follow through a whole deal;
`paper-schedule` samples so only at the first two decisions of a seat."""


class Slot:
    """The networks and memories of the seats that share them."""

    def __init__(self, sense: Sense, config: DeepCfrConfig, seed: int) -> None:
        self.sense, self.config, self.seed = sense, config, seed
        size, actions = sense.size, sense.game.ACTIONS
        self.advantage = Network(size, actions, config.layers, seed=seed)
        self.policy = Network(size, actions, config.policy_layers, seed=rng.derived(seed, "network", 1))
        self.policy_by_hand = ByHand(self.policy, skips_zeros=False) if config.by_hand else None
        self.policy_optimiser = make_optimiser("adam", self.policy_by_hand or self.policy, config.policy_rate)
        self.regrets = Ledgers(config.kinds, config.memory, size, actions)
        self.decisions = Ledgers(config.kinds, config.policy_memory, size, actions)
        self.scales = np.zeros(len(config.kinds) + 1)
        """Regrets are learned in these units, one per kind of decision: the spread of the first iteration's."""
        self.baseline = 0.0
        """What a traversal brought on average in the last iteration."""

    def strategy(self, observed: ObservationBatch) -> Floats:
        """Regret matching on what the advantage network says; all alike before there is one."""
        return self.matching()(observed)

    def matching(self) -> Matching:
        """The strategy of this iteration, alone."""
        network = self.advantage if len(self.regrets) else None
        return Matching(network, self.config.uniform_fallback, self.config.power, self.config.by_hand)

    def remember(self, harvest: Harvest, iteration: int, luck: np.random.Generator) -> None:
        """Keep the regrets of this slot's traversals."""
        notes = harvest.regrets
        kinds = self.regrets.kinds(notes.allowed)
        for kind in np.unique(kinds):
            if self.scales[kind] == 0.0:
                found = notes.pick(np.flatnonzero(kinds == kind))
                self.scales[kind] = max(float(found.numbers[found.allowed].std()), 1e-6)
        scaled = (notes.numbers / self.scales[kinds][:, None]).astype(np.float32)
        self.regrets.add(Notes(notes.observation, notes.allowed, scaled), iteration, luck)
        self.baseline = float(harvest.values.mean())

    def fit_advantages(self, iteration: int, luck: np.random.Generator) -> float:
        """Fit an advantage network to the remembered regrets; gives the mean loss."""
        config = self.config
        if config.afresh:
            seed = rng.derived(self.seed, "network", 0, iteration)
            self.advantage = Network(self.sense.size, self.sense.game.ACTIONS, config.layers, seed=seed)
        by_hand = ByHand(self.advantage, skips_zeros=False) if config.by_hand else None
        optimiser = make_optimiser("adam", by_hand or self.advantage, config.rate)
        steps = batches(len(self.regrets), config.batch, config.steps, config.epochs)
        total = 0.0
        for step in range(steps):
            set_rate(optimiser, config.rate * (1.0 - step / steps))
            seen, allowed, wanted, when = self.regrets.draw(luck, config.batch)
            if by_hand:
                weight = weights(when, iteration)
                total += descend_by_hand(optimiser, by_hand, slopes.squared, seen, allowed, wanted, weight)
                continue
            missed = torch.where(allowed, self.advantage(seen) - wanted, 0.0).square().sum(dim=1)
            total += descend(optimiser, weighed(missed, when, iteration))
        return total / max(1, steps)

    def fit_policy(self, iteration: int, fall: float, luck: np.random.Generator) -> float:
        """Go on fitting the policy network to the remembered decisions; gives the mean loss."""
        config = self.config
        set_rate(self.policy_optimiser, config.policy_rate * fall)
        steps = batches(len(self.decisions), config.policy_batch, config.policy_steps, config.policy_epochs)
        total = 0.0
        for _ in range(steps):
            seen, allowed, wanted, when = self.decisions.draw(luck, config.policy_batch)
            if self.policy_by_hand:
                loss = slopes.policy_squared if config.policy_loss == SQUARED else slopes.policy_entropy
                free = torch.from_numpy(has_choice(allowed.numpy()))  # elsewhere loss and slopes are 0
                told = [one.index_select(0, free) for one in (seen, allowed, wanted, weights(when, iteration))]
                total += descend_by_hand(self.policy_optimiser, self.policy_by_hand, loss, *told)
                continue
            logits = self.policy(seen).masked_fill(~allowed, NEVER)
            if config.policy_loss == SQUARED:
                missed = (functional.softmax(logits, dim=1) - wanted).square().sum(dim=1)
            else:
                missed = -(wanted * functional.log_softmax(logits, dim=1)).sum(dim=1)
            total += descend(self.policy_optimiser, weighed(missed, when, iteration))
        return total / max(1, steps)

    def state(self) -> Arrays:
        """Everything needed to go on."""
        return {"numbers": np.append(self.scales, self.baseline), **state_of_parts(self._parts())}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        numbers = taken(arrays, "numbers", Column("f8", (len(self.scales) + 1,)))
        self.scales, self.baseline = numbers[:-1].copy(), float(numbers[-1])
        restore_parts(self._parts(), arrays)

    def _parts(self) -> Mapping[str, Part]:
        return {
            "advantage": self.advantage, "policy": self.policy, "optimiser": self.policy_optimiser,
            "regrets": self.regrets, "decisions": self.decisions,
        }  # fmt: skip


class DeepCfr(Rounds):
    """The learner: a round is one iteration; the policies are the model, frames are the traversers' decisions."""

    method, kind = "deep-cfr", POLICY

    def __init__(self, sense: Sense, seats: Seats, config: DeepCfrConfig, seed: int) -> None:
        if config.policy_loss not in (ENTROPY, SQUARED):
            raise BadOption(f"policy_loss={config.policy_loss} is not possible: it is {ENTROPY} or {SQUARED}")
        super().__init__(sense, seats, config, seed)
        self.sampling = Sampling(config.samples, config.estimator, config.explore)
        wrong = [first for first in (*config.kinds, *config.barred) if first >= sense.game.ACTIONS]
        if wrong or sorted(set(config.kinds)) != list(config.kinds):
            raise BadOption(f"kinds and barred are actions in rising order, below {sense.game.ACTIONS}")
        coach_of(seats, config.coach, config.coached, 0.0)
        self.executor: Executor = Serial()
        """Who runs the batches of traversals, where there are several."""
        self.slots = [Slot(sense, config, rng.derived(seed, "network", k)) for k in range(seats.networks)]
        self.networks = [slot.policy for slot in self.slots]

    def round(self, progress: float) -> dict[str, float]:
        """One iteration: traverse and fit advantages slot by slot, then go on with the policies."""
        iteration = self.rounds + 1
        losses, lines, frames = [], 0, 0
        players = self._players()
        for k, slot in enumerate(self.slots):
            luck = rng.generator(self.seed, "deep_cfr_replay", self.rounds, k)
            found = self._traverse(k, players, luck, progress)
            for harvest in found:
                slot.remember(harvest, iteration, luck)
                for other, notes in harvest.strategies.items():
                    self.slots[other].decisions.add(notes, iteration, luck)
                lines, frames = lines + harvest.lines, frames + len(harvest.regrets)
            losses.append(slot.fit_advantages(iteration, luck))
        luck = rng.generator(self.seed, "deep_cfr_policy", self.rounds)
        fall = cosine(progress, 0.02)
        policy = [slot.fit_policy(iteration, fall, luck) for slot in self.slots if len(slot.decisions)]
        self.end_round(frames)
        policy_loss = float(np.mean(policy)) if policy else 0.0
        return {"loss": float(np.mean(losses)), "policy_loss": policy_loss, "iteration": iteration, "lines": lines}

    def _players(self) -> Sequence[Actor | Bot]:
        # Learning seats are asked for strategies, so their actors need no choice of their own.
        actors = [Actor(_never_asked, k) for k in range(len(self.slots))]
        return self.seats.fill(self.rounds, actors)

    def _traverse(
        self, k: int, players: Sequence[Actor | Bot], luck: np.random.Generator, progress: float
    ) -> list[Harvest]:
        config, slot = self.config, self.slots[k]
        own = np.array([seat for seat, who in enumerate(players) if isinstance(who, Actor) and who.slot == k], np.int64)
        if not len(own):  # rivals have all of its seats in this iteration
            return []
        coach = coach_of(self.seats, config.coach, config.coached, progress)
        table = Traversing(
            self.sense.game, self.sense.kind, config, players, [one.matching() for one in self.slots], coach, own,
            slot.baseline, self.seed, (self.rounds, k), torch.get_num_threads(),
        )  # fmt: skip
        parts = table.batches((self.rounds * len(self.slots) + k) * config.traversals)
        if len(parts) == 1:
            return [table.run(parts[0], luck)]
        return list(self.executor.run(table, parts))

    def parts(self) -> Mapping[str, Part]:
        """The slots."""
        return numbered(slot=self.slots)


def _never_asked(observed: ObservationBatch) -> NDArray[np.int64]:
    raise AssertionError("a learning seat of Deep CFR is asked for its strategy")


def batches(notes: int, batch: int, steps: int, epochs: float) -> int:
    """How many batches a fit takes."""
    return max(steps, round(epochs * notes / batch)) if notes else 0


def weighed(missed: Tensor, when: Tensor, iteration: int) -> Tensor:
    """The mean loss with linear weights: a note counts as its iteration, in units of the average one."""
    return (missed * when).mean() * (2.0 / (iteration + 1))


def weights(when: Tensor, iteration: int) -> Tensor:
    """[n]: what each note counts in that mean."""
    return when * (2.0 / (iteration + 1) / len(when))


def descend_by_hand(
    optimiser: torch.optim.Optimizer, by_hand: ByHand, loss: Callable[..., float], seen: Tensor, *told: Tensor
) -> float:
    """One step downhill on a loss of `slopes`, which is told the rest of a batch; gives the loss."""
    passed = by_hand.forward(seen)
    slope = torch.empty_like(passed[-1])
    lost = loss(passed[-1].numpy(), *(one.numpy() for one in told), slope.numpy())
    by_hand.backward(passed, slope)
    take_step(optimiser)
    return lost
