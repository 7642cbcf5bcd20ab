"""What every deal of a match gave to A and B, as columns: joined, kept in a file and read again without loss."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.chunk import Chunk, Failure
from kibitz.arena.seatings import A, B, Form
from kibitz.core.arrays import TEXT, Column, json_array, read_arrays
from kibitz.core.errors import BadRecord
from kibitz.core.files import whole_file
from kibitz.core.jit import kernel
from kibitz.core.record import FORMAT, record_of
from kibitz.core.schema import Anything, Fields, Listed, Text, Whole
from kibitz.core.shapes import Bools, Floats, Ints

Counts = NDArray[np.uint16]


@dataclass(frozen=True)
class Spoiled:
    """A failure in one seating of a deal; the deal does not count."""

    game: int
    """Which game of the match it is, counted from 1: deal x seatings + seating + 1."""
    seating: str
    failure: Failure

    def as_json(self) -> dict[str, Any]:
        """Everything, with the record as it would stand in a file."""
        found = self.failure
        return {
            "bot": found.bot, "game": self.game, "deal": found.number, "seating": self.seating, "seat": found.seat,
            "move": found.move, "reason": found.reason, "record": json.loads(found.record.line()),
        }  # fmt: skip


@dataclass(frozen=True)
class ScoreSheet:
    """One row per deal that counts; the last axis of most columns is A, B."""

    deals: Ints
    difference: Floats
    """A's mean return per seat and game less B's; exactly 0 where both play alike."""
    means: Floats
    """[n, 2]"""
    wins: Counts
    """[n, 2]: seats that won, over all contested games of the deal."""
    role_sums: Floats
    """[n, roles, 2]: returns added up over the seats that turned out to be this."""
    role_counts: Counts
    role_wins: Counts
    solo: Floats
    """[n, seatings]: the soloist's return, where there is one from the deal on; otherwise [n, 0]."""
    spoiled: tuple[Spoiled, ...] = ()
    lines: tuple[str, ...] = ()
    """Records of all games, deal by deal, if they were asked for."""

    def __len__(self) -> int:
        return len(self.deals)

    @classmethod
    def joined(cls, sheets: Sequence[ScoreSheet]) -> ScoreSheet:
        """Several sheets as one, in the order given."""
        columns = {name: np.concatenate([getattr(sheet, name) for sheet in sheets]) for name in COLUMNS}
        spoiled = tuple(one for sheet in sheets for one in sheet.spoiled)
        return cls(**columns, spoiled=spoiled, lines=tuple(line for sheet in sheets for line in sheet.lines))

    def save(self, path: Path) -> None:
        """Write the sheet to a file that is either whole or not there."""
        notes = {"spoiled": [asdict(one) for one in self.spoiled], "lines": list(self.lines)}
        text = np.frombuffer(json.dumps(notes).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez(file, allow_pickle=False, notes=text, **{name: getattr(self, name) for name in COLUMNS})

    @classmethod
    def load(cls, path: Path, form: Form, roles: int, first: int, count: int) -> ScoreSheet | None:
        """The sheet in a file about deals `first` .. `first` + `count` - 1, or None if there is none to be read."""
        try:
            arrays = read_arrays(path, columns(form, roles, first, count))
            notes = json_array(arrays, "notes")
            NOTES.check(notes)
            deals = arrays["deals"]
            if len(deals) > count or (np.diff(deals) < 1).any():
                raise BadRecord("deals are not in order")
            return cls(**arrays, spoiled=tuple(_spoiled(one) for one in notes["spoiled"]), lines=tuple(notes["lines"]))
        except (OSError, BadRecord):
            return None


COLUMNS = tuple(field.name for field in fields(ScoreSheet) if field.name not in ("spoiled", "lines"))
NOTES = Fields({
    "lines": Listed(Text(10**7, pattern=r"[^\n\r]*", right="one line"), most=10**7),
    "spoiled": Listed(Fields({
        "game": Whole(), "seating": Text(1000),
        "failure": Fields({
            "bot": Text(1000), "number": Whole(), "seat": Whole(0, 63), "move": Whole(), "reason": Text(),
            "record": Anything(),
        }),
    })),
})  # fmt: skip
"""What a sheet says besides its columns; records are checked as records."""


def columns(form: Form, roles: int, first: int, count: int) -> dict[str, Column]:
    """The arrays of a sheet."""
    seatings = len(form.seatings) if form.by_soloist else 0
    return {
        "notes": TEXT, "deals": Column("i8", ("n",), first, first + count - 1), "difference": Column("f8", ("n",)),
        "means": Column("f8", ("n", 2)), "wins": Column("u2", ("n", 2)), "role_sums": Column("f8", ("n", roles, 2)),
        "role_counts": Column("u2", ("n", roles, 2)), "role_wins": Column("u2", ("n", roles, 2)),
        "solo": Column("f8", ("n", seatings)),
    }  # fmt: skip


def _spoiled(data: dict[str, Any]) -> Spoiled:
    failure = data["failure"]
    record = record_of({"kibitz": FORMAT, **failure["record"]} if isinstance(failure["record"], dict) else None)
    return Spoiled(data["game"], data["seating"], Failure(**{**failure, "record": record}))


class Scorer:
    """Fills in the sheet for a run of consecutive deals, chunk by chunk and seating by seating."""

    def __init__(self, form: Form, roles: int, first: int, count: int) -> None:
        self.form, self.first = form, first
        seatings = len(form.seatings)
        self.totals = np.zeros((seatings, count, 2))
        self.wins = np.zeros((count, 2), np.uint16)
        self.role_sums = np.zeros((count, roles, 2))
        self.role_counts = np.zeros((count, roles, 2), np.uint16)
        self.role_wins = np.zeros((count, roles, 2), np.uint16)
        self.solo = np.zeros((count, seatings if form.by_soloist else 0))
        self.spoiled: list[Spoiled] = []

    def add(self, k: int, chunk: Chunk) -> None:
        """Write down some games of the k-th seating."""
        rows = slice(chunk.first - self.first, chunk.first - self.first + len(chunk.length))
        for failure in chunk.failures:
            number = failure.number * len(self.form.seatings) + k + 1
            self.spoiled.append(Spoiled(number, self.form.names[k], failure))
        if self.form.by_soloist:
            self.solo[rows, k] = chunk.returns[np.arange(len(chunk.length)), chunk.soloist]
        if k in self.form.contested:
            _add_up(
                chunk.returns, chunk.won, chunk.roles, chunk.soloist, np.array(self.form.seatings[k]),
                self.totals[k, rows], self.wins[rows], self.role_sums[rows], self.role_counts[rows],
                self.role_wins[rows],
            )  # fmt: skip

    def sheet(self) -> ScoreSheet:
        """The sheet, without the deals in which a game was broken off."""
        form = self.form
        difference = np.zeros(len(self.wins))
        means = np.zeros((len(self.wins), 2))
        for k in form.contested:
            # A in one seating against B in its mirror image: the same seats, added up in the same order.
            difference += self.totals[k, :, A] - self.totals[form.partner(k), :, B]
            means += self.totals[k]
        counts = np.isfinite(difference) & np.isfinite(self.solo).all(axis=1)
        games = max(1, form.seat_games)
        sheet = ScoreSheet(
            self.first + np.arange(len(counts)), difference / games, means / games, self.wins,
            self.role_sums, self.role_counts, self.role_wins, self.solo,
            tuple(sorted(self.spoiled, key=lambda one: one.game)),
        )  # fmt: skip
        if counts.all():
            return sheet
        return replace(sheet, **{name: getattr(sheet, name)[counts] for name in COLUMNS})


@kernel
def _add_up(
    returns: Floats, won: Bools, roles: NDArray[np.int8], soloist: NDArray[np.int8], sides: Ints, totals: Floats,
    wins: Counts, role_sums: Floats, role_counts: Counts, role_wins: Counts,
) -> None:  # fmt: skip
    seats = len(sides)
    for g in range(len(returns)):
        for seat in range(seats):
            side = sides[(seat - soloist[g]) % seats]
            totals[g, side] += returns[g, seat]
            wins[g, side] += won[g, seat]
            role = roles[g, seat]
            if role >= 0:
                role_sums[g, role, side] += returns[g, seat]
                role_counts[g, role, side] += 1
                role_wins[g, role, side] += won[g, seat]


def interleaved(lines: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Lines seating by seating as lines deal by deal."""
    return tuple(line for deal in zip(*lines, strict=True) for line in deal if line)
