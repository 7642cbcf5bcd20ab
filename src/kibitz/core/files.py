"""Files that are either whole or not there: written to a temporary name, flushed to the disk, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kibitz.core.errors import BadInput


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that appears under its name only once it is complete; an old one stays until then."""
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as problem:
        raise BadInput(f"{target} cannot be written: {problem.strerror or problem}") from None
    finally:
        part.unlink(missing_ok=True)


def check_writable(path: str | Path) -> None:
    """Refuse a path that cannot be written, before the work whose result should go there."""
    target = Path(path)
    if target.is_dir():
        raise BadInput(f"{target} cannot be written: it is a folder")
    trial = target.with_name(f".{target.name}.{os.getpid()}.trial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except OSError as problem:
        raise BadInput(f"{target} cannot be written: {problem.strerror or problem}") from None
