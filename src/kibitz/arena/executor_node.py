"""A node's side of the Ray executor: does a piece, after making this process see what the driver sees."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.metadata
import os
import pickle
import shutil
import socket
import sys
import time
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import kibitz
from kibitz.core.cache_folder import folder_for
from kibitz.core.catalogue import NAMED
from kibitz.core.errors import BadInput, KibitzError
from kibitz.core.files import whole_file
from kibitz.core.shipped import lend

STALE = 14 * 86400.0
"""Files of other machines that were not used for so long are forgotten."""
SAME = ("numpy", "numba", "torch")
"""Libraries that decide the last bit of a result."""


def do_piece(job: dict[str, Any], text: bytes) -> tuple[str, Any]:
    """Do one piece, here on a node: how it went and the answer, or the error for the driver to raise."""
    try:
        _check_versions(job["versions"])
        _settle(job)
        work, piece = _loaded(job["work"]), pickle.loads(text)
        _compile_once(work, piece)
        return "answer", work(piece)
    except KibitzError as problem:
        hint = " (what a bot's file imports must be installed on every node; the file itself travels)"
        is_missing = "cannot be imported" in str(problem) or "cannot be loaded" in str(problem)
        return "fault", BadInput(f"{problem}, on node {socket.gethostname()}{hint if is_missing else ''}")


@cache
def versions() -> dict[str, str]:
    """What must be the same on all nodes for results to be:
    kibitz to the letter, and the libraries that do the arithmetic."""
    folder = Path(kibitz.__file__).parent
    sources = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        sources.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    found = {"kibitz": f"{kibitz.__version__} (sources {sources.hexdigest()[:8]})"}
    for name in SAME:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "none"
    return found


def _check_versions(there: dict[str, str]) -> None:
    for name, version in versions().items():
        if there[name] != version:
            raise BadInput(f"{name} is {there[name]} here and {version} there: install the same one everywhere")


@lru_cache(maxsize=2)
def _loaded(work: bytes) -> Any:
    return pickle.loads(work)


def _settle(job: dict[str, Any]) -> None:
    """Make this process see what the driver sees: its packages of games, its folder, its files."""
    if job["packages"]:
        os.environ[NAMED] = job["packages"]
    if job["folder"] not in sys.path and os.path.isdir(job["folder"]):
        sys.path.append(job["folder"])
    for name, (digest, ref) in job["files"].items():
        if lend(name, _unpacked(digest, ref) / tail(name)):
            from kibitz.arena.shards import forget_bots

            forget_bots()


def tail(name: str) -> str:
    """The last word of a path, under which its files travel."""
    return Path(name).name or "folder"


@cache
def _unpacked(digest: str, ref: Any) -> Path:
    """The folder on this node with what was packed; one process of a node unpacks it for all."""
    import ray

    shelf = _shelf()
    folder = shelf / digest
    with _held(shelf / f"{digest}.lock"):
        if not folder.is_dir():
            _sweep(shelf)
            part = shelf / f"{digest}.part"
            shutil.rmtree(part, ignore_errors=True)
            for place, content in ray.get(ref).items():
                with whole_file(part / place) as file:
                    file.write(content)
            os.replace(part, folder)
        os.utime(folder)
    return folder


def _shelf() -> Path:
    """A folder of this node that nobody else can write: what lies there is run."""
    shelf = folder_for("files of other machines")
    if shelf is None:
        raise BadInput(
            "there is no folder that files could be put into: set KIBITZ_CACHE to one that only you can write"
        )
    return shelf


def _sweep(shelf: Path) -> None:
    for folder in shelf.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < time.time() - STALE:
            shutil.rmtree(folder, ignore_errors=True)


class _held:
    """A lock that one process of this node has at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        fcntl.flock(self.fd, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def _compile_once(work: Callable[[Any], Any], piece: Any) -> None:
    """Let the first piece of its kin on this node compile while the others wait, so that they find what it made."""
    tiny = getattr(piece, "tiny", None)
    if tiny is None:
        return
    mark = _shelf() / hashlib.sha256(f"{piece.kin} {versions()}".encode()).hexdigest()[:24]
    if not mark.exists():
        with _held(mark.with_suffix(".lock")):
            if not mark.exists():
                work(tiny)
                mark.touch()
