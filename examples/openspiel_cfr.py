"""OpenSpiel's CFR solves one of our games, and OpenSpiel measures a policy of ours: the figures agree with our own.

python examples/openspiel_cfr.py [game] [iterations]        (kuhn takes seconds, collaborative-kuhn minutes)
"""

import sys

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

from kibitz.adapters.openspiel import short_name, tabular_policy
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.tabular.best_response import nash_conv
from kibitz.tabular.cfr import Solver
from kibitz.tabular.table import from_tree


def main(name: str = "kuhn", rounds: str | int = 10) -> tuple[float, float, float]:
    iterations = int(rounds)
    game = pyspiel.load_game(short_name(name))
    print(f"OpenSpiel builds the tree of {name} ...", flush=True)
    theirs = cfr.CFRPlusSolver(game)
    for number in range(iterations):
        theirs.evaluate_and_update_policy()
        print(f"iteration {number + 1} of {iterations}", end="\r", flush=True)
    solved_by_them = exploitability.nash_conv(game, theirs.average_policy())

    tree = unroll(make(name))
    ours = Solver(tree)
    ours.run(iterations)
    table = from_tree(tree, ours.average(), {"method": "cfr+", "iterations": iterations})
    measured_by_them = exploitability.nash_conv(game, tabular_policy(game, table))
    measured_by_us = nash_conv(tree, ours.average())
    print(f"{name} after {iterations} iterations, NashConv: OpenSpiel's policy {solved_by_them:.8f}")
    print(f"our policy: measured by OpenSpiel {measured_by_them:.8f}, by kibitz {measured_by_us:.8f}")
    return solved_by_them, measured_by_them, measured_by_us


if __name__ == "__main__":
    main(*sys.argv[1:])
