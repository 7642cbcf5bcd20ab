"""Every preset as a test parameter."""

import os

import pytest

from kibitz.core.game import names

RESIZED = ("cheat-half", "cheat-whole", "cheat-party")
"""Presets that differ from another in sizes alone: compiling them takes longer than checking them."""
ONE_OF_A_KIND = (
    "kuhn",
    "leduc",
    "collaborative-kuhn",
    "cheat-tiny",
    "coinche",
    "cego-standard",
    "cego-solo",
    "cego",
    "skat",
    "skat-suit",
)
"""Presets that together use every kernel: enough for the pass with bounds checks."""


def presets():
    checks_bounds = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
    late = [name for name in names() if name in RESIZED or (checks_bounds and name not in ONE_OF_A_KIND)]
    return [pytest.param(name, marks=pytest.mark.resized) if name in late else name for name in names()]
