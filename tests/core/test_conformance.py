"""Every registered game and every preset keeps the contract."""

import pytest

from kibitz.core.conformance import check
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from tests.presets import presets

LARGER = [("kuhn", {"players": 3}), ("kuhn", {"players": 4})]


@pytest.mark.parametrize("name", presets())
def test_preset_keeps_the_contract(name):
    check(make(name), games=2 if PLAIN else 12)


@pytest.mark.parametrize(("name", "options"), LARGER)
def test_other_sizes_keep_the_contract(name, options):
    check(make(name, **options), games=3 if PLAIN else 30)
