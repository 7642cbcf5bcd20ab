"""Uniform play: the random bot's kernels, shared by every loop that needs them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import nth, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel


@kernel
def choose(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """One of the legal actions, all equally likely."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    return nth_legal(mask, rng.below(r, count))


@kernel
def nth_legal(mask: NDArray[np.bool_], k: int) -> int:
    """The action that has exactly k legal ones before it."""
    for action in range(len(mask)):
        k -= mask[action]  # one branch an action: a mask of hundreds of actions is mostly false
        if k < 0:
            return action
    return -1


@kernel
def choose_bit(bits: int, r: rng.Rng) -> int:
    """The same choice from a bitmask: the same luck gives the same action."""
    return nth(bits, rng.below(r, popcount(bits)))
