"""Values of reduced deals counted out, and estimates that are held against them."""

import numpy as np
import pytest

from kibitz.learn.senses.branches import dealt
from kibitz.papers import coinche_estimator as tried


@pytest.mark.slow  # one more size of the game to compile
def test_values_counted_out_are_the_mean_of_many_ends() -> None:
    game = tried.reduced(2)
    company = tried._company(game, 1)
    start = dealt(game, 1, np.arange(6))
    hero = int(start.turn[0])
    exact = tried.exact_values(company, start, hero)
    ends = tried._estimated(company, game, 1, start, hero, 300, None)
    assert (np.abs(ends.mean(axis=1) - exact) <= 4 * ends.std(axis=1) / np.sqrt(300) + 1e-9).all()
    assert exact.std() > 0


@pytest.mark.slow  # one more size of the game to compile
def test_single_samples_shrink_values_and_probes_do_not() -> None:
    shrunk = tried.slope_of(4, "paper, samples 4, 4, 1", 16, 30, 1)
    right = tried.slope_of(4, "probes", 16, 30, 1)
    assert shrunk[0] < right[0] - 0.05
    assert right[0] == pytest.approx(1.0, abs=0.15)
