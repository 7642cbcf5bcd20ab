"""Worlds weighed by what the declarer declared: with good cards for it rather than with bad ones.

The judge of contracts (`search/skat/judge.py`) says how likely he wins with the cards that he has in a world; a power
of that is its weight, and a world in which his game falls short of the bid hardly counts. Only defenders use it: for
the declarer all worlds are alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.core.game import Game
from kibitz.core.jit import loop
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.view import View
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.scoring import matadors
from kibitz.search.skat.inference.module import check_game
from kibitz.search.skat.judge import WIN, Judge, read_judge, value_of

POWER = 3.0
"""Of the chance to win: the true world was then likeliest among others in deals that were not played, called by the
networks or by rule."""
SHORT = 0.02
"""The weight of a world in which he has overbid, beside others."""


@dataclass(frozen=True)
class Judged:
    """Weighs worlds by the declarer's chances."""

    samples: int = 1000
    judge: Judge = field(default_factory=read_judge)

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: the weights of worlds."""
        s, n = view.state, len(worlds)
        seat = int(s[at.DECLARER])
        if seat in (at.NOBODY, view.seat):
            return np.ones(n)
        kept = worlds[:, at.HAND + seat] | worlds[:, at.PLAYED + seat]
        laid = np.zeros(n, np.int64) if s[at.IS_HAND] else worlds[:, at.ASIDE]
        declared, seats = np.full(n, s[at.DECLARED]), np.full(n, seat)
        weights: Floats = self.judge.chances(kept, laid, declared, seats)[:, WIN] ** POWER
        short = np.zeros(n, np.bool_)
        fall_short(kept | worlds[:, at.ASIDE], int(s[at.DECLARED]), int(skat.BIDS[max(0, s[at.HIGH])]), short)
        return np.where(short, SHORT * weights, weights)


@loop
def fall_short(twelve: Ints, declaration: int, bid: int, out: Bools) -> None:
    """Where a contract is worth less than the bid with these cards."""
    for row in range(len(twelve)):
        out[row] = value_of(declaration, matadors(twelve[row], skat.DECLARED_KIND[declaration])) < bid


def weigher(game: Game) -> Judged:
    """With the judge that comes with kibitz."""
    check_game(game)
    return Judged()
