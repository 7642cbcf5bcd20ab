"""What a Skat card is worth to a seat in open worlds: the win first, then what the scoring pays.

The quick look asks one question per world, whether the declarer wins (61 points, 90 where schneider was announced or
the bid needs it, every trick for schwarz, none in null); the close look takes the exact points, with schneider, and a
little for every point.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, NULL, SCHWARZ, WORTH
from kibitz.games.skat.scoring import settle
from kibitz.games.tricks.layout import ANY
from kibitz.search.solver import arena as ar
from kibitz.search.solver.payoff import EVERY_TRICK, TrickPayoff
from kibitz.search.solver.solver import solver_of

ALL_POINTS = 120
OVERBID = 31
"""What the declarer of a game lost by overbidding still plays for: not to be schneider."""
A_POINT = 0.01
"""What a card point counts beside tournament points when nothing else tells cards apart."""


class SkatPayoff(TrickPayoff):
    """Values are the declarer's points with the skat; in null 1 if he stays clean."""

    LOOKS: ClassVar = {10: 3, 9: 6, 8: 12}

    def can_play(self, s: Ints) -> bool:
        """Whether a card is to be played in a game with two sides."""
        return bool(s[at.PHASE] == at.PLAYING and not s[at.IS_RAMSCH])

    def valued(self, s: Ints) -> int:
        """The declarer."""
        return int(s[at.DECLARER])

    def values(self, states: Ints, need: Ints | None, threads: int, *, only: int = ANY) -> Ints:
        """[n, cards]: his points at the end after each legal card, or whether they reach `need`, above 120 whether he
        takes every trick.

        So it is asked as well where schwarz is announced; in null the answer is the same without a need.
        """
        if (states[:, at.PHASE] != at.PLAYING).any():
            raise BadInput("only positions in which a card is to be played can be solved")
        if (states[:, at.DECLARER] == at.NOBODY).any():
            raise BadInput("a Ramsch cannot be solved: there are no two sides")
        found = np.zeros((len(states), len(self.kit.deck.names)), np.int64)
        for is_null in (False, True):
            rows = np.flatnonzero((states[:, at.CONTRACT] == NULL) == is_null)
            if len(rows):
                part = None if need is None or is_null else need[rows]
                answer = self._clean if is_null else self._points
                found[rows] = answer(states[rows], part, threads, only)
        return found

    def _points(self, states: Ints, need: Ints | None, threads: int, only: int) -> Ints:
        skat = (states[:, at.ASIDE, None] >> np.arange(len(WORTH)) & 1) @ WORTH
        if need is None:
            found = super().values(states, None, threads, only=only)
            return np.where(found >= 0, found + skat[:, None], found)
        is_slam = (need > ALL_POINTS) | (ANNOUNCED[states[:, at.DECLARED]] & SCHWARZ != 0)
        return super().values(states, np.where(is_slam, EVERY_TRICK, need - skat), threads, only=only)

    def _clean(self, states: Ints, need: Ints | None, threads: int, only: int) -> Ints:
        declarer = states[:, at.DECLARER]
        taken = states[np.arange(len(states)), at.TRICKS + declarer] > 0
        asked, one = 1 << declarer, np.where(taken, 0, 1)
        found = solver_of(self.kit).ask(states, ar.NO_TRICK, asked, need=one, threads=threads, only=only)
        return np.where(found >= 0, 1 - found, found)

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: what the seat receives if the declarer wins or does not; nan where a card is not legal."""
        needs = np.array([needed(s) for s in states])
        found = self.values(states, needs, threads)
        paid = np.array(
            [[self.paid(s, seat, need - 1), self.paid(s, seat, need)] for s, need in zip(states, needs, strict=True)]
        )
        worth = np.take_along_axis(paid, np.maximum(found, 0), axis=1)
        return self.by_action(game, np.where(found >= 0, worth, np.nan))

    def close(self, game: Game, states: Ints, seat: int, threads: int, only: int = ANY) -> Floats:
        """[n, ACTIONS]: the same from exact points, and a little for every point."""
        if states[0, at.CONTRACT] == NULL:
            return self.quick(game, states, seat, threads)
        points = self.values(states, None, threads, only=only)
        worth = np.full(points.shape, np.nan)
        for row, s in enumerate(states):
            share = A_POINT if seat == s[at.DECLARER] else -A_POINT / 2.0
            for number in np.unique(points[row][points[row] >= 0]):
                worth[row, points[row] == number] = self.paid(s, seat, int(number)) + share * number
        return self.by_action(game, worth)

    def paid(self, s: Ints, seat: int, points: int) -> float:
        """What a seat receives if the declarer ends with so many points: above 120 every trick, in null 1 if clean."""
        end, out = s.copy(), np.zeros(at.PLAYERS)
        end[at.DONE] = self.kit.each
        tricks = 1 - points if s[at.CONTRACT] == NULL else 10 if points > ALL_POINTS or is_slam(s, points) else 9
        settle(end, min(points, ALL_POINTS), tricks, False)
        self.kit.rules.returns(end, out)
        return float(out[seat])


def is_slam(s: Ints, points: int) -> bool:
    """Whether so many points stand for every trick: all of them, where schwarz was announced."""
    return points == ALL_POINTS and bool(ANNOUNCED[s[at.DECLARED]] & SCHWARZ)


def needed(s: Ints) -> int:
    """The points the declarer needs by the game's scoring: above 120 every trick, OVERBID if he cannot, 1 in null."""
    if s[at.CONTRACT] == NULL:
        return 1
    end = s.copy()
    end[at.DONE] = 10
    for need, tricks in ((61, 9), (90, 9), (ALL_POINTS + 1, 10)):
        settle(end, min(need, ALL_POINTS), tricks, False)
        if end[at.SUCCESS]:
            return need
    return OVERBID


payoff = SkatPayoff
