"""Exported games: other programs read them and find the same values."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.tree import unroll
from kibitz.tabular.best_response import expected_value, nash_conv
from kibitz.tabular.cfr import Solver
from kibitz.tabular.efg import efg_lines, save_efg


def test_the_file_lists_every_node_once() -> None:
    tree = unroll(make("kuhn"))
    lines = list(efg_lines(tree))
    assert lines[0] == 'EFG 2 R "kuhn" { "seat 0" "seat 1" }'
    assert len(lines) == 2 + len(tree.parent)
    assert sum(line.startswith("t ") for line in lines) == tree.terminals
    assert sum(line.startswith("p ") for line in lines) == tree.decisions


@pytest.mark.parametrize(
    ("name", "options", "iterations"),
    [
        ("kuhn", {"players": 3}, 20),
        ("leduc", {}, 3),
        pytest.param("cheat-tiny", {"max_turns": 2}, 4, marks=pytest.mark.slow),
        pytest.param("cheat-tiny", {}, 2, marks=pytest.mark.slow),
        pytest.param("collaborative-kuhn", {}, 2, marks=pytest.mark.slow),
    ],
)
def test_open_spiel_solves_the_export_alike(
    name: str, options: dict[str, int], iterations: int, tmp_path: Path
) -> None:
    if PLAIN:
        pytest.skip("too slow without compilation")
    pyspiel = importlib.import_module("pyspiel")
    exploitability = importlib.import_module("open_spiel.python.algorithms.exploitability")
    expected = importlib.import_module("open_spiel.python.algorithms.expected_game_score")
    tree = unroll(make(name, **options))
    path = tmp_path / "game.efg"
    save_efg(tree, path)
    game = pyspiel.load_game(f"efg_game(filename={path})")
    theirs = pyspiel.CFRSolver(game)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    ours = Solver(tree, "cfr")
    ours.run(iterations)
    policy = theirs.tabular_average_policy()
    values = expected.policy_value(game.new_initial_state(), [policy] * tree.players)
    assert list(values) == pytest.approx(list(expected_value(tree, ours.average())), abs=1e-9)
    assert exploitability.nash_conv(game, policy) == pytest.approx(nash_conv(tree, ours.average()), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kuhn", {}),
        ("kuhn", {"players": 3}),
        ("leduc", {}),
        ("collaborative-kuhn", {}),
        pytest.param("cheat-tiny", {"max_turns": 2}, marks=pytest.mark.slow),
    ],
)
def test_gambit_reads_the_export(name: str, options: dict[str, int], tmp_path: Path) -> None:
    if PLAIN:
        pytest.skip("too slow without compilation")
    import pygambit

    tree = unroll(make(name, **options))
    save_efg(tree, tmp_path / "game.efg")
    game = pygambit.read_efg(tmp_path / "game.efg")
    assert [len(game.get_infosets(player)) for player in game.players] == [
        int((tree.owner == k).sum()) for k in range(tree.players)
    ]
    payoffs = game.mixed_behavior_profile().payoffs
    values = [float(payoffs[player]) for player in game.players]
    assert values == pytest.approx(list(expected_value(tree, tree.uniform())), abs=1e-9)


def test_gambit_finds_the_value_of_kuhn_poker(tmp_path: Path) -> None:
    import pygambit

    save_efg(unroll(make("kuhn")), tmp_path / "kuhn.efg")
    game = pygambit.read_efg(tmp_path / "kuhn.efg")
    found = pygambit.nash.lp_solve(game).equilibrium
    assert float(found.payoffs["seat 0"]) == pytest.approx(-1 / 18)


def test_information_sets_are_labelled_in_words() -> None:
    lines = list(efg_lines(unroll(make("kuhn"))))
    assert lines[1].startswith('c "" 1 "" { "0" 1/6 "1" 1/6')
    assert any('"Q: pass, bet"' in line for line in lines)
