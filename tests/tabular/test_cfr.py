"""The CFR family: known digits, other people's digits, and what must hold for every member."""

from __future__ import annotations

import importlib
from math import inf

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.tree import Tree, unroll
from kibitz.tabular.best_response import best_response, expected_value, nash_conv, team_response
from kibitz.tabular.cfr import METHODS, VARIANTS, Solver, Variant, with_team_rewards

# NashConv of OpenSpiel's solvers after 10, 100 and 1,000 iterations.
DIGITS = {
    ("kuhn", 2, "cfr"): (0.1374, 0.01645, 0.001875),
    ("kuhn", 2, "cfr+"): (0.0654, 0.00239, 1.75e-4),
    ("kuhn", 2, "dcfr"): (0.0456, 0.00333, 2.93e-4),
    ("kuhn", 2, "lcfr"): (0.0425, 0.00218, 1.87e-4),
    ("kuhn", 3, "cfr"): (0.312, 0.0370, 0.00392),
    ("kuhn", 3, "cfr+"): (0.149, 0.00295, 3.2e-5),
    ("kuhn", 4, "cfr"): (0.535, 0.0638),
    ("kuhn", 4, "cfr+"): (0.224, 0.00464),
    ("leduc", 2, "cfr"): (1.777, 0.1914, 0.02364),
    ("leduc", 2, "cfr+"): (1.221, 0.02683, 5.14e-4),
    ("leduc", 2, "dcfr"): (1.558, 0.01551),
    ("leduc", 2, "lcfr"): (1.442, 0.0690),
}


def kuhn(players: int = 2) -> Tree:
    return unroll(make("kuhn", players=players))


def solved(tree: Tree, method: str | Variant, iterations: int, **options: object) -> Solver:
    solver = Solver(tree, method, **options)  # type: ignore[arg-type]
    solver.run(iterations)
    return solver


@pytest.mark.parametrize(("name", "players", "method"), DIGITS)
def test_nash_conv_shows_the_known_digits(name: str, players: int, method: str) -> None:
    if PLAIN and (name == "leduc" or players > 2):
        pytest.skip("too slow without compilation")
    tree = unroll(make(name) if name == "leduc" else make(name, players=players))
    solver = Solver(tree, method)
    for iterations, known in zip((10, 100, 1000), DIGITS[name, players, method], strict=False):
        if PLAIN and iterations > 100:
            break
        solver.run(iterations - solver.iterations)
        assert nash_conv(tree, solver.average()) == pytest.approx(known, rel=5e-3)


def test_first_strategy_is_uniform() -> None:
    assert nash_conv(kuhn(), kuhn().uniform()) == pytest.approx(0.916667, abs=1e-6)
    assert (solved(kuhn(), "cfr", 1).average() == 0.5).all()


def test_values_of_kuhn_and_leduc() -> None:
    assert expected_value(kuhn(), solved(kuhn(), "cfr+", 2000).average())[0] == pytest.approx(-1 / 18, abs=1e-6)
    if not PLAIN:
        tree = unroll(make("leduc"))
        value = expected_value(tree, solved(tree, "dcfr", 3000).average())[0]
        assert value == pytest.approx(-0.0856064, abs=2e-6)


def test_predictive_cfr_converges_like_the_square_of_time() -> None:
    tree = kuhn()
    linear = Variant(beta=-inf, gamma=1.0, predicts=True)
    gaps = [nash_conv(tree, solved(tree, linear, n).average()) for n in (10, 100, 1000)]
    assert gaps[0] < 0.06
    assert gaps[1] < 6e-4
    assert gaps[2] < 6e-6
    assert nash_conv(tree, solved(tree, "pcfr+", 1000).average()) < 1e-7


def test_lcfr_is_dcfr_with_ones_and_cfr_plus_its_limit() -> None:
    tree = kuhn(3)
    n = 20 if PLAIN else 200
    assert (solved(tree, "lcfr", n).average() == solved(tree, Variant(1.0, 1.0, 1.0), n).average()).all()
    limit = solved(tree, Variant(inf, -inf, 1.0), n)
    assert (limit.average() == solved(tree, "cfr+", n).average()).all()


def test_regret_sums_to_zero_under_the_strategy_that_made_it() -> None:
    tree = kuhn()
    solver = Solver(tree, "cfr", is_simultaneous=True)
    for _ in range(30):
        sigma, before = solver.current(), solver.regret.copy()
        solver.run(1)
        sums = np.add.reduceat(sigma * (solver.regret - before), tree.offset[:-1])
        assert np.abs(sums).max() < 1e-12


def test_regret_stays_within_its_bound() -> None:
    tree = kuhn()
    solver = solved(tree, "cfr", 500)
    spread = tree.utility.max() - tree.utility.min()
    assert solver.regret.max() <= spread * np.sqrt(2 * 500)
    assert (solved(tree, "cfr+", 50).regret >= 0).all()


def test_going_on_is_the_same_as_going_through() -> None:
    for method in METHODS:
        through, parts = solved(kuhn(), method, 60), Solver(kuhn(), method)
        for part in (1, 20, 39):
            parts.run(part)
        assert (through.regret == parts.regret).all()
        assert (through.strategy_sum == parts.strategy_sum).all()


def test_simultaneous_updates_and_plain_averages_are_other_methods() -> None:
    tree = kuhn()
    alternating = solved(tree, "cfr", 100)
    together = solved(tree, "cfr", 100, is_simultaneous=True)
    plain = solved(tree, "cfr", 100, averaging="plain")
    assert nash_conv(tree, together.average()) == pytest.approx(0.05135, abs=1e-5)
    assert (plain.regret == alternating.regret).all()
    assert nash_conv(tree, plain.average()) > nash_conv(tree, alternating.average())


def test_team_rewards_pay_both_partners_the_sum() -> None:
    tree = kuhn(4)
    tied = with_team_rewards(tree, [0, 1, 0, 1])
    assert (tied.utility[:, 0] == tree.utility[:, 0] + tree.utility[:, 2]).all()
    assert (tied.utility[:, 0] == tied.utility[:, 2]).all()
    assert np.abs(tied.utility[:, 0] + tied.utility[:, 1]).max() < 1e-12


def test_a_random_start_is_seeded() -> None:
    first, second, other = Solver(kuhn(), "cfr"), Solver(kuhn(), "cfr"), Solver(kuhn(), "cfr")
    first.start_at_random(3)
    second.start_at_random(3)
    other.start_at_random(4)
    assert (first.current() == second.current()).all()
    assert (first.current() != other.current()).any()
    assert not (first.current() == 0.5).all()


def test_a_warm_start_arrives_earlier() -> None:
    tree = kuhn()
    cold = solved(tree, "cfr", 300)
    warm = Solver(tree, "cfr")
    warm.start_from(cold.average(), 300)
    warm.run(100)
    fresh = solved(tree, "cfr", 100)
    assert nash_conv(tree, warm.average()) < nash_conv(tree, fresh.average())
    assert warm.iterations == 400


def test_best_response_is_no_worse_than_the_policy() -> None:
    tree = kuhn(3)
    policy = solved(tree, "cfr", 20).average()
    for seat in range(3):
        value, best = best_response(tree, policy, seat)
        assert value >= expected_value(tree, policy)[seat] - 1e-12
        assert expected_value(tree, best)[seat] == pytest.approx(value, abs=1e-12)


def test_partners_answering_in_turn_do_no_worse_than_one_of_them() -> None:
    tree = with_team_rewards(unroll(make("collaborative-kuhn", reading="first")))
    policy = tree.uniform()
    alone, _ = best_response(tree, policy, 0)
    value, best = team_response(tree, policy, [0, 2])
    assert value >= alone - 1e-12
    assert expected_value(tree, best)[0] == pytest.approx(value, abs=1e-12)
    theirs = np.repeat(tree.owner % 2 == 1, np.diff(tree.offset))
    assert (best[theirs] == policy[theirs]).all()


def test_unknown_methods_are_refused_with_the_list() -> None:
    with pytest.raises(BadInput, match="there are cfr, cfr\\+"):
        Solver(kuhn(), "cfr-plus")
    with pytest.raises(BadInput, match="reach, plain"):
        Solver(kuhn(), "cfr", averaging="mean")


OPEN_SPIEL = {
    "cfr": ("open_spiel.python.algorithms.cfr", "CFRSolver"),
    "cfr+": ("open_spiel.python.algorithms.cfr", "CFRPlusSolver"),
    "lcfr": ("open_spiel.python.algorithms.discounted_cfr", "LCFRSolver"),
    "dcfr": ("open_spiel.python.algorithms.discounted_cfr", "DCFRSolver"),
}


@pytest.mark.parametrize("method", OPEN_SPIEL)
@pytest.mark.parametrize(("name", "foreign", "iterations"), [("kuhn", "kuhn_poker", 100), ("leduc", "leduc_poker", 4)])
def test_nash_conv_equals_open_spiel(method: str, name: str, foreign: str, iterations: int) -> None:
    pyspiel = importlib.import_module("pyspiel")

    exploitability = importlib.import_module("open_spiel.python.algorithms.exploitability")
    module, maker = OPEN_SPIEL[method]
    theirs = getattr(importlib.import_module(module), maker)(pyspiel.load_game(foreign))
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    known = exploitability.nash_conv(pyspiel.load_game(foreign), theirs.average_policy())
    tree = unroll(make(name))
    assert nash_conv(tree, solved(tree, method, iterations).average()) == pytest.approx(known, rel=1e-9)


def test_variants_have_the_published_powers() -> None:
    assert VARIANTS["dcfr"].factors(1) == (0.5, 0.5, 1.0)
    assert VARIANTS["cfr+"].factors(7) == (1.0, 0.0, 7.0)
    assert VARIANTS["cfr"].factors(7) == (1.0, 1.0, 1.0)
