"""The states of Cego's sub-games as problems for the solver."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.games.tarock import (
    ASIDE,
    BETTEL,
    CARDS,
    CEGO,
    COUNT,
    EXPOSED,
    GAME,
    HALVES,
    HAND,
    PICCOLO,
    RAEUBER,
    SINGLE,
    SOLO,
    STANDARD,
    TAKEN,
    TRICK,
    TURN,
    ULTIMO,
    WON,
    ZWEI_VERSCHIEDENE,
)
from kibitz.search.cego import play
from kibitz.search.cego import tables as layout
from kibitz.search.job import Job, Solver

Ints = NDArray[np.int64]

AIMS = {
    STANDARD: layout.POINTS,
    SOLO: layout.POINTS,
    ULTIMO: layout.ULTIMO,
    BETTEL: layout.TRICKS,
    PICCOLO: layout.PICCOLO,
    RAEUBER: layout.FEW_POINTS,
    **dict.fromkeys(range(CEGO, ZWEI_VERSCHIEDENE + 1), layout.POINTS),
}
"""What the solver is asked in each game."""
SOLVERS = {
    aim: Solver(f"cego {aim}", partial(layout.fresh_arena, aim), play.answer_rows) for aim in sorted(set(AIMS.values()))
}


def jobs(states: Ints, need: Ints | None = None) -> list[Job]:
    """The rows by aim; `need` are halves at the end (standard, solo, Räuber) or tricks (Bettel)."""
    if (states[:, TURN] < 0).any():
        raise BadInput("only positions in which a card is to be played can be solved")
    if (states[:, EXPOSED] & live(states)).any() or not np.isin(states[:, GAME], list(AIMS)).all():
        raise BadInput("only games of Cego that are settled can be solved, once exposed cards are gone")
    found = []
    for aim in SOLVERS:
        rows = np.flatnonzero(np.isin(states[:, GAME], [game for game, its in AIMS.items() if its == aim]))
        if len(rows):
            found.append(_job(aim, rows, states[rows], None if need is None else need[rows]))
    return found


def _job(aim: int, rows: Ints, states: Ints, need: Ints | None) -> Job:
    n = len(rows)
    every = np.arange(n)
    problems = np.zeros((n, layout.PROBLEM), np.int64)
    leader = (states[:, TURN] - states[:, COUNT]) % 4
    asked = states[:, TURN] if aim == layout.FEW_POINTS else states[:, SINGLE]
    for k in range(4):
        problems[:, layout.HAND + k] = states[every, HAND + (leader + k) % 4]
    for k in range(3):
        problems[:, layout.TABLE + k] = np.where(states[:, COUNT] > k, states[:, TRICK + k], -1)
    problems[:, layout.ASKED] = (asked - leader) % 4
    problems[:, layout.LEADER] = leader
    problems[:, layout.TAKEN] = np.minimum(states[every, TAKEN + asked], 1)
    base = np.zeros(n, np.int64)
    if aim == layout.TRICKS:
        base = states[every, TAKEN + asked]
    elif aim in (layout.POINTS, layout.FEW_POINTS):
        base = states[every, WON + asked]
        if aim == layout.POINTS:
            base = base + worth(states[:, ASIDE])
    if need is not None:
        problems[:, layout.NEED] = need - base
    return Job(SOLVERS[aim], rows, problems, np.arange(CARDS), base)


def worth(cards: Ints) -> Ints:
    """Twice the value of each mask."""
    bits = cards[:, None] >> np.arange(CARDS) & 1
    return bits @ HALVES


def live(states: Ints) -> Ints:
    """[n]: the cards in the hands and in the trick."""
    found: Ints = np.bitwise_or.reduce(states[:, HAND : HAND + 4], axis=1)
    for k in range(3):
        card = np.where(states[:, COUNT] > k, states[:, TRICK + k], 0)
        found = found | np.where(states[:, COUNT] > k, np.int64(1) << card, 0)
    return found
