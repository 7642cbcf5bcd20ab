"""Every preset as a test parameter."""

import os

import pytest

from kibitz.core.game import names

RESIZED = ("cheat-half", "cheat-whole", "cheat-party")
"""Presets that differ from another in sizes alone: compiling them takes longer than checking them."""
WITH_BOUNDS = ("kuhn", "leduc", "cheat-tiny", "coinche", "cego-standard", "skat", "euchre")
"""The presets that `make test` checks with bounds checks; `make test-slow` checks all."""


def presets():
    checks_bounds = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
    late = [name for name in names() if name in RESIZED or (checks_bounds and name not in WITH_BOUNDS)]
    return [pytest.param(name, marks=pytest.mark.resized) if name in late else name for name in names()]
