"""Where the weights of the Skat bidder come from: contracts judged with open cards, then played out by searching
players.

`python -m kibitz.search.skat.calibration [GAMES]` plays the games and prints the weights.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import Game, make
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import view_of
from kibitz.games.skat.contracts import set_up
from kibitz.games.skat.state import ASIDE, HAND, SUCCESS
from kibitz.search import worlds as deals
from kibitz.search.pimc import Pimc
from kibitz.search.skat.bidder import LOOKS, LOWEST, log_odds, open_wins
from kibitz.search.skat.plans import KINDS, Plan, pickup_plans

GAMES = 400
SEED = 77_000
WORLDS = 4
"""Worlds looked at for a card in the games."""
LEAST = 0.25
"""Contracts with a smaller chance are not tried: nobody would declare them."""
RIDGE = 2.0
PRIOR = np.array([0.0, 0.5, 0.5])


@dataclass(frozen=True)
class Trial:
    """A contract that was played out."""

    kind: int
    formula: float
    """Its chance by the formula, as log-odds."""
    search: float
    """The same of the share of open deals won."""
    won: bool


def trials(games: int, seed: int = SEED) -> list[Trial]:
    """Play contracts that the formula finds plausible, as many of each kind as come."""
    game = make("skat")
    bot = Pimc(game, worlds=WORLDS)
    found = []
    for number, s in enumerate(Batch(game, games, seed=seed, games=games).state.copy()):
        luck = rng.fresh(seed, number, 0, 0, rng.SEATING)
        seat = int(rng.below(luck, 3))
        cards = int(s[HAND + seat] | s[ASIDE])
        plans = [plan for plan in pickup_plans(cards, 0, seat, LOWEST, 1, 7) if plan.chance >= LEAST]
        if plans:
            by_kind = {plan.kind: plan for plan in reversed(plans)}
            kinds = sorted(by_kind)
            plan = by_kind[kinds[int(rng.below(luck, len(kinds)))]]
            found.append(_trial(game, bot, s, seat, plan, number))
    return found


def _trial(game: Game, bot: Pimc, s: Ints, seat: int, plan: Plan, number: int) -> Trial:
    set_up(s, seat, plan.declaration, plan.laid, 0)
    worlds = deals.sample(view_of(game, s, seat, rng.fresh(SEED, number, seat)), sum(LOOKS))
    won = int(open_wins(game, worlds, seat, plan, 0).sum())
    moves = 0
    while (turn := int(game.turn(s))) >= 0:
        game.step(s, bot.act(view_of(game, s, turn, rng.fresh(SEED, number, turn, moves))))
        moves += 1
    share = float(np.log((won + 1.0) / (len(worlds) - won + 1.0)))
    return Trial(plan.kind, log_odds(plan.chance), share, bool(s[SUCCESS]))


def fitted(rows: Floats, won: Floats) -> Floats:
    """Logistic weights by Newton's method, drawn a little to PRIOR."""
    weights = PRIOR.copy()
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (won - p) - RIDGE * (weights - PRIOR)
        curve = (rows.T * (p * (1.0 - p))) @ rows + RIDGE * np.eye(len(PRIOR))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Play, fit, print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    played = trials(games)
    for kind in range(KINDS):
        of_kind = [trial for trial in played if trial.kind == kind]
        rows = np.array([[1.0, trial.formula, trial.search] for trial in of_kind]).reshape(-1, 3)
        won = np.array([float(trial.won) for trial in of_kind])
        share = f"won {won.mean():.3f}" if len(won) else "none"
        print(kind, len(won), share, np.round(fitted(rows, won), 2).tolist())


if __name__ == "__main__":
    main()
