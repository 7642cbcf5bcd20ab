"""Work that is kept piece by piece in a folder, so that kills cost little and several machines can share it by hand.

A part I/N does every N-th piece. The folder may be on a disk that all machines see, or be several folders whose files
are brought together afterwards: a piece's file has the same name and the same bytes wherever it is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from kibitz.core.errors import BadInput
from kibitz.core.work import Executor, Serial

MOST_PARTS = 100_000


class Keyed(Protocol):
    """A piece that knows a name for everything its answer depends on."""

    @property
    def key(self) -> str:
        """That name."""
        ...


Piece = TypeVar("Piece", bound=Keyed)
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Part:
    """Part `number` (from 1) of so many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, place: int) -> bool:
        """Whether the piece at this place belongs to it."""
        return place % self.of == self.number - 1


def part_of(text: str) -> Part:
    """A part from `2/8`."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]) <= MOST_PARTS:
        raise BadInput(f"--part {text} is not possible: write I/N with I from 1 to N, like 2/8 for the second of eight")
    return Part(int(found[1]), int(found[2]))


@dataclass(frozen=True)
class Shelf(Generic[Piece, Answer]):
    """A folder of finished pieces, each in a file named by its key."""

    folder: Path
    load: Callable[[Path, Any], Any]
    """The answer of a piece in a file, or None if there is none that can be used."""
    save: Callable[[Path, Any], None]

    def path(self, piece: Piece) -> Path:
        """Where a piece is kept."""
        return self.folder / f"{piece.key}.npz"

    def read(self, piece: Piece) -> Answer | None:
        """What was kept of a piece."""
        path = self.path(piece)
        answer: Answer | None = self.load(path, piece) if path.exists() else None
        return answer

    def keep(self, piece: Piece, answer: Answer) -> None:
        """Put a finished piece there."""
        self.save(self.path(piece), answer)


def answers(
    work: Callable[[Piece], Answer],
    pieces: Sequence[Piece],
    executor: Executor | None = None,
    shelf: Shelf[Piece, Answer] | None = None,
    join: bool = False,
) -> Iterator[Answer]:
    """The answers in order, those of kept pieces from the shelf; with `join` all of them must be there."""
    doing = executor or Serial()
    if shelf is None:
        yield from doing.run(work, pieces)
        return
    kept = {place: found for place, piece in enumerate(pieces) if (found := shelf.read(piece)) is not None}
    missing = [piece for place, piece in enumerate(pieces) if place not in kept]
    if join and missing:
        raise BadInput(
            f"{len(missing)} of {len(pieces)} pieces are not in {shelf.folder}: run the parts that are missing, with "
            "the same options, or leave out --join to do them here"
        )
    done = doing.run(work, missing, shelf.keep)
    for place in range(len(pieces)):
        yield kept.pop(place) if place in kept else next(done)


def do_part(
    work: Callable[[Piece], Answer],
    pieces: Sequence[Piece],
    part: Part,
    shelf: Shelf[Piece, Answer],
    executor: Executor | None = None,
    progress: Callable[[Piece], None] = lambda piece: None,
) -> tuple[int, int]:
    """Do the pieces of a part that are not kept yet; gives how many were done now, and how many the part has."""
    own = [piece for place, piece in enumerate(pieces) if part.has(place)]
    missing = []
    for piece in own:
        if shelf.read(piece) is None:
            missing.append(piece)
        else:
            progress(piece)

    def keep(piece: Piece, answer: Answer) -> None:
        shelf.keep(piece, answer)
        progress(piece)

    for _ in (executor or Serial()).run(work, missing, keep):
        pass
    return len(missing), len(own)
