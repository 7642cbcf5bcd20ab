"""The chance to win a match from a score, counted in matches that were played to their end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.arrays import Arrays, Column
from kibitz.core.errors import BadRecord
from kibitz.core.shapes import Floats, Ints
from kibitz.learn.checkpoint import taken

STEPS = 10
"""The score of a side is noted in so many steps from nothing to the target; in between the chances are interpolated."""
BELIEF = 10.0
"""The first guess counts as so many matches."""


class Equity:
    """A grid of scores, ours and theirs, with the share of matches won from there; both sides are alike."""

    def __init__(self, target: int) -> None:
        self.target = target
        missing = 1.0 - np.arange(STEPS + 1) / STEPS + 0.5 / STEPS
        # Whoever has less to go is more likely to get there first.
        guess = missing[None, :] / (missing[:, None] + missing[None, :])
        self.seen = np.full(guess.shape, BELIEF)
        self.won = BELIEF * guess

    def chance(self, totals: Ints) -> Floats:
        """[n]: how likely the first of two sides wins from totals [n, 2]; certain where the match is over."""
        grid = self.won / self.seen
        found = np.zeros(len(totals))
        for ours, theirs, weight in self._corners(totals):
            found += weight * grid[ours, theirs]
        over = is_over(totals, self.target)
        return np.where(over, totals[:, 0] > totals[:, 1], found)

    def note(self, totals: Ints, won: NDArray[np.bool_]) -> None:
        """Count scores [n, 2] of finished matches, and whether the first side won each."""
        for view, result in ((totals, won), (totals[:, ::-1], ~won)):
            for ours, theirs, weight in self._corners(view):
                np.add.at(self.seen, (ours, theirs), weight)
                np.add.at(self.won, (ours, theirs), weight * result)

    def _corners(self, totals: Ints) -> list[tuple[Ints, Ints, Floats]]:
        """The four grid points around each score, with their weights."""
        place = np.clip(totals / self.target * STEPS, 0.0, STEPS - 1e-9)
        low = place.astype(np.int64)
        part = place - low
        return [
            (low[:, 0] + i, low[:, 1] + j, np.abs(1 - i - part[:, 0]) * np.abs(1 - j - part[:, 1]))
            for i in (0, 1)
            for j in (0, 1)
        ]

    def state(self) -> Arrays:
        """Everything that was counted."""
        return {"seen": self.seen.copy(), "won": self.won.copy()}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        seen = taken(arrays, "seen", Column("f8", self.seen.shape, BELIEF))
        won = taken(arrays, "won", Column("f8", self.won.shape, 0.0))
        if (won > seen).any():
            raise BadRecord("won is more than was seen")
        self.seen[:], self.won[:] = seen, won


def is_over(totals: Ints, target: int) -> NDArray[np.bool_]:
    """[n]: whether a side has reached the target, and has more than the other."""
    over: NDArray[np.bool_] = (totals.max(axis=1) >= target) & (totals[:, 0] != totals[:, 1])
    return over
