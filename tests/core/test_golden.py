"""Every preset plays, sees and records what it did when the golden hashes were written."""

import pytest

from kibitz.core.game import make
from tests import golden
from tests.presets import presets


@pytest.mark.parametrize("name", presets())
def test_games_are_the_golden_ones(name):
    assert golden.played(make(name), golden.GAMES) == golden.read()[name]["games"]


@pytest.mark.parametrize("name", presets())
def test_games_with_other_options_are_the_golden_ones(name):
    assert golden.options(name) == golden.read()[name]["options"]


@pytest.mark.slow
@pytest.mark.parametrize("name", presets())
def test_matches_are_the_golden_ones(name):
    assert golden.matches(make(name)) == golden.read()[name]["matches"]
