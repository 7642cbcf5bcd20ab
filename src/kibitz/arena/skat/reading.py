"""Whole archives of the Internet Skat Server, a stretch of records at a time: compiled code reads the usual form, the
careful reader (`archive`) whatever is left, so that both give the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.skat import scan
from kibitz.arena.skat.archive import CLASSES, sort_records
from kibitz.arena.skat.replay import CORRUPT, STATUS, VERDICT
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.streams import CutShort, read_blocks
from kibitz.games.skat import state as at

STRETCH = 4 << 20
"""Bytes of an archive that are read at once: about six thousand games."""
LEAST_RECORD = 4
"""No record is shorter: (;;)"""


@dataclass(frozen=True)
class Records:
    """The records of a stretch, one row each."""

    status: NDArray[np.int8]
    """[n]: the place in CLASSES."""
    states: Ints
    """[n, SIZE]: where the replay ended, scored; zeros for what is corrupt."""
    names: tuple[str, ...]
    seats: NDArray[np.int32]
    """[n, PLAYERS]: places in `names`; -1 for what is corrupt."""
    dates: NDArray[np.int32]
    """[n]: 20071130, 0 where the record has none."""
    ratings: Floats
    """[n, PLAYERS]: nan where the record has none."""
    deals: Ints
    """[n, PLAYERS + 1]: hands and skat."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Why the corrupt ones are."""

    def __len__(self) -> int:
        return len(self.status)


def stretches(path: Path, size: int = STRETCH) -> Iterator[bytes]:
    """An archive in stretches that end with a record; where they are cut depends on what is in it alone.

    Of a packed file that is cut short all that can be read is given before CutShort is raised.
    """
    held = bytearray()
    problem: CutShort | None = None
    try:
        for block in read_blocks(path):
            held += block
            while len(held) >= size:
                end = held.rfind(b";)", 0, size) + 2
                end = end if end > 1 else size  # no record has so many bytes
                yield bytes(held[:end])
                del held[:end]
    except CutShort as cut:
        problem = cut
    if held:
        yield bytes(held)
    if problem:
        raise problem


def read_stretch(text: bytes) -> Records:
    """Read, replay and sort the records of a stretch."""
    raw = np.frombuffer(text, np.uint8)
    bounds = np.zeros((len(text) // LEAST_RECORD + 2, 2), np.int64)
    n = scan.find_records(raw, bounds)
    bounds = bounds[:n].copy()
    deals = np.zeros((n, at.PLAYERS + 1), np.int64)
    states, verdicts = np.zeros((n, at.SIZE), np.int64), np.zeros((n, VERDICT), np.int64)
    notes, is_read = np.zeros((n, scan.NOTES), np.int64), np.zeros(n, np.bool_)
    codes, first = np.zeros(len(text) + 8, np.int64), np.zeros(n + 1, np.int64)
    scan.read_records(raw, bounds, deals, codes, first, notes, states, verdicts, is_read)
    status = verdicts[:, STATUS].astype(np.int8)
    status[~is_read], states[~is_read] = CORRUPT, 0
    seats, dates = np.full((n, at.PLAYERS), -1, np.int32), np.zeros(n, np.int32)
    ratings = np.full((n, at.PLAYERS), np.nan)
    known: dict[bytes | str, int] = {}
    table: dict[str, int] = {}
    for row in np.flatnonzero(is_read).tolist():
        places = notes[row].tolist()
        for seat in range(at.PLAYERS):
            name = text[places[2 * seat] : places[2 * seat + 1]]
            if name not in known:
                known[name] = table.setdefault(_decoded(name), len(table))
            seats[row, seat] = known[name]
            said = text[places[scan.RATING + 2 * seat] : places[scan.RATING + 2 * seat + 1]]
            if said:
                ratings[row, seat] = _rating(said)
        dates[row] = _date(text[places[scan.DATE] : places[scan.DATE + 1]])
    found = Records(status, states, (), seats, dates, ratings, deals)
    _read_carefully(text, bounds, is_read, found, table)
    return Records(status, states, tuple(table), seats, dates, ratings, deals, found.reasons)


def _read_carefully(text: bytes, bounds: Ints, is_read: Bools, found: Records, table: dict[str, int]) -> None:
    """Whatever is not in the usual form."""
    left = np.flatnonzero(~is_read).tolist()
    texts = [_decoded(text[bounds[row, 0] : bounds[row, 1]]) for row in left]
    for row, entry in zip(left, sort_records(texts), strict=True):
        if entry.status == "CORRUPT" or entry.game is None or entry.state is None:
            found.reasons[row] = entry.reason
            continue
        found.status[row] = CLASSES.index(entry.status)
        found.states[row], found.deals[row] = entry.state, entry.deal
        game = entry.game
        found.seats[row] = [table.setdefault(name, len(table)) for name in game.names]
        found.ratings[row] = [_rating((said or "").encode()) for said in game.ratings]
        found.dates[row] = _date((game.date or "").encode())


def _decoded(raw: bytes) -> str:
    """Text in UTF-8 or Latin-1, whatever is in it."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _date(said: bytes) -> int:
    """The day at the beginning of a date, as one number."""
    digits = said[:10].replace(b"-", b"")
    return int(digits) if len(digits) == 8 and digits.isdigit() else 0


def _rating(said: bytes) -> float:
    try:
        return float(said)
    except ValueError:
        return np.nan


def text_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """Bytes as lines of text, UTF-8 or Latin-1, whatever is in them."""
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield _decoded(line) + "\n"
    if rest:
        yield _decoded(rest)
