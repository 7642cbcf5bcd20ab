"""A session: many deals of the whole game, the deal going round, the payments added up (rule 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, make
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.shapes import Floats
from kibitz.games.cego.table import SEATS
from kibitz.games.cego.words import session_dealer

CHAMPIONSHIP = 48
"""Deals of a session at the Schwarzwaldmeisterschaft."""


@dataclass(frozen=True)
class Session:
    """What every deal paid to every seat."""

    returns: Floats
    """[deals, 4]"""

    @property
    def score(self) -> list[float]:
        """The sum of each seat."""
        return [float(x) for x in self.returns.sum(axis=0)]

    def __str__(self) -> str:
        return f"after {len(self.returns)} deals: " + ", ".join(f"seat {k} {x:+g}" for k, x in enumerate(self.score))


def play_session(game: Game, bots: Sequence[Bot], seed: int = 0, deals: int = CHAMPIONSHIP) -> Session:
    """Play a session with one bot per seat; the game's own `dealer` is overruled by rule 6.2."""
    if len(bots) != SEATS or deals < 1:
        raise BadInput(f"a session takes {SEATS} bots and at least one deal, not {len(bots)} and {deals}")
    paid = np.zeros((deals, SEATS))
    for deal in range(deals):
        p = Position(make(game.name, **{**game.options, "dealer": session_dealer(deal)}), seed, deal)
        while not p.is_over:
            p.push(bots[p.turn].act(p.view(p.turn)))
        paid[deal] = p.returns()
    return Session(paid)
