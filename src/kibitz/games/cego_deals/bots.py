"""The rule-based player of Cego's sub-games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.games.cego_deals.rules import moves
from kibitz.games.tarock_play import best_card


@kernel
def choose(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """The card worth most by estimates of who wins the trick; knobs[0] is how much strong cards are saved."""
    return best_card(view, moves(view), knobs[0])


BOTS = {
    "cego-rule": Rule(
        choose,
        "weighs who will win the trick and what lies in it; knob thrift: how much strong cards are saved",
        {"thrift": 0.5},
    )
}
