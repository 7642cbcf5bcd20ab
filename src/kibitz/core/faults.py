"""What went wrong in somebody's game, for people: the file and line in their package, and the cause in one sentence.

Numba says why a kernel does not compile in a hundred lines of which one tells the cause; here that one is found.
"""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.core.plain_text import one_line

LONGEST = 300
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
PLACES = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?::\s*def (?P<function>\w+)\()?')
FAILED = "Failed in "
"""How Numba begins, once for each kernel on the way to the one that does not compile."""


@dataclass(frozen=True)
class Fault:
    """One fault: what, and where in the game's files, as far as that is known."""

    what: str
    file: str = ""
    number: int = 0
    function: str = ""

    def line(self) -> str:
        """All of it on one line."""
        return self.what + (f" ({self.place()})" if self.file else "")

    def place(self) -> str:
        """File, line and function."""
        inside = f", in {self.function}" if self.function and self.function != "<module>" else ""
        return f"{_short(self.file)}, line {self.number}{inside}"

    def source(self) -> str:
        """The line itself, if it can be read."""
        linecache.checkcache(self.file)
        return one_line(linecache.getline(self.file, self.number))[:LONGEST] if self.file else ""

    def as_json(self) -> dict[str, Any]:
        """The fault as plain data."""
        return asdict(self)


def fault_of(problem: BaseException, package: str) -> Fault:
    """What an exception says, with the innermost place in the package of a game (or anywhere, if it was not there)."""
    said = COLOURS.sub("", str(problem))
    kind = type(problem).__name__
    if type(problem).__module__.startswith("numba") and "\n" in said:
        return _uncompiled(kind, said, package)
    what = f"{kind}: {one_line(said)[:LONGEST]}" if said else kind
    if isinstance(problem, SyntaxError) and problem.filename:
        return Fault(f"{kind}: {problem.msg}", problem.filename, problem.lineno or 0)
    frames = [
        frame for frame in traceback.extract_tb(problem.__traceback__) if not frame.filename.startswith("<frozen")
    ]
    inside = [frame for frame in frames if _is_inside(frame.filename, package)]
    for frame in (inside or [])[-1:]:
        return Fault(what, frame.filename, frame.lineno or 0, frame.name)
    return Fault(what)


def defined(function: Any) -> tuple[str, int, str]:
    """File, line and name of a kernel or function; the line is that of its `def`."""
    plain = getattr(function, "py_func", function)
    code = plain.__code__
    number = int(code.co_firstlineno)
    for offset in range(10):  # decorators come first
        if linecache.getline(code.co_filename, number + offset).lstrip().startswith("def "):
            return code.co_filename, number + offset, code.co_name
    return code.co_filename, number, code.co_name


def folder_of(package: str) -> str:
    """The folder of an imported package, or its file if it is one module."""
    file = getattr(sys.modules.get(package), "__file__", None) or ""
    return str(Path(file).parent) if Path(file).name == "__init__.py" else file


def _is_inside(file: str, package: str) -> bool:
    parts = package.split(".")
    home = folder_of(package)
    if home:
        return file == home or Path(home) in Path(file).parents
    return tuple(parts) in _runs(Path(file).with_suffix("").parts, len(parts))  # its import did not come to an end


def _runs(parts: tuple[str, ...], length: int) -> set[tuple[str, ...]]:
    return {parts[k : k + length] for k in range(len(parts) - length + 1)}


def _uncompiled(kind: str, said: str, package: str) -> Fault:
    """The first place in the package that Numba names, which is the innermost, and the sentence before it."""
    places = [found for found in PLACES.finditer(said) if _is_inside(_whole(found["file"]), package)]
    before = said[: places[0].start()] if places else said
    told = [line.strip() for line in before.splitlines() if line.strip()]
    last = max((k for k, line in enumerate(told) if line.startswith(FAILED)), default=-1)
    cause = told[last + 1 : last + 2] or told[:1]
    if cause and cause[0].endswith(":"):  # the call that was wanted stands on the next line
        cause += told[last + 2 : last + 3]
    what = f"{kind}: {one_line(' '.join(cause).replace(' >>> ', ' '))[:LONGEST]}"
    for found in places[:1]:
        return Fault(what, _whole(found["file"]), int(found["line"]), found["function"] or "")
    return Fault(what)


def _whole(file: str) -> str:
    """Numba names files as seen from here."""
    return str(Path(file).absolute())


def _short(file: str) -> str:
    """A path as seen from here, where that is shorter."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
