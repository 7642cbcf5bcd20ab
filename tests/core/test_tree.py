import importlib

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.tree import unroll


def test_counts_of_small_games():
    tree = unroll(make("kuhn"))
    assert (tree.decisions, tree.terminals, tree.infosets) == (24, 30, 12)
    tree = unroll(make("leduc"))
    assert (tree.decisions, tree.terminals, tree.infosets) == (3780, 5520, 936)


def test_chances_sum_to_one_at_every_depth_of_play():
    tree = unroll(make("leduc"))
    assert np.isclose(tree.chance[tree.parent < 0].sum(), 1.0)
    assert np.allclose(tree.utility.sum(axis=1), 0.0)


def test_a_tree_that_is_too_large_is_refused():
    with pytest.raises(BadInput, match="more than 100 histories"):
        unroll(make("leduc"), most=100)


@pytest.mark.parametrize(("ours", "options", "theirs"), [
    ("kuhn", {"players": 2}, "kuhn_poker(players=2)"),
    ("kuhn", {"players": 3}, "kuhn_poker(players=3)"),
    ("kuhn", {"players": 4}, "kuhn_poker(players=4)"),
    ("leduc", {}, "leduc_poker"),
])  # fmt: skip
def test_counts_equal_openspiels(ours, options, theirs):
    pyspiel = importlib.import_module("pyspiel")
    decisions, terminals, infosets = 0, 0, set()
    stack = [pyspiel.load_game(theirs).new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            terminals += 1
            continue
        if not state.is_chance_node():
            decisions += 1
            infosets.add((state.current_player(), state.information_state_string()))
        stack.extend(state.child(action) for action in state.legal_actions())
    tree = unroll(make(ours, **options))
    assert (tree.decisions, tree.terminals, tree.infosets) == (decisions, terminals, len(infosets))
