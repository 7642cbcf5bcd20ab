"""OpenSpiel's information-set MCTS plays Cego's Solo at our tables, against random players.

python examples/openspiel_ismcts_cego.py [deals] [simulations]
kibitz match cego-solo --bots python:examples/openspiel_ismcts_cego.py:Searcher:simulations=50,random --deals 20
"""

import sys
from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from kibitz.adapters.openspiel import OpenSpielBot, SpielGame
from kibitz.arena.match import match
from kibitz.core.game import Game, make


class Searcher(OpenSpielBot):
    """A searcher of its own for every seat."""

    def __init__(self, game: Game, simulations: int = 50) -> None:
        def seat_bot(game: SpielGame, seat: int) -> Any:
            luck = np.random.RandomState(seat)
            return ismcts.ISMCTSBot(
                game=game,
                evaluator=mcts.RandomRolloutEvaluator(1, luck),
                uct_c=2.0,
                max_simulations=simulations,
                random_state=luck,
            )

        super().__init__(game, seat_bot, "ismcts")


def main(deals: int = 10, simulations: int = 10) -> float:
    game = make("cego-solo", reward="sign")
    print(f"playing {deals} deals in every seating, {simulations} simulations a card ...", flush=True)
    result = match(game, [Searcher(game, simulations), "random"], deals)
    print(f"IS-MCTS against random over {deals} deals: {result.difference.difference} per seat and game")
    return result.difference.difference.mean


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
