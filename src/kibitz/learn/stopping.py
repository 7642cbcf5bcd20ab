"""When a course of training ends by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class StopRule:
    """The Cego paper's: measure regularly, and stop when a stretch of measurements is worse than the one before it."""

    every: int = 1_000
    """Episodes between two measurements."""
    games: int = 1_000
    """Of a measurement."""
    stretch: int = 50
    """Measurements that are averaged."""
    most: int = 1_000_000
    """Episodes after which training ends anyway."""

    def ends_stretch(self, points: Sequence[float]) -> bool:
        """Whether the last measurement completes a stretch."""
        return len(points) > 0 and len(points) % self.stretch == 0

    def is_falling(self, points: Sequence[float]) -> bool:
        """Whether a stretch is complete and on average below the one before it."""
        if not self.ends_stretch(points) or len(points) < 2 * self.stretch:
            return False
        before, last = np.array(points[-2 * self.stretch :]).reshape(2, self.stretch).mean(axis=1)
        return bool(last < before)
