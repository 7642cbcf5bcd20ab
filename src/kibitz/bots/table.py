"""The bot that plays a saved tabular policy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import read_knobs
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.jit import kernel
from kibitz.core.policy import Actions, Speaking
from kibitz.core.shipped import found_model
from kibitz.core.view import View, Views
from kibitz.tabular.table import Table, load


class TableBot(Speaking):
    """Draws its action from a table's probabilities."""

    def __init__(self, name: str, table: Table) -> None:
        self.name, self.table = name, table

    def act(self, view: View) -> int:
        """The action drawn at one view."""
        views = Views(view.game, np.array([view.seat]), view.state[None], view.mask[None], view.rng[None])
        return int(self.act_batch(views)[0])

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """[n, ACTIONS]: what the table says at many views."""
        return self.table.probabilities(views)

    def act_batch(self, views: Views) -> Actions:
        """The actions drawn at many views."""
        actions: Actions = np.empty(len(views), np.int64)
        _draw_rows(self.probabilities(views), views.rngs, actions)
        return actions


@kernel
def _draw_rows(chances: NDArray[np.float64], rngs: NDArray[np.int64], actions: Actions) -> None:
    """One action of every row, drawn with the seat's own luck."""
    for row in range(len(actions)):
        total = 0.0
        for action in range(chances.shape[1]):
            total += chances[row, action]
        left = rng.uniform(rngs[row]) * total
        passed = 0.0
        actions[row] = 0
        for action in range(chances.shape[1]):
            passed += chances[row, action]
            if passed > left:
                actions[row] = action
                break


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> TableBot:
    """A player that plays the table in a file, or a shipped one by its name."""
    read_knobs(spec, {}, knobs)
    if not argument:
        raise BadInput("table needs a file: table:FILE, which `kibitz solve GAME --out FILE` writes")
    return TableBot(spec, load(found_model(argument, ".npz"), game))
