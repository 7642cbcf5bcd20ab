"""Every registered game and every preset keeps the contract."""

import pytest

from kibitz.core.conformance import check
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from tests.presets import presets

VARIANTS = [
    ("skat", {"passed": "ramsch", "schieberamsch": "on", "jumps": "on"}),
    ("cego", {"contra_solo": "on"}),
    ("collaborative-kuhn-noisy", {"memory": "all", "blur": "noise"}),
    ("cheat", {"lie_mode": "pure", "reveal_pile": 1}),
    pytest.param("cheat", {"players": 3, "one_by_one": 1, "allow_pass": 1}, marks=pytest.mark.resized),
    pytest.param("cheat", {"players": 3, "simultaneous_challenge": 1, "cards_each": 5}, marks=pytest.mark.resized),
    pytest.param("coinche", {"shared_head": 1}, marks=pytest.mark.resized),
]
LARGER = [("kuhn", {"players": 3}), ("kuhn", {"players": 4})]


LONG = pytest.param(12, marks=pytest.mark.slow)
"""Games for `make test-slow`; plain Python plays fewer."""


@pytest.mark.parametrize("games", [4, LONG])
@pytest.mark.parametrize("name", presets())
def test_preset_keeps_the_contract(name, games):
    check(make(name), games=2 if PLAIN else games)


@pytest.mark.parametrize(("name", "options"), LARGER)
def test_other_sizes_keep_the_contract(name, options):
    check(make(name, **options), games=3 if PLAIN else 30)


@pytest.mark.parametrize("games", [4, LONG])
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_variants_keep_the_contract(name, options, games):
    check(make(name, **options), games=3 if PLAIN else games)
