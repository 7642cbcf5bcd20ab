"""Work for a solver: positions in its own card layout, and the way back to the game's actions."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
NOTHING = -1
"""The value of an action that is not legal."""
PIECE = 4
"""Positions a thread takes at a time: hard ones are a hundred times dearer than easy ones."""


@dataclass(frozen=True)
class Solver:
    """Compiled questions about open cards, and the arena they work in."""

    name: str
    fresh: Callable[[], Ints]
    answer: Callable[[Ints, Ints, Ints, bool, bool], None]
    """(arena, problems, out, exact, each_card): writes [n, cards]; not exact asks whether the problem's need is reached.

    Without each_card the answer for the best card is written to out[:, 0]; only at the start of a trick.
    """


@dataclass(frozen=True)
class Job:
    """Some rows of a batch that one solver answers."""

    solver: Solver
    rows: Ints
    problems: Ints
    """[rows, PROBLEM]"""
    columns: Ints
    """The solver's card for each card of the game, in the order of their actions."""
    base: Ints
    """[rows]: what the side asked about has already."""


def translated(cards: Ints, table: Ints) -> Ints:
    """Masks of a game's 32 cards in a solver's layout; `table` has the solver's cards for each byte."""
    found = table[0][cards & 255]
    for k in range(1, 4):
        found = found | table[k][cards >> 8 * k & 255]
    return found


_free: dict[str, list[Ints]] = {}


def run(job: Job, *, exact: bool, threads: int, each_card: bool = True) -> Ints:
    """[rows, cards]: the answers, NOTHING where a card is not legal; [rows, 1] for the best card if not for each."""
    answers = np.full((len(job.rows), int(job.columns.max()) + 1), NOTHING, np.int64)

    def work(start: int) -> None:
        piece = slice(start, start + step)
        arenas = _free.setdefault(job.solver.name, [])
        try:
            arena = arenas.pop()
        except IndexError:
            arena = job.solver.fresh()
        job.solver.answer(arena, job.problems[piece], answers[piece], exact, each_card)
        arenas.append(arena)

    step = PIECE if threads > 1 else max(1, len(job.rows))
    starts = range(0, len(job.rows), step)
    if threads > 1 and len(starts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, starts))
    else:
        for start in starts:
            work(start)
    out: Ints = answers[:, job.columns] if each_card else answers[:, :1]
    return np.where((out >= 0) & exact, out + job.base[:, None], out)
