"""Every registered game and every preset keeps the contract."""

import pytest

from kibitz.core.conformance import check
from kibitz.core.game import make, names
from kibitz.core.jit import PLAIN

LARGER = [("kuhn", {"players": 3}), ("kuhn", {"players": 4})]
SAME_BUT_LARGER = ("cheat", "cheat-half", "cheat-whole")
"""Presets that differ from others in sizes alone: compiling them takes longer than checking them."""


def preset(name):
    return pytest.param(name, marks=pytest.mark.resized) if name in SAME_BUT_LARGER else name


@pytest.mark.parametrize("name", [preset(name) for name in names()])
def test_preset_keeps_the_contract(name):
    check(make(name), games=2 if PLAIN else 12)


@pytest.mark.parametrize(("name", "options"), LARGER)
def test_other_sizes_keep_the_contract(name, options):
    check(make(name, **options), games=3 if PLAIN else 30)
