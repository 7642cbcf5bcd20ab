"""Many choices of one compiled bot in one call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.jit import specialise

choose: Any = None  # bound by specialise


@cache
def choose_rows(game: Game, kernel: Any) -> Callable[..., None]:
    """The loop over rows for one bot's kernel."""
    return specialise(_choose_rows, f"{game.tag}|{kernel.__module__}.{kernel.__name__}", choose=kernel)


def _choose_rows(
    states: NDArray[np.int64],
    masks: NDArray[np.bool_],
    rngs: NDArray[np.int64],
    knobs: NDArray[np.float64],
    actions: NDArray[np.int64],
) -> None:
    for row in range(len(actions)):
        actions[row] = choose(states[row], masks[row], rngs[row], knobs)
