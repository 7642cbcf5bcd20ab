"""What searching players make of contracts that the judge has learned from the rule-based player: its log-odds to win
are moved a little for every kind of game.

`python -m kibitz.search.skat.calibration [GAMES]` plays such contracts and prints what CALIBRATION of `judge` then is.
"""

from __future__ import annotations

import sys

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import Game, make
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import view_of
from kibitz.games.skat import state as at
from kibitz.games.skat.contracts import set_up
from kibitz.search.pimc import Pimc
from kibitz.search.skat.judge import CALIBRATION, WIN, read_judge, sort_of
from kibitz.search.skat.judge_learning import draw

GAMES = 400
SEED = 77_000
WORLDS = 4
"""Worlds looked at for a card in the games."""
RIDGE = 2.0
SORTS = ("suit", "grand", "null", "null ouvert")


def trials(games: int, seed: int = SEED) -> tuple[Ints, Floats, Floats]:
    """[n] each: contracts as the judge likes them, one a deal: their sort, its log-odds, whether they were won."""
    game, judge = make("skat"), read_judge()
    bot = Pimc(game, worlds=WORLDS)
    luck = rng.generator(seed, "distillation", 6)
    states = Batch(game, games, seed=seed, games=games).state.copy()
    seats = luck.integers(0, at.PLAYERS, games)
    plans = draw(judge, states, seats, luck)
    plans = plans.some(np.unique(plans.where, return_index=True)[1])
    won = np.zeros(len(plans.where))
    for k, number in enumerate(plans.where):
        set_up(states[number], int(seats[number]), int(plans.declared[k]), int(plans.laid[k]), 0)
        won[k] = _is_won(game, bot, states[number], seed, int(number))
    sorts = sort_of(plans.declared)
    chances = np.clip(plans.chances[:, WIN], 1e-6, 1.0 - 1e-6)
    row = CALIBRATION[sorts]
    return sorts, (np.log(chances / (1.0 - chances)) - row[:, 0]) / row[:, 1], won


def _is_won(game: Game, bot: Pimc, s: Ints, seed: int, number: int) -> bool:
    moves = 0
    while (turn := int(game.turn(s))) >= 0:
        game.step(s, bot.act(view_of(game, s, turn, rng.fresh(seed, number, turn, moves))))
        moves += 1
    return bool(s[at.SUCCESS])


def fitted(odds: Floats, won: Floats) -> Floats:
    """The constant and the factor for log-odds, by Newton's method, drawn a little to 0 and 1."""
    rows, prior = np.stack([np.ones(len(odds)), odds], axis=1), np.array([0.0, 1.0])
    weights = prior.copy()
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (won - p) - RIDGE * (weights - prior)
        curve = (rows.T * (p * (1.0 - p))) @ rows + RIDGE * np.eye(2)
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Play, fit, print."""
    sorts, odds, won = trials(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    for k, name in enumerate(SORTS):
        some = sorts == k
        share = f"won {won[some].mean():.3f}" if some.any() else "none"
        print(name, int(some.sum()), share, np.round(fitted(odds[some], won[some]), 2).tolist())


if __name__ == "__main__":
    main()
