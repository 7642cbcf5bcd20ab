"""How deals are written down one after the other at a table: who sits where, what is written, when it is over.

A module `scene` in a game's package (core/scene.py) may say, all of it optional;
functions are given the game's words first:

    SHEET                                           the name of the list: a match to 1000, a series of 36 deals
    seat_of(player, deal) -> int                    where a player sits in deal 0, 1, 2, ...
    deal_options(options, deal, totals) -> dict     options of the game in that deal; totals are those of the players
    entries(s) -> list[float]                       what each seat writes down for a finished deal, or its returns
    is_over(options, deal, totals) -> bool          whether nothing more is to be played after so many deals
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kibitz.core.game import Game, Value, make
from kibitz.core.position import Position
from kibitz.core.scene import scene_module


@dataclass
class Sheet:
    """What the players of a table have written down; players keep their number, seats may go round."""

    game: Game
    lines: list[list[float]] = field(default_factory=list)
    """What each player wrote down, deal by deal."""

    @property
    def name(self) -> str:
        """What is being played for; empty where deals are only added up."""
        return str(getattr(scene_module(self.game), "SHEET", ""))

    @property
    def totals(self) -> list[float]:
        """What each player has so far."""
        return [sum(line[player] for line in self.lines) for player in range(self.game.PLAYERS)]

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played for."""
        ask = self._said("is_over")
        return bool(self.lines and ask and ask(self.game.options, len(self.lines), self.totals))

    def seat_of(self, player: int) -> int:
        """Where a player sits in the next deal."""
        ask = self._said("seat_of")
        return int(ask(player, len(self.lines))) if ask else player

    @property
    def keeps_seats(self) -> bool:
        """Whether everybody stays where he sits."""
        return self._said("seat_of") is None

    def seats(self) -> list[int]:
        """The seat of every player in the next deal."""
        return [self.seat_of(player) for player in range(self.game.PLAYERS)]

    def next_game(self) -> Game:
        """The game of the next deal: with the dealer and the score that it has come to."""
        ask = self._said("deal_options")
        changed: dict[str, Value] = ask(self.game.options, len(self.lines), self.totals) if ask else {}
        return make(self.game.name, **{**self.game.options, **changed})

    def add(self, position: Position, seats: Sequence[int]) -> list[float]:
        """Write down a deal that is over; seats[player] is where each has sat. Gives the line."""
        ask = self._said("entries")
        entries = [float(x) for x in (ask(position.state) if ask else position.returns())]
        self.lines.append([entries[seat] for seat in seats])
        return self.lines[-1]

    def _said(self, name: str) -> Any:
        tell = getattr(scene_module(self.game), name, None)
        return None if tell is None else partial(tell, self.game.words)
