"""How deals are written down one after the other at a table: who sits where, what is written, when it is over.

The words of a game may say, all of it optional:

    SHEET                                           the name of the list: match, series, session
    aim(options) -> (sentence, number)              what it is played to: ("a match to {} points", 1000)
    seat_of(player, deal) -> int                    where a player sits in deal 0, 1, 2, ...
    deal_options(options, deal, totals) -> dict     options of the game in that deal; totals are those of the players
    entries(s) -> list[float]                       what each seat writes down for a finished deal, or its returns
    is_over(options, deal, totals) -> bool          whether nothing more is to be played after so many deals
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, Value, make
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.scene import furnishing


@dataclass
class Sheet:
    """What the players of a table have written down; players keep their number, seats may go round."""

    game: Game
    lines: list[list[float]] = field(default_factory=list)
    """What each player wrote down, deal by deal."""

    @property
    def name(self) -> str:
        """What is being played for; empty where deals are only added up."""
        return str(getattr(self.game.words, "SHEET", ""))

    @property
    def aim(self) -> tuple[str, int] | None:
        """What it is played to, as a sentence and its number."""
        ask = furnishing(self.game, "aim")
        return ask(self.game.options) if ask else None

    @property
    def totals(self) -> list[float]:
        """What each player has so far."""
        return [sum(line[player] for line in self.lines) for player in range(self.game.PLAYERS)]

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played for."""
        ask = furnishing(self.game, "is_over")
        return bool(self.lines and ask and ask(self.game.options, len(self.lines), self.totals))

    def seat_of(self, player: int) -> int:
        """Where a player sits in the next deal."""
        ask = furnishing(self.game, "seat_of")
        return int(ask(player, len(self.lines))) if ask else player

    @property
    def keeps_seats(self) -> bool:
        """Whether everybody stays where he sits."""
        return furnishing(self.game, "seat_of") is None

    def seats(self) -> list[int]:
        """The seat of every player in the next deal."""
        return [self.seat_of(player) for player in range(self.game.PLAYERS)]

    def next_game(self) -> Game:
        """The game of the next deal: with the dealer and the score that it has come to."""
        ask = furnishing(self.game, "deal_options")
        changed: dict[str, Value] = ask(self.game.options, len(self.lines), self.totals) if ask else {}
        return make(self.game.name, **{**self.game.options, **changed})

    def add(self, position: Position, seats: Sequence[int]) -> list[float]:
        """Write down a deal that is over; seats[player] is where each has sat. Gives the line."""
        ask = furnishing(self.game, "entries")
        entries = [float(x) for x in (ask(position.state) if ask else position.returns())]
        self.lines.append([entries[seat] for seat in seats])
        return self.lines[-1]


def played(game: Game, bots: Sequence[Bot], seed: int = 0, deals: int = 0) -> Sheet:
    """Play what the game is played for, or so many deals of it, with a bot for every player."""
    sheet = Sheet(game)
    if len(bots) != game.PLAYERS:
        raise BadInput(f"a sheet of {game.name} takes {game.PLAYERS} players, not {len(bots)}")
    if not deals and not sheet.name:
        raise BadInput(f"{game.name} is played deal by deal: say how many")
    while len(sheet.lines) < deals if deals else not sheet.is_over:
        seats = sheet.seats()
        position = Position(sheet.next_game(), seed, len(sheet.lines))
        while not position.is_over:
            position.push(bots[seats.index(position.turn)].act(position.view(position.turn)))
        sheet.add(position, seats)
    return sheet
