"""A series of Skat: 36 deals at a table of three, written down by Seeger and Fabian (rule 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.games.skat import state as at
from kibitz.games.skat.tallies import entry

DEALS = 36


def seat_in_series(player: int, deal: int) -> int:
    """Rule 8.3: where player 0, 1 or 2 sits in deal 0, 1, 2, ..."""
    return (player - deal) % at.PLAYERS


@dataclass
class Series:
    """The list: one line per deal, players in columns."""

    lines: list[list[int]] = field(default_factory=list)
    """What each player wrote down for each deal (8.1)."""
    won: list[int] = field(default_factory=lambda: [0] * at.PLAYERS)
    lost: list[int] = field(default_factory=lambda: [0] * at.PLAYERS)

    def add(self, declarer: int | None, score: int) -> None:
        """Write down a deal: the seat that declared and its game points, or None if it was passed in."""
        entries = [0] * at.PLAYERS
        if declarer is not None:
            entries = [0 if score > 0 else 40] * at.PLAYERS
            entries[declarer] = score + (50 if score > 0 else -50)
        self._write(declarer, score, entries)

    def add_position(self, position: Position) -> None:
        """Write down a deal that is over."""
        s = position.state
        declarer = None if s[at.DECLARER] < 0 or s[at.IS_RAMSCH] or s[at.WHO] < 0 else int(s[at.DECLARER])
        self._write(declarer, int(s[at.SCORE]), [int(entry(s, seat)) for seat in range(at.PLAYERS)])

    def _write(self, declarer: int | None, score: int, entries: list[int]) -> None:
        deal = len(self.lines)
        self.lines.append([entries[seat_in_series(player, deal)] for player in range(at.PLAYERS)])
        if declarer is not None:
            player = (declarer + deal) % at.PLAYERS
            (self.won if score > 0 else self.lost)[player] += 1

    def totals(self) -> list[int]:
        """Rule 8.4."""
        return [sum(line[player] for line in self.lines) for player in range(at.PLAYERS)]

    @property
    def deals_left(self) -> int:
        """How many deals are still to be played."""
        return DEALS - len(self.lines)


def play_series(game: Game, players: Sequence[Bot], seed: int = 0, deals: int = DEALS) -> Series:
    """Three bots play a series; the seats move on by one after every deal."""
    series = Series()
    for deal in range(deals):
        position = Position(game, seed, deal)
        at_seat = {seat_in_series(player, deal): bot for player, bot in enumerate(players)}
        while not position.is_over:
            position.push(at_seat[position.turn].act(position.view(position.turn)))
        series.add_position(position)
    return series
