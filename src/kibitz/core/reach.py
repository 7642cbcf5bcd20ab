"""What the machine code of a kernel depends on: a walk from its bytecode over every global it names.

Numba bakes callees, constants and tables into one piece of machine code but watches only the file of the function
itself. So the walk follows kernels into whatever module they live in, takes bound modules by the attributes that are
named, and tables by their bytes. A plain function means something to a kernel only through an `@overload`, which has to
stand in the same file: that file is read as a whole.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

Function = types.FunctionType
Constant = type(None) | bool | int | float | complex | str | bytes | range | slice | type(Ellipsis)


SETTLED = "_nrt"
"""An option that follows from what a kernel calls; whether it has been looked up yet means nothing."""


class _Part(NamedTuple):
    """One function by itself: the digest of its code and constants, and the kernels it names, in a fixed order."""

    digest: bytes
    calls: tuple[Callable[..., Any], ...]


_parts: WeakKeyDictionary[Callable[..., Any], _Part] = WeakKeyDictionary()


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest that changes with everything the machine code of a function can depend on, and with nothing else.

    Ask when the function is compiled, not when it is defined: by then every global it names is bound. What a global is
    worth at that moment is remembered, as Numba does.
    """
    start = getattr(function, "py_func", function)
    place = {start: 0}
    line = [start]
    digest = hashlib.sha256()
    for one in line:
        part = _parts.get(one)
        if part is None:
            part = _parts[one] = _Walk(one).part()
        digest.update(part.digest)
        for callee in part.calls:
            if callee not in place:
                place[callee] = len(line)
                line.append(callee)
            digest.update(b"%d," % place[callee])
    return digest.hexdigest()


def forget() -> None:
    """Look at every global again: somebody has bound one anew and asks for compilation."""
    _parts.clear()


class _Walk:
    """What one function names, written down as bytes in a fixed order."""

    def __init__(self, function: Any) -> None:
        self.facts = hashlib.sha256()
        self.calls: list[Callable[..., Any]] = []
        self.names = sorted(set(_names(function.__code__)))
        self.modules: set[int] = set()
        self.tell(function.__code__)
        self.tell(function.__defaults__)
        self.tell(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.tell(cell.cell_contents)
        for name in self.names:
            if name in function.__globals__:
                self.say("global", name)
                self.tell(function.__globals__[name])

    def part(self) -> _Part:
        return _Part(self.facts.digest(), tuple(self.calls))

    def say(self, *words: object) -> None:
        for word in words:
            text = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass")
            self.facts.update(b"%d:" % len(text) + text)

    def tell(self, value: Any) -> None:
        """Write down all of a value that machine code can depend on."""
        kind = type(value)
        self.say(kind.__module__, kind.__qualname__)
        if isinstance(getattr(value, "py_func", None), Function):
            options = getattr(value, "targetoptions", {})
            self.say(sorted((name, option) for name, option in options.items() if name != SETTLED))
            self.calls.append(value.py_func)
        elif isinstance(value, types.CodeType):
            self.code(value)
        elif isinstance(value, types.ModuleType):
            self.module(value)
        elif isinstance(value, enum.EnumType):
            self.several(value.__members__.values())
        elif isinstance(value, enum.Enum):
            self.say(value.name)
            self.tell(value.value)
        elif isinstance(value, Constant):
            self.say(repr(value))
        elif isinstance(value, np.ndarray | np.generic):
            flags = value.flags
            self.say(value.dtype, value.shape, value.strides, flags.aligned, flags.writeable, value.tobytes())
        elif isinstance(value, tuple | list):
            self.several(value)
        elif isinstance(value, dict):
            self.several(value.items())
        elif isinstance(value, set | frozenset):
            self.say(*sorted(map(_alone, value)))
        else:
            self.other(value)

    def several(self, values: Iterable[Any]) -> None:
        held = list(values)
        self.say(len(held))
        for value in held:
            self.tell(value)

    def code(self, code: types.CodeType) -> None:
        self.say(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)
        self.say(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_exceptiontable)
        self.several(code.co_consts)

    def module(self, module: types.ModuleType) -> None:
        """Of a module, whatever it holds under a name the code mentions: `game.step` is Numba's to resolve, once."""
        if id(module) in self.modules:
            return
        self.modules.add(id(module))
        for name in self.names:
            try:
                value = getattr(module, name)
            except Exception:  # a module that loads lazily may fail in any way; then it fails to compile, too
                continue
            self.say("attribute", name)
            self.tell(value)

    def other(self, value: Any) -> None:
        """A plain function, class or intrinsic by name and file,
        anything else by text and file (an address never returns)."""
        named = value if isinstance(getattr(value, "__module__", None), str) else type(value)
        plain = inspect.unwrap(value) if callable(value) else value
        source = _module_file(named.__module__)
        if isinstance(plain, Function):
            source = _source(plain.__code__.co_filename)
            if not source:
                self.code(plain.__code__)
        self.say(named.__module__, getattr(value, "__qualname__", None) or repr(value), source)


def _names(code: types.CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _nothing() -> None: ...


def _alone(value: Any) -> bytes:
    """A member of a set by itself, since a set has no order of its own."""
    walk = _Walk(_nothing)
    walk.tell(value)
    return walk.facts.digest()


def _module_file(module: str) -> bytes:
    return _source(getattr(sys.modules.get(module), "__file__", None) or "")


@cache
def _source(path: str) -> bytes:
    """The digest of a file, or nothing where there is none to read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest() if path else b""
    except OSError:
        return b""
