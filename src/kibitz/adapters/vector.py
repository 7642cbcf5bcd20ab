"""Many tables as one Gymnasium vector environment: `gymnasium.make_vec("kibitz/Coinche-v0", 1024)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters import missing
from kibitz.adapters.pool import Others, Seats
from kibitz.adapters.tables import Tables
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.shapes import Bools

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing("gymnasium", "envs") from None

from kibitz.adapters.spaces import ManyMoves, Moves, masked_space, seen_space


class SeatVectorEnv(gymnasium.vector.VectorEnv[Any, NDArray[Any], NDArray[Any]]):
    """A learner at many tables at once; everything between two of its moves happens in one compiled call.

    Row i with seed s does what a single environment with seed s + i does. `copy=False` gives out the arrays that the
    next step overwrites.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: Seats = 0,
        opponents: Others = "random",
        observation: str = "default",
        flatten: bool = False,
        options: Mapping[str, object] | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.game = make(game, **dict(options or {}))
        self.tables = Tables(self.game, num_envs, seat, opponents, observation)
        self.num_envs, self.flatten, self.copy = num_envs, flatten, copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        senses, actions = self.tables.obs.shape[1], self.game.ACTIONS
        self.single_observation_space = seen_space(senses) if flatten else masked_space(senses, actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = Moves(actions, lambda: self.tables.mask[0].view(np.int8))
        self.action_space = ManyMoves(num_envs, actions, self.tables.sample)
        self._seeds: list[int] | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal at every table, or at those of `options["reset_mask"]`;
        without a seed the next deals of the last one."""
        rows = self._rows_to_reset(options)
        seeds = self._read_seeds(seed)
        self.tables.reset(rows, seeds, renew=self.copy)
        mask = self._mask()
        return self._seen(mask), self._infos(mask, rows)

    def step(self, actions: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play the learner's actions; where a deal has ended, the mode of autoreset says when the next one starts."""
        tables = self.tables
        fresh = tables.over.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and fresh.any():
            raise BadInput("a deal is over: reset it with options={'reset_mask': ...} before the next step")
        tables.step(actions, ~fresh, renew=self.copy)
        if fresh.any():
            tables.reset(fresh)
        rewards, over = np.where(fresh, 0.0, tables.reward), tables.over & ~fresh
        infos: dict[str, Any] = {}
        if over.any() and self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._finals(over)
            tables.reset(over)
        elif over.any():
            infos = self._outcomes(over)
        mask = self._mask()
        return self._seen(mask), rewards, over, np.zeros(self.num_envs, np.bool_), infos | self._infos(mask)

    def action_masks(self) -> NDArray[np.bool_]:
        """[n, ACTIONS]: the legal actions of every table."""
        return self.tables.mask.copy()

    def render(self) -> tuple[str, ...] | None:
        """The tables as the learner sees them, in words."""
        if self.render_mode is None:
            return None
        return tuple(table_text(self.tables, row) for row in range(self.num_envs))

    def _rows_to_reset(self, options: dict[str, Any] | None) -> Bools:
        rows: Bools | None = (options or {}).get("reset_mask")
        if rows is None:
            return np.ones(self.num_envs, np.bool_)
        if rows.shape != (self.num_envs,) or rows.dtype != np.bool_:
            raise BadInput(f"reset_mask is {rows.shape} of {rows.dtype}: it takes one bool for each of {self.num_envs}")
        return rows

    def _read_seeds(self, seed: int | Sequence[int | None] | None) -> list[int] | None:
        if seed is None and self._seeds is not None:
            return None
        if seed is None:
            self._seeds = [rng.unguessable() for _ in range(self.num_envs)]
            self._np_random_seed = self._seeds[0]
        elif isinstance(seed, int):
            self._np_random_seed = seed
            self._seeds = [seed + row for row in range(self.num_envs)]
        else:
            if len(seed) != self.num_envs:
                raise BadInput(f"{len(seed)} seeds for {self.num_envs} tables: it takes one for each")
            before = self._seeds or [0] * self.num_envs
            self._seeds = [old if one is None else int(one) for one, old in zip(seed, before, strict=True)]
        return self._seeds

    def _mask(self) -> NDArray[np.int8]:
        """The masks to give out: the tables' own say what is legal, so others had better not write on them."""
        mask = self.tables.mask.view(np.int8)
        return mask.copy() if self.copy else mask

    def _seen(self, mask: NDArray[np.int8]) -> Any:
        obs = self.tables.obs
        return obs if self.flatten else {"observation": obs, "action_mask": mask}

    def _infos(self, mask: NDArray[np.int8], rows: Bools | None = None) -> dict[str, Any]:
        given = np.ones(self.num_envs, np.bool_) if rows is None else rows.copy()
        return {
            "action_mask": mask,
            "_action_mask": given,
            "seat": self.tables.me.copy(),
            "_seat": given.copy(),
        }

    def _outcomes(self, over: Bools) -> dict[str, Any]:
        return {"returns": np.where(over[:, None], self.tables.returns, 0.0), "_returns": over.copy()}

    def _finals(self, over: Bools) -> dict[str, Any]:
        """What Gymnasium calls final: the last observations and infos of the deals that have ended."""
        rows, game = np.flatnonzero(over), self.game
        last, nothing = self.tables.obs[rows], np.zeros((len(rows), game.ACTIONS), np.int8)
        seen: NDArray[Any] = np.full(self.num_envs, None, object)
        for i, row in enumerate(rows):
            seen[row] = last[i] if self.flatten else {"observation": last[i], "action_mask": nothing[i]}
        infos = {
            "action_mask": np.zeros((self.num_envs, game.ACTIONS), np.int8),
            "_action_mask": over.copy(),
            "seat": np.where(over, self.tables.me, 0),
            "_seat": over.copy(),
        } | self._outcomes(over)
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}


def table_text(tables: Tables, row: int) -> str:
    """One table as the learner sees it, in words."""
    seat = int(tables.me[row])
    blanked = np.zeros(tables.game.SIZE, np.int64)
    tables.game.view(tables.state[row], seat, blanked)
    return str(tables.game.words.show(blanked, seat))
