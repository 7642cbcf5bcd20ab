"""Which games the adapters are tested on, and the deals a seat cannot tell apart."""

import numpy as np
import pytest

from kibitz.core import rng
from kibitz.core.game import names

ONE_OF_A_KIND = (
    "kuhn",
    "leduc",
    "collaborative-kuhn",
    "cheat",
    "coinche",
    "cego-raeuber",
    "cego-solo",
    "cego",
    "skat",
    "skat-suit",
)
"""The other presets differ from one of these in options alone."""

EVERY = [name if name in ONE_OF_A_KIND else pytest.param(name, marks=pytest.mark.slow) for name in names()]
SOME = ["kuhn", "leduc", "cheat", "coinche", "cego-solo", "skat"]


def redealt(game, s, seat, seed):
    """The state with everything dealt anew that the seat cannot see."""
    other = s.copy()
    game.redeal(other, seat, rng.fresh(seed, 0, seat))
    return other


def random_legal(mask, luck):
    return int(luck.choice(np.flatnonzero(mask)))
