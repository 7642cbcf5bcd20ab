"""Cheat and Collaborative Kuhn: what their experiments reckon with."""

import numpy as np
import pytest

from kibitz.arena.statistics import Score
from kibitz.core.jit import PLAIN
from kibitz.papers.cheat_brp import Stop, _ratios, _sooner
from kibitz.papers.cheat_figures import is_above, over_seeds


def test_few_seeds_need_a_larger_difference() -> None:
    assert not is_above(Score(3.0, 1.0, 3, "seed"))  # 4.3 standard errors with three seeds
    assert is_above(Score(4.4, 1.0, 3, "seed"))
    assert is_above(Score(2.2, 1.0, 20, "seed"))


def test_seeds_that_agree_by_luck_keep_the_error_of_their_games() -> None:
    assert over_seeds([50.0, 50.0, 50.0], least=1.5).se == pytest.approx(1.5 / np.sqrt(3))
    assert over_seeds([40.0, 60.0], least=1.5).se == pytest.approx(10.0)


def test_nodes_to_as_small_a_gap_are_compared() -> None:
    def stops(*pairs: tuple[int, float]) -> list[Stop]:
        return [Stop(k, 0.0, nodes, gap, 1, 1) for k, (nodes, gap) in enumerate(pairs)]

    plain = stops((100, 0.5), (1000, 0.1))
    assert _sooner(plain, stops((50, 0.5), (200, 0.09))) == 5.0
    assert _sooner(plain, stops((50, 0.5), (200, 0.2))) == 0.0


def test_ratios_of_walks_are_means_over_seeds() -> None:
    walked = {
        (3, seed, pruning): [[nodes * (1 + seed), 1.0]]
        for seed in range(2)
        for pruning, nodes in (("", 60.0), ("visits", 30.0), ("often", 20.0))
    }
    found = _ratios(walked, {3: (2, 2)})
    assert found[3, "visits", 2][0] == pytest.approx(2.0)
    assert found[3, "often", 2][0] == pytest.approx(3.0)


@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
def test_a_random_player_says_the_same_with_every_card() -> None:
    from kibitz.papers.ckp import random_player
    from kibitz.papers.ckp_rewards import said

    assert said(random_player()) == pytest.approx(np.array([[1 / 2] * 3, [1 / 2] * 3, [1 / 3] * 3]))
