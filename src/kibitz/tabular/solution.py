"""A solved game: its policy, what it is worth to each seat, and how far it is from an equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.tabular.table import Table


@dataclass(frozen=True)
class Solution:
    """What a solver has found; values and NashConv are None where the game cannot be unrolled."""

    game: Game
    policy: Table = field(repr=False)
    method: str
    iterations: int
    values: list[float] | None
    """What the game is worth to each seat when all play the policy."""
    nash_conv: float | None
    """What the seats could gain together by best responses; 0 at an equilibrium."""

    @property
    def value(self) -> float | None:
        """What the game is worth to seat 0."""
        return self.values[0] if self.values else None

    def save(self, path: str | Path) -> None:
        """Write the policy with what is known of it; it plays as table:FILE."""
        known: Mapping[str, Any] = {"nash_conv": self.nash_conv, "values": self.values}
        found = known if self.nash_conv is not None else {}
        replace(self.policy, about={**self.policy.about, **found}).save(path)

    def __str__(self) -> str:
        parts = [f"{self.game.name}: {len(self.policy.key):,} information sets"]
        if self.values is not None:
            parts.append(f"value per seat {'  '.join(f'{value:+.6f}' for value in self.values)}")
        gap = f"NashConv {self.nash_conv:.3e} after " if self.nash_conv is not None else ""
        return "\n".join([*parts, f"{gap}{self.iterations:,} iterations of {self.method}"])

    def __repr__(self) -> str:
        return str(self)


def judged(game: Game, table: Table, method: str, iterations: int) -> Solution:
    """A policy with its values and NashConv, where it is over full information sets and the game can be unrolled."""
    from kibitz.core.tree import unroll
    from kibitz.tabular.abstraction import FULL
    from kibitz.tabular.best_response import expected_value, nash_conv
    from kibitz.tabular.table import on_tree

    values, gap = None, None
    if table.about.get("keys", FULL) == table.about.get("actions", FULL) == FULL:
        try:
            tree = unroll(game)
        except BadInput:
            return Solution(game, table, method, iterations, None, None)
        policy = on_tree(table, tree)
        values, gap = [float(v) for v in expected_value(tree, policy)], nash_conv(tree, policy)
    return Solution(game, table, method, iterations, values, gap)
