"""What stands in for the optional kernels a game does not provide, so that templates compile for every game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import kernel

State = NDArray[np.int64]


@kernel
def won(s: State, seat: int) -> bool:
    """Never asked: without this kernel a seat has won when its return is positive."""
    return False


@kernel
def chances(s: State, p: NDArray[np.float64]) -> int:
    """No chance moves after the deal."""
    return 0


@kernel
def deals() -> int:
    """The deals cannot be listed."""
    return 0


@kernel
def deal_at(s: State, k: int) -> None:
    """The deals cannot be listed."""


@kernel
def moves(s: State) -> int:
    """No bitmask of moves."""
    return 0


block = moves


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Nothing is counted at the end of a game."""


@kernel
def canonical(s: State, seat: int, order: NDArray[np.int64]) -> None:
    """Actions keep their ids."""
    for a in range(len(order)):
        order[a] = a
