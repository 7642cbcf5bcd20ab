"""Proximal policy optimisation by sb3-contrib's MaskablePPO, on our tables: one policy for the seats of one side.

What is learned is copied into a plain network after every round, so that the model plays everywhere as any other. SB3 keeps
running deals in its environment and draws from global generators; here every round starts with fresh deals and with
generators set from (seed, round), so a run that was interrupted goes on as if it had not been. The price are the deals that
the end of a round cuts off, whose rest the value function guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.adapters.tables import Tables
from kibitz.core import rng
from kibitz.core.arrays import Arrays
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.game import Game, package_of
from kibitz.learn.model import NOBODY, POLICY
from kibitz.learn.network import ACTIONS, RECURRENT, Listener, Network
from kibitz.learn.seats import SNAPSHOT, Seats, constant_sides
from kibitz.learn.senses import Calls, Sense
from kibitz.learn.stow import counts, module_state, optimiser_state, packed, restore_module, restore_optimiser, unpacked

try:
    from gymnasium import spaces
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as problem:
    raise MissingExtra(problem.name, "learn,envs,sb3") from None

LIMIT = 1e6


@dataclass(frozen=True)
class PpoConfig:
    """The settings of MaskablePPO, and how the deals reward."""

    observation: str = "default"
    """One of the game's own observations."""
    layers: tuple[int, ...] = (64, 64)
    """Of the policy and of the value function, with rectified units."""
    form: str = ACTIONS
    """actions, or recurrent: both hear the auction call by call."""
    tables: int = 64
    steps: int = 512
    """Decisions per table and round."""
    batch: int = 512
    epochs: int = 10
    rate: float = 3e-4
    discount: float = 0.99
    trace: float = 0.95
    """Lambda of the generalised advantage estimate."""
    clip: float = 0.2
    entropy: float = 0.0
    value_weight: float = 0.5
    gradient: float = 0.5
    """The largest gradient norm."""
    tricks: float = 0.0
    """Coinche: this share of the points of every trick its side wins is paid at once, on top of the return."""
    unit: float = 1.0
    """Rewards are divided by this."""


PRESETS: Mapping[str, PpoConfig] = {
    "default": PpoConfig(layers=(128, 128), batch=1024, rate=1e-3, epochs=4, discount=1.0, entropy=0.01, unit=250.0),
    "paper": PpoConfig(observation="paper", tricks=0.1),
}
"""`paper` has the Coinche paper's numbers (section 5.3; its units are tangents, ours rectified); play it with
`--set reward=good`."""


class DealEnv(VecEnv):
    """Tables as SB3 wants them; a deal that ends is followed by the next one at once."""

    render_mode = None

    def __init__(self, tables: Tables, config: PpoConfig) -> None:
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
        before = self.bonus(tables) if self.bonus else None
        tables.step(self._actions)
        rewards = tables.reward.copy()
        if self.bonus is not None and before is not None:
            rewards += self.config.tricks * (self.bonus(tables) - before)
        over = tables.over.copy()
        if over.any():
            self.deals += int(over.sum())
            tables.reset(over)
        return tables.obs.copy(), (rewards / self.config.unit).astype(np.float32), over, [{}] * self.num_envs

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


class Ppo:
    """The learner: one policy, for the learning seats of one side."""

    method, kind = "ppo", POLICY

    def __init__(self, sense: Sense, seats: Seats, config: PpoConfig, seed: int) -> None:
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
        arrays: Arrays = {"counts": np.array([self.frames, self.rounds, self.model.num_timesteps])}
        policy = self.model.policy
        return arrays | packed("policy", module_state(policy)) | packed("optimiser", optimiser_state(policy.optimizer))

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.frames, self.rounds, self.model.num_timesteps = counts(arrays, "counts", 3)
        restore_module(self.model.policy, unpacked("policy", arrays))
        restore_optimiser(self.model.policy.optimizer, unpacked("optimiser", arrays))
        self._copy_out()


def own_seats(game: Game, seats: Seats) -> Sequence[int]:
    """The learning seats; those of the first one's side if all sides learn, as one policy cannot play against itself."""
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


def trick_points(game: Game) -> Any:
    """A function of tables: the points in tricks of the learner's side, without the bonus for all of them."""
    if not package_of(game.name).endswith(".coinche"):
        raise BadInput(f"{game.name} has no points by the trick: tricks=0")
    layout = game.parts["rules"]
    from kibitz.games.coinche.layout import POINTS, WON
    from kibitz.games.coinche.scoring import UNBID_CAPOT

    def points(tables: Tables) -> NDArray[np.float64]:
        state, rows = tables.state, np.arange(tables.n)
        side = tables.me & 1
        all_tricks = state[rows, WON + side] + state[rows, WON + 2 + side] == layout.TRICKS
        taken: NDArray[np.float64] = (state[rows, POINTS + side] - UNBID_CAPOT * all_tricks).astype(np.float64)
        return taken

    return points


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
