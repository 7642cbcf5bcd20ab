"""Deals and plays as text, both ways: one game per JSON line, replayable, versioned."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadRecord, KibitzError
from kibitz.core.game import CHANCE, Game, make
from kibitz.core.plain_text import encodable, printable
from kibitz.core.position import Position

FORMAT = 1


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


def read_record(line: str) -> Record:
    """The record in a line; raises BadRecord with the reason if it is none."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError:
        raise BadRecord("not a record of kibitz: it is no JSON, or cut off") from None
    if not isinstance(data, dict) or "kibitz" not in data:
        raise BadRecord("not a record of kibitz")
    if data.pop("kibitz") != FORMAT:
        raise BadRecord(f"of another format than this version reads ({FORMAT})")
    wanted = Record.__dataclass_fields__
    for name in wanted:
        if name not in data:
            raise BadRecord(f"{name} is missing")
    for name in data:
        if name not in wanted:
            raise BadRecord(f"{name} is no part of a record")
    return Record(**data)


def replay(record: Record) -> Position:
    """Play a record again and check it move by move; the position at its end."""
    try:
        game = make(record.game, **record.options)
        if game.version != record.version:
            raise BadRecord(f"written for version {record.version} of {record.game}; this is version {game.version}")
        position = Position(game, record.seed, record.number, deal=record.deal, manual_chance=True)
        if len(record.actions) != len(record.ids):
            raise BadRecord("there are not as many words as numbers")
        for place, (word, move) in enumerate(zip(record.actions, record.ids, strict=True)):
            if position.is_over:
                raise BadRecord(f"move {place} ({word}) comes after the end")
            at_chance = position.turn == CHANCE
            position.push(move)
            said = game.words.chance_word(position.state, move) if at_chance else game.words.ACTION_WORDS[move]
            if said != word:
                raise BadRecord(f"move {place} is {word} in words but {said} in numbers")
        if not position.is_over:
            raise BadRecord("the game is not over at the end of the record")
        if position.returns() != [float(x) for x in record.returns]:
            raise BadRecord(f"returns {record.returns} should be {position.returns()}")
        return position
    except BadRecord:
        raise
    except (KibitzError, TypeError, ValueError, IndexError) as problem:
        raise BadRecord(str(problem)) from None


def read_records(
    path: str | Path, *, skip: bool = False, report: Callable[[str], None] | None = None
) -> Iterator[tuple[int, Record]]:
    """The records of a file with their line numbers.

    A corrupt line raises BadRecord with its number; with `skip` it is reported (to stderr unless told otherwise) and left out.
    """
    report = report or (lambda text: print(printable(text), file=sys.stderr))
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    yield number, read_record(line)
                except BadRecord as problem:
                    if not skip:
                        raise BadRecord(f"{path} line {number}: {problem}") from None
                    report(f"{path} line {number} skipped: {problem}")
    except OSError as problem:
        raise BadRecord(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadRecord(f"{path} is not a text file") from None
