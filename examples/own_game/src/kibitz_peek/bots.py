"""Peek's rule-based player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz_peek.rules import CALL, CARD, CARDS, CHECK, FOLD, PEEK, RAISE, has_peeked


@kernel
def choose(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Raise what is known or likely to win, now and then the lowest card; call with the better half."""
    if mask[CALL]:
        return CALL if view[CARD + 1] >= CARDS // 2 else FOLD
    if has_peeked(view):
        return RAISE if view[CARD] > view[CARD + 1] else CHECK
    if view[CARD] == CARDS // 2:
        return PEEK
    return RAISE if view[CARD] > CARDS // 2 or (view[CARD] == 0 and rng.uniform(r) < knobs[0]) else CHECK


BOTS = {"peek-rule": Rule(choose, "raises high cards, peeks with the middle one; knob bluff", {"bluff": 0.25})}
