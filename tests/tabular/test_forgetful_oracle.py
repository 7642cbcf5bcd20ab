"""Folded games: the values of the unrolled ones; teams: known inequalities."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.tree import unroll
from kibitz.tabular.best_response import expected_value, nash_conv
from kibitz.tabular.cfr import Solver, with_team_rewards
from kibitz.tabular.forgetful_oracle import SignalSolver, blurred, fold
from kibitz.tabular.teams import matrix_game, merge_sides, tmecor

pytestmark = pytest.mark.skipif(PLAIN, reason="too slow without compilation")


def test_a_folded_game_is_solved_like_the_unrolled_one() -> None:
    game = make("collaborative-kuhn")
    tree, folded = unroll(game), fold(game)
    exact, solver = Solver(tree, "cfr", is_simultaneous=True), SignalSolver(folded)
    exact.run(100)
    solver.run(100)
    assert len(folded.parent) * 360 == len(tree.parent) * 54
    ours = folded.value(folded.behaviour(solver.average()))
    assert ours == pytest.approx(expected_value(tree, exact.average()), abs=1e-9)


@pytest.mark.parametrize("blur", ["erase", "noise"])
def test_messages_count_as_in_the_unrolled_game(blur: str) -> None:
    game = make("collaborative-kuhn", reading="first", oracle="noisy", blur=blur)
    tree, folded = unroll(game), fold(game)
    luck = np.random.default_rng(1)
    policy = luck.uniform(0.1, 1.0, int(folded.offset[-1]))
    policy /= np.repeat(np.add.reduceat(policy, folded.offset[:-1]), np.diff(folded.offset))
    known = {(int(w), int(k)): i for i, (w, k) in enumerate(zip(folded.owner, folded.key, strict=True))}
    spread = tree.uniform()
    for i in range(tree.infosets):
        j = known[int(tree.owner[i]), int(tree.key[i])]
        spread[tree.offset[i] : tree.offset[i + 1]] = policy[folded.offset[j] : folded.offset[j + 1]]
    assert len(known) == tree.infosets
    assert folded.value(folded.behaviour(policy)) == pytest.approx(expected_value(tree, spread), abs=1e-12)


def test_an_oracle_of_any_accuracy_is_made_of_one_that_speaks_and_none() -> None:
    """With the accuracies of rule 8.2 it is the game's own noisy oracle."""
    games = [fold(make("collaborative-kuhn", oracle=oracle)) for oracle in ("perfect", "none", "noisy")]
    made = blurred(games[0], games[1], [min(0.25 * t, 0.9) for t in range(10)])
    solvers = [SignalSolver(one, is_tied=True) for one in (made, games[2])]
    for solver in solvers:
        solver.run(60)
    ours, known = (one.signals.value(one.signals.behaviour(one.average())) for one in solvers)
    assert ours == pytest.approx(known, abs=1e-12)
    other = fold(make("collaborative-kuhn", reading="once"))
    with pytest.raises(BadInput, match="not one game"):
        blurred(games[0], other, [0.5])


def test_updates_from_drawn_hands_are_those_of_all_hands_on_average() -> None:
    folded = fold(make("collaborative-kuhn", reading="first"))
    whole = SignalSolver(folded)
    whole.run(1)
    found = []
    for seed in range(400):
        drawn = SignalSolver(folded)
        drawn.run(1, hands=12, seed=seed)
        found.append(drawn.regret)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(mean - whole.regret) < 5 * error + 1e-12).all()
    assert error.max() > 0


# Rewards of N, E, S, W after 1,000 iterations from the uniform start, found with a second program.
KNOWN = {
    ("all", 1, False): (-0.119, -0.036, 0.062, 0.092),
    ("all", 1, True): (-0.045, -0.050, 0.091, 0.003),
    ("all", 0, False): (0.081, -0.036, -0.001, -0.045),
    ("all", 0, True): (-0.159, -0.061, 0.206, 0.014),
    ("first", 1, False): (0.001, 0.001, 0.000, -0.002),
    ("first", 1, True): (0.075, -0.078, 0.081, -0.078),
    ("first", 0, False): (-0.055, 0.020, -0.011, 0.046),
    ("once", 1, False): (-0.144, 0.094, -0.144, 0.193),
    ("once", 1, True): (-0.050, -0.059, -0.028, 0.137),
    ("once", 0, False): (-0.060, -0.037, -0.057, 0.154),
}


@pytest.mark.parametrize(("reading", "topup", "is_tied"), KNOWN)
def test_rewards_of_every_reading(reading: str, topup: int, is_tied: bool) -> None:
    folded = fold(make("collaborative-kuhn", reading=reading, topup=topup))
    solver = SignalSolver(folded, is_tied)
    solver.run(1000)
    rewards = folded.value(folded.behaviour(solver.average()))
    assert rewards == pytest.approx(KNOWN[reading, topup, is_tied], abs=1.5e-3)


def test_sampled_messages_give_about_the_same_rewards() -> None:
    folded = fold(make("collaborative-kuhn", oracle="noisy", rewards="tied"))
    exact, sampled = SignalSolver(folded), SignalSolver(folded)
    exact.run(400)
    sampled.run(400, sampled=1)
    values = [folded.value(folded.behaviour(one.average()))[0] for one in (exact, sampled)]
    assert values[0] == pytest.approx(values[1], abs=0.12)


def test_two_teams_that_share_cards_are_two_players() -> None:
    tree = merge_sides(unroll(make("collaborative-kuhn", reading="first", oracle="perfect")))
    solver = Solver(tree, "pcfr+")
    solver.run(400)
    assert tree.players == 2
    assert nash_conv(tree, solver.average()) < 1e-3
    assert expected_value(tree, solver.average())[0] == pytest.approx(-0.0551, abs=1e-3)


def test_correlated_plans_of_the_small_reading() -> None:
    found = tmecor(fold(make("collaborative-kuhn", reading="once")), seconds=60)
    assert found.is_exact
    assert found.estimate == pytest.approx(-0.163572, abs=1e-5)


def test_a_matrix_game() -> None:
    x, y, value = matrix_game(np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]))
    assert value == pytest.approx(0.0, abs=1e-9)
    assert x == pytest.approx([1 / 3] * 3)
    assert y == pytest.approx([1 / 3] * 3)


def test_the_export_of_the_game_is_solved_alike_by_open_spiel(tmp_path: object) -> None:
    pyspiel = importlib.import_module("pyspiel")
    from pathlib import Path

    from kibitz.tabular.efg import save_efg

    tree = with_team_rewards(unroll(make("collaborative-kuhn", reading="first")))
    path = Path(str(tmp_path)) / "ckp.efg"
    save_efg(tree, path)
    game = pyspiel.load_game(f"efg_game(filename={path})")
    theirs = pyspiel.CFRSolver(game)
    ours = Solver(tree, "cfr")
    for _ in range(5):
        theirs.evaluate_and_update_policy()
    ours.run(5)
    exploitability = importlib.import_module("open_spiel.python.algorithms.exploitability")
    expected = importlib.import_module("open_spiel.python.algorithms.expected_game_score")
    policy = theirs.tabular_average_policy()
    values = expected.policy_value(game.new_initial_state(), [policy] * 4)
    assert list(values) == pytest.approx(list(expected_value(tree, ours.average())), abs=1e-8)
    assert exploitability.nash_conv(game, policy) == pytest.approx(nash_conv(tree, ours.average()), abs=1e-8)
