"""One game after the other at the terminal: seats go round, what everybody has is written down, and games are kept.

A match is what the game is played for (core/sheet.py): the game says where players sit, who deals, what is written and
when it is over. Otherwise returns are added up.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.bots import judge
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.record import write_record
from kibitz.core.sheet import Sheet
from kibitz.terminal.keeping import Keeper
from kibitz.terminal.table import Table

MOST_LINES = 12
"""Games of the list that are shown."""


class Evening:
    """The games of one sitting. Players keep their number, which is their seat in the first game."""

    def __init__(
        self, game: Game, players: Sequence[Bot], table: Table, keeper: Keeper, seed: int, is_match: bool = False,
        games: int | None = None
    ) -> None:  # fmt: skip
        self.game, self.players, self.table, self.keeper, self.seed = game, list(players), table, keeper, seed
        self.people = list(table.people)
        self.sheet, self.is_match = Sheet(game), is_match
        table.is_written = is_match
        if is_match and not self.sheet.name:
            raise BadInput(f"{game.name} has no match: --games N plays that many and adds them up")
        self.games = games if games is not None else 10**6 if is_match else 1
        self.lines: list[list[float]] = []
        self.sat = 0
        """Where the person, or the first of them, sat in the last game that was finished."""
        self.names = self._names()

    def _names(self) -> list[str]:
        """What players are called: by their seats where these stay, or you, and bots by names with numbers."""
        names = [bot.name for bot in self.players]
        you = self.table.tongue.say("you")
        if self.is_match and self.sheet.keeps_seats:
            return [f"{seat} ({you})" if k in self.people else seat for k, seat in enumerate(self.table.tongue.seats)]
        found = []
        for k, name in enumerate(names):
            if k in self.people:
                found.append(you if len(self.people) == 1 else f"{you} {k}")
            else:
                found.append(f"{name} {names[: k + 1].count(name)}" if names.count(name) > 1 else name)
        return found

    def play(self) -> None:
        """Play all games."""
        for number in range(self.games):
            seats = self.seats(number)
            game = self.sheet.next_game() if self.is_match else self.game
            self._sit(seats, number)
            position = Position(game, self.seed, number)
            self.table.play(position)
            by_seat = [self.players[seats.index(k)].name for k in range(game.PLAYERS)]
            self.keeper.keep(write_record(game, self.seed, number, by_seat, position.actions))
            self.sat = self.table.people[0]
            returns = position.returns()
            written = self.sheet.add(position, seats) if self.is_match else [returns[seat] for seat in seats]
            self.lines.append(list(written))
            if self.games > 1:
                self.table.tell("\n" + self.list())
                self.table.score = self.list()
            if self.is_match and self.sheet.is_over:
                break
            if number + 1 < self.games:
                self._wait()
        if self.is_match and self.lines:
            self._name_winner()

    def seats(self, number: int) -> list[int]:
        """Where each player sits: in a match as the game says, otherwise one further each game."""
        if self.is_match:
            return self.sheet.seats()
        return [(player - number) % self.game.PLAYERS for player in range(self.game.PLAYERS)]

    def _sit(self, seats: Sequence[int], number: int) -> None:
        table, say = self.table, self.table.tongue.say
        table.bots = [self.players[seats.index(k)] for k in range(self.game.PLAYERS)]
        table.people = sorted(seats[player] for player in self.people)
        if self.games > 1:
            aim = self.sheet.aim if self.is_match else None
            table.heading = ", ".join([say("game {}", number + 1), *([say(*aim)] if aim else [])])

    def _wait(self) -> None:
        """Where the next table would wipe out the end of this one, somebody says go on."""
        if self.table.paint.is_redrawn:
            line = self.table.typed(self.table.tongue.say("press Enter for the next game") + " ")
            if line.strip().lower() in ("quit", self.table.tongue.say("quit")):
                self.table._leave()

    def list(self) -> str:
        """What was written down, the last games line by line, and the sum."""
        columns = [max(len(name), 7) for name in self.names]
        rows = [["", *self.names]]
        first = max(0, len(self.lines) - MOST_LINES)
        rows += [[str(first + k + 1), *(f"{x:+g}" for x in line)] for k, line in enumerate(self.lines[first:])]
        totals = [sum(line[k] for line in self.lines) for k in range(len(self.names))]
        rows.append(["=", *(f"{x:+g}" for x in totals)])
        return "\n".join(
            "  ".join([f"{row[0]:>4}", *(f"{cell:>{size}}" for cell, size in zip(row[1:], columns, strict=True))])
            for row in rows
        )

    def _name_winner(self) -> None:
        totals = self.sheet.totals
        best = [self.names[k] for k, total in enumerate(totals) if total == max(totals)]
        say = self.table.tongue.say
        sentence = (
            say("the match is over: {} won it", ", ".join(best))
            if self.sheet.is_over
            else say("so far {} leads", ", ".join(best))
        )
        self.table.tell(self.table.paint.bold(sentence))

    def leave(self) -> None:
        """The person leaves: what was written down stays."""
        if self.games > 1 and self.lines:
            self.table.tell("\n" + self.list())

    def say_where(self) -> None:
        """The seed, and how to look at the games that were kept."""
        say, keeper = self.table.tongue.say, self.keeper
        self.table.tell(say("seed {}", self.seed))
        if keeper.trouble:
            self.table.tell(say("not all games could be kept: {}", keeper.trouble))
        if keeper.kept:
            which = f"{keeper.path} --game {keeper.kept[-1]}"
            self.table.tell(say("kept: look at it with kibitz replay {}", which))
            asked = f"{which} --seat {self.sat} --bots"
            self.table.tell(say("what did each decision cost: kibitz analyse {} {}", asked, judge(self.game)))
