"""Pieces of a simulation: runs of games that anybody can play, and what each of their games gave."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.chunk import Chunk
from kibitz.arena.parts import Shelf
from kibitz.arena.play import chunk_games, play
from kibitz.arena.shards import COMPILED_DEALS, identity, seated, shard_deals
from kibitz.core.arrays import TEXT, Column, json_array, read_arrays
from kibitz.core.errors import BadRecord
from kibitz.core.files import whole_file
from kibitz.core.game import Game
from kibitz.core.record import write_record
from kibitz.core.schema import Fields, Listed, Text
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.shipped import files_named
from kibitz.core.work import Countable

FORMAT = 1
"""Bumped when the meaning of a kept piece changes."""
CHUNKS = 16
"""Chunks in a piece of compiled bots' games."""
LINES = Fields({"lines": Listed(Text(10**7, pattern=r"[^\n\r]*", right="one line"), most=10**7)})


@dataclass(frozen=True)
class Games(Countable):
    """Games `first` .. `first` + `count` - 1 of a seed, with one bot per seat by its spec."""

    game: Game
    bots: tuple[str, ...]
    seed: int
    first: int
    count: int
    batch: int = 1024
    records: str | None = None
    """The ending of the file that records are for, or None if none are wanted."""

    @property
    def key(self) -> str:
        """A name for everything the result depends on, down to the bytes of the files that bots are read from."""
        game = self.game
        facts = [
            "games", FORMAT, game.name, dict(game.options), game.version, [identity(one) for one in self.bots],
            self.seed, self.first, self.count, self.records,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]

    @property
    def reads(self) -> list[str]:
        """The files and folders that bots are read from, as they are named."""
        return [name for one in self.bots for name in files_named(one)]

    @property
    def kin(self) -> str:
        """Games of one kin need the same compiled code."""
        return f"games {self.game.tag} {self.bots} {self.records}"


@dataclass(frozen=True)
class Played:
    """What each game gave; rows are games."""

    returns: Floats
    won: Bools
    length: Ints
    tallies: Floats
    """[pieces, TALLIES]: the game's own counters, summed over each piece."""
    lines: tuple[str, ...] = ()

    def save(self, path: Path) -> None:
        """Write it to a file that is either whole or not there."""
        text = np.frombuffer(json.dumps({"lines": self.lines}).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez(file, allow_pickle=False, notes=text, **{name: getattr(self, name) for name in COLUMNS})


COLUMNS = tuple(field.name for field in fields(Played) if field.name != "lines")


def play_games(piece: Games) -> Played:
    """Play a piece."""
    bots = seated(piece.game, piece.bots)
    chunks = list(
        play(
            piece.game, bots, piece.count, piece.seed, first=piece.first, batch=piece.batch,
            keep_log=piece.records is not None,
        )
    )  # fmt: skip
    lines: tuple[str, ...] = ()
    if piece.records is not None:
        ending = piece.records
        lines = tuple(
            line for chunk in chunks for line in record_lines(piece.game, ending, piece.seed, piece.bots, chunk)
        )
    return Played(
        np.concatenate([chunk.returns for chunk in chunks]), np.concatenate([chunk.won for chunk in chunks]),
        np.concatenate([chunk.length for chunk in chunks]),
        sum((c.tallies for c in chunks), np.zeros(piece.game.TALLIES))[None], lines,
    )  # fmt: skip


def record_lines(game: Game, ending: str, seed: int, names: Sequence[str], chunk: Chunk) -> Iterator[str]:
    """One line a game: JSON, or the game's own format where the file's ending asks for it."""
    foreign = getattr(game.words, "RECORD_FORMATS", {}).get(ending)
    for i in range(len(chunk.length)):
        record = write_record(game, seed, chunk.first + i, list(names), chunk.log[i, : chunk.moves[i]].tolist())
        yield str(foreign(game, record)) if foreign else record.line()


def usual_games(whole: Games) -> int:
    """Games in a piece, by what the bots are."""
    usual = shard_deals(seated(whole.game, whole.bots), with_records=False)
    if usual != COMPILED_DEALS:
        return usual
    chunk = chunk_games(whole.game, whole.records is not None)
    return chunk if whole.records is not None else CHUNKS * chunk


def cut_games(whole: Games, size: int | None = None) -> list[Games]:
    """Games as several pieces of at most so many."""
    size = size or usual_games(whole)
    ends = range(whole.first, whole.first + whole.count, size)
    return [replace(whole, first=at, count=min(size, whole.first + whole.count - at)) for at in ends]


def games_shelf(folder: str | Path) -> Shelf[Games, Played]:
    """A folder of finished pieces."""
    return Shelf(Path(folder), _load, lambda path, played: played.save(path))


def _load(path: Path, piece: Games) -> Played | None:
    game, n = piece.game, piece.count
    try:
        arrays = read_arrays(path, {
            "notes": TEXT, "returns": Column("f8", (n, game.PLAYERS)), "won": Column("b1", (n, game.PLAYERS)),
            "length": Column("i8", (n,), 0), "tallies": Column("f8", (1, game.TALLIES)),
        })  # fmt: skip
        notes: Any = json_array(arrays, "notes")
        LINES.check(notes)
        if len(notes["lines"]) not in (0, n):
            raise BadRecord(f"there are {len(notes['lines'])} lines for {n} games")
        return Played(**arrays, lines=tuple(notes["lines"]))
    except (OSError, BadRecord):
        return None


def in_chunks(parts: Iterable[Played], chunk: int) -> Iterator[Played]:
    """The games in runs of `chunk`, whatever pieces they were played in: sums are then the same to the last bit."""
    held: list[Played] = []
    rows = 0
    for part in parts:
        held.append(part)
        rows += len(part.length)
        while rows >= chunk:
            whole = _joined(held)
            yield _rows(whole, slice(0, chunk), whole.tallies)
            held, rows = [_rows(whole, slice(chunk, None), whole.tallies[:0])], rows - chunk
    if rows:
        yield _joined(held)


def _joined(parts: Sequence[Played]) -> Played:
    if len(parts) == 1:
        return parts[0]
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    return Played(**columns, lines=tuple(line for part in parts for line in part.lines))


def _rows(whole: Played, rows: slice, tallies: Floats) -> Played:
    return Played(whole.returns[rows], whole.won[rows], whole.length[rows], tallies, whole.lines[rows])
