"""Where compiled code is kept: a folder that nobody else can write, from which only our own old files are removed.

Machine code is run as it is found, so a folder that others can write is as good as their hands on the keyboard.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from kibitz.core.plain_text import say

FOLDER = "kibitz"
"""All we ever touch inside the folder that KIBITZ_CACHE (or the system) names."""
MARKER = "compiled-by-kibitz"
"""The file that makes a folder ours to sweep; it is touched when that happens."""
ENTRY, PART = ".kernel", ".part"
STALE_DAYS = 14
DAY = 86400.0

_KIND = re.compile(r"[0-9a-f]{16}")


@cache
def folder_for(settings: str) -> Path | None:
    """The folder of everything compiled under these settings (versions, switches); None if nothing can be kept."""
    root = _root()
    if root is None:
        return None
    folder = root / hashlib.sha256(settings.encode()).hexdigest()[:16]
    problem = _claim(folder)
    try:
        if not problem:
            with open(folder / MARKER, "a") as marker:
                if marker.tell() == 0:
                    marker.write("kibitz keeps compiled code in this folder and removes what is old.\n")
    except OSError as trouble:
        problem = reason(trouble)
    if problem:
        say(f"{folder} cannot be used: {problem}; compiled code is not kept")
        return None
    return folder


def reason(problem: OSError) -> str:
    """Why the system refused, in its own words."""
    return (problem.strerror or str(problem)).lower()


@cache
def _root() -> Path | None:
    """The first place that is ours alone: the one asked for, one of a fixed name in the temporary folder, a fresh one.

    Processes started from this one are told through KIBITZ_CACHE, so that they share a second choice.
    """
    asked = _asked()
    first = asked / FOLDER
    problem = _open_up(asked) or _claim(first)
    if problem:
        try:
            asked = Path(tempfile.gettempdir()) / f"{FOLDER}-{_user()}"
            if _claim(asked) or _claim(asked / FOLDER):
                asked = _fresh()
        except OSError as trouble:
            say(
                f"compiled code is not kept: {first} cannot be used, {problem}; nor a temporary folder, "
                f"{reason(trouble)}"
            )
            return None
        os.environ["KIBITZ_CACHE"] = str(asked)
        say(f"compiled code is kept in {asked / FOLDER}: {first} cannot be used, {problem}")
    _sweep(asked / FOLDER)
    return asked / FOLDER


def _asked() -> Path:
    named = os.environ.get("KIBITZ_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(named) if named.startswith("~") else Path(named).absolute()


def _fresh() -> Path:
    """A folder under a name that nobody can have guessed, for as long as this process lives."""
    made = Path(tempfile.mkdtemp(prefix=f"{FOLDER}-"))
    (made / FOLDER).mkdir(mode=0o700)
    atexit.register(_remove, made, os.getpid())
    return made


def _remove(made: Path, maker: int) -> None:
    if os.getpid() == maker:
        shutil.rmtree(made, ignore_errors=True)


def _open_up(folder: Path) -> str:
    if folder.parts[:1] == ("~",):
        return "there is no home folder"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        return reason(problem)
    return ""


def _claim(folder: Path) -> str:
    """Make the folder if it is not there; say why it cannot be trusted or written, or nothing."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError as problem:
        return reason(problem)
    if not stat.S_ISDIR(found.st_mode):
        return "it is a link" if stat.S_ISLNK(found.st_mode) else "it is not a folder"
    if not is_ours(found):
        mode, owner = stat.S_IMODE(found.st_mode), found.st_uid
        return f"others can write it (mode {mode:o}, user {owner}; mode 700, user {os.geteuid()} would be right)"
    return "" if os.access(folder, os.W_OK | os.X_OK) else "it is not writable"


def is_ours(found: os.stat_result) -> bool:
    """Whether nobody but this user can have written what was looked at."""
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def note_use(handle: int, found: os.stat_result) -> None:
    """Remember that an open file was used, once a day, also where the disk does not."""
    if found.st_atime < time.time() - DAY:
        with suppress(OSError):
            os.utime(handle, (time.time(), found.st_mtime))


def _user() -> str:
    return str(os.geteuid()) if os.name == "posix" else "cache"


def _sweep(root: Path) -> None:
    """Forget machine code that no process has used for two weeks; each folder is looked at once a day.

    Another process may sweep or write at the same time: what is gone, or refused, is left alone.
    """
    now = time.time()
    for folder in _held(root):
        if not _KIND.fullmatch(folder.name):
            continue
        with suppress(OSError):
            marker = (folder / MARKER).lstat()
            if folder.is_symlink() or not stat.S_ISREG(marker.st_mode) or marker.st_mtime > now - DAY:
                continue
            os.utime(folder / MARKER)
            _sweep_folder(folder, now)


def _sweep_folder(folder: Path, now: float) -> None:
    for path in _held(folder):
        with suppress(OSError):
            found = path.lstat()
            idle = (now - max(found.st_atime, found.st_mtime)) / DAY
            if (path.suffix == ENTRY and idle > STALE_DAYS) or (path.suffix == PART and idle > 1):
                path.unlink()
    if [path.name for path in _held(folder)] == [MARKER]:
        (folder / MARKER).unlink()
        folder.rmdir()


def _held(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
