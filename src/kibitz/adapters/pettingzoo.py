"""Our games as PettingZoo AEC environments: `from kibitz.adapters.pettingzoo import coinche_v0; coinche_v0.env()`.

Importing this module also enters every game in PettingZoo's registry: `pettingzoo.make("aec", "kibitz/Coinche-v0")`.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters import VERSION, env_ids, missing
from kibitz.adapters.turn_table import TurnTable
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import OVER, make, names

try:
    import pettingzoo  # type: ignore[import-untyped]
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # type: ignore[import-untyped]
except ImportError:
    raise missing("pettingzoo", "envs") from None

from kibitz.adapters.spaces import Moves, masked_space

Seen = dict[str, NDArray[Any]]


class TableEnv(pettingzoo.AECEnv[str, Seen, int | None]):  # type: ignore[misc]
    """All seats of a game as agents player_0, player_1, ...; an episode is one deal unless `deals` asks for more.

    The mask of a seat that is not to move is zero: anything else would tell its cards. A cycle is one move for every
    seat; with `max_cycles` the episode is cut off there, and `deals=None` deals on until then.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        *,
        observation: str = "default",
        options: Mapping[str, object] | None = None,
        deals: int | None = 1,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if deals is None and max_cycles is None:
            raise BadInput("deals=None is not possible without max_cycles: the episode would never end")
        if render_mode not in (None, "ansi", "human"):
            raise BadInput(f"render_mode={render_mode} is not possible: it is ansi, human or None")
        self.game = make(game, **dict(options or {}))
        self.turn_table = TurnTable(self.game, observation)
        self.metadata = TableEnv.metadata | {"name": module_name(game)}
        self.render_mode = render_mode
        self.deals, self.max_moves = deals, None if max_cycles is None else max_cycles * self.game.PLAYERS
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.PLAYERS)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {
            agent: masked_space(self.turn_table.senses, self.game.ACTIONS) for agent in self.possible_agents
        }
        self._actions = {
            agent: Moves(self.game.ACTIONS, partial(self.turn_table.mask_of, seat))
            for agent, seat in self._seat.items()
        }
        self.agent_selection = self.possible_agents[0]
        self._seed: int | None = None
        self._number = -1

    def observation_space(self, agent: str) -> Any:
        """What an agent sees, and its mask."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """The actions of the game; a sample without a mask is legal for the seat to move."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: game 0 of a seed, or without one the next game of the last seed."""
        if seed is None and self._seed is None:
            seed = rng.unguessable()
        if seed is not None:
            self._seed, self._number = seed, -1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False
        self._played = self._dealt = 0
        self._deal()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now; its mask is zero unless it is to move."""
        seat = self._seat[agent]
        return {"observation": self.turn_table.observe(seat), "action_mask": self.turn_table.mask_of(seat)}

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move; an illegal one is refused with the reason."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadInput(f"None is no action: {agent} is to move")
        self.turn_table.push(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._played += 1
        if self._paid:
            self._pay(np.zeros(self.game.PLAYERS))
        if self.turn_table.turn == OVER:
            self._pay(self.turn_table.returns())
            self._end_deal()
        if self.max_moves is not None and self._played >= self.max_moves and not any(self.terminations.values()):
            self.truncations = dict.fromkeys(self.agents, True)
        if self.turn_table.turn >= 0:
            self.agent_selection = self.possible_agents[self.turn_table.turn]

    def render(self) -> str | None:
        """The table as the agent to move sees it, in words."""
        if self.render_mode is None:
            return None
        text = str(self.turn_table.view(self._seat[self.agent_selection]))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """There is nothing to close."""

    def _deal(self) -> None:
        self._number += 1
        self._dealt += 1
        assert self._seed is not None
        self.turn_table.deal(self._seed, self._number)
        self.agent_selection = self.possible_agents[self.turn_table.turn]

    def _end_deal(self) -> None:
        if self.deals is None or self._dealt < self.deals:
            self._deal()
        else:
            self.terminations = dict.fromkeys(self.agents, True)

    def _pay(self, returns: NDArray[np.float64]) -> None:
        self._paid = bool(returns.any())
        for agent, reward in zip(self.agents, returns.tolist(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward


def module_name(game: str) -> str:
    """The name of a game's module form: cego_solo_v0."""
    return f"{game.replace('-', '_')}_v{VERSION}"


def env(game: str, **asked: Any) -> TableEnv:
    """The AEC environment of a game; arguments are those of TableEnv."""
    return TableEnv(game, **asked)


def parallel_env(game: str, *, max_cycles: int | None = None, **asked: Any) -> Any:
    """The environment in parallel form: a step is one move, and all actions but that of the agent to move are ignored.

    A cycle is then one step.
    """
    table = TableEnv(game, max_cycles=max_cycles, **asked)
    table.max_moves = max_cycles
    return turn_based_aec_to_parallel(table)


@cache
def module(game: str) -> types.ModuleType:
    """A game in the form of PettingZoo's modules: env, raw_env and parallel_env."""
    made = types.ModuleType(f"{__name__}.{module_name(game)}", f"{game} as a PettingZoo module.")
    vars(made).update(env=partial(env, game), raw_env=partial(env, game), parallel_env=partial(parallel_env, game))
    return made


def __getattr__(name: str) -> types.ModuleType:
    for game in names() if name.endswith(f"_v{VERSION}") else ():
        if module_name(game) == name:
            return module(game)
    raise AttributeError(f"kibitz.adapters.pettingzoo has no {name}")


def register() -> None:
    """Enter every game in PettingZoo's registry, if this PettingZoo has one; what is there already stays."""
    if not hasattr(pettingzoo, "register"):
        return
    for env_id, name in env_ids().items():
        pettingzoo.register("aec", env_id, entry_point=partial(env, name))
        pettingzoo.register("parallel", env_id, entry_point=partial(parallel_env, name))


register()
