"""Our games as Gymnasium environments: importing this module registers `kibitz/Coinche-v0`, `kibitz/CegoSolo-v0`, ...

One learner sits at the table, or a team that shares one policy; the other seats are bots from a pool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters import env_ids, missing
from kibitz.adapters.pool import Others, Seats
from kibitz.adapters.tables import Tables
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import make

try:
    import gymnasium
except ImportError:
    raise missing("gymnasium", "envs") from None

from kibitz.adapters.spaces import Moves, masked_space, seen_space
from kibitz.adapters.vector import table_text

ENTRY_POINT = "kibitz.adapters.gymnasium:SeatEnv"
VECTOR_ENTRY_POINT = "kibitz.adapters.vector:SeatVectorEnv"


class SeatEnv(gymnasium.Env[Any, Any]):
    """A learner at one table, for one deal an episode; the reward comes when the deal is over.

    `seat` is one seat, several that share the policy (the reward is their mean), or "any": drawn anew for every deal.
    `opponents` is a bot, several of which every other seat draws one for each deal, or a bot for each seat.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        seat: Seats = 0,
        opponents: Others = "random",
        observation: str = "default",
        flatten: bool = False,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise BadInput(f"render_mode={render_mode} is not possible: it is ansi or None")
        self.game = make(game, **dict(options or {}))
        self.tables = Tables(self.game, 1, seat, opponents, observation)
        self._asked = (seat, opponents, observation)
        self.flatten, self.render_mode = flatten, render_mode
        senses, actions = self.tables.obs.shape[1], self.game.ACTIONS
        self.observation_space = seen_space(senses) if flatten else masked_space(senses, actions)
        self.action_space = self._moves = Moves(actions, lambda: self._offered())
        self._everywhere = np.ones(1, np.bool_)
        self._has_seed = self._is_fresh = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal: game 0 of a seed, or without one the next game of the last seed."""
        super().reset(seed=seed)
        if seed is None and not self._has_seed:
            seed = rng.unguessable()
        self._has_seed = self._is_fresh = True
        self._moves.announced = None
        self.tables.reset(self._everywhere, None if seed is None else [seed])
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and let the others play until it is to move again, or the deal is over."""
        tables = self.tables
        if tables.over[0]:
            raise BadInput("the deal is over, or none was dealt: reset the environment")
        tables.step(np.array([int(action)]))
        self._is_fresh, self._moves.announced = False, None
        return self._seen(), float(tables.reward[0]), bool(tables.over[0]), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """[ACTIONS]: the legal actions, where sb3-contrib looks for them."""
        return self.tables.mask[0].copy()

    def word(self, action: int) -> str:
        """The game's word for an action at this moment."""
        return self.tables.word(0, int(action))

    def render(self) -> str | None:
        """The table as the learner sees it, in words."""
        return table_text(self.tables, 0) if self.render_mode == "ansi" else None

    def _offered(self) -> NDArray[np.int8]:
        """What samples are drawn from: what is legal now.

        A space that is seeded before the first deal, or in the middle of one, is asked for the first move of the deal
        of that seed, as in `action_space.seed(s); action = action_space.sample(); reset(seed=s); step(action)`.
        """
        tables, seed = self.tables, self._moves.announced
        if seed is not None and not self._is_fresh:
            tables = Tables(self.game, 1, *self._asked)
            tables.reset(self._everywhere, [seed])
        return tables.mask[0].view(np.int8)

    def _seen(self) -> Any:
        obs = self.tables.obs[0].copy()
        return obs if self.flatten else {"observation": obs, "action_mask": self.tables.mask[0].astype(np.int8)}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.tables.mask[0].astype(np.int8), "seat": int(self.tables.me[0])}
        if self.tables.over[0]:
            info["returns"] = self.tables.returns[0].copy()
        return info


def register() -> None:
    """Enter every game in Gymnasium's registry; what is there already stays."""
    for env_id, name in env_ids().items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id, entry_point=ENTRY_POINT, vector_entry_point=VECTOR_ENTRY_POINT, kwargs={"game": name}
            )


register()
