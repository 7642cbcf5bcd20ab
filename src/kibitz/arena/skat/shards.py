"""Recorded games in shards: what was read of a stretch of an archive, replayed, checked and packed.

A shard holds finished games as states, a hundred bytes each, and not the rows of numbers that networks see, which would
be five hundred times as much: those are made by compiled code when they are learned from (`rows`). A shard's file is
named by a digest of the text it was made from, so that work which was interrupted goes on, whatever the archive is
called, however it is packed, and if it has grown at its end.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.skat.archive import CLASSES, kind_of_reason
from kibitz.arena.skat.reading import STRETCH, read_stretch, stretches
from kibitz.arena.skat.records import final_state, is_usable
from kibitz.core.arrays import TEXT, Column, json_array, read_arrays
from kibitz.core.bits import mix
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.files import whole_file
from kibitz.core.jit import kernel
from kibitz.core.record import read_record
from kibitz.core.schema import Fields, Listed, Mapped, Text, Whole
from kibitz.core.shapes import Ints
from kibitz.core.streams import CutShort, inner_suffix, read_blocks
from kibitz.core.work import Executor, Flow, Serial
from kibitz.games.skat import state as at
from kibitz.games.skat.knowledge import dealt_hand

FORMAT = 1
"""Raised when what a shard holds changes its meaning."""
ARCHIVES = (".sgf", ".iss")
RECORDS = ".jsonl"
ENDINGS = (*ARCHIVES, RECORDS)
HEAD = at.LOG
ABOUT = Fields({
    "names": Listed(Text(10**5), most=10**6), "classes": Mapped(Whole()), "refused": Mapped(Whole()),
})  # fmt: skip


@dataclass(frozen=True)
class Shard:
    """Games with a declarer in which cards were played, one row each."""

    states: Ints
    """[n, SIZE]: full states at the end."""
    names: tuple[str, ...]
    seats: NDArray[np.int32]
    """[n, PLAYERS]: places in `names`."""
    dates: NDArray[np.int32]
    """[n]: 20071130, 0 where there is none."""
    ratings: NDArray[np.float32]
    """[n, PLAYERS]: nan where there is none."""
    deals: Ints
    """[n]: a number that is the same for the same deal."""
    classes: dict[str, int] = field(default_factory=dict)
    """Records of each class in what was read."""
    refused: dict[str, int] = field(default_factory=dict)
    """Records that could not be used, by reason."""

    def __len__(self) -> int:
        return len(self.states)

    def packed(self) -> bytes:
        """As the bytes of a file."""
        about = {"names": self.names, "classes": self.classes, "refused": self.refused}
        file = io.BytesIO()
        np.savez_compressed(
            file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), head=self.states[:, :HEAD],
            log=self.states[:, HEAD:].astype(np.uint8), seats=self.seats, dates=self.dates, ratings=self.ratings,
            deals=self.deals,
        )  # fmt: skip
        return file.getvalue()


COLUMNS = {
    "about": TEXT, "head": Column("i8", ("n", HEAD)), "log": Column("u1", ("n", at.SIZE - HEAD)),
    "seats": Column("i4", ("n", at.PLAYERS), 0), "dates": Column("i4", ("n",), 0),
    "ratings": Column("f4", ("n", at.PLAYERS), is_finite=False), "deals": Column("i8", ("n",)),
}  # fmt: skip


def read_shard(path: Path) -> Shard:
    """A shard from its file."""
    try:
        arrays = read_arrays(path, COLUMNS)
        about: Any = json_array(arrays, "about")
        ABOUT.check(about)
        if arrays["seats"].size and arrays["seats"].max() >= len(about["names"]):
            raise BadRecord("a seat has no name")
    except FileNotFoundError:
        raise BadInput(f"{path} is gone: the same command makes it again") from None
    except BadRecord as problem:
        raise BadInput(f"{path} is damaged ({problem}): remove it, and the same command makes it again") from None
    states = np.concatenate([arrays.pop("head"), arrays.pop("log").astype(np.int64)], axis=1)
    return Shard(states, tuple(about["names"]), **arrays, classes=about["classes"], refused=about["refused"])


@dataclass(frozen=True)
class Stretch:
    """Some records of a file."""

    ending: str
    text: bytes

    @property
    def key(self) -> str:
        """A name for all that the shard depends on."""
        digest = hashlib.blake2b(self.text, digest_size=12)
        digest.update(f"{self.ending} {FORMAT} {at.SIZE} {HEAD}".encode())
        return digest.hexdigest()


def make_shard(stretch: Stretch) -> bytes:
    """Read a stretch; the bytes of its shard."""
    return read_text_shard(stretch).packed()


def read_text_shard(stretch: Stretch) -> Shard:
    """The games of a stretch."""
    return _from_archive(stretch.text) if stretch.ending in ARCHIVES else _from_records(stretch.text)


def _from_archive(text: bytes) -> Shard:
    found = read_stretch(text)
    played = np.flatnonzero(found.status <= CLASSES.index("SHORTENED"))
    rows = np.array([row for row in played if is_usable(found.states[row])], np.int64)
    classes = {name: int((found.status == place).sum()) for place, name in enumerate(CLASSES)}
    refused = Counter(kind_of_reason(reason) for reason in found.reasons.values())
    states = found.states[rows]
    return Shard(
        states, found.names, found.seats[rows], found.dates[rows], found.ratings[rows].astype(np.float32),
        deal_numbers(states), {name: count for name, count in classes.items() if count}, dict(refused),
    )  # fmt: skip


def _from_records(text: bytes) -> Shard:
    """From records of ours, one a line."""
    names: dict[str, int] = {}
    refused: Counter[str] = Counter()
    states, seats = [], []
    lines = [line for line in text.decode("utf-8", "replace").split("\n") if line.strip()]
    for line in lines:
        try:
            record = read_record(line)
            states.append(final_state(record))
            seats.append([names.setdefault(name, len(names)) for name in record.seats])
        except BadRecord as problem:
            refused[kind_of_reason(str(problem))] += 1
    rows = np.array(states, np.int64).reshape(-1, at.SIZE)
    kept = np.array([row for row, state in enumerate(states) if is_usable(state)], np.int64)
    n = len(kept)
    classes = {"PLAYED": len(states)} | ({"CORRUPT": sum(refused.values())} if refused else {})
    return Shard(
        rows[kept], tuple(names), np.array(seats, np.int32).reshape(-1, at.PLAYERS)[kept], np.zeros(n, np.int32),
        np.full((n, at.PLAYERS), np.nan, np.float32), deal_numbers(rows[kept]), classes, dict(refused),
    )  # fmt: skip


@kernel
def deal_numbers(states: Ints) -> Ints:
    """[n]: a number that is the same for the same deal."""
    out = np.empty(len(states), np.int64)
    for i in range(len(states)):
        key = 0
        for seat in range(at.PLAYERS):
            key = mix(key ^ dealt_hand(states[i], seat))
        out[i] = key & 0x7FFFFFFF
    return out


def stretches_of(paths: Iterable[Path], size: int = STRETCH) -> Iterator[Stretch]:
    """All records of some files, in stretches."""
    for path in paths:
        ending = inner_suffix(path)
        if ending in ARCHIVES:
            yield from (Stretch(ending, text) for text in stretches(path, size))
        else:
            yield from (Stretch(ending, text) for text in _line_stretches(path, size))


def _line_stretches(path: Path, size: int) -> Iterator[bytes]:
    held = bytearray()
    for block in read_blocks(path):
        held += block
        while len(held) >= size:
            end = held.rfind(b"\n", 0, size) + 1 or size
            yield bytes(held[:end])
            del held[:end]
    if held:
        yield bytes(held)


def gather(
    paths: Iterable[Path], folder: Path, executor: Executor | None = None,
    progress: Callable[[int], None] = lambda size: None,
) -> list[Path]:  # fmt: skip
    """Make the shards of some files that are not in the folder yet; gives all their files, in order.

    What was read before a packed file is cut short is kept, and CutShort is raised.
    """
    files: dict[Path, None] = {}
    problem: CutShort | None = None

    def missing() -> Iterator[Stretch]:
        nonlocal problem
        try:
            for stretch in stretches_of(paths):
                path = folder / f"{stretch.key}.npz"
                if path in files or path.exists():
                    progress(len(stretch.text))
                else:
                    yield stretch
                files[path] = None
        except CutShort as cut:  # what was read before is finished first
            problem = cut

    def keep(stretch: Stretch, shard: bytes) -> None:
        with whole_file(folder / f"{stretch.key}.npz") as file:
            file.write(shard)
        progress(len(stretch.text))

    for _ in (executor or Serial()).run(make_shard, Flow(missing()), keep):
        pass
    if problem:
        raise problem
    return list(files)
