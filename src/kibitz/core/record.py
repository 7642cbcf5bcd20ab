"""Deals and plays as text, both ways: one game per JSON line, replayable, versioned."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadRecord, IllegalMove, KibitzError
from kibitz.core.game import CHANCE, Game, make
from kibitz.core.plain_text import encodable, printable
from kibitz.core.position import Position
from kibitz.core.rng import MOST_SEED
from kibitz.core.schema import OPTIONS, Fields, Listed, Number, Text, Whole, line, read_json, shown

FORMAT = 1
MOST_LINE = 1 << 24
"""Characters; the longest games have some ten thousand."""


@dataclass(frozen=True)
class Record:
    """One game as it was played."""

    game: str
    options: dict[str, Any]
    version: int
    seed: int
    number: int
    deal: str
    seats: list[str]
    """The bot in each seat."""
    actions: list[str]
    """Every move as a word, chance included."""
    ids: list[int]
    """The same moves as numbers."""
    returns: list[float]
    """Empty if the game was broken off."""

    def line(self) -> str:
        """The record as one line of JSON."""
        return encodable(json.dumps({"kibitz": FORMAT, **vars(self)}, separators=(",", ":"), ensure_ascii=False))


def write_record(game: Game, seed: int, number: int, seats: Sequence[str], ids: Sequence[int]) -> Record:
    """The record of a game that was dealt from (seed, number) and played with these moves."""
    position = Position(game, seed, number, manual_chance=True)
    words = []
    for move in ids:
        words.append(position.word(move))
        game.step(position.state, move)
    returns = position.returns() if position.is_over else []
    options = dict(game.options)
    moves = [int(move) for move in ids]
    return Record(
        game.name, options, game.version, seed, number, position.deal_text, list(seats), words, moves, returns
    )


RECORD = Fields({
    "kibitz": Whole(), "game": line(100), "options": OPTIONS, "version": Whole(), "seed": Whole(0, MOST_SEED),
    "number": Whole(), "deal": line(10_000), "seats": Listed(Text(1000), 1, 64),
    "actions": Listed(line(200), 0, MOST_LINE), "ids": Listed(Whole(0, 2**31), 0, MOST_LINE),
    "returns": Listed(Number(), 0, 64),
})  # fmt: skip
"""A line of a file of records; what depends on the game is checked when it is replayed."""


def read_record(text: str) -> Record:
    """The record in a line; raises BadRecord with the reason if it is none."""
    try:
        data = read_json(text, halves=True)
    except BadRecord as problem:
        raise BadRecord(f"not a record of kibitz: {problem}") from None
    if not isinstance(data, dict) or "kibitz" not in data:
        raise BadRecord("not a record of kibitz")
    if data["kibitz"] != FORMAT:
        raise BadRecord(f"of another format than this version reads ({FORMAT})")
    return record_of(data)


def record_of(data: Any) -> Record:
    """A record from what its JSON says, checked."""
    RECORD.check(data)
    if len(data["actions"]) != len(data["ids"]):
        raise BadRecord(
            f"there are not as many words as numbers: actions has {len(data['actions'])}, ids {len(data['ids'])}"
        )
    if data["returns"] and len(data["returns"]) != len(data["seats"]):
        raise BadRecord(
            f"returns has {len(data['returns'])} entries: {len(data['seats'])}, one for each seat, or none are right"
        )
    return Record(**{name: value for name, value in data.items() if name != "kibitz"})


def opened(record: Record) -> Position:
    """The position at the beginning of a record, which fits its game."""
    try:
        options = {str(key): value for key, value in record.options.items()}
        game = make(record.game, **options)
    except KibitzError as problem:
        raise BadRecord(str(problem)) from None
    except TypeError:  # an option that is called like an argument of `make`
        raise BadRecord(f"options are not those of {record.game}") from None
    if game.version != record.version:
        raise BadRecord(f"written for version {record.version} of {record.game}; this is version {game.version}")
    if len(record.seats) != game.PLAYERS:
        raise BadRecord(f"seats has {len(record.seats)} entries: {game.name} has {game.PLAYERS} seats")
    try:
        return Position(game, record.seed, record.number, deal=record.deal, manual_chance=True)
    except (ValueError, KeyError, IndexError, OverflowError) as problem:
        raise BadRecord(f"deal cannot be read: {problem}") from None


def play(record: Record) -> Iterator[tuple[int, Position]]:
    """A record move by move: before each move its place and the position, which is moved on afterwards,
    then once more at the end.

    Every move is checked: that it is legal, and that its word means its number. Returns are checked if there are any.
    """
    if len(record.actions) != len(record.ids):
        raise BadRecord("there are not as many words as numbers")
    position = opened(record)
    game = position.game
    for place, (word, move) in enumerate(zip(record.actions, record.ids, strict=True)):
        if position.is_over:
            raise BadRecord(f"move {place} ({word}) comes after the end")
        yield place, position
        at_chance = position.turn == CHANCE
        try:
            position.push(move)
        except IllegalMove as problem:
            most = (game.CHANCES if at_chance else game.ACTIONS) - 1
            if not 0 <= move <= most:
                raise BadRecord(f"ids[{place}] is {move}: a whole number from 0 to {most} is") from None
            raise BadRecord(f"move {place}: {problem}") from None
        said = game.words.chance_word(position.state, move) if at_chance else game.words.ACTION_WORDS[move]
        if said != word:
            raise BadRecord(f"move {place} is {shown(word)[1:-1]} in words but {said} in numbers")
    if record.returns:
        if not position.is_over:
            raise BadRecord("the game is not over at the end of the record")
        if position.returns() != [float(x) for x in record.returns]:
            raise BadRecord(f"returns {record.returns} should be {position.returns()}")
    yield len(record.ids), position


def last_position(record: Record) -> Position:
    """Play a record again and check it move by move; the position at its end, where it may have been broken off."""
    return deque(play(record), maxlen=1).pop()[1]


def replay(record: Record) -> Position:
    """Play a record of a whole game again and check it move by move; the position at its end."""
    position = last_position(record)
    if not position.is_over:
        raise BadRecord("the game is not over at the end of the record")
    if not record.returns:
        raise BadRecord(f"returns {record.returns} should be {position.returns()}")
    return position


def read_records(
    path: str | Path, *, skip: bool = False, report: Callable[[str], None] | None = None
) -> Iterator[tuple[int, Record]]:
    """The records of a file with their line numbers.

    A corrupt line raises BadRecord with its number; with `skip` it is reported (to stderr unless told otherwise)
    and left out.
    """
    report = report or (lambda text: print(printable(text), file=sys.stderr))
    try:
        with open(path, encoding="utf-8") as lines:
            number = 0
            while text := lines.readline(MOST_LINE):
                number += 1
                if not text.strip():
                    continue
                try:
                    if len(text) == MOST_LINE:
                        raise BadRecord(f"not a record of kibitz: a line has {MOST_LINE:,} characters at most")
                    yield number, read_record(text)
                except BadRecord as problem:
                    if not skip:
                        raise BadRecord(f"{path} line {number}: {problem}") from None
                    report(f"{path} line {number} skipped: {problem}")
    except OSError as problem:
        raise BadRecord(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadRecord(f"{path} is not a text file") from None
