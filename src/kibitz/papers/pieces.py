"""Pieces of experiments, kept in a work folder as soon as they are done, so that a run that was killed goes on.

A piece is kept whole or not at all, in a file named by a digest of all that decides what it holds: the experiment and
its edition, the scale, the seed, the piece's name and settings, and the models and tables it reads. The commit and the
versions that made it are written in it and decide nothing.
A long piece puts its state aside beside it from time to time.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena import parts
from kibitz.core.arrays import TEXT, Arrays, Column, json_array, read_arrays
from kibitz.core.errors import BadInput, BadRecord, KibitzError
from kibitz.core.files import check_writable, whole_file
from kibitz.core.game import Game
from kibitz.core.plain_text import say
from kibitz.core.schema import Anything, Fields, Mapped, Number, Part, Text, Whole, read_json_file
from kibitz.core.work import Executor
from kibitz.papers.origin import commit, versions

Compute = Callable[[], Any]

FORMAT = 1
"""Of the files of pieces; files of another format are named and not used."""
EVERY = 20.0
"""Seconds between two times that a long piece puts its state aside."""
SHARE = 0.05
"""Of its time that a long piece may spend on that; where the state is large, it is put aside less often."""
HEADER = "about"
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""JSON has no word for these: a piece holds {"number": "nan"}."""
ABOUT: dict[str, Part] = {
    "format": Whole(), "key": Text(64), "asked": Mapped(Anything()), "date": Text(40), "commit": Text(60),
    "versions": Mapped(Text(100)), "seconds": Number(0.0, 1e12),
}  # fmt: skip
PIECE = Fields({**ABOUT, "check": Text(64), "value": Anything()})
"""A file of a piece; what its value must be only its experiment knows,
and the checksum says that it is what was written."""
STATE = Fields(ABOUT, {"notes": Anything()})
"""The header of a file of arrays; a bookmark has notes beside."""
ANY_NUMBERS = Column("", None, is_finite=False)


class OthersTurn(KibitzError):
    """A piece that this part does not compute is not there yet."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A piece that can be computed beside others."""

    name: str
    settings: Any
    """All that it depends on beside the seed."""
    compute: Compute
    needs: Sequence[Path] = ()
    """The models and tables that it reads."""


def timed(asked: Asked) -> tuple[Any, float]:
    """A piece's value as plain data, and the seconds it took."""
    begun = time.perf_counter()
    value = plain(asked.compute())
    return value, time.perf_counter() - begun


@dataclass
class Pieces:
    """The pieces of one run of one experiment."""

    work: Path
    experiment: str
    edition: int
    scale: str
    seed: int
    part: parts.Part | None = None
    """The share of the pieces that is computed here; of the others only what is kept can be had."""
    place: int = 0
    """Of the experiment among those that are run: its single pieces belong to that part."""
    join: bool = False
    """Compute nothing: all pieces must be kept."""
    before: float = 0.0
    """Seconds that earlier processes spent on what this one did not have to do again."""
    commits: list[str] = field(default_factory=list)
    """Those that computed what was found, besides this one."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _has_complained: bool = False

    def piece(self, name: str, settings: Any, compute: Compute, reads: Iterable[Path] = (), of: str = "") -> Any:
        """What `compute` gives, as plain data; kept if it was computed before."""
        file = self._file(name, settings, reads, of)
        held = self._read(file)
        if held is not None:
            return restored(held["value"])
        self._check_turn(name)
        value, seconds = timed(Asked(name, settings, compute))
        self._write(file, value, seconds)
        return value

    def each(
        self,
        asked: Sequence[Asked],
        executor: Executor,
        of: str = "",
        progress: Callable[[int], None] = lambda done: None,
    ) -> list[Any]:
        """The values of pieces that do not depend on each other, whoever computes those that were not kept."""
        files = {one: self._file(one.name, one.settings, one.needs, of) for one in asked}
        values = {one: restored(held["value"]) for one in asked if (held := self._read(files[one])) is not None}
        missing = [one for one in asked if one not in values]
        if self.join and missing:
            self._check_turn(f"{len(missing)} of {len(asked)} pieces like {missing[0].name}")
        own = [
            one for k, one in enumerate(asked) if one not in values and (not self.part or self.part.has(k + self.place))
        ]

        def keep(one: Asked, found: tuple[Any, float]) -> None:
            values[one] = found[0]
            self._write(files[one], *found)
            progress(len(values))

        progress(len(values))
        for _ in executor.run(timed, own, keep):
            pass
        if len(values) < len(asked):
            raise OthersTurn(
                f"{len(asked) - len(values)} of {len(asked)} pieces like {missing[0].name} belong to other parts"
            )
        return [values[one] for one in asked]

    def _check_turn(self, name: str) -> None:
        """Refuse to compute a piece that somebody else computes."""
        if self.join:
            raise BadInput(
                f"{name} of {self.experiment}: not in {self.work}; run the parts that are missing (again, where one "
                "waited for another), or leave out --join to compute it here"
            )
        if self.part and not self.part.has(self.place):
            raise OthersTurn(f"{name} belongs to part {self.place % self.part.of + 1}/{self.part.of}")

    def long_piece(
        self, name: str, settings: Any, compute: Callable[[Bookmark], Any], reads: Iterable[Path] = (), of: str = ""
    ) -> Any:
        """The same, for what takes long: `compute` is given a bookmark to put its state aside and to take it up."""
        file = self._file(name, settings, reads, of)
        held = self._read(file)
        if held is not None:
            return restored(held["value"])
        self._check_turn(name)
        mark = Bookmark(self, file)
        value = plain(compute(mark))
        self._write(file, value, mark.seconds())
        mark.remove()
        return value

    def arrays(self, name: str, settings: Any, compute: Callable[[Bookmark], Arrays], of: str = "") -> Arrays:
        """A long piece whose value is arrays: what something trained has to know."""
        file = self._file(name, settings, (), of)
        whole = file.beside(".whole.npz")
        found = self._read_arrays(file, whole)
        if found is not None:
            self._add(found[0])
            return found[1]
        self._check_turn(name)
        mark = Bookmark(self, file)
        made = compute(mark)
        self._write_arrays(file, whole, {"seconds": mark.seconds()}, made)
        mark.remove()
        return made

    def _file(self, name: str, settings: Any, reads: Iterable[Path], of: str) -> File:
        """`of` names what several experiments share: its pieces depend neither on who asks nor on editions."""
        asked = {
            "experiment": of or self.experiment, "edition": 0 if of else self.edition, "scale": self.scale,
            "seed": self.seed,
            "piece": name, "settings": described(settings), "reads": {path.name: digest_of(path) for path in reads},
        }  # fmt: skip
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
        return File(self.work / (of or self.experiment) / f"{slug}-{key}.json", key, asked)

    def _read(self, file: File) -> dict[str, Any] | None:
        """A piece that was kept; None if there is none that can be used."""
        try:
            held: dict[str, Any] = read_json_file(file.path)
            if _is_of_another_format(file.path, held):
                return None
            PIECE.check(held)
            if held["key"] != file.key or held["check"] != checksum(held["value"]):
                raise BadRecord("what it holds is not what was written")
        except FileNotFoundError:
            return None
        except (OSError, BadRecord) as problem:
            say(f"{file.path} is damaged ({_reason(problem)}): it is computed again")
            return None
        self._add(held)
        return held

    def _write(self, file: File, value: Any, seconds: float) -> None:
        kept = finite(value)
        held = self._about(file) | {"seconds": round(seconds, 3), "check": checksum(kept), "value": kept}

        def write() -> None:
            with whole_file(file.path) as out:
                out.write(json.dumps(held, indent=1, allow_nan=False).encode())

        self._try(write)

    def _read_arrays(self, file: File, path: Path) -> tuple[dict[str, Any], Arrays] | None:
        """What is written in the header of a file of arrays, and the arrays; None if they cannot be used."""
        try:
            arrays = read_arrays(path, {HEADER: TEXT}, rest=ANY_NUMBERS)
            about: dict[str, Any] = json_array(arrays, HEADER)
            if _is_of_another_format(path, about):
                return None
            STATE.check(about)
            if about["key"] != file.key:
                raise BadRecord("it belongs to another piece")
        except FileNotFoundError:
            return None
        except BadRecord as problem:
            say(f"{path} is damaged ({_reason(problem)}): it is computed again")
            return None
        return about, arrays

    def _write_arrays(self, file: File, path: Path, more: Mapping[str, Any], arrays: Arrays) -> None:
        about = np.frombuffer(json.dumps(self._about(file) | dict(more), allow_nan=False).encode(), np.uint8)

        def write() -> None:
            with whole_file(path) as out:
                np.savez(out, **{HEADER: about}, **arrays)  # type: ignore[arg-type]

        self._try(write)

    def _about(self, file: File) -> dict[str, Any]:
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        facts = {"date": date, "commit": commit(), "versions": versions()}
        return {"format": FORMAT, "key": file.key, "asked": finite(file.asked), **facts}

    def _try(self, write: Callable[[], None]) -> None:
        """A folder that has become full or is gone costs only the chance to go on later; that is said once."""
        try:
            write()
        except (BadInput, OSError) as problem:
            with self._lock:
                if not self._has_complained:
                    self._has_complained = True
                    say(f"{problem}; the work goes on, but what is not kept must be done again after a kill")

    def _add(self, about: Mapping[str, Any]) -> None:
        """Count what an earlier process did."""
        with self._lock:
            self.before += float(about["seconds"])
            if about["commit"] not in self.commits:
                self.commits.append(about["commit"])


@dataclass(frozen=True)
class File:
    """Where a piece is kept, under what key, and what that was made of."""

    path: Path
    key: str
    asked: Mapping[str, Any]

    def beside(self, ending: str) -> Path:
        """A file of the same piece."""
        return self.path.with_name(self.path.name.removesuffix(".json") + ending)


class Bookmark:
    """Where a long piece puts its state aside, and takes it up after a kill."""

    def __init__(self, pieces: Pieces | None = None, file: File | None = None) -> None:
        self.pieces, self.file = pieces, file
        self.begun = self.saved = time.perf_counter()
        self.spent = self.cost = 0.0

    @property
    def path(self) -> Path:
        """The file with the state."""
        assert self.file is not None
        return self.file.beside(".unfinished.npz")

    def take_up(self, restore: Callable[[Arrays], None]) -> Any:
        """Put the state back and give the notes beside it; None if nothing was put aside."""
        if self.pieces is None or self.file is None:
            return None
        found = self.pieces._read_arrays(self.file, self.path)
        if found is None:
            return None
        about, arrays = found
        restore(arrays)
        self.spent = float(about["seconds"])
        self.pieces._add(about)
        return restored(about.get("notes"))

    def keep(self, state: Callable[[], Arrays], notes: Any) -> None:
        """Put the state and plain notes aside, if it is time to."""
        now = time.perf_counter()
        if self.pieces is None or self.file is None or now - self.saved < max(EVERY, self.cost / SHARE):
            return
        more = {"seconds": self.seconds(), "notes": finite(plain(notes))}
        self.pieces._write_arrays(self.file, self.path, more, state())
        self.saved = time.perf_counter()
        self.cost = self.saved - now

    def seconds(self) -> float:
        """The time spent on the piece, by whatever processes."""
        return self.spent + time.perf_counter() - self.begun

    def remove(self) -> None:
        """Forget the state of a piece that is done, if the piece itself is safe."""
        if self.file is not None and (self.file.path.exists() or self.file.beside(".whole.npz").exists()):
            self.path.unlink(missing_ok=True)


def check_work(work: Path) -> None:
    """Refuse a work folder that cannot be written, before anything is computed."""
    if work.exists() and not work.is_dir():
        raise KibitzError(f"{work} cannot be the work folder: it is a file")
    try:
        check_writable(work / "pieces")
    except KibitzError as problem:
        raise KibitzError(f"the work folder cannot be used: {problem}; give another one with --work") from None


def plain(value: Any) -> Any:
    """The value as JSON has it, so that a piece is the same whether it was computed now or read:
    lists, dicts, numbers."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise BadInput(f"a piece cannot hold a dict with the keys {list(value)[:3]}: keys are text")
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise BadInput(f"a piece cannot hold {value!r}: it holds numbers, text, lists, dicts and arrays")


def finite(value: Any) -> Any:
    """Plain data as a file holds them, with words for what is not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value)}
    if isinstance(value, dict):
        if set(value) == {"number"}:
            raise BadInput("a piece cannot hold a dict with 'number' as its only key: choose another word")
        return {key: finite(one) for key, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list) else value


def restored(value: Any) -> Any:
    """Plain data as they were before `finite`."""
    if isinstance(value, dict):
        if set(value) == {"number"} and value["number"] in NOT_FINITE:
            return NOT_FINITE[value["number"]]
        return {key: restored(one) for key, one in value.items()}
    return [restored(one) for one in value] if isinstance(value, list) else value


def described(settings: Any) -> Any:
    """Settings as plain data for a key; a game by its name, options and version."""
    if isinstance(settings, Game):
        return {"game": settings.name, "options": described(dict(settings.options)), "version": settings.version}
    if dataclasses.is_dataclass(settings) and not isinstance(settings, type):
        return {one.name: described(getattr(settings, one.name)) for one in dataclasses.fields(settings)}
    if isinstance(settings, Mapping):
        return {str(key): described(one) for key, one in settings.items()}
    if isinstance(settings, Sequence) and not isinstance(settings, str):
        return [described(one) for one in settings]
    return plain(settings)


def checksum(value: Any) -> str:
    """A digest of plain data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def digest_of(path: Path) -> str:
    """A digest of a file, or of all files in a folder with their names; of nothing if it is not there."""
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    return _digest(path, tuple((one, *_stamp(one)) for one in files if one.exists()))


@cache
def _digest(path: Path, files: tuple[tuple[Path, int, int], ...]) -> str:
    found = hashlib.sha256()
    for one, *_ in files:
        found.update(f"{one.relative_to(path)}\n".encode())
        found.update(hashlib.sha256(one.read_bytes()).digest())
    return found.hexdigest()[:24]


def _stamp(path: Path) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


def _is_of_another_format(path: Path, held: Any) -> bool:
    """Whether another version wrote it, which is then said."""
    found = held.get("format") if isinstance(held, dict) else None
    if type(found) is int and found != FORMAT:
        say(f"{path} has format {found}, this version reads {FORMAT}: it is computed again")
        return True
    return False


def _reason(problem: BaseException) -> str:
    return (str(getattr(problem, "strerror", "") or problem) or type(problem).__name__).splitlines()[0][:100]
