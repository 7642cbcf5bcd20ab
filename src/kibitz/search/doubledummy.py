"""What every card is worth when all cards lie open: one door for all trick-taking games.

`solve` gives values, `reach` answers whether a card reaches a threshold, which is much cheaper. Both take full states
of the engine, also in mid-trick, and use as many threads as they are allowed.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.shapes import Ints
from kibitz.search.solver.payoff import TrickPayoff, declared, kit_payoff

NOTHING = -1
"""The value of an action that is not legal."""


def solve(game: Game, states: Ints, out: Ints | None = None, *, threads: int = 1) -> Ints:
    """[n, ACTIONS]: the value of every legal card in each state, NOTHING (-1) elsewhere.

    What the values are says the game's own payoff (its part of the search room); without one they are the points (or
    tricks, where these count) of the side of the seat to play, against all others together where everybody plays for
    himself.
    """
    return _ask(game, states, None, out, threads)


def reach(game: Game, states: Ints, need: int | Ints, out: Ints | None = None, *, threads: int = 1) -> Ints:
    """[n, ACTIONS]: 1 where the value of a legal card is at least `need` (one number, or one per state), else 0."""
    wanted = np.broadcast_to(np.asarray(need, np.int64), len(states))
    return _ask(game, states, wanted, out, threads)


def can_reach(game: Game, states: Ints, need: int | Ints, *, threads: int = 1) -> Ints:
    """[n]: `reach` for the best card alone, which is cheaper; for some games only at the start of a trick."""
    wanted = np.broadcast_to(np.asarray(need, np.int64), len(states))
    return _payoff(game).values(states, wanted, threads, only=0)[:, 0]


def can_solve(game: Game) -> bool:
    """Whether there is a solver for a game."""
    return declared(game) is not None


def _payoff(game: Game) -> TrickPayoff:
    if not can_solve(game):
        raise BadInput(f"{game.name} cannot be solved with open cards: trick-taking games can")
    return kit_payoff(game)


def _ask(game: Game, states: Ints, need: Ints | None, out: Ints | None, threads: int) -> Ints:
    if out is None:
        out = np.empty((len(states), game.ACTIONS), np.int64)
    out[:] = NOTHING
    payoff = _payoff(game)
    values = payoff.values(states, need, threads)
    out[:, payoff.kit.first_card : payoff.kit.first_card + values.shape[1]] = values
    return out
