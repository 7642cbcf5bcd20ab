"""What every card is worth when all cards lie open: one door for all trick-taking games.

`solve` gives values, `reach` answers whether a card reaches a threshold, which is much cheaper. Both take full states of the
engine, also in mid-trick, and use as many threads as they are allowed.
"""

from __future__ import annotations

import importlib

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of
from kibitz.search.job import NOTHING, Job, run
from kibitz.search.solver.payoff import declared, kit_payoff

Ints = NDArray[np.int64]

ROOMS = {
    "skat": "kibitz.search.skat.problems",
}
"""Where the positions of a family of games are made into problems."""


def solve(game: Game, states: Ints, out: Ints | None = None, *, threads: int = 1) -> Ints:
    """[n, ACTIONS]: the value of every legal card in each state, NOTHING (-1) elsewhere.

    Skat: the declarer's card points at the end, skat included; null: 1 if he stays clean. Coinche: the attack's points, 10 for
    the last trick whoever has taken them all. Other games: what the game's own payoff
    says, or the points (or tricks, where these count) of the side of the seat to play, against all others together where everybody
    plays for himself.
    """
    return _ask(game, states, None, out, threads)


def reach(game: Game, states: Ints, need: int | Ints, out: Ints | None = None, *, threads: int = 1) -> Ints:
    """[n, ACTIONS]: 1 where the value of a legal card is at least `need` (one number, or one per state), 0 where not."""
    wanted = np.broadcast_to(np.asarray(need, np.int64), len(states))
    return _ask(game, states, wanted, out, threads)


def can_reach(game: Game, states: Ints, need: int | Ints, *, threads: int = 1) -> Ints:
    """[n]: `reach` for the best card alone, which is cheaper; for some games only at the start of a trick."""
    wanted = np.broadcast_to(np.asarray(need, np.int64), len(states))
    out = np.full(len(states), NOTHING, np.int64)
    if declared(game) is not None:
        best: Ints = kit_payoff(game).values(states, wanted, threads, each=False)[:, 0]
        return best
    for job in _jobs(game, states, wanted):
        out[job.rows] = run(job, exact=False, threads=threads, each_card=False)[:, 0]
    return out


def can_solve(game: Game) -> bool:
    """Whether there is a solver for a game."""
    return _family(game) in ROOMS or declared(game) is not None


def _family(game: Game) -> str:
    return package_of(game.name).rsplit(".", 1)[-1]


def _ask(game: Game, states: Ints, need: Ints | None, out: Ints | None, threads: int) -> Ints:
    if out is None:
        out = np.empty((len(states), game.ACTIONS), np.int64)
    out[:] = NOTHING
    kit = declared(game)
    if kit is not None:
        values = kit_payoff(game).values(states, need, threads)
        out[:, kit.first_card : kit.first_card + values.shape[1]] = values
        return out
    first = getattr(game.parts["rules"], "CARD", 0)
    for job in _jobs(game, states, need):
        values = run(job, exact=need is None, threads=threads)
        out[job.rows, first : first + values.shape[1]] = values
    return out


def _jobs(game: Game, states: Ints, need: Ints | None) -> list[Job]:
    if not can_solve(game):
        raise BadInput(f"{game.name} cannot be solved with open cards: trick-taking games can")
    found: list[Job] = importlib.import_module(ROOMS[_family(game)]).jobs(states, need)
    return found
