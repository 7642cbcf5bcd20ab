"""What a card of Cego's sub-games is worth to a seat in imagined worlds: points or the win."""

from __future__ import annotations

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.games.cego.table import ALL_HALVES, HALVES_TO_WIN, RAEUBER, counts_points
from kibitz.games.cego_deals.rules import POINTS, REWARD
from kibitz.games.tricks import layout as at
from kibitz.search.cego.payoff import TarockPayoff


class DealsPayoff(TarockPayoff):
    """The win, or points where they are the reward or wins are equal."""

    def close_looks(self, s: Ints, worlds: int) -> int:
        """In how many worlds exact values can be afforded."""
        has_points = counts_points(s) or s[at.CONTRACT] == RAEUBER
        return worlds if has_points and s[REWARD] != POINTS and self.is_solved(s) else 0

    def need(self, s: Ints) -> int | None:
        """Half the points win."""
        return HALVES_TO_WIN if counts_points(s) and s[REWARD] != POINTS else super().need(s)

    def close(self, game: Game, states: Ints, seat: int, threads: int, only: int = at.ANY) -> Floats:
        """[n, ACTIONS]: exact points for the seat's side; in Räuber, where they are bad, against all the others."""
        halves = self.values(states, None, threads, only=only)
        worth = halves / 2.0
        if states[0, at.CONTRACT] == RAEUBER:
            worth = -worth
        elif seat != states[0, at.DECLARER]:
            worth = (ALL_HALVES - halves) / 2.0
        return np.where(halves >= 0, worth, np.nan)


payoff = DealsPayoff
