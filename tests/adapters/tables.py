"""Which games the adapters are tested on, and the deals a seat cannot tell apart."""

import numpy as np
import pytest

from kibitz.core import rng
from kibitz.core.game import names

HUGE = ("cheat-half", "cheat-whole", "cheat-party")
"""Thousands of actions or moves: these take a compilation of their own."""
REPEATED = ("cheat-paper", "skat-suit", "skat-grand", "skat-null", "skat-null-ouvert", "cego-ultimo", "cego-piccolo")
"""Presets that differ in option words from one that is tested."""

EVERY = [pytest.param(name, marks=pytest.mark.slow) if name in HUGE + REPEATED else name for name in names()]
SOME = ["kuhn", "leduc", "cheat", "coinche", "cego-solo", "skat"]


def redealt(game, s, seat, seed):
    """The state with everything dealt anew that the seat cannot see."""
    other = s.copy()
    game.redeal(other, seat, rng.fresh(seed, 0, seat))
    return other


def random_legal(mask, luck):
    return int(luck.choice(np.flatnonzero(mask)))
