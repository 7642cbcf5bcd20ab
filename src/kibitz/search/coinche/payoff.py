"""What a Coinche card is worth to a seat in open worlds: the contract first, then the score.

The quick look asks whether the attack makes its contract in each world (with the belote it holds there), the close look
takes exact points and writes the deal down as the game's scoring says.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.games.belotes import ALL_POINTS
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.scoring import held_belotes
from kibitz.games.tricks.kit import TrickGame
from kibitz.search.solver.payoff import EVERY_TRICK, TrickPayoff

A_POINT = 0.01


class CoinchePayoff(TrickPayoff):
    """Values are the attack's, 10 for the last trick whoever has taken them all."""

    LOOKS: ClassVar = {8: 3, 7: 5, 6: 10}

    @property
    def RULE(self) -> str:
        """The rule-based player."""
        return "coinche-strong"

    def valued(self, s: Ints) -> int:
        """The attack."""
        return int(s[at.DECLARER])

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: 1 where the seat's side gets its way with the contract, else 0; nan where a card is illegal."""
        found = self.values(states, np.array([needed(s) for s in states]), threads)
        made = found if states[0, at.DECLARER] % 2 == seat % 2 else 1 - found
        return self.by_action(game, np.where(found >= 0, made.astype(np.float64), np.nan))

    def close(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: the reward of the seat's side by exact points, and a little for every point."""
        points = self.values(states, None, threads)
        slams = points
        if states[0, at.VALUE] >= at.CAPOT:
            slams = self.values(states, np.full(len(states), EVERY_TRICK), threads)
        worth = np.full(points.shape, np.nan)
        for row, s in enumerate(states):
            known: dict[tuple[int, int], float] = {}
            for card in np.flatnonzero(points[row] >= 0):
                key = int(points[row, card]), int(slams[row, card])
                if key not in known:
                    known[key] = self._reward(s, *key, seat % 2)
                worth[row, card] = known[key]
        return self.by_action(game, worth)

    def ended(self, game: Game, states: Ints, seat: int) -> Floats:
        """[n]: the same as `quick` for deals that are over."""
        return np.where((states[:, at.MADE] == 1) == (states[0, at.DECLARER] % 2 == seat % 2), 1.0, 0.0)

    def _reward(self, s: Ints, points: int, slam: int, side: int) -> float:
        """What a side receives when the attack ends with so many points."""
        attack = int(s[at.DECLARER])
        end = self.finished(s, attack, points - int(s[at.POINTS + attack] + s[at.POINTS + (attack + 2) % 4]))
        self.kit.rules.settle(end)
        if s[at.VALUE] >= at.CAPOT:
            end[at.MADE] = slam
        own = points if side == attack % 2 else ALL_POINTS - points
        paid = np.zeros(4)
        self.kit.rules.returns(end, paid)
        return float(paid[side]) + A_POINT * own


def needed(s: Ints) -> int:
    """The points the attack must take itself to make the contract of a full state."""
    value, attack = int(s[at.VALUE]), int(s[at.DECLARER]) % 2
    if value >= at.CAPOT:
        return EVERY_TRICK
    own, other = int(held_belotes(s, attack)), int(held_belotes(s, 1 - attack))
    need = (82 if s[at.EIGHTY_82] and value == 80 else value) - own
    return max(need, (ALL_POINTS + other - own) // 2 + 1) if s[at.BEAT_DEFENCE] else need


def payoff(kit: TrickGame) -> CoinchePayoff:
    """What open cards are worth."""
    return CoinchePayoff(kit)
