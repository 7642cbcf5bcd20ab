"""What searching players make of contracts that the judge has learned from the rule-based player: its log-odds to win
are moved a little for every kind of game.

`python -m kibitz.search.skat.calibration [DEALS [SEED [NULL_DEALS]]]` calls deals as `pimc` does in all seats, has it
play the contracts, and prints how many were won and what CALIBRATION of `judge` then is. Contracts that it calls itself
are what counts: the best of many plans is often one that was judged too well. Nulls are seldom declared, so they are
played in more deals than other contracts; with DEALS 0 they alone are.
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
from kibitz.search.pimc import Pimc
from kibitz.search.skat.call_learning import SELF, call
from kibitz.search.skat.caller import read_caller
from kibitz.search.skat.inference.judged import weigher
from kibitz.search.skat.judge import CALIBRATION, NULLS, WIN, sort_of

DEALS, NULL_DEALS = 400, 2000
SEED = 77_000
RIDGE = 2.0
SORTS = ("suit", "grand", "null", "null ouvert")


def trials(deals: int = DEALS, seed: int = SEED, null_deals: int = NULL_DEALS) -> tuple[Ints, Floats, Floats]:
    """[n] each: contracts called and played by `pimc`: their sort, the judge's log-odds, whether they were won."""
    game, caller = make("skat"), read_caller()
    bot = Pimc(game, weigher=weigher(game), bidder=caller.act, rule=caller.act)
    count = max(deals, null_deals)
    states = Batch(game, count, seed=seed, games=count).state.copy()
    kinds, luck = np.full((count, at.PLAYERS), SELF), rng.generator(seed, "distillation", 6)
    call(game, caller, states, kinds, 0.0, luck)
    rows = np.flatnonzero(states[:, at.DECLARER] >= 0)
    rows = rows[(rows < deals) | (sort_of(states[rows, at.DECLARED]) >= NULLS)]
    s, seats = states[rows], states[rows, at.DECLARER]
    kept, laid = s[np.arange(len(s)), at.HAND + seats], np.where(s[:, at.IS_HAND] > 0, 0, s[:, at.ASIDE])
    chances = np.clip(caller.judge.chances(kept, laid, s[:, at.DECLARED], seats)[:, WIN], 1e-6, 1.0 - 1e-6)
    sorts = sort_of(s[:, at.DECLARED])
    won = np.array([_is_won(game, bot, states[number], seed, int(number)) for number in rows], np.float64)
    row = CALIBRATION[sorts]
    return sorts, (np.log(chances / (1.0 - chances)) - row[:, 0]) / row[:, 1], won


def _is_won(game: Game, bot: Pimc, s: Ints, seed: int, number: int) -> bool:
    while (turn := int(game.turn(s))) >= 0:
        game.step(s, bot.act(view_of(game, s, turn, rng.fresh(seed, number, turn, int(s[at.MOVES])))))
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
    sorts, odds, won = trials(*(int(word) for word in sys.argv[1:]))
    row = CALIBRATION[sorts]
    judged = 1.0 / (1.0 + np.exp(-row[:, 0] - row[:, 1] * odds))
    for k, name in enumerate(SORTS):
        some = sorts == k
        share = f"won {won[some].mean():.3f}, judged {judged[some].mean():.3f}" if some.any() else "none"
        print(name, int(some.sum()), share, np.round(fitted(odds[some], won[some]), 2).tolist())


if __name__ == "__main__":
    main()
