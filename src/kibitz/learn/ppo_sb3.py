"""PPO by sb3-contrib's MaskablePPO, on our tables, for the Coinche paper's preset and as a check of our own (ppo.py).

What is learned is copied into a plain network after every round, so that the model plays everywhere as any other. SB3
keeps running deals in its environment and draws from global generators; here every round starts with fresh deals and
with generators set from (seed, round), so a run that was interrupted goes on as if it had not been. The price are the
deals that the end of a round cuts off, whose rest the value function guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.adapters.tables import Tables
from kibitz.core import rng
from kibitz.core.arrays import Arrays
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.learn.checkpoint import Part, counts, restore_parts, state_of_parts
from kibitz.learn.model import NOBODY, POLICY
from kibitz.learn.network import ACTIONS, RECURRENT, Listener, Network
from kibitz.learn.ppo import Sb3Config, trick_points
from kibitz.learn.seats import SNAPSHOT, Seats, constant_sides
from kibitz.learn.selfplay import Actor, greedy
from kibitz.learn.senses import Calls, Sense

try:
    from gymnasium import spaces
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as problem:
    raise MissingExtra(problem.name, "learn,envs,sb3") from None

LIMIT = 1e6


class DealEnv(VecEnv):
    """Tables as SB3 wants them; a deal that ends is followed by the next one at once."""

    render_mode = None

    def __init__(self, tables: Tables, config: Sb3Config) -> None:
        game = tables.game
        self.tables, self.config = tables, config
        self.bonus = trick_points(game) if config.tricks else None
        senses = tables.obs.shape[1]
        seen = spaces.Box(-LIMIT, LIMIT, (senses,), np.float32)
        super().__init__(tables.n, seen, spaces.Discrete(game.ACTIONS))
        self.deals = 0
        self._actions: NDArray[Any] = np.zeros(tables.n, np.int64)

    def restart(self, seeds: Sequence[int]) -> NDArray[np.float32]:
        """Start at every table with game 0 of a seed."""
        self.tables.reset(np.ones(self.num_envs, np.bool_), seeds)
        return self.tables.obs.copy()

    def reset(self) -> Any:
        """The first observations; `restart` has dealt."""
        return self.tables.obs.copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Play them; gives observations, rewards, where a deal is over, and nothing else."""
        tables = self.tables
        before = self._points() if self.bonus else None
        tables.step(self._actions)
        rewards = tables.reward.copy()
        if before is not None:
            rewards += self.config.tricks * (self._points() - before)
        over = tables.over.copy()
        if over.any():
            self.deals += int(over.sum())
            tables.reset(over)
        return tables.obs.copy(), (rewards / self.config.unit).astype(np.float32), over, [{}] * self.num_envs

    def _points(self) -> NDArray[np.float64]:
        """What the learner's side has in tricks."""
        assert self.bonus is not None
        return self.bonus(self.tables.state, np.arange(self.tables.n), self.tables.me)

    def action_masks(self) -> NDArray[np.bool_]:
        """[n, ACTIONS]: what is legal."""
        return self.tables.mask.copy()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """What sb3-contrib asks for the masks."""
        return list(getattr(self, method_name)(*args, **kwargs))

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once per table."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all tables."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No table is."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing to close."""


class Ears(BaseFeaturesExtractor):
    """A listener as SB3 wants it."""

    def __init__(self, space: spaces.Box, calls: Calls) -> None:
        listener = Listener(calls)
        super().__init__(space, listener.width(space.shape[0]))
        self.listener = listener

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The observation with the auction heard."""
        heard: torch.Tensor = self.listener(observations)
        return heard


def ears(form: str, calls: Calls | None) -> dict[str, Any]:
    """What SB3 is told of a form."""
    if form == ACTIONS:
        return {}
    if form == RECURRENT:
        return {"features_extractor_class": Ears, "features_extractor_kwargs": {"calls": calls}}
    raise BadInput(f"PPO has no form={form}: it has {ACTIONS} and {RECURRENT}")


class Sb3Ppo:
    """The learner: one policy, for the learning seats of one side."""

    method, kind = "ppo", POLICY

    def __init__(self, sense: Sense, seats: Seats, config: Sb3Config, seed: int) -> None:
        if sense.kind not in sense.game.observations:
            known = ", ".join(sense.game.observations)
            raise BadInput(f"PPO sees what an environment shows: observation={sense.kind} is not possible, {known} are")
        self.sense, self.seats, self.config, self.seed = sense, seats, config, seed
        self.frames, self.rounds = 0, 0
        network = Network(sense.size, sense.game.ACTIONS, config.layers, config.form, calls=sense.calls)
        tables = Tables(sense.game, config.tables, own_seats(sense.game, seats), rivals_of(seats), sense.kind)
        self.env = DealEnv(tables, config)
        with _own_luck(seed, -1):
            self.model = MaskablePPO(
                "MlpPolicy", self.env, config.rate, config.steps, config.batch, config.epochs, config.discount,
                config.trace, config.clip, ent_coef=config.entropy, vf_coef=config.value_weight,
                max_grad_norm=config.gradient, device="cpu",
                policy_kwargs={
                    "net_arch": list(config.layers), "activation_fn": torch.nn.ReLU, **ears(config.form, sense.calls),
                },
            )  # fmt: skip
        self.model.set_logger(Logger(None, []))  # its own would leave a folder in the temporary ones
        # One policy, whatever the seats share: observations count seats from whoever looks.
        self.networks = [network] * seats.networks
        self._copy_out()

    def round(self, progress: float) -> dict[str, float]:
        """Play `steps` decisions at every table and learn from them."""
        model, steps = self.model, self.config.tables * self.config.steps
        with _own_luck(self.seed, self.rounds):
            seeds = (
                rng.generator(self.seed, "ppo_tables", self.rounds).integers(0, 1 << 62, self.config.tables).tolist()
            )
            model._last_obs = self.env.restart(seeds)
            model._last_episode_starts = np.ones(self.config.tables, np.bool_)
            model.learn(steps, reset_num_timesteps=False, log_interval=None)  # type: ignore[arg-type]
        self.frames += steps
        self.rounds += 1
        self._copy_out()
        told = model.logger.name_to_value
        return {
            "loss": float(told["train/loss"]), "entropy": -float(told["train/entropy_loss"]),
            "value_loss": float(told["train/value_loss"]),
        }  # fmt: skip

    def player(self, slot: int) -> Actor | Bot:
        """Who is measured: the policy, greedily."""
        return Actor(greedy(self.networks[slot]))

    def _copy_out(self) -> None:
        """Write the policy into the plain network."""
        policy = self.model.policy
        if self.networks[0].listener is not None:
            assert isinstance(policy.features_extractor, Ears)
            self.networks[0].listener.load_state_dict(policy.features_extractor.listener.state_dict())
        found = [*policy.mlp_extractor.policy_net, policy.action_net]
        linear = [layer for layer in found if isinstance(layer, torch.nn.Linear)]
        with torch.no_grad():
            for ours, theirs in zip(self.networks[0].layers, linear, strict=True):
                assert isinstance(ours, torch.nn.Linear)
                ours.weight.copy_(theirs.weight)
                ours.bias.copy_(theirs.bias)

    def state(self) -> Arrays:
        """Everything needed to go on."""
        done = np.array([self.frames, self.rounds, self.model.num_timesteps])
        return {"counts": done, **state_of_parts(self._parts())}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.frames, self.rounds, self.model.num_timesteps = counts(arrays, "counts", 3)
        restore_parts(self._parts(), arrays)
        self._copy_out()

    def _parts(self) -> Mapping[str, Part]:
        return {"policy": self.model.policy, "optimiser": self.model.policy.optimizer}


def own_seats(game: Game, seats: Seats) -> Sequence[int]:
    """The learning seats; those of the first one's side if all sides learn,
    as one policy cannot play against itself."""
    learners = [seat for seat, slot in enumerate(seats.slots) if slot != NOBODY]
    if len(learners) < game.PLAYERS:
        return learners
    sides = constant_sides(game)
    return [seat for seat in learners if sides[seat] == sides[learners[0]]]


def rivals_of(seats: Seats) -> Sequence[Any]:
    """The bots that the other seats draw from."""
    named = [seats.bots[name] for name in seats.seating.rivals if name != SNAPSHOT]
    if not named:
        raise BadInput("PPO needs rivals that are bots: --rivals random, for instance")
    return named


@contextmanager
def _own_luck(seed: int, number: int) -> Iterator[None]:
    """Set the global generators that SB3 draws from, and put them back afterwards."""
    before = np.random.get_state()
    fresh = rng.generator(seed, "ppo", number).integers(0, 1 << 32, 2)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(fresh[0]))
        np.random.seed(int(fresh[1]))
        try:
            yield
        finally:
            np.random.set_state(before)
