"""Files that may be packed (.bz2, .gz, .zst), read as a stream of bytes: of any size, a block in memory at a time."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadRecord, MissingExtra

PACKED = (".bz2", ".gz", ".zst")
BLOCK = 1 << 20


class CutShort(BadRecord):
    """A packed file that ends too early or is damaged: what stood before that has been given."""


def inner_suffix(path: Path) -> str:
    """The ending that says what is in a file, whether it is packed or not."""
    return Path(path.stem).suffix if path.suffix in PACKED else path.suffix


def read_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """The bytes of a file, unpacked; raises CutShort behind all that can be read, BadRecord if nothing can."""
    given = 0
    try:
        with _opened(path) as file:
            while block := _some(file, size):
                given += len(block)
                yield block
    except FileNotFoundError:
        raise BadRecord(f"{path}: there is no such file") from None
    except (OSError, EOFError, zlib.error, ValueError) as problem:
        told = f"{path} is cut short or damaged behind the first {given:,} bytes ({problem})"
        if not given:
            why = getattr(problem, "strerror", None) or f"not even its beginning can be unpacked ({problem})"
            raise BadRecord(f"{path} cannot be read: {why}") from None
        raise CutShort(told) from None


def _some(file: Any, size: int) -> bytes:
    """The next bytes, fewer than asked for only where there are no more just now."""
    return bytes(file.read1(size) if hasattr(file, "read1") else file.read(size))


def _opened(path: Path) -> Any:
    if path.suffix == ".bz2":
        return bz2.open(path, "rb")
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".zst":
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("pyarrow", "data") from None
        return pyarrow.input_stream(str(path), compression="zstd")
    return open(path, "rb")
