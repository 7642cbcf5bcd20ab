"""What a card of Cego is worth to a seat in imagined worlds.

With many cards left the play is continued by the rule-based player instead of being solved, and always while an
exposed card is still to fall: it can never win, which the solver does not know. Where the aim is all or nothing open
cards are solved from an earlier trick on than where points count.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.games.cego import table as cego
from kibitz.games.tricks import layout as at
from kibitz.search.playouts import play_out
from kibitz.search.solver import arena as ar
from kibitz.search.solver.payoff import TrickPayoff
from kibitz.search.solver.solver import solver_of

AIMS = {cego.RAEUBER: ar.FEW_POINTS, cego.BETTEL: ar.NO_TRICK, cego.PICCOLO: ar.ONE_TRICK, cego.ULTIMO: ar.LAST_TRICK}
"""What the solver is asked where it is not the points of the single player."""
SOLVED_FROM = {cego.RAEUBER: 6, cego.BETTEL: 9, cego.PICCOLO: 9, cego.ULTIMO: 9}
POINTS_FROM = 7
"""Cards in hand from which on open cards are solved."""
A_HALF = 0.001
"""What half a point counts beside what is paid."""


class TarockPayoff(TrickPayoff):
    """What both games have in common."""

    def has_sides(self, s: Ints) -> bool:
        """Whether two sides play against each other; in Räuber everybody plays for himself."""
        return bool(s[at.CONTRACT] != cego.RAEUBER)

    def is_solved(self, s: Ints) -> bool:
        """Whether open cards are solved, or played out by rule."""
        return self.cards_left(s) <= SOLVED_FROM.get(int(s[at.CONTRACT]), POINTS_FROM) and not exposed(s[None]).any()

    def values(self, states: Ints, need: Ints | None, threads: int, *, only: int = at.ANY) -> Ints:
        """[n, cards]: twice the points of the single player (in Räuber: of the seat to play), his tricks in Bettel, 1
        if he reaches his aim in Piccolo and Ultimo; or whether that is at least `need`.
        """
        if (states[:, at.PHASE] != at.PLAYING).any():
            raise BadInput("only positions in which a card is to be played can be solved")
        if exposed(states).any():
            raise BadInput("only games of Cego without an exposed card that is still to fall can be solved")
        found = np.full((len(states), cego.CARDS), -1, np.int64)
        for game in np.unique(states[:, at.CONTRACT]):
            rows = np.flatnonzero(states[:, at.CONTRACT] == game)
            wanted = None if need is None else need[rows]
            found[rows] = self._values(int(game), states[rows], wanted, threads, only)
        return found

    def _values(self, game: int, states: Ints, need: Ints | None, threads: int, only: int) -> Ints:
        aim, every = AIMS.get(game, ar.POINTS), np.arange(len(states))
        seat = states[:, at.TURN] if game == cego.RAEUBER else states[:, at.DECLARER]
        tricks = states[every, at.TRICKS + seat]
        base = np.zeros(len(states), np.int64)
        if aim in (ar.POINTS, ar.FEW_POINTS):
            base = states[every, at.POINTS + seat]
            if aim == ar.POINTS:
                base = base + (states[:, at.ASIDE, None] >> np.arange(cego.CARDS) & 1) @ cego.HALVES
        elif aim == ar.NO_TRICK:
            base = tricks
        wanted = None if need is None or aim in (ar.ONE_TRICK, ar.LAST_TRICK) else need - base
        marked = 1 << cego.GEISS if game == cego.ULTIMO else 0
        found = solver_of(self.kit).ask(
            states, aim, 1 << seat, need=wanted, taken=tricks, only=only, marked=marked, threads=threads
        )
        return np.where((found >= 0) & (wanted is None), found + base[:, None], found)

    def need(self, s: Ints) -> int | None:
        """What settles what is paid, None where that takes the value itself."""
        return 1 if s[at.CONTRACT] == cego.BETTEL else None

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: what the seat is paid; in Räuber less its points; nan where a card is not legal."""
        if not self.is_solved(states[0]) or exposed(states).any():  # hands are as long in every world of a view
            return play_out(game, self.RULE, states, seat)
        need = self.need(states[0])
        found = self.values(states, None if need is None else np.full(len(states), need), threads)
        worth = np.full((len(states), game.ACTIONS), np.nan)
        paid = np.zeros(cego.SEATS)
        if states[0, at.CONTRACT] == cego.RAEUBER:
            return np.where(found >= 0, -found / 2.0, np.nan)
        for s, values, out in zip(states, found, worth, strict=True):
            for value in np.unique(values[values >= 0]).tolist():
                game.returns(finished(s, value if need is None else need * value), paid)
                out[: len(values)][values == value] = paid[seat] + self.beside(s, seat, value)
        return worth

    def beside(self, s: Ints, seat: int, value: int) -> float:
        """What a value counts beside what is paid for it."""
        return 0.0


class WholePayoff(TarockPayoff):
    """The whole game: payment first, then points."""

    def beside(self, s: Ints, seat: int, value: int) -> float:
        """A little for every half point."""
        if not cego.counts_points(s):
            return 0.0
        return A_HALF * value * (3 if seat == s[at.DECLARER] else -1)


payoff = WholePayoff


def finished(s: Ints, value: int) -> Ints:
    """A state as it would be at the end if the single player gets so much."""
    end, single, game = s.copy(), int(s[at.DECLARER]), int(s[at.CONTRACT])
    end[at.DONE] = cego.HAND_CARDS
    if game == cego.ULTIMO:
        end[cego.WINNERS] |= value << cego.GEISS
    elif game in (cego.BETTEL, cego.PICCOLO):
        end[at.TRICKS + single] = value
    else:
        end[at.POINTS + single] = value - (s[at.ASIDE] >> np.arange(cego.CARDS) & 1) @ cego.HALVES
    return end


def exposed(states: Ints) -> Bools:
    """[n]: whether an exposed card is still in a hand or in the trick."""
    live = np.bitwise_or.reduce(states[:, at.HAND : at.HAND + cego.SEATS], axis=1)
    for k in range(cego.SEATS - 1):
        lies = states[:, at.COUNT] > k
        live = live | np.where(lies, np.int64(1) << np.where(lies, states[:, at.TABLE + k], 0), 0)
    return states[:, cego.EXPOSED] & live != 0
