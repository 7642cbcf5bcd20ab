"""Proximal policy optimisation on whole deals, thousands side by side (Schulman and others, 2017).

A round plays deals to their end with the policy drawn from, then goes over their decisions a few times. Every learning
seat has its own line of decisions: what it is paid until its next one, and what the value network thinks of that, say
how much better an action was than expected. The policy is moved towards what was better, as long as it stays near the
one that played. Policy and value are two networks with two optimisers: values are numbers of another size, and with one
clip for both gradients the policy would hardly move.

The preset `paper` is the Coinche paper's and runs through sb3-contrib, see ppo_sb3.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.learn.by_hand import ByHand
from kibitz.learn.checkpoint import Part, numbered
from kibitz.learn.descent import cosine, descend, make_optimiser, set_rate, take_step
from kibitz.learn.dmc_coached import CoachedPlay
from kibitz.learn.model import POLICY, drawn
from kibitz.learn.network import ACTIONS, NEVER, RECURRENT, Network
from kibitz.learn.rounds import Rounds, coach_of
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Frames
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import ObservationBatch, has_choice, without
from kibitz.learn.settings import CoachSettings, Settings, positive, share
from kibitz.learn.slopes import policy_clipped

CHUNK = 8192
"""Decisions that are looked at together."""
Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ClippedConfig(Settings):
    """What both kinds of PPO are told."""

    form: str = ACTIONS
    """actions, or recurrent: policy and value both hear the auction call by call."""
    epochs: int = 4
    """Passes over a round's decisions."""
    discount: float = share(1.0)
    trace: float = share(0.95)
    """Lambda of the generalised advantage estimate."""
    clip: float = 0.2
    """How far the probability of an action may move in a round, as a share of what it was."""
    entropy: float = 0.01
    """What a policy gets for being undecided."""
    gradient: float = 0.5
    """The largest gradient norm: of the policy, or in the paper's form of policy and value together."""
    tricks: float = 0.0
    """Trick-taking games: this share of the points of every trick its side wins is paid at once,
    on top of the return."""
    unit: float = positive(1.0)
    """Rewards are divided by this."""


@dataclass(frozen=True)
class PpoConfig(ClippedConfig, CoachSettings):
    """How deals are played and what the networks make of them."""

    games: int = 1536
    """Deals per round."""
    batch: int = 2048
    last_rate: float = share(0.05)
    """The share of the rate that is left at the end; in between it falls as a cosine."""
    value_gradient: float = 0.5
    """The largest gradient norm of the value network."""
    barred: tuple[int, ...] = ()
    """Actions that are not learned and never taken if there are others."""
    by_hand: bool = False
    """Whether gradients are written out and the policy is not asked where there is no choice: the same but for
    rounding, and quicker; with form=actions."""


@dataclass(frozen=True)
class Sb3Config(ClippedConfig):
    """The settings of sb3-contrib's MaskablePPO, and how the deals reward."""

    observation: str = "paper"
    """One of the game's own observations."""
    layers: tuple[int, ...] = (64, 64)
    tables: int = 64
    steps: int = 512
    """Decisions per table and round."""
    batch: int = 512
    epochs: int = 10
    rate: float = positive(3e-4)
    discount: float = share(0.99)
    entropy: float = 0.0
    tricks: float = 0.1
    value_weight: float = 0.5


PRESETS: Mapping[str, PpoConfig | Sb3Config] = {
    "default": PpoConfig(),
    "paper": Sb3Config(),
}
"""`paper` has the Coinche paper's numbers (section 5.3; its units
are tangents, ours rectified); play it with `--set reward=good`."""


def make_ppo(sense: Sense, seats: Seats, config: PpoConfig | Sb3Config, seed: int) -> object:
    """The learner that the settings are for."""
    if isinstance(config, Sb3Config):
        from kibitz.learn.ppo_sb3 import Sb3Ppo

        return Sb3Ppo(sense, seats, config, seed)
    return Ppo(sense, seats, config, seed)


@dataclass
class Slot:
    """The two networks of the seats that share them, and what the round noted of their decisions."""

    policy: Network
    value: Network
    policy_optimiser: torch.optim.Optimizer
    value_optimiser: torch.optim.Optimizer
    by_hand: tuple[ByHand, ByHand] | None = None
    """Policy and value with gradients written out."""

    def __post_init__(self) -> None:
        self.likelihood: list[Floats] = []
        """Per step: the logarithm of how likely each action was that was taken."""
        self.points: list[Doubles] = []
        """Per step: the points in tricks of each seat's side."""


@dataclass(frozen=True)
class Lesson:
    """The decisions of a round as the networks learn from them."""

    seen: Tensor
    allowed: Tensor
    action: Tensor
    likelihood: Tensor
    """[n]: the logarithm of how likely the action was."""
    advantage: Tensor
    """[n]: how much better it turned out than expected, of mean 0 and spread 1."""
    worth: Tensor
    """[n]: what the value network should have said."""

    def pick(self, which: Tensor) -> Lesson:
        """Some of the decisions."""
        return Lesson(*(getattr(self, one.name).index_select(0, which) for one in fields(self)))


class Ppo(Rounds):
    """The learner: a policy and a value network per slot; the policies are the model."""

    method, kind = "ppo", POLICY

    def __init__(self, sense: Sense, seats: Seats, config: PpoConfig, seed: int) -> None:
        if config.form not in (ACTIONS, RECURRENT):
            raise BadInput(f"PPO has no form={config.form}: it has {ACTIONS} and {RECURRENT}")
        if max(config.barred, default=0) >= sense.game.ACTIONS:
            raise BadOption(f"barred={max(config.barred)} is not possible: actions below {sense.game.ACTIONS} are")
        coach_of(seats, config.coach, config.coached, 0.0)
        super().__init__(sense, seats, config, seed)
        self.slots = [self._slot(rng.derived(seed, "network", k)) for k in range(seats.networks)]
        self.networks = [slot.policy for slot in self.slots]
        self.selfplay = CoachedPlay(sense, config.games)
        self.points = trick_points(sense.game) if config.tricks else None

    def _slot(self, seed: int) -> Slot:
        config, sense = self.config, self.sense
        policy = Network(sense.size, sense.game.ACTIONS, config.layers, config.form, seed, sense.calls)
        value = Network(sense.size, 1, config.layers, config.form, rng.derived(seed, "network", 1), sense.calls)
        by_hand = (ByHand(policy, skips_zeros=False), ByHand(value, skips_zeros=False)) if config.by_hand else None
        optimisers = [make_optimiser("adam", one, config.rate) for one in by_hand or (policy, value)]
        return Slot(policy, value, optimisers[0], optimisers[1], by_hand)

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; `progress` goes from 0 to 1 over the run."""
        config = self.config
        coach = coach_of(self.seats, config.coach, config.coached, progress)
        actors = [Actor(self._chooser(slot, coach), k) for k, slot in enumerate(self.slots)]
        played = self.selfplay.play(self.seats.fill(self.rounds, actors), self.seed, self.rounds * config.games)
        rate = config.rate * cosine(progress, config.last_rate)
        told = []
        for k, frames in sorted(played.frames.items()):
            lesson = self._lesson(self.slots[k], frames)
            order = rng.generator(self.seed, "minibatches", self.rounds, k)
            told.append(self._learn(self.slots[k], lesson, rate, order, is_coached=coach is not None))
        self.end_round(played.decisions)
        means = np.mean(told, axis=0) if told else np.zeros(3)
        return {"loss": float(means[0]), "value_loss": float(means[1]), "entropy": float(means[2]), "rate": rate}

    def _chooser(self, slot: Slot, coach: Bot | None) -> Callable[[ObservationBatch], Ints]:
        """Draw from the policy, or do as the coach does; what learning needs to know is noted on the way."""
        slot.likelihood, slot.points = [], []

        def choose(observed: ObservationBatch) -> Ints:
            observed = observed.without(self.config.barred)
            if self.config.by_hand:
                free = has_choice(observed.allowed)
                logs = np.where(observed.allowed, np.float32(0.0), np.float32(NEVER))
                logs[free] = self._logs(slot.policy, observed.observation[free], observed.allowed[free])
            else:
                logs = self._logs(slot.policy, observed.observation, observed.allowed)
            if coach is not None:
                chosen = self.selfplay.shown(coach, observed)
            else:
                chosen = drawn(np.exp(logs.astype(np.float64)), observed.luck[:, 0])
            slot.likelihood.append(logs[np.arange(len(logs)), chosen])
            if self.points is not None:
                slot.points.append(self.points(self.selfplay.tables.state, observed.rows, observed.seats))
            return chosen

        return choose

    def _logs(self, policy: Network, observation: Floats, allowed: NDArray[np.bool_]) -> Floats:
        with torch.inference_mode():
            logits = policy.values(torch.from_numpy(observation), torch.from_numpy(allowed))
            found: Floats = functional.log_softmax(logits, dim=1).numpy()
        return found

    def _lesson(self, slot: Slot, frames: Frames) -> Lesson:
        """What is to be learned from a slot's decisions, in the order in which they were made."""
        config = self.config
        seen = torch.from_numpy(frames.observation)
        with torch.inference_mode():
            expected = torch.cat([slot.value(part).squeeze(1) for part in torch.split(seen, CHUNK)]).double().numpy()
        history = frames.history()
        row, seat = frames.row[history], frames.seat[history]
        last = np.append((row[1:] != row[:-1]) | (seat[1:] != seat[:-1]), True)
        paid = np.where(last, frames.returns[history].astype(np.float64), 0.0)
        if self.points is not None:
            points = np.concatenate(slot.points)[history]
            final = self.points(self.selfplay.tables.state, row, seat)
            paid += config.tricks * (np.where(last, final, np.append(points[1:], 0.0)) - points)
        advantage = np.empty(len(history))
        advantage[history] = advantages(paid / config.unit, expected[history], last, config.discount, config.trace)
        worth = advantage + expected
        normal = (advantage - advantage.mean()) / max(float(advantage.std()), 1e-8)
        allowed = without(frames.allowed, config.barred)
        return Lesson(
            seen, torch.from_numpy(allowed), torch.from_numpy(frames.action),
            torch.from_numpy(np.concatenate(slot.likelihood)), torch.from_numpy(normal.astype(np.float32)),
            torch.from_numpy(worth.astype(np.float32)),
        )  # fmt: skip

    def _learn(
        self, slot: Slot, lesson: Lesson, rate: float, luck: np.random.Generator, *, is_coached: bool
    ) -> tuple[float, float, float]:
        """Go over a round's decisions; gives the mean losses of policy and value, and the entropy."""
        config = self.config
        for optimiser in (slot.policy_optimiser, slot.value_optimiser):
            set_rate(optimiser, rate)
        told = []
        for _ in range(config.epochs):
            order = torch.from_numpy(luck.permutation(len(lesson.action)))
            for pick in torch.split(order, config.batch):
                some = lesson.pick(pick)
                told.append(
                    self._descend_by_hand(slot, *slot.by_hand, some, is_coached)
                    if slot.by_hand
                    else self._descend(slot, some, is_coached)
                )
        policy, value, undecided = np.mean(told, axis=0).tolist()
        return policy, value, undecided

    def _descend(self, slot: Slot, lesson: Lesson, is_coached: bool) -> tuple[float, float, float]:
        config = self.config
        logits = slot.policy(lesson.seen).masked_fill(~lesson.allowed, NEVER)
        logs = functional.log_softmax(logits, dim=1)
        now = logs.gather(1, lesson.action[:, None]).squeeze(1)
        entropy = -(logs.exp() * logs).sum(dim=1).mean()
        loss = -now.mean() if is_coached else surrogate(now, lesson.likelihood, lesson.advantage, config.clip)
        descend(slot.policy_optimiser, loss - config.entropy * entropy, config.gradient)
        missed = functional.mse_loss(slot.value(lesson.seen).squeeze(1), lesson.worth)
        descend(slot.value_optimiser, missed, config.value_gradient)
        return float(loss.detach()), float(missed.detach()), float(entropy.detach())

    def _descend_by_hand(
        self, slot: Slot, policy: ByHand, value: ByHand, lesson: Lesson, is_coached: bool
    ) -> tuple[float, float, float]:
        config, n = self.config, len(lesson.seen)
        free = has_choice(lesson.allowed.numpy())  # elsewhere the policy has no slope
        some = lesson.pick(torch.from_numpy(free))
        passed = policy.forward(some.seen)
        slope = torch.empty_like(passed[-1])
        loss, entropy = policy_clipped(
            passed[-1].numpy(), some.allowed.numpy(), some.action.numpy(), some.likelihood.numpy(),
            some.advantage.numpy(), config.clip, config.entropy, is_coached, n, slope.numpy(),
        )  # fmt: skip
        if not is_coached:
            loss -= float(lesson.advantage.sum() - some.advantage.sum()) / n
        policy.backward(passed, slope)
        take_step(slot.policy_optimiser, config.gradient)
        passed = value.forward(lesson.seen)
        away = passed[-1] - lesson.worth[:, None]
        value.backward(passed, away * (2.0 / len(away)))
        take_step(slot.value_optimiser, config.value_gradient)
        return loss, float(away.square().mean()), entropy

    def parts(self) -> Mapping[str, Part]:
        """The networks of each slot, and their optimisers."""
        names = ("policy", "value", "policy_optimiser", "value_optimiser")
        return numbered(**{name: [getattr(slot, name) for slot in self.slots] for name in names})


def surrogate(now: Tensor, before: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """The clipped loss of the policy; `now` and `before` are logarithms of how likely the actions are and were."""
    ratio = (now - before).exp()
    return -torch.minimum(ratio * advantage, ratio.clamp(1.0 - clip, 1.0 + clip) * advantage).mean()


def advantages(paid: Doubles, expected: Doubles, last: NDArray[np.bool_], discount: float, trace: float) -> Doubles:
    """[n]: the generalised advantage estimate of decisions that follow one another, lines behind lines.

    `paid` is what came between a decision and the next one of its line, `last` where a line ends.
    """
    following = np.append(expected[1:], 0.0)
    surprise = paid + discount * np.where(last, 0.0, following) - expected
    # All lines at once, from their last decisions backwards.
    ends = np.flatnonzero(last)
    length = np.diff(ends, prepend=-1)
    found = np.zeros(len(paid))
    sums = np.zeros(len(ends))
    for back in range(int(length.max(initial=0))):
        still = np.flatnonzero(length > back)
        at = ends[still] - back
        sums[still] = surprise[at] + discount * trace * sums[still]
        found[at] = sums[still]
    return found


def trick_points(game: Game) -> Callable[[Ints, Ints, Ints], Doubles]:
    """A function of states, rows and seats: the points in tricks of each seat's side,
    without the bonus for all of them."""
    kit = getattr(game.parts["rules"], "GAME", None)
    if not isinstance(kit, TrickGame) or kit.by_tricks:
        raise BadInput(f"{game.name} has no points by the trick: tricks=0")
    places, bonus, blank = np.arange(game.PLAYERS), kit.every_trick - kit.last_trick, game.blank()
    sides = np.array([game.side(blank, seat) for seat in range(game.PLAYERS)])

    def points(states: Ints, rows: Ints, seats: Sequence[int] | Ints) -> Doubles:
        own = sides[np.asarray(seats)][:, None] == sides[None]
        at_rows = np.asarray(rows)[:, None]
        won, tricks = (np.where(own, states[at_rows, slot + places], 0).sum(1) for slot in (at.POINTS, at.TRICKS))
        taken: Doubles = (won - bonus * (tricks == kit.each)).astype(np.float64)
        return taken

    return points
