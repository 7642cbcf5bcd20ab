"""No inference: every world that fits the view is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View


@dataclass(frozen=True)
class Alike:
    """Weighs all worlds alike."""

    samples: int = 256

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: ones."""
        return np.ones(len(worlds))


def weigher(game: Game) -> Alike:
    """All worlds alike."""
    return Alike()
