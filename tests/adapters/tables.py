"""Which games the adapters are tested on, and the deals a seat cannot tell apart."""

import numpy as np
import pytest

from kibitz.core import rng
from kibitz.core.game import names

FAST = ("kuhn", "coinche", "cego-solo")
"""The others add nothing that would not show here too, and each of them has to be compiled."""

EVERY = [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in names()]
SOME = [
    name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in (*FAST, "skat", "leduc", "cheat")
]


def redealt(game, s, seat, seed):
    """The state with everything dealt anew that the seat cannot see."""
    other = s.copy()
    game.redeal(other, seat, rng.fresh(seed, 0, seat))
    return other


def random_legal(mask, luck):
    return int(luck.choice(np.flatnonzero(mask)))
