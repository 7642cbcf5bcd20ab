"""A recorded game looked at again: move by move with what each seat knew, or one move as several bots see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE
from kibitz.core.policy import Bot, OneByOne, Policy
from kibitz.core.position import Position
from kibitz.core.record import Record, last_position, play, read_records
from kibitz.core.view import View, Views

DRAWS = 1000
"""How often a fast bot is asked, with other luck each time, to see how it mixes."""


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
class Opinion:
    """What a bot would do at a view: its choice with the luck of the game, and how it weighs the legal actions."""

    bot: str
    choice: str
    probabilities: dict[str, float]
    source: str
    """Where the probabilities come from: the bot itself, or how many draws of luck."""
    values: dict[str, float]
    """What the bot thinks each action is worth, if it says so."""


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
    seat, game = position.turn, position.game
    if seat == CHANCE:
        raise BadInput(f"move {len(position.actions)} is chance's: no bot decides there")
    if seat < 0:
        raise BadInput("the game is over: nobody is to move")
    view = position.view(seat)
    words = game.words.ACTION_WORDS
    choice = words[bot.act(position.view(seat))]
    mix, source = _mix(bot, view, position, draws)
    return Opinion(
        bot.name, choice, {words[a]: float(mix[a]) for a in view.legal()}, source,
        {words[a]: float(x) for a, x in enumerate(_values(bot, view)) if np.isfinite(x) and view.mask[a]},
    )  # fmt: skip


def _mix(bot: Bot, view: View, position: Position, draws: int | None) -> tuple[NDArray[np.float64], str]:
    """The bot's own probabilities, or how often it chooses what when its luck is drawn again and again."""
    if isinstance(bot, Policy):
        return bot.probabilities(_copies(view, [view.rng]))[0], "the bot"
    count = draws or (1 if isinstance(bot, OneByOne) else DRAWS)
    # The first draw is the luck of the game itself, the others are made for this question.
    lucks = [view.rng.copy(), *(rng.forked(view.rng, rng.THINKING, k) for k in range(1, count))]
    chosen = bot.act_batch(_copies(view, lucks))
    return np.bincount(chosen, minlength=len(view.mask)) / count, f"{count} draws"


def _copies(view: View, lucks: Sequence[NDArray[np.int64]]) -> Views:
    n = len(lucks)
    return Views(
        view.game, np.full(n, view.seat), np.tile(view.state, (n, 1)), np.tile(view.mask, (n, 1)), np.array(lucks)
    )


def _values(bot: Any, view: View) -> NDArray[np.float64]:
    """What the bot says its actions are worth: float[ACTIONS], nan for those it has no value for."""
    says = getattr(bot, "values", None)
    return np.asarray(says(view), np.float64) if callable(says) else np.empty(0)
