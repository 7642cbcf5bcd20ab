"""What a Coinche card is worth to a seat in open worlds: the score that can be expected of it.

Every card is solved to the point in every world. Nobody will play the rest with open cards, so the points that come in
the end stray from those promised, and on average they lie nearer to the middle; the quick look takes the mean score
over that, and so a contract that hangs by a point counts as about half made. The close look takes the promise as it is.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.games.belotes import ALL_POINTS, WORTH
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.scoring import UNBID_CAPOT, held_belotes
from kibitz.games.tricks.layout import ANY
from kibitz.search.solver.payoff import EVERY_TRICK, TrickPayoff

A_POINT = 0.01
MIDDLE = 95.0
KEPT = (1.0, 1.0, 1.0, 0.98, 0.94, 0.92, 0.85, 0.80, 0.80)
"""By cards in hand: how much is left, at the end, of a point that open cards promise the attack beyond MIDDLE."""
STRAY = (0.0, 0.0, 2.1, 5.6, 8.4, 10.0, 12.0, 14.0, 15.3)
"""By cards in hand: how far, by one standard deviation, the points at the end are from that (both measured in 120 deals
that the searching player played against itself, seed 8200)."""
LUCK = np.array([NormalDist().inv_cdf((k + 0.5) / 9) for k in range(9)])
EFFORT = {8: 0.8, 7: 1.5, 6: 3.0}
"""By cards in hand: how many times the usual number of worlds is looked at; MOST_EFFORT times with fewer cards."""
MOST_EFFORT = 5.0


class CoinchePayoff(TrickPayoff):
    """Values are the attack's, 10 for the last trick whoever has taken them all."""

    POINTS_ONLY = True

    @property
    def RULE(self) -> str:
        """The rule-based player."""
        return "coinche-strong"

    def valued(self, s: Ints) -> int:
        """The attack."""
        return int(s[at.DECLARER])

    def effort(self, s: Ints, worlds: int) -> int:
        """How many worlds to look at: solving is dear with many cards and cheap later."""
        return max(1, round(worlds * EFFORT.get(self.cards_left(s), MOST_EFFORT)))

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: the score that the seat's side can expect; nan where a card is illegal."""
        if states[0, at.VALUE] >= at.CAPOT:
            return self.close(game, states, seat, threads)
        points = self.values(states, None, threads)
        left = self.cards_left(states[0])
        worth = np.full(points.shape, np.nan)
        promised = np.unique(points[points >= 0])
        tables: dict[tuple[int, int], Floats] = {}
        for row, s in enumerate(states):
            key = int(held_belotes(s, 0)), int(held_belotes(s, 1))
            if key not in tables:
                tables[key] = self._expected(s, seat % 2, left, promised)
            worth[row] = tables[key][np.maximum(points[row], 0)]
        return self.by_action(game, np.where(points >= 0, worth, np.nan))

    def close(self, game: Game, states: Ints, seat: int, threads: int, only: int = ANY) -> Floats:
        """[n, ACTIONS]: the reward of the seat's side by exact points, and a little for every point."""
        points = self.values(states, None, threads, only=only)
        slams = points
        if states[0, at.VALUE] >= at.CAPOT:
            slams = self.values(states, np.full(len(states), EVERY_TRICK), threads, only=only)
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
        attack = int(states[0, at.DECLARER])
        points = states[:, at.POINTS + attack] + states[:, at.POINTS + (attack + 2) % 4]
        slams = points > ALL_POINTS
        return np.array([
            self._reward(s, int(p), int(s[at.MADE]), seat % 2) for s, p in zip(states, points - UNBID_CAPOT * slams)
        ])  # fmt: skip

    def _expected(self, s: Ints, side: int, left: int, promised: Ints) -> Floats:
        """[points]: what a side can expect where open cards promise the attack so many points, for those asked."""
        total = all_points(s)
        exact, expected = np.full(total + 1, np.nan), np.full(total + 1, np.nan)
        middle = MIDDLE + KEPT[left] * (promised - MIDDLE)
        got = np.clip(np.rint(middle[:, None] + STRAY[left] * LUCK), 0, total).astype(np.int64)
        for points in np.unique(got).tolist():
            exact[points] = self._reward(s, points, 0, side)
        expected[promised] = exact[got].mean(axis=1)
        return expected

    def _reward(self, s: Ints, points: int, slam: int, side: int) -> float:
        """What a side receives when the attack ends with so many points, and a little for every point."""
        attack, end, total = int(s[at.DECLARER]), s.copy(), all_points(s)
        end[at.POINTS : at.POINTS + 4] = end[at.TRICKS : at.TRICKS + 4] = 0
        for seat, own in ((attack, points), ((attack + 1) % 4, total - points)):
            others = int(s[at.TRICKS + (seat + 1) % 4] + s[at.TRICKS + (seat + 3) % 4])
            is_slam = own == total and not others
            end[at.POINTS + seat] = own + (UNBID_CAPOT if is_slam else 0)
            end[at.TRICKS + seat] = self.kit.each if is_slam else 1
        self.kit.rules.settle(end)
        if s[at.VALUE] >= at.CAPOT:
            end[at.MADE] = slam
        own = points if side == attack % 2 else total - points
        paid = np.zeros(4)
        self.kit.rules.returns(end, paid)
        return float(paid[side]) + A_POINT * own


def all_points(s: Ints) -> int:
    """The points of all cards that are played, and of the last trick."""
    return ALL_POINTS - int((s[at.DEAD] >> np.arange(at.CARDS) & 1) @ WORTH[s[at.CONTRACT]])


payoff = CoinchePayoff
