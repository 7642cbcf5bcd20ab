"""Recorded games as final states: our own records (.jsonl) and archives of the Internet Skat Server (.sgf)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadRecord
from kibitz.core.game import State
from kibitz.core.record import Record, last_position, read_records
from kibitz.games.skat.archive import read_archive
from kibitz.games.skat.state import CONTRACT, IS_RAMSCH, NOBODY
from kibitz.search.inference.story import cards_played

TRAINING, NEW_DEALS, NEW_PLAYERS = range(3)
"""Which part of the data a decision belongs to."""
TESTED = 10
"""One deal in so many is kept for testing, and one player where there are many."""
MANY_PLAYERS = 30


@dataclass(frozen=True)
class Played:
    """A game that was played out or broken off in the play."""

    state: State
    """The full state at its end."""
    names: tuple[str, str, str]
    deal: int
    """A number that is the same for the same deal."""


def read_games(paths: Iterable[Path], report: Callable[[str], None] = lambda text: None) -> Iterator[Played]:
    """The declared games of some files; lines that hold none are reported and left out."""
    for path in paths:
        yield from _archive(path) if path.suffix in (".sgf", ".iss") else _records(path, report)


def _archive(path: Path) -> Iterator[Played]:
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            for entry in read_archive(lines):
                if entry.status in ("PLAYED", "SHORTENED") and entry.game is not None and entry.state is not None:
                    names = (entry.game.names[0], entry.game.names[1], entry.game.names[2])
                    played = Played(entry.state, names, zlib.crc32(repr(entry.deal).encode()))
                    if is_usable(played.state):
                        yield played
    except OSError as problem:
        raise BadRecord(f"{path} cannot be read: {problem.strerror}") from None


def _records(path: Path, report: Callable[[str], None]) -> Iterator[Played]:
    for line, record in read_records(path, skip=True, report=report):
        try:
            state = final_state(record)
        except BadRecord as problem:
            report(f"{path} line {line} skipped: {problem}")
            continue
        if is_usable(state):
            names = (record.seats[0], record.seats[1], record.seats[2])
            yield Played(state, names, zlib.crc32(record.deal.encode()))


def final_state(record: Record) -> State:
    """The state at the end of a record of Skat."""
    if record.game.split("-")[0] != "skat":
        raise BadRecord(f"it is a game of {record.game}, not of Skat")
    return last_position(record).state


def is_usable(s: State) -> bool:
    """Whether cards were played in a game with a declarer."""
    return bool(s[CONTRACT] != NOBODY and not s[IS_RAMSCH] and cards_played(s) > 0)


def held_out_players(names: Iterable[str]) -> frozenset[str]:
    """One player in ten where there are many, by a number made from the name."""
    distinct = set(names)
    if len(distinct) < MANY_PLAYERS:
        return frozenset()
    return frozenset(name for name in distinct if zlib.crc32(name.encode()) % TESTED == 0)


def part_of(played: Played, seat: int, held_out: frozenset[str]) -> int:
    """Where a decision of a seat belongs: held-out players are tested on, and so are held-out deals."""
    if played.names[seat] in held_out:
        return NEW_PLAYERS
    return NEW_DEALS if played.deal % TESTED == 0 else TRAINING
