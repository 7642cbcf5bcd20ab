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

__all__ = ["Decision", "Moment", "Opinion", "decisions", "moments", "opinion", "position_at", "recorded_game"]


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


@dataclass(frozen=True)
class Decision:
    """A move of a recorded game as a bot judges it, from what the seat knew."""

    move: int
    seat: int
    hand: str
    played: str
    choice: str
    """What the bot would have played."""
    cost: float | None
    """What the best action is worth more than the one played, in the bot's unit; None where it has no values."""
    chance: float
    """How likely the bot would have played the same."""


def recorded_game(path: str | Path, number: int) -> Record:
    """The number-th game of a file, counted from 1."""
    count = 0
    for _, record in read_records(path):
        count += 1
        if count == number:
            return record
    known = f"its games are 1 to {count}" if count > 1 else "its only game is 1" if count else "it is empty"
    raise BadInput(f"{path} has no game {number}: {known}")


def moments(record: Record) -> Iterator[Moment]:
    """The game before each of its moves, checked as it goes; it may have been broken off.
    The position is moved on after each."""
    for place, position in play(record):
        if place < len(record.ids):
            yield Moment(place, position.turn, record.actions[place], position.legal(), position)


def position_at(record: Record, move: int) -> Position:
    """The game before a move; the number of moves is allowed too, where the game was broken off."""
    if not 0 <= move <= len(record.ids):
        raise BadInput(f"there is no move {move}: the game's moves are 0 to {len(record.ids) - 1}")
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


def decisions(record: Record, bot: Bot, seat: int | None = None, draws: int | None = None) -> Iterator[Decision]:
    """Every move at which a seat (or any) had a choice."""
    for moment in moments(record):
        if moment.seat < 0 or seat not in (None, moment.seat) or len(moment.legal) < 2:
            continue
        view = moment.position.view(moment.seat)
        told = opinion_at(bot, view, draws)
        hand = " ".join(view.hand) if hasattr(view.game.words, "hand") else ""
        has_values = moment.word in told.values
        cost = max(told.values.values()) - told.values[moment.word] if has_values else None
        yield Decision(moment.move, moment.seat, hand, moment.word, told.choice, cost, told.probabilities[moment.word])
