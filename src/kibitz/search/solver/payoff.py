"""What a card is worth to a seat in imagined worlds, for any game of the kit.

While many cards are left, deals are played out by the rule-based player; later open cards are solved for the points or
tricks of the seat's side (in games for few points: of the seat against all others), and the game's own scoring says
what the finished deal pays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.offers import offered
from kibitz.core.shapes import Floats, Ints
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.search.playouts import play_out
from kibitz.search.solver import arena as ar
from kibitz.search.solver.solver import solver_of

EVERY_TRICK = 1 << 20
"""The need that asks for all tricks."""
SOLVED_FROM, FEW_SOLVED_FROM = 8, 6
"""Cards in hand from which on open cards are solved: where two sides play, and where everybody is against one."""


def declared(game: Game) -> TrickGame | None:
    """The declaration of a game of the kit, None for others."""
    found = getattr(game.parts["rules"], "GAME", None)
    return found if isinstance(found, TrickGame) else None


def kit_payoff(game: Game) -> Any:
    """What open cards are worth in a game of the kit, as its part of the search room says or as usual; else None."""
    kit = declared(game)
    if kit is None:
        return None
    own = offered(game, "SEARCH", "PAYOFF")
    return own.payoff(kit) if own else TrickPayoff(kit)


@dataclass(frozen=True, eq=False)
class TrickPayoff:
    """How a game of the kit turns open cards into what a seat wants."""

    kit: TrickGame
    POINTS_ONLY: ClassVar[bool] = False
    """Whether the solver is asked about nothing but points and tricks."""
    LOOKS: ClassVar[Mapping[int, int]] = {}
    """Worlds in which exact values can be afforded, by cards in hand; all of them with fewer."""

    @property
    def RULE(self) -> str:  # noqa: N802 (the name that payoffs have in common)
        """The rule-based player."""
        return f"{self.kit.name}-rule"

    def can_play(self, s: Ints) -> bool:
        """Whether a card is to be played."""
        return bool(s[at.PHASE] == at.PLAYING)

    def has_sides(self, s: Ints) -> bool:
        """Whether two sides play against each other."""
        return not self.kit.fewest

    def effort(self, s: Ints, worlds: int) -> int:
        """How many worlds to look at for a card where `worlds` are asked for."""
        return worlds

    def close_looks(self, s: Ints, worlds: int) -> int:
        """In how many worlds exact values can be afforded; none where values are exact already."""
        return min(worlds, self.LOOKS.get(self.cards_left(s), worlds)) if self.LOOKS else 0

    def cards_left(self, s: Ints) -> int:
        """Cards in the longest hand of those who play."""
        return max(int(s[at.HAND + seat]).bit_count() for seat in range(self.kit.seats) if seat != s[at.OUT])

    def is_solved(self, s: Ints) -> bool:
        """Whether open cards are solved, or played out by rule."""
        return self.cards_left(s) <= (FEW_SOLVED_FROM if self.kit.fewest else SOLVED_FROM)

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: what the seat receives; nan where a card is not legal."""
        if not self.is_solved(states[0]):
            return play_out(game, self.RULE, states, seat)
        kit = self.kit
        asked = np.array([self.side_of(s, seat) for s in states])
        gains = solver_of(kit, self.POINTS_ONLY).ask(states, self.aim, asked, bonus=kit.last_trick, threads=threads)
        worth = np.full(gains.shape, np.nan)
        paid = np.zeros(game.PLAYERS)
        for row, s in enumerate(states):
            for card in np.flatnonzero(gains[row] >= 0):
                game.returns(self.finished(s, seat, int(gains[row, card])), paid)
                worth[row, card] = paid[seat]
        return self.by_action(game, worth)

    def close(self, game: Game, states: Ints, seat: int, threads: int, only: int = at.ANY) -> Floats:
        """The same: values are exact already. What is not in `only` (a mask of cards) need not be answered."""
        return self.quick(game, states, seat, threads)

    def by_action(self, game: Game, values: Floats) -> Floats:
        """[n, ACTIONS]: values of cards where their actions are, nan elsewhere."""
        out = np.full((len(values), game.ACTIONS), np.nan)
        out[:, self.kit.first_card : self.kit.first_card + values.shape[1]] = values
        return out

    def valued(self, s: Ints) -> int:
        """A seat of the side whose points `values` are: the seat to play."""
        return int(s[at.TURN])

    @property
    def aim(self) -> int:
        """What the solver is asked."""
        return ar.FEW_POINTS if self.kit.fewest else ar.TRICKS if self.kit.by_tricks else ar.POINTS

    def values(self, states: Ints, need: Ints | None, threads: int, *, only: int = at.ANY) -> Ints:
        """[n, cards]: what the side of `valued` has at the end after each legal card, or whether it reaches `need`.

        EVERY_TRICK as a need asks for all tricks. If `only` is 0, the first column has the answer for the best card.
        """
        if (states[:, at.PHASE] != at.PLAYING).any():
            raise BadInput("only positions in which a card is to be played can be solved")
        kit, slot = self.kit, at.TRICKS if self.kit.by_tricks else at.POINTS
        asked = np.array([self.side_of(s, self.valued(s)) for s in states])
        is_asked = (asked[:, None] >> np.arange(kit.seats) & 1).astype(np.bool_)
        base = np.where(is_asked, states[:, slot : slot + kit.seats], 0).sum(1)
        solver = solver_of(kit, self.POINTS_ONLY)
        if need is None:
            found = solver.ask(states, self.aim, asked, bonus=kit.last_trick, threads=threads, only=only)
            return np.where(found >= 0, found + base[:, None], found)
        found = np.zeros((len(states), len(kit.deck.names)), np.int64)
        for slam in np.unique(need >= EVERY_TRICK):
            rows = np.flatnonzero((need >= EVERY_TRICK) == slam)
            wanted, aim, bonus = need[rows] - base[rows], self.aim, kit.last_trick
            if slam:
                lost = np.where(is_asked[rows], 0, states[rows, at.TRICKS : at.TRICKS + kit.seats]).sum(1) > 0
                wanted, aim, bonus = np.where(lost, EVERY_TRICK, kit.each - states[rows, at.DONE]), ar.TRICKS, 0
            found[rows] = solver.ask(
                states[rows], aim, asked[rows], need=wanted, bonus=bonus, threads=threads, only=only
            )
        return found

    def ended(self, game: Game, states: Ints, seat: int) -> Floats:
        """[n]: what deals that are over have brought the seat."""
        paid = np.zeros((len(states), game.PLAYERS))
        for s, out in zip(states, paid, strict=True):
            game.returns(s, out)
        return paid[:, seat]

    def finished(self, s: Ints, seat: int, gain: int) -> Ints:
        """A state as it would be at the end if the side of a seat gets so much more, and the others the rest."""
        kit, end = self.kit, s.copy()
        asked = self.side_of(s, seat)
        other = next(k for k in range(kit.seats) if not asked >> k & 1)
        tricks = kit.each - int(s[at.DONE])
        if kit.by_tricks:
            end[at.TRICKS + seat] += gain
            end[at.TRICKS + other] += tricks - gain
        else:
            cards = sum(int(s[at.HAND + k]) for k in range(kit.seats)) | sum(
                1 << int(s[at.TABLE + k]) for k in range(int(s[at.COUNT]))
            )
            row = kit.tables.worth[max(0, int(s[at.CONTRACT]))]
            left = kit.last_trick + sum(int(row[card]) for card in range(len(row)) if cards >> card & 1)
            own = tricks if gain == left else 0 if gain == 0 else max(1, tricks - 1)
            another = next(k for k in range(kit.seats - 1, -1, -1) if not asked >> k & 1)
            end[at.POINTS + seat] += gain
            end[at.POINTS + other] += (left - gain + 1) // 2  # shared out, for nobody to take them all
            end[at.POINTS + another] += (left - gain) // 2
            end[at.TRICKS + seat] += own
            end[at.TRICKS + other] += tricks - own
            for one in (seat, other) if kit.every_trick else ():
                side = self.side_of(s, one)
                if sum(int(end[at.TRICKS + k]) for k in range(kit.seats) if side >> k & 1) == kit.each:
                    end[at.POINTS + one] += kit.every_trick - kit.last_trick
        for k in range(kit.seats):
            end[at.PLAYED + k] |= end[at.HAND + k]
            end[at.HAND + k] = 0
        return end

    def side_of(self, s: Ints, seat: int) -> int:
        """The seats that play with a seat, itself included, as a mask."""
        side = self.kit.rules.side
        if self.kit.fewest:
            return 1 << seat
        own = side(s, seat)
        return sum(1 << k for k in range(self.kit.seats) if side(s, k) == own)
