"""Arrays in .npz files, read without trust: the archive's directory and every header are checked before any data is.

A format is a Column per array: its type, its shape and the range of its numbers. Lengths that must agree have a name:
in `("rows",)` and `("rows+1",)` it is the same number of rows. Python objects are never read.
"""

from __future__ import annotations

import math
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadRecord
from kibitz.core.schema import MOST_JSON, read_json, shown

Arrays = dict[str, NDArray[Any]]

ROOM = 1 << 26
"""Bytes that any file may unpack to."""
RATIO = 64
"""A larger one unpacks to so many times its own size at most: ours pack four to one."""
MOST_ARRAYS = 20_000
MOST_HEADER = 4096
HEADER = re.compile(
    r"\{'descr': '([<|])([biuf])([1248])', 'fortran_order': (True|False), 'shape': "
    r"\((|\d{1,18},|\d{1,18}(?:, \d{1,18}){1,7})\), ?\} *\n"
)


@dataclass(frozen=True)
class Column:
    """One array: a type such as `i8` or several that are read as the first, a shape, and the range of its numbers."""

    kind: str
    shape: tuple[int | str, ...] | None = None
    """None for any shape."""
    low: float | None = None
    high: float | None = None
    is_finite: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types that are read; the first one is what is given."""
        return tuple(self.kind.split("|"))


@dataclass(frozen=True)
class _Header:
    kind: str
    is_fortran: bool
    shape: tuple[int, ...]
    start: int
    """Where the data begin in the member."""


def read_arrays(
    path: str | Path, columns: Mapping[str, Column], optional: Mapping[str, Column] | None = None,
    rest: Column | None = None, lengths: Mapping[str, int] | None = None,
) -> Arrays:  # fmt: skip
    """The arrays of a file, checked; `lengths` are named lengths that are known already.

    Whatever is wrong raises BadRecord with the place, but a file that is not there FileNotFoundError.
    """
    wanted = {**(optional or {}), **columns}
    with _opened(path) as (archive, members):
        for name in columns:
            if name not in members:
                raise BadRecord(f"{name} is missing")
        known = dict(lengths or {})
        asked: dict[str, tuple[Column, _Header]] = {}
        for name, member in members.items():
            column = wanted.get(name, rest)
            if column is None:
                raise BadRecord(f"{shown(name)[1:-1]} is no part of it: {', '.join(wanted)} are")
            asked[name] = column, _header(archive, member, name)
            _check_shape(name, *asked[name], known)
        return {name: _checked(name, one[0], _data(archive, members[name], one[1])) for name, one in asked.items()}


def read_label(path: str | Path, name: str) -> Any:
    """What one text of a file says in JSON, without the rest of the file."""
    with _opened(path) as (archive, members):
        if name not in members:
            raise BadRecord(f"{name} is missing")
        header = _header(archive, members[name], name)
        _check_shape(name, TEXT, header, {})
        return json_array({name: _data(archive, members[name], header)}, name)


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            yield archive, _members(archive, Path(path).stat().st_size)
    except (BadRecord, FileNotFoundError):
        raise
    except OSError as problem:
        raise BadRecord(f"it cannot be read: {problem.strerror or problem}") from None
    except MemoryError:
        raise BadRecord("it is larger than the memory") from None
    except Exception as problem:  # what a damaged archive makes zipfile and zlib raise has no common name
        raise BadRecord(f"it is no npz file, or damaged: {problem}") from None


def json_array(arrays: Arrays, name: str) -> Any:
    """Take a text out of some arrays that says something in JSON: a header or a label."""
    try:
        return read_json(arrays.pop(name).tobytes(), MOST_JSON, halves=True)
    except BadRecord as problem:
        raise BadRecord(f"its {name} cannot be read: {problem}") from None


TEXT = Column("u1", ("characters",))
"""A JSON text as bytes."""


def check_offsets(name: str, offset: NDArray[Any], entries: int) -> None:
    """Rows of at least one entry, one behind the other, that use up all entries."""
    if offset[0] != 0:
        raise BadRecord(f"{name}[0] is {offset[0]}: 0 is")
    if wrong := np.flatnonzero(np.diff(offset) < 1)[:1].tolist():
        raise BadRecord(f"{name}[{wrong[0] + 1}] is {offset[wrong[0] + 1]}: more than {offset[wrong[0]]} is")
    if offset[-1] != entries:
        raise BadRecord(f"{name}[{len(offset) - 1}] is {offset[-1]}: {entries} is")


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > MOST_ARRAYS:
        raise BadRecord(f"it has {len(infos)} arrays: {MOST_ARRAYS:,} at most are right")
    unpacked = sum(info.file_size for info in infos)
    if unpacked > max(ROOM, RATIO * size):
        raise BadRecord(f"it would unpack to {unpacked:,} bytes, more than {RATIO} times its size")
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = info.filename.removesuffix(".npy")
        if name == info.filename or name in members:
            raise BadRecord(f"{shown(info.filename)} is no array, or there twice")
        if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadRecord(f"{shown(name)} is encrypted or packed in a way that is not read here")
        members[name] = info
    return members


def _header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> _Header:
    """What an array says of itself: read by a strict pattern, never evaluated."""
    with archive.open(member) as file:
        begin = file.read(10)
        wide = begin[6:7] == b"\x02"
        if begin[:6] != b"\x93NUMPY" or begin[6:8] not in (b"\x01\x00", b"\x02\x00"):
            raise BadRecord(f"{shown(name)} is no array")
        begin += file.read(2) if wide else b""
        length = struct.unpack("<I" if wide else "<H", begin[8:])[0]
        if length > MOST_HEADER:
            raise BadRecord(f"{shown(name)} has a header of {length} bytes: {MOST_HEADER} at most are right")
        text = file.read(length).decode("latin-1")
    found = HEADER.fullmatch(text)
    if not found:
        raise BadRecord(f"{shown(name)} is no array of numbers")
    shape = tuple(int(size) for size in re.findall(r"\d+", found[5]))
    kind = found[2] + found[3]
    start = len(begin) + length
    if kind not in KINDS or (found[1] == "|") != (found[3] == "1"):
        raise BadRecord(f"{shown(name)} is no array of numbers")
    if math.prod(shape) * int(found[3]) != member.file_size - start:
        raise BadRecord(f"{shown(name)} is not as long as its shape {shape} says")
    return _Header(kind, found[4] == "True", shape, start)


KINDS = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")


def _check_shape(name: str, column: Column, header: _Header, known: dict[str, int]) -> None:
    if column.kinds != ("",) and header.kind not in column.kinds:
        raise BadRecord(f"{name} is of type {header.kind}: {' or '.join(column.kinds)} is")
    if column.shape is None:
        return
    fits = len(header.shape) == len(column.shape)
    for size, axis in zip(header.shape, column.shape) if fits else ():
        if isinstance(axis, int):
            fits &= size == axis
            continue
        word, _, more = axis.partition("+")
        fits &= known.setdefault(word, size - int(more or 0)) == size - int(more or 0) >= 0
    if not fits:
        sizes = ", ".join(str(_size(axis, known)) for axis in column.shape)
        raise BadRecord(f"{name} has the shape {header.shape}: ({sizes}) is right")


def _size(axis: int | str, known: Mapping[str, int]) -> int | str:
    if isinstance(axis, int):
        return axis
    word, _, more = axis.partition("+")
    return known[word] + int(more or 0) if word in known and known[word] >= 0 else axis


def _data(archive: zipfile.ZipFile, member: zipfile.ZipInfo, header: _Header) -> NDArray[Any]:
    data = archive.read(member)
    flat = np.frombuffer(data, np.dtype(header.kind).newbyteorder("<"), offset=header.start)
    if header.kind == "b1" and (flat.view(np.uint8) > 1).any():
        raise BadRecord(f"{shown(member.filename)} holds flags that are neither true nor false")
    return flat.reshape(header.shape, order="F" if header.is_fortran else "C").copy()


def check_range(name: str, column: Column, array: NDArray[Any]) -> None:
    """The numbers of an array within the bounds of its column."""
    if array.dtype.kind == "f" and column.is_finite and not np.isfinite(array).all():
        place = np.argwhere(~np.isfinite(array))[0]
        raise BadRecord(f"{_place(name, place)} is {array[tuple(place)]}: a finite number is")
    bad = np.zeros(array.shape, np.bool_)
    if column.low is not None:
        bad |= array < column.low
    if column.high is not None:
        bad |= array > column.high
    if bad.any():
        place = np.argwhere(bad)[0]
        low = "" if column.low is None else f" from {column.low}"
        high = "" if column.high is None else f" up to {column.high}"
        raise BadRecord(f"{_place(name, place)} is {array[tuple(place)]}: a number{low}{high} is")


def check_column(name: str, column: Column, array: NDArray[Any], lengths: dict[str, int] | None = None) -> None:
    """An array that was read already against its column."""
    kind = f"{array.dtype.kind}{array.dtype.itemsize}"
    _check_shape(name, column, _Header(kind, False, array.shape, 0), {} if lengths is None else lengths)
    check_range(name, column, array)


def _checked(name: str, column: Column, array: NDArray[Any]) -> NDArray[Any]:
    check_range(name, column, array)
    kind = column.kinds[0]
    return array.astype(np.dtype(kind), copy=False) if kind else array


def _place(name: str, place: NDArray[Any]) -> str:
    return name + "".join(f"[{int(k)}]" for k in place)
