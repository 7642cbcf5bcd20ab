"""Pieces of experiments, kept in a work folder as soon as they are done, so that a run that was killed goes on.

A piece is kept whole or not at all, in a file named by a digest of all that decides what it holds: the experiment and its
edition, the scale, the seed, the piece's name and settings, and the models and tables it reads. The commit and the versions
that made it are written in it and decide nothing. A long piece puts its state aside beside it from time to time.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.parts import Part
from kibitz.core.errors import BadInput, KibitzError
from kibitz.core.files import check_writable, whole_file
from kibitz.core.game import Game
from kibitz.core.work import Executor

Arrays = dict[str, NDArray[Any]]
Compute = Callable[[], Any]

FORMAT = 1
"""Of the files of pieces; files of another format are named and not used."""
EVERY = 20.0
"""Seconds between two times that a long piece puts its state aside."""
SHARE = 0.2
"""Of its time that a long piece may spend on that; where the state is large, it is put aside less often."""
HEADER = "about"
UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, NotImplementedError, zipfile.BadZipFile)


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
    part: Part | None = None
    """The share of the pieces that is computed here; of the others only what is kept can be had."""
    place: int = 0
    """Of the experiment among those that are run: its single pieces belong to that part."""
    join: bool = False
    """Compute nothing: all pieces must be kept."""
    before: float = 0.0
    """Seconds that earlier processes spent on what this one did not have to do again."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _has_complained: bool = False

    def piece(self, name: str, settings: Any, compute: Compute, reads: Iterable[Path] = (), of: str = "") -> Any:
        """What `compute` gives, as plain data; kept if it was computed before."""
        file = self._file(name, settings, reads, of)
        held = self._read(file)
        if held is not None:
            return held["value"]
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
        values = {one: held["value"] for one in asked if (held := self._read(files[one])) is not None}
        missing = [one for one in asked if one not in values]
        if self.join and missing:
            self._check_turn(missing[0].name)
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
                f"{name} of {self.experiment} is not in {self.work}: run the parts that are missing (again, where one waited for "
                "another), or leave out --join to compute it here"
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
            return held["value"]
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
            self._add(float(found[0]["seconds"]))
            return found[1]
        self._check_turn(name)
        mark = Bookmark(self, file)
        made = compute(mark)
        self._write_arrays(file, whole, {"seconds": mark.seconds()}, made)
        mark.remove()
        return made

    def _file(self, name: str, settings: Any, reads: Iterable[Path], of: str) -> File:
        """`of` names what several experiments share; its pieces do not depend on which of them asks."""
        asked = {
            "experiment": of or self.experiment, "edition": self.edition, "scale": self.scale, "seed": self.seed,
            "piece": name, "settings": described(settings), "reads": {path.name: digest_of(path) for path in reads},
        }  # fmt: skip
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
        return File(self.work / (of or self.experiment) / f"{slug}-{key}.json", key, asked)

    def _read(self, file: File) -> dict[str, Any] | None:
        """A piece that was kept; None if there is none that can be used."""
        try:
            held: dict[str, Any] = json.loads(file.path.read_bytes())
            if held["format"] != FORMAT:
                _say(f"{file.path} has format {held['format']}, this version reads {FORMAT}: it is computed again")
                return None
            if held["key"] != file.key or held["check"] != checksum(held["value"]):
                raise ValueError("what it holds is not what was written")
            self._add(float(held["seconds"]))
        except FileNotFoundError:
            return None
        except UNREADABLE as problem:
            _say(f"{file.path} is damaged ({_reason(problem)}): it is computed again")
            return None
        return held

    def _write(self, file: File, value: Any, seconds: float) -> None:
        held = self._about(file) | {"seconds": round(seconds, 3), "check": checksum(value), "value": value}

        def write() -> None:
            with whole_file(file.path) as out:
                out.write(json.dumps(held, indent=1).encode())

        self._try(write)

    def _read_arrays(self, file: File, path: Path) -> tuple[dict[str, Any], Arrays] | None:
        """What is written in the header of a file of arrays, and the arrays; None if they cannot be used."""
        try:
            with np.load(path, allow_pickle=False) as data:
                arrays: Arrays = {name: data[name] for name in data.files}
            about: dict[str, Any] = json.loads(arrays.pop(HEADER).tobytes())
            if about["format"] != FORMAT:
                _say(f"{path} has format {about['format']}, this version reads {FORMAT}: it is computed again")
                return None
            if about["key"] != file.key:
                raise ValueError("it belongs to another piece")
        except FileNotFoundError:
            return None
        except UNREADABLE as problem:
            _say(f"{path} is damaged ({_reason(problem)}): it is computed again")
            return None
        return about, arrays

    def _write_arrays(self, file: File, path: Path, more: Mapping[str, Any], arrays: Arrays) -> None:
        about = np.frombuffer(json.dumps(self._about(file) | dict(more)).encode(), np.uint8)

        def write() -> None:
            with whole_file(path) as out:
                np.savez(out, **{HEADER: about}, **arrays)  # type: ignore[arg-type]

        self._try(write)

    def _about(self, file: File) -> dict[str, Any]:
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        facts = {"date": date, "commit": commit(), "versions": versions()}
        return {"format": FORMAT, "key": file.key, "asked": file.asked, **facts}

    def _try(self, write: Callable[[], None]) -> None:
        """A folder that has become full or is gone costs only the chance to go on later; that is said once."""
        try:
            write()
        except (BadInput, OSError) as problem:
            with self._lock:
                if not self._has_complained:
                    self._has_complained = True
                    _say(f"{problem}; the work goes on, but what is not kept must be done again after a kill")

    def _add(self, seconds: float) -> None:
        with self._lock:
            self.before += seconds


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
        self.pieces._add(self.spent)
        return about["notes"]

    def keep(self, state: Callable[[], Arrays], notes: Any) -> None:
        """Put the state and plain notes aside, if it is time to."""
        now = time.perf_counter()
        if self.pieces is None or self.file is None or now - self.saved < max(EVERY, self.cost / SHARE):
            return
        more = {"seconds": self.seconds(), "notes": plain(notes)}
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
    """The value as JSON has it, so that a piece is the same whether it was computed now or read: lists, dicts, numbers."""
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


def versions() -> dict[str, str]:
    """Return the versions that decide what an experiment computes."""
    return {"python": platform.python_version()} | {name: _version(name) for name in ("kibitz", "numpy", "numba")}


def _version(name: str) -> str:
    # Our own sources may be newer than what was installed; asking numba itself would import it.
    own = getattr(import_module("kibitz"), "__version__", None) if name == "kibitz" else None
    try:
        return str(own or metadata.version(name))
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def commit() -> str:
    """The commit of the checkout that kibitz runs from, or a word that there is none."""
    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(
            ["git", "-C", str(here), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()


def _say(text: str) -> None:
    print(f"kibitz: {text}", file=sys.stderr)


def _reason(problem: BaseException) -> str:
    return (str(getattr(problem, "strerror", "") or problem) or type(problem).__name__).splitlines()[0][:100]
