"""Files that are either whole or not there, and folders that one process at a time may write to.

A file is written to a temporary name beside its own (a part), flushed to the disk, then renamed. Its writer holds a
lock on the part, which the kernel releases when the process ends in whatever way:
a part without a lock was left by a kill.
"""

from __future__ import annotations

import fcntl
import io
import os
import re
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.core.errors import BadInput

LOCK = ".lock"
"""The file in a folder that its writer holds."""
_PART = re.compile(r"\.(.+)\.\d+(?:-\d+)?\.part")


class _Stream(io.BufferedWriter):
    """A device or pipe: it has no place to go back to, and writers of archives must be told so."""

    def seekable(self) -> bool:
        """Never: /dev/null would say that it can, and stay at its beginning."""
        return False

    def seek(self, *_: Any) -> int:
        """There is no place to go to."""
        raise io.UnsupportedOperation("seek")

    def tell(self) -> int:
        """There is no place to name."""
        raise io.UnsupportedOperation("tell")


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that appears under its name only once it is complete; an old one stays until then.

    A link is followed, an old file's mode is kept, and what is no file (a device, a pipe) is written to as it stands.
    """
    try:
        if is_stream(path):
            with _Stream(io.FileIO(os.open(path, os.O_WRONLY | os.O_NOCTTY), "wb")) as stream:
                yield stream
            return
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        old = os.stat(target) if target.exists() else None
        fd, part = _begin_part(target, 0o666 if old is None else 0o600)
        try:
            with open(fd, "wb") as file:
                yield file
                file.flush()
                if old is not None:
                    _dress_as(fd, old)
                os.fsync(fd)
                os.replace(part, target)  # while the part is still locked
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror or problem}") from None


def check_writable(path: str | Path) -> None:
    """Refuse a path that cannot be written, before the work whose result should go there."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise BadInput(f"{path} cannot be written: it is a folder")
    try:
        if is_stream(path):
            if not os.access(path, os.W_OK):
                raise PermissionError("permission denied")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        fd, part = _begin_part(target, 0o600)
        part.unlink()
        os.close(fd)
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror or problem}") from None


def is_stream(path: str | Path) -> bool:
    """Whether something stands there that is no regular file: a device, a pipe, a socket, a folder."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def is_part(name: str) -> bool:
    """Whether this is the name of a file that is being written, or of what a kill left of one."""
    return _PART.fullmatch(name) is not None


def sweep_folder(folder: Path) -> None:
    """Remove the parts in a folder whose writers are gone."""
    for parts in _parts_in(folder).values():
        for part in parts:
            _remove_if_left(part)


@contextmanager
def sole_writer(folder: Path, doing: str) -> Iterator[None]:
    """Hold a folder while something is `doing` to it (trained, searched); refused if another process holds it.

    The kernel releases the lock with the process, so none outlives its holder; the file only says who that is.
    """
    path, is_new = folder / LOCK, not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fd = _locked(path)
    except BlockingIOError:
        raise BadInput(f"{folder} is being {doing} by {_holder(path)}: wait for it, or give another --out") from None
    except OSError as problem:
        raise BadInput(f"{folder} cannot be written: {problem.strerror or problem}") from None
    try:
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()} {socket.gethostname()}\n".encode())
        yield
    finally:
        path.unlink(missing_ok=True)  # while it is still locked
        os.close(fd)
        if is_new:
            with suppress(OSError):
                folder.rmdir()  # unless something is in it


def _locked(path: Path) -> int:
    """An open lock file that nobody else holds."""
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            _lock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise
        if _is_still(path, fd):
            return fd
        os.close(fd)  # its holder has just removed it


def _lock(fd: int, how: int) -> None:
    """Lock a file, where its file system knows locks at all."""
    try:
        fcntl.flock(fd, how)
    except BlockingIOError:
        raise
    except OSError:
        pass


def _holder(path: Path) -> str:
    with suppress(OSError):
        found = re.fullmatch(r"(\d+) ([\w.-]+)\n", path.read_text(encoding="utf-8", errors="replace"))
        if found:
            return f"process {found[1]} on {found[2]}"
    return "another process"


def _begin_part(target: Path, mode: int) -> tuple[int, Path]:
    """A new file beside the target, open and locked."""
    for number in count():
        part = target.with_name(f".{target.name}.{os.getpid()}{f'-{number}' if number else ''}.part")
        try:
            fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            continue  # another thread's, or that of a process of the same number elsewhere
        _lock(fd, fcntl.LOCK_EX)
        if _is_still(part, fd):
            return fd, part
        os.close(fd)  # swept before it was locked
    raise AssertionError("there are more numbers")


def _dress_as(fd: int, old: os.stat_result) -> None:
    """Give a new file the mode of the old one, and its owner as far as that is allowed."""
    if (old.st_uid, old.st_gid) != (os.fstat(fd).st_uid, os.fstat(fd).st_gid):
        with suppress(OSError):
            os.fchown(fd, old.st_uid, old.st_gid)
    os.fchmod(fd, stat.S_IMODE(old.st_mode))


def _sweep(target: Path) -> None:
    """Remove what killed writers of this file left behind."""
    for part in _parts_at_first(target.parent).get(target.name, []):
        _remove_if_left(part)


@cache
def _parts_at_first(folder: Path) -> dict[str, list[Path]]:
    """The parts in a folder when this process first wrote there: folders of many files are not listed for each."""
    return _parts_in(folder)


def _parts_in(folder: Path) -> dict[str, list[Path]]:
    """The parts in a folder, by the name of the file each should have become."""
    found: dict[str, list[Path]] = {}
    with suppress(OSError):
        for name in os.listdir(folder):
            if match := _PART.fullmatch(name):
                found.setdefault(match[1], []).append(folder / name)
    return found


def _remove_if_left(part: Path) -> None:
    """Remove a part unless its writer lives."""
    with suppress(OSError):
        fd = os.open(part, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(part, fd):
                part.unlink()
        finally:
            os.close(fd)


def _is_still(path: Path, fd: int) -> bool:
    """Whether an open file is what the name stands for."""
    try:
        there, here = os.stat(path, follow_symlinks=False), os.fstat(fd)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
