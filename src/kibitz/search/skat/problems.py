"""Skat's states as problems for the solvers."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, GRAND, NULL, SCHWARZ, WORTH
from kibitz.search.job import Job, Solver, translated
from kibitz.search.skat import null, points
from kibitz.search.skat import tables as layout

Ints = NDArray[np.int64]

BY_TRICKS = (False, True)
SOLVERS = {
    (is_grand, by_tricks): Solver(
        f"skat {'grand' if is_grand else 'suit'}{' tricks' if by_tricks else ''}",
        partial(layout.fresh_arena, is_grand, by_tricks=by_tricks),
        points.answer_rows,
    )
    for is_grand in (False, True)
    for by_tricks in BY_TRICKS
}
NULL_SOLVER = Solver("skat null", null.fresh_arena, null.answer_rows)
CARDS_IN_TRICK = 3


def jobs(states: Ints, need: Ints | None = None) -> list[Job]:
    """The rows by kind of game; `need` are the declarer's points at the end, skat included.

    Where schwarz is announced, and where `need` is above 120, the question is whether he takes every trick.
    """
    if (states[:, at.PHASE] != at.PLAYING).any():
        raise BadInput("only positions in which a card is to be played can be solved")
    if (states[:, at.IS_RAMSCH] == 1).any() or (states[:, at.DECLARER] == at.NOBODY).any():
        raise BadInput("a Ramsch cannot be solved: there are no two sides")
    found = []
    schwarz = ANNOUNCED[states[:, at.DECLARED]] & SCHWARZ != 0
    if need is not None:
        schwarz = schwarz | (need > 120)
    for kind in range(NULL + 1):
        for by_tricks in BY_TRICKS:
            is_asked = (
                (schwarz & (need is not None)) == by_tricks if kind != NULL else np.full(len(states), not by_tricks)
            )
            rows = np.flatnonzero((states[:, at.CONTRACT] == kind) & is_asked)
            if len(rows):
                part = None if need is None else need[rows]
                found.append(_job(kind, by_tricks, rows, states[rows], part))
    return found


def _job(kind: int, by_tricks: bool, rows: Ints, states: Ints, need: Ints | None) -> Job:
    if kind == NULL:
        columns, table, solver = null.LAYOUT, null.TRANSLATION, NULL_SOLVER
    else:
        columns = np.array(layout.layout(kind), np.int64)
        table, solver = layout.translation(kind), SOLVERS[kind == GRAND, by_tricks]
    n = len(rows)
    problems = np.zeros((n, layout.PROBLEM), np.int64)
    every = np.arange(n)
    leader = (states[:, at.TURN] - states[:, at.COUNT]) % 3
    declarer = states[:, at.DECLARER]
    for k in range(3):
        problems[:, layout.HAND + k] = translated(states[every, at.HAND + (leader + k) % 3], table)
    for k in range(2):
        card = columns[states[:, at.TABLE + k]]
        problems[:, layout.LED + k] = np.where(states[:, at.COUNT] > k, card, -1)
    problems[:, layout.DECLARER] = (declarer - leader) % 3
    problems[:, layout.TRUMPS] = layout.GRAND_TRUMPS if kind == GRAND else layout.SUIT_TRUMPS
    tricks = states[every, at.TRICKS + declarer]
    if kind == NULL:
        problems[:, layout.NEED] = tricks
        base = np.zeros(n, np.int64)
    else:
        base = states[every, at.POINTS + declarer] + worth(states[:, at.ASIDE])
        if by_tricks:
            problems[:, layout.NEED] = CARDS_IN_TRICK * (10 - tricks)
        elif need is not None:
            problems[:, layout.NEED] = need - base
    return Job(solver, rows, problems, columns, base)


def worth(cards: Ints) -> Ints:
    """The card points in each mask."""
    bits = cards[:, None] >> np.arange(32) & 1
    return bits @ WORTH
