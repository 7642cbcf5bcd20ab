"""Pruning: partial pruning changes nothing, the others keep the bound and touch less."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.tree import Tree, unroll
from kibitz.tabular.best_response import nash_conv
from kibitz.tabular.cfr import Solver
from kibitz.tabular.pruning import PrunedSolver


def pruned(tree: Tree, rule: str, iterations: int, method: str = "cfr") -> PrunedSolver:
    solver = PrunedSolver(tree, rule, method)
    solver.run(iterations)
    return solver


@pytest.mark.parametrize("method", ["cfr", "cfr+", "lcfr", "dcfr"])
@pytest.mark.parametrize(("name", "players"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_partial_pruning_is_identical_to_the_last_bit(method: str, name: str, players: int) -> None:
    if PLAIN and name == "leduc":
        pytest.skip("too slow without compilation")
    tree = unroll(make(name) if name == "leduc" else make(name, players=players))
    n = 20 if PLAIN else 200
    whole, part, none = Solver(tree, method), pruned(tree, "partial", n, method), pruned(tree, "none", n, method)
    whole.run(n)
    assert (whole.regret == part.regret).all()
    assert (whole.strategy_sum == part.strategy_sum).all()
    assert part.touched < none.touched == n * players * len(tree.parent)


def test_regret_based_pruning_gives_the_same_regrets_in_kuhn() -> None:
    """Every action that Kuhn prunes leads to at most one more own decision, so that nothing is lost on return."""
    tree = unroll(make("kuhn"))
    n = 50 if PLAIN else 1000
    whole, part = Solver(tree, "cfr", is_simultaneous=True), pruned(tree, "rbp", n)
    whole.run(n)
    assert (whole.current()[part.skipped] == 0).all()
    assert np.abs(whole.average() - part.average()).max() < 1e-9
    assert part.touched < pruned(tree, "partial", n).touched
    part.bring_back()
    assert not part.skipped.any()
    assert np.abs(whole.regret - part.regret).max() < 1e-9


@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
@pytest.mark.parametrize("rule", ["rbp", "brp"])
def test_pruning_keeps_the_bound_and_touches_fewer_nodes_in_leduc(rule: str) -> None:
    tree = unroll(make("leduc"))
    whole, part = Solver(tree, "cfr", is_simultaneous=True), pruned(tree, rule, 400)
    whole.run(400)
    assert nash_conv(tree, part.average()) < 1.25 * nash_conv(tree, whole.average())
    assert part.touched < pruned(tree, "partial", 400).touched
    part.bring_back()
    assert part.regret.max() < 2 * whole.regret.max()


@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
def test_best_response_pruning_needs_less_space_in_leduc() -> None:
    tree = unroll(make("leduc"))
    solver = pruned(tree, "brp", 400)
    assert solver.kept[0] == len(tree.choice)
    assert solver.kept[-1] < len(tree.choice)


@pytest.mark.parametrize("rule", ["rbp", "brp"])
def test_dominated_actions_are_pruned(rule: str) -> None:
    tree = unroll(make("kuhn"))
    solver = pruned(tree, rule, 200)
    game, s = tree.game, tree.game.blank()
    game.words.read_deal("J K", s)
    game.step(s, 1)  # seat 1 holds the king and faces a bet: folding is foolish
    i = int(np.flatnonzero((tree.owner == 1) & (tree.key == game.infoset(s, 1)))[0])
    assert solver.skipped[tree.offset[i]]


def test_what_cannot_be_pruned_is_refused() -> None:
    with pytest.raises(BadInput, match="games of two"):
        PrunedSolver(unroll(make("kuhn", players=3)), "brp")
    with pytest.raises(BadInput, match="none, partial, rbp, brp"):
        PrunedSolver(unroll(make("kuhn")), "all")
