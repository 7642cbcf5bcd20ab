"""Numba made safe: the one place that compiles.

`kernel` compiles a function when it is first called and keeps the machine code in a cache that notices every change that
could matter (core/reach.py). `specialise` binds a template's global `game` (and bots) to one game and compiles that.
`size` lets a game's module be made anew with another number of players, ranks or cards.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import numba
from numba.core import config
from numba.extending import intrinsic, overload

from kibitz.core.kernel_cache import KernelCache

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
    compiled: F = _compile(function)
    return compiled


def specialise(template: Callable[..., Any], tag: str, *, inline: bool = False, **bound: Any) -> Callable[..., Any]:
    """Rebuild a template with the given globals (games, kernels, tables, numbers, from any module) and compile it.

    Functions passed as arguments and closures never hit a cache, globals do. `tag` (game, options, bots) names the result
    for people; the cache tells specialisations apart by what is bound. `inline` is for small kernels on a hot path that LLVM
    would not put into their callers by itself.
    """
    plain = getattr(template, "py_func", template)
    space = {**plain.__globals__, **bound}
    function = types.FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, plain.__closure__)
    function.__kwdefaults__ = plain.__kwdefaults__
    function.__module__ = plain.__module__
    function.__qualname__ = _marked(plain.__qualname__, f"{tag}!" if inline else tag)
    return _compile(function, inline=inline)


def _marked(name: str, tag: str) -> str:
    """The name of a function made for one game; long lists of bots are cut."""
    return f"{name}[{tag[:LONGEST_TAG]}]"


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

    return array if config.BOUNDSCHECK or isinstance(words, numba.types.CPointer) else address


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


def _compile(function: Any, *, inline: bool = False) -> Any:
    if PLAIN:
        return function
    compiled = numba.njit(nogil=True, error_model="numpy", forceinline=inline)(function)
    compiled._cache = KernelCache(function)
    return compiled
