"""Coinche's states as problems for the solver."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.games.coinche.layout import (
    ALL_TRUMPS,
    BIDDER,
    COUNT,
    HAND,
    NO_AUCTION,
    NO_TRUMPS,
    PHASE,
    PLAY,
    POINTS,
    RULES,
    SPEAKER,
    SUIT,
    SWAPS,
    TURN,
    WON,
)
from kibitz.games.coinche.layout import TABLE as ON_TABLE
from kibitz.search.coinche import points
from kibitz.search.coinche import tables as layout
from kibitz.search.job import Job, Solver, translated

Ints = NDArray[np.int64]

KINDS = {0: "suit", NO_TRUMPS: "sans", ALL_TRUMPS: "tout"}
SOLVERS = {
    (kind, picot, by_tricks): Solver(
        f"coinche {name}{' picot' if picot else ''}{' tricks' if by_tricks else ''}",
        partial(layout.fresh_arena, kind, bool(picot), by_tricks=by_tricks),
        points.answer_rows,
    )
    for kind, name in KINDS.items()
    for picot in range(2)
    for by_tricks in (False, True)
}
EVERY_TRICK = 1 << 20
"""The need that asks for all tricks."""
NEVER = 1 << 20


def jobs(states: Ints, need: Ints | None = None) -> list[Job]:
    """The rows by trump suit and rules; `need` are the attack's points at the end, EVERY_TRICK for a capot."""
    if (states[:, PHASE] != PLAY).any():
        raise BadInput("only positions in which a card is to be played can be solved")
    capot = np.zeros(len(states), np.bool_) if need is None else need >= EVERY_TRICK
    found = []
    for suit in np.unique(states[:, SUIT]):
        for picot in range(2):
            for by_tricks in (False, True):
                rows = np.flatnonzero((states[:, SUIT] == suit) & (states[:, RULES] == picot) & (capot == by_tricks))
                if len(rows):
                    part = None if need is None else need[rows]
                    found.append(_job(int(suit), picot, by_tricks, rows, states[rows], part))
    return found


def takers(states: Ints) -> Ints:
    """The seat that plays the contract in each row."""
    return np.where((states[:, SWAPS] == 1) & (states[:, NO_AUCTION] == 0), states[:, SPEAKER], states[:, BIDDER])


def _job(suit: int, picot: int, by_tricks: bool, rows: Ints, states: Ints, need: Ints | None) -> Job:
    columns, table = np.array(layout.layout(suit), np.int64), layout.translation(suit)
    solver = SOLVERS[suit if suit >= NO_TRUMPS else 0, picot, by_tricks]
    n = len(rows)
    every = np.arange(n)
    problems = np.zeros((n, layout.PROBLEM), np.int64)
    leader = (states[:, TURN] - states[:, COUNT]) % 4
    attack = takers(states) % 2
    for k in range(4):
        problems[:, layout.HAND + k] = translated(states[every, HAND + (leader + k) % 4], table)
    for k in range(3):
        card = columns[states[:, ON_TABLE + k] % 32]
        problems[:, layout.TABLE + k] = np.where(states[:, COUNT] > k, card, -1)
    problems[:, layout.ATTACK] = (leader ^ attack) & 1
    problems[:, layout.LEADER] = leader
    base = states[every, POINTS + attack]
    if by_tricks:
        lost = states[every, WON + 1 - attack] + states[every, WON + 3 - attack] > 0
        left = sum((states[:, HAND + seat] for seat in range(4)), np.zeros(n, np.int64))
        cards = (left[:, None] >> np.arange(32) & 1).sum(1) + states[:, COUNT]
        problems[:, layout.NEED] = np.where(lost, NEVER, cards)
    elif need is not None:
        problems[:, layout.NEED] = need - base
    return Job(solver, rows, problems, columns, base)
