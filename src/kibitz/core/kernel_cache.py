"""The cache of one kernel: a file for each signature, named by all that the machine code depends on.

Numba's own cache unpickles whatever lies there, trusts the source file alone, and keeps an index that two writers can
leave pointing at each other's code. Here an entry is one file that is written whole, checked before it is unpickled,
and compiled again when it is not what it should be.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import secrets
import stat
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from kibitz.core import cache_folder, reach
from kibitz.core.dispatching import has_door, is_nested
from kibitz.core.plain_text import say

FORMAT = b"kibitz machine code 3\n"
LENGTH, CHECKSUM = 8, hashlib.sha256().digest_size
HEAD = len(FORMAT) + LENGTH + CHECKSUM
LONGEST_NAME = 120


compiled = 0
"""How many kernels this process has compiled so far."""


class Damaged(Exception):
    """An entry that is not what was written."""


class KernelCache:
    """What a dispatcher of Numba asks for machine code and gives it to."""

    def __init__(self, function: FunctionType, settle: Callable[[], str] = str) -> None:
        self._function = function
        self._settle = settle
        """Fixes options of the compiler that depend on what the function calls, and names them."""
        self._name = function.__qualname__
        self._fingerprint = ""
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's statistics."""
        return str(cache_folder.folder_for(_settings()) or "")

    def enable(self) -> None:
        """Keep machine code from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Keep nothing and look for nothing from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Look again at what the function can reach: Numba is asked to compile it anew."""
        reach.forget()
        self._fingerprint = ""

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The machine code for a signature, or None if it has to be compiled."""
        target.refresh()
        for is_open in (False, True) if is_nested() else (True, False):
            entry = self._entry(signature, target.codegen(), is_open)
            found = None if entry is None else self._load(entry, target)
            if found is not None:
                return found
        return None

    def _load(self, entry: Path, target: Any) -> Any:
        try:
            payload = read_entry(entry)
            return None if payload is None else CompileResult._rebuild(target, *pickle.loads(payload))
        except (ModuleNotFoundError, AttributeError):  # made by another version, where things had other names
            return None
        except Exception as problem:
            why = str(problem) if isinstance(problem, Damaged) else type(problem).__name__
            say(f"{entry} is damaged ({why}) and compiled again")
            with suppress(OSError):
                entry.unlink()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the machine code for a signature; a disk that is full costs a line and a compilation next time."""
        global compiled
        compiled += 1
        entry = self._entry(signature, result.codegen, has_door(result))
        if entry is None or not self._can_be_kept(result):
            return
        try:
            write_entry(entry, dumps(result._reduce()))
        except OSError as problem:
            _complain(entry.parent, cache_folder.reason(problem))

    def _entry(self, signature: Any, codegen: Any, is_open: bool) -> Path | None:
        """The file for a signature on this processor, with a door for Python or without;
        None if it cannot have one."""
        if not self._fingerprint:
            self._fingerprint = reach.fingerprint(self._function)
            # The name becomes the symbol in the machine code, and of two pieces with one symbol, kept by two processes
            # and called from a third, the linker takes whichever comes first.
            self._function.__qualname__ = f"{self._name}#{self._fingerprint[:16]}"
        folder = cache_folder.folder_for(_settings()) if self._enabled else None
        asked = f"{self._fingerprint} {signature} {codegen.magic_tuple()} {self._settle()} {is_open}"
        if folder is None or " at 0x" in asked:  # an argument that is a function is known by its address alone
            return None
        name = f"{self._function.__module__.removeprefix('kibitz.')}.{self._name}"
        name = re.sub(r"[^\w.,=-]+", "_", name, flags=re.ASCII)[:LONGEST_NAME]
        return folder / f"{name}-{hashlib.sha256(asked.encode()).hexdigest()[:32]}{cache_folder.ENTRY}"

    def _can_be_kept(self, result: Any) -> bool:
        why = ""
        if any(not lifted.can_cache for lifted in result.lifted):
            why = "has lifted code"
        elif result.library.has_dynamic_globals:
            why = "uses an address, as of a table of more than a million bytes"
        if why:
            warnings.warn(f"{self._name} is compiled again in each process: it {why}", NumbaWarning, stacklevel=2)
        return not why


def write_entry(path: Path, payload: bytes) -> None:
    """Put an entry where readers find all of it or nothing,
    whoever else writes it and whenever this process is killed."""
    part = path.with_name(f".{secrets.token_hex(8)}{cache_folder.PART}")
    head = FORMAT + len(payload).to_bytes(LENGTH, "big") + hashlib.sha256(payload).digest()
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(head + payload)
        os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


def read_entry(path: Path) -> bytes | None:
    """What an entry holds, once owner and checksum are found to be right; None if there is no such entry."""
    try:
        file = open(path, "rb", opener=_open_gently)  # noqa: SIM115
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Damaged(cache_folder.reason(problem)) from None
    with file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Damaged("not a file")
        if not cache_folder.is_ours(found):
            raise Damaged("others can write it")
        head = file.read(HEAD)
        length = int.from_bytes(head[len(FORMAT) :][:LENGTH], "big")
        if not head.startswith(FORMAT) or found.st_size != HEAD + length:
            raise Damaged("cut short or not an entry")
        payload = file.read(length)
        if hashlib.sha256(payload).digest() != head[-CHECKSUM:]:
            raise Damaged("wrong checksum")
        cache_folder.note_use(file.fileno(), found)
    return payload


def _open_gently(path: str, flags: int) -> int:
    """A pipe must not stop us, nor a link lead elsewhere."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


@cache
def _settings() -> str:
    """What all kernels depend on: versions, and the switches of Numba that change machine code."""
    versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__
    switches = config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE
    return f"{FORMAT!r} {versions} {switches}"


@cache
def _complain(folder: Path, why: str) -> None:
    """Say once that nothing can be kept."""
    say(f"compiled code cannot be kept in {folder}: {why}; it is compiled again next time")
