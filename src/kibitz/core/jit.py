"""Numba made safe: the one place that compiles.

`kernel` compiles a function when it is first called and keeps the machine code in a cache that notices every change that
could matter. `specialise` binds a template's global `game` (and bots) to one game and compiles that. `size` lets a game's
module be made anew with another number of players, ranks or cards.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config
from numba.extending import intrinsic, overload

PACKAGE = Path(__file__).resolve().parent.parent
STALE_DAYS = 14
ALPHABET = (
    "core/absent.py",
    "core/bits.py",
    "core/game.py",
    "core/jit.py",
    "core/rng.py",
    "core/uniform.py",
    "games/*.py",
)
"""What every kernel may depend on, besides its own folder."""

PLAIN = bool(config.DISABLE_JIT)
"""True when NUMBA_DISABLE_JIT=1: every kernel is then the Python function itself."""

F = TypeVar("F", bound=Callable[..., Any])

_sizes: dict[str, Any] = {}
_tag = ""
LONGEST_TAG = 100


def kernel(function: F) -> F:
    """Compile a function lazily, without the interpreter lock, and cache the machine code."""
    if _tag:
        function.__qualname__ = _marked(function.__qualname__, _tag)
    compiled: F = _compile(function, _folders(function.__module__))
    return compiled


def specialise(template: Callable[..., Any], tag: str, **bound: Any) -> Callable[..., Any]:
    """Rebuild a template with the given globals and compile it.

    Functions passed as arguments and closures never hit Numba's cache, globals do; and two functions of one name and line
    would share a cache entry, so `tag` (game, options, bots) must tell specialisations apart.
    """
    plain = getattr(template, "py_func", template)
    function = types.FunctionType(plain.__code__, {**plain.__globals__, **bound}, plain.__name__)
    function.__module__ = plain.__module__
    function.__qualname__ = _marked(plain.__qualname__, tag)
    function.__defaults__ = plain.__defaults__
    folders = set(_folders(plain.__module__))
    for value in bound.values():
        folders |= _origins(value)
    return _compile(function, tuple(sorted(folders)))


def _marked(name: str, tag: str) -> str:
    """The name under which machine code is kept; it becomes a file name, so a long tag is cut and its digest takes the place."""
    short = (
        tag if len(tag) <= LONGEST_TAG else f"{tag[: LONGEST_TAG - 16]}~{hashlib.sha256(tag.encode()).hexdigest()[:12]}"
    )
    return f"{name}[{short}]"


def bare(words: Any) -> Any:
    """An int64 array for a kernel that calls itself; compiled it is nothing but an address: one word in a call instead of
    seven, and no look whether an index is negative. With bounds checks, and in plain Python, it stays the array.
    """
    return words


@intrinsic  # type: ignore[untyped-decorator]
def _address(context: Any, words: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return numba.types.CPointer(words.dtype)(words), emit


@overload(bare)  # type: ignore[untyped-decorator]
def _bare(words: Any) -> Any:
    def array(words: Any) -> Any:
        return words

    def address(words: Any) -> Any:
        return _address(words)

    return array if config.BOUNDSCHECK else address


def size(name: str, default: int) -> int:
    """The value of an option that changes sizes, in the module of a game that is being made."""
    return int(_sizes.get(name, default))


@contextmanager
def sized(tag: str, options: Mapping[str, Any]) -> Iterator[None]:
    """While a game's modules are imported: the values `size` gives out and the mark their kernels carry."""
    global _sizes, _tag
    before = _sizes, _tag
    _sizes, _tag = dict(options), tag
    try:
        yield
    finally:
        _sizes, _tag = before


def _compile(function: Any, folders: tuple[str, ...]) -> Any:
    if PLAIN:
        return function
    # Numba asks for the directory once, when caching is switched on; other people's settings stay as they were.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder(folders))
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before


def _folders(module: str) -> tuple[str, ...]:
    """The folder of the package a module lives in: with the alphabet, all that its kernels can call.

    A kernel in core calls the alphabet and its own file, which Numba watches itself.
    """
    parts = module.split(".")
    if parts[0] != PACKAGE.name or len(parts) < 3 or parts[1] == "core":
        return ()
    return ("/".join(parts[1:-1]),)


def _origins(value: Any) -> set[str]:
    values = vars(value).values() if isinstance(value, types.ModuleType) else (value,)
    names = {getattr(getattr(v, "py_func", v), "__module__", None) for v in values if callable(v)}
    return {folder for name in names if name for folder in _folders(name)}


@cache
def cache_folder(folders: tuple[str, ...]) -> Path:
    """A directory named by everything the machine code depends on.

    Numba looks only at the file of the compiled function, not at the files of what it calls. Imports in this package
    point downward, so a kernel can depend on the alphabet and on its own folder(s): these are hashed.
    """
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK} {config.OPT}".encode())
    for pattern in (*ALPHABET, *(f"{folder}/*.py" for folder in folders)):
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return _writable_root() / digest.hexdigest()[:16]


@cache
def _writable_root() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    root = Path(os.environ.get("KIBITZ_CACHE") or Path(home) / "kibitz")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError:
        root = Path(tempfile.gettempdir()) / f"kibitz-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
        root.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    return root


def _sweep(root: Path) -> None:
    """Forget machine code that no process has loaded for two weeks."""
    oldest = time.time() - STALE_DAYS * 86400
    for folder in root.iterdir():
        if folder.is_dir() and all(entry.stat().st_atime < oldest for entry in folder.rglob("*")):
            shutil.rmtree(folder, ignore_errors=True)
