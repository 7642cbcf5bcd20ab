"""Numba made safe: the one place that compiles.

`kernel` compiles a function when it is first called and keeps the machine code in a cache that notices every change
that could matter (core/reach.py). `specialise` binds a template's global `game` (and bots) to one game and compiles
that. `size` lets a game's module be made anew with another number of players, ranks or cards.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kibitz.core.numba_names import PLAIN as PLAIN
from kibitz.core.numba_names import intrinsic, overload, types

if TYPE_CHECKING or not PLAIN:
    from numba.core import config
    from numba.core.errors import NumbaRuntimeError

    from kibitz.core import kernel_cache
    from kibitz.core.dispatching import Dispatcher, compiling

UNBOUND: Any = None
"""What the names that `specialise` binds are in a template."""

F = TypeVar("F", bound=Callable[..., Any])

_sizes: dict[str, Any] = {}
_tag = ""
LONGEST_TAG = 100
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None,
           "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # fmt: skip
"""How all kernels are compiled."""
MAKERS = frozenset(("copy", "astype", "reshape", "ravel", "flatten", "sum", "T"))
"""Methods of arrays, in kernels, that give another array."""
NUMBERS = frozenset(("int", "float", "bool", "None", "tuple"))
"""What a kernel returns, as its annotation says it, that is no array."""


def kernel(function: F) -> F:
    """Compile a function lazily, without the interpreter lock, and cache the machine code."""
    if _tag:
        function.__qualname__ = _marked(function.__qualname__, _tag)
    compiled: F = _compile(function)
    return compiled


def loop(function: F) -> F:
    """A kernel over many rows: it is compiled even where others run as plain Python (`compile_loops_only`)."""
    compiled = kernel(function)
    if not PLAIN:
        compiled.is_loop = True  # type: ignore[attr-defined]
    return compiled


def specialise(
    template: Callable[..., Any], tag: str, *, inline: bool = False, is_loop: bool = False, **bound: Any
) -> Callable[..., Any]:
    """Rebuild a template with the given globals (games, kernels, tables, numbers, from any module) and compile it.

    Functions passed as arguments and closures never hit a cache, globals do. `tag` (game, options, bots) names the
    result for people; the cache tells specialisations apart by what is bound. `inline` is for small kernels on a hot
    path that LLVM would not put into their callers by itself; `is_loop` is for those that run over many rows (`loop`).
    """
    plain = getattr(template, "py_func", template)
    space = {**plain.__globals__, **bound}
    function = FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, plain.__closure__)
    function.__kwdefaults__, function.__annotations__ = plain.__kwdefaults__, plain.__annotations__
    function.__module__ = plain.__module__
    function.__qualname__ = _marked(plain.__qualname__, f"{tag}!" if inline else tag)
    compiled: Callable[..., Any] = _compile(function, inline=inline)
    if is_loop and not PLAIN:
        compiled.is_loop = True  # type: ignore[attr-defined]
    return compiled


def _marked(name: str, tag: str) -> str:
    """The name of a function made for one game; long lists of bots are cut."""
    return f"{name}[{tag[:LONGEST_TAG]}]"


def bare(words: Any) -> Any:
    """An int64 array for a kernel that calls itself; compiled it is nothing but an address: one word in a call instead
    of seven, and no look whether an index is negative. With bounds checks, and in plain Python, it stays the array.
    """
    return words


@intrinsic  # type: ignore[untyped-decorator]
def _address(context: Any, words: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(words.dtype)(words), emit


@overload(bare)  # type: ignore[untyped-decorator]
def _bare(words: Any) -> Any:
    def array(words: Any) -> Any:
        return words

    def address(words: Any) -> Any:
        return _address(words)

    return array if config.BOUNDSCHECK or isinstance(words, types.CPointer) else address


def compiled_so_far() -> int:
    """How many kernels this process has compiled."""
    return 0 if PLAIN else kernel_cache.compiled


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
    compiled = Dispatcher(function, targetoptions={**OPTIONS, "forceinline": inline})
    compiled._cache = kernel_cache.KernelCache(function, lambda: _settled(function, compiled.targetoptions))
    compiled._compiler.compile = _retrying(compiled._compiler.compile, compiled.targetoptions)
    return compiled


def _retrying(once: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Numba refuses to compile what must count references and does not, as the assignment of a row: then it counts."""

    def compile_it(*signature: Any) -> Any:
        with compiling():
            try:
                return once(*signature)
            except NumbaRuntimeError:
                options["_nrt"] = True
                return once(*signature)

    return compile_it


def _settled(function: FunctionType, options: dict[str, Any]) -> str:
    """Leave the counting of references out where it is not needed; the choice as a word."""
    options["_nrt"] = _makes_arrays(function)
    return "counted" if options["_nrt"] else "borrowed"


def _makes_arrays(function: FunctionType) -> bool:
    """Whether Numba must count references to arrays: a kernel that makes none, nor is given one by what it calls,
    borrows its arguments from its caller. Counting takes half the time of a move.
    Asked when all kernels that it calls are known.
    """
    steps = list(dis.get_instructions(function))
    names = set(function.__code__.co_names)
    if MAKERS & names or any("SLICE" in step.opname or isinstance(step.argval, slice) for step in steps):
        return True
    named = [function.__globals__.get(name) for name in names]
    named += [vars(home).get(name) for home in named if isinstance(home, ModuleType) for name in names]
    return any(called is np or _may_give_an_array(called) for called in named)


def _may_give_an_array(called: Any) -> bool:
    plain = getattr(called, "py_func", called)
    said = getattr(plain, "__annotations__", {}).get("return", "Any")
    words = set(re.findall(r"\w+", said.__name__ if isinstance(said, type) else str(said)))
    return isinstance(plain, FunctionType) and not words <= NUMBERS
