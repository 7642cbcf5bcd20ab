"""A recorded game looked at again: move by move with what each seat knew, or one move as several bots see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE
from kibitz.core.opinion import Opinion, opinion_at
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.record import Record, last_position, play, read_records

__all__ = ["Moment", "Opinion", "moments", "opinion", "position_at", "recorded_game"]


@dataclass(frozen=True)
class Moment:
    """A game before one of its moves; `seat` is CHANCE where chance moves."""

    move: int
    seat: int
    word: str
    legal: list[str]
    position: Position

    def knew(self, seat: int) -> str:
        """The table as a seat saw it."""
        return str(self.position.view(seat))


def recorded_game(path: str | Path, number: int) -> Record:
    """The number-th game of a file, counted from 0."""
    if number < 0:
        raise BadInput(f"there is no game {number}: games are counted from 0")
    count = 0
    for _, record in read_records(path):
        if count == number:
            return record
        count += 1
    raise BadInput(f"{path} has no game {number}: it has {count}, counted from 0")


def moments(record: Record) -> Iterator[Moment]:
    """The game before each of its moves, checked as it goes; it may have been broken off. The position is moved on after each."""
    for place, position in play(record):
        if place < len(record.ids):
            yield Moment(place, position.turn, record.actions[place], position.legal(), position)


def position_at(record: Record, move: int) -> Position:
    """The game before a move; the number of moves is allowed too, where the game was broken off."""
    if not 0 <= move <= len(record.ids):
        raise BadInput(f"there is no move {move}: the game has {len(record.ids)}, counted from 0")
    last_position(record)  # the rest of the record shall be right too
    return next(position for place, position in play(record) if place == move)


def opinion(bot: Bot, position: Position, draws: int | None = None) -> Opinion:
    """What a bot thinks about the move that is due."""
    seat = position.turn
    if seat == CHANCE:
        raise BadInput(f"move {len(position.actions)} is chance's: no bot decides there")
    if seat < 0:
        raise BadInput("the game is over: nobody is to move")
    return opinion_at(bot, position.view(seat), draws)
