import numpy as np
import pytest

from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import make


def play_out(n: int, games: int = 40) -> dict[int, tuple]:
    tables = Batch(make("leduc"), n, seed=3, games=games, keep_log=True)
    found = {}
    while (tables.turn >= 0).any():
        actions = np.array([np.flatnonzero(mask)[-1] if mask.any() else 0 for mask in tables.mask])
        tables.step(actions)
        for row in np.flatnonzero(tables.ended):
            moves = tables.last_log[row, : tables.last_moves[row]]
            found[int(tables.last_number[row])] = (*tables.returns[row], *moves)
    return found


def test_games_do_not_depend_on_the_size_of_the_batch():
    one = play_out(1)
    assert sorted(one) == list(range(40))
    assert play_out(7) == one
    assert play_out(64) == one


def test_an_illegal_action_is_refused_and_nothing_moves():
    tables = Batch(make("leduc"), 4)
    before = tables.state.copy()
    with pytest.raises(IllegalMove, match="action 0 is illegal for seat 0 in game 2"):
        tables.step(np.array([1, 1, 0, 1]))
    with pytest.raises(IllegalMove, match="action 99"):
        tables.step(np.array([1, 1, 99, 1]))
    with pytest.raises(BadInput, match="takes 4 actions"):
        tables.step(np.array([1, 1]))
    assert (tables.state == before).all()


def test_views_hold_only_what_the_seat_may_know():
    tables = Batch(make("kuhn", players=4), 16, seed=2)
    for view in tables.views():
        assert (view.state[2:6] >= 0).sum() == 1


def test_observations_come_in_one_array():
    tables = Batch(make("leduc"), 5)
    seen = tables.observe()
    assert seen.shape == (5, tables.game.SENSES)
    assert (seen[:, 2:8].sum(axis=1) == 1).all()
