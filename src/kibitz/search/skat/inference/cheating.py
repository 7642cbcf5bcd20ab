"""C, cheating: a player who is shown the true world. It cannot sit at a fair table, where bots are given views only."""

from __future__ import annotations

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import State
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.search.pimc import Pimc


class CheatingPimc(Pimc):
    """Puts all weight on the world it was shown with `look`; whoever runs the table has to show it."""

    truth: State | None = None

    def look(self, state: State) -> None:
        """See all cards."""
        self.truth = state.copy()

    def imagine(self, view: View) -> tuple[Ints, Floats]:
        """The true world alone."""
        if self.truth is None:
            raise BadInput(f"{self.name} cheats, and nobody has shown it the cards")
        return self.truth[None], np.ones(1)
