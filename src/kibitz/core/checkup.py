"""Conformance in stages, each in a process of its own: plain Python, with bounds checks, compiled.

An index out of range ends a compiled process without a word, and what does not compile is told in a hundred lines. In
plain Python the same fault has a file and a line, so that stage comes first; the first fault ends the checkup.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from kibitz.core.catalogue import NAMED, fault_in, names, package_of
from kibitz.core.errors import BadGame, BadInput, KibitzError
from kibitz.core.faults import PLACES, Fault, fault_of

STAGES = {
    "plain": ("plain Python", {"NUMBA_DISABLE_JIT": "1", "NUMBA_BOUNDSCHECK": "0"}),
    "bounds": ("with bounds checks", {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}),
    "compiled": ("compiled", {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}),
}
"""What each is called and the environment it runs in."""
MOST_PLAIN = 5
"""Plain Python is slow: it plays no more games than this."""
CALLED = re.compile(r"\b\w*\.(\w+)\(")
CHILD = "from kibitz.core.checkup import main; main()"


@dataclass(frozen=True)
class Finding:
    """The first thing that is wrong with a game: where, what, while what was checked, and the rule it breaks."""

    fault: Fault
    doing: str = ""
    rule: str = ""
    also: str = ""
    """A second place that may be to blame."""

    def lines(self) -> list[str]:
        """The finding as a person reads it."""
        source = self.fault.source()
        rows = [
            ("file", self.fault.place() if self.fault.file else ""), ("", source), ("fault", self.fault.what),
            ("while", self.doing), ("rule", self.rule), ("see", self.also),
        ]  # fmt: skip
        return [f"  {name:<7}{text}" for name, text in rows if text]


@dataclass(frozen=True)
class Stage:
    """What one stage found."""

    name: str
    seconds: float
    games: int
    finding: Finding | None

    def as_json(self) -> dict[str, Any]:
        """The stage as plain data."""
        return asdict(self)


def checkup(
    name: str, options: Mapping[str, object], games: int, seed: int, stages: Sequence[str] = ()
) -> Iterator[Stage]:
    """Stage by stage, until one finds a fault."""
    for stage in stages:
        if stage not in STAGES:
            raise BadInput(f"there is no stage {stage}: there are {', '.join(STAGES)}")
    if name not in names():
        fault = fault_in(name)
        if fault is not None:
            rule = "the package of a game can be imported and declares PRESETS, OPTIONS, VERSION and payoffs"
            yield Stage("import", 0.0, 0, Finding(fault, f"importing the package {name}", rule))
            return
    package_of(name)  # raises if there is no such game
    before = ""
    for stage in [one for one in STAGES if one in stages or not stages]:
        start = time.perf_counter()
        count = min(games, MOST_PLAIN) if stage == "plain" else games
        finding = _run(stage, {"name": name, "options": dict(options), "games": count, "seed": seed}, before)
        yield Stage(stage, time.perf_counter() - start, count, finding)
        if finding:
            return
        before = STAGES[stage][0]


def _run(stage: str, request: Mapping[str, object], before: str) -> Finding | None:
    """One stage in a process of its own; raises if the game cannot be made as asked."""
    with tempfile.TemporaryDirectory(prefix="kibitz-check-") as folder:
        answer, stack = Path(folder, "answer"), Path(folder, "stack")
        words = [sys.executable, "-P", "-c", CHILD, json.dumps(request), str(answer), str(stack)]
        env = {**os.environ, **STAGES[stage][1], NAMED: os.environ.get(NAMED, "")}
        done = subprocess.run(
            words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        if done.returncode == -signal.SIGINT:
            raise KeyboardInterrupt
        try:
            found = json.loads(answer.read_text())
        except (OSError, ValueError):
            stderr = done.stderr.decode(errors="replace")
            return _crash(done.returncode, stack.read_text() if stack.exists() else "", stderr, before)
    if "refused" in found:
        raise BadInput(found["refused"])
    return Finding(**{**found, "fault": Fault(**found["fault"])}) if found else None


def _crash(code: int, stack: str, stderr: str, before: str) -> Finding:
    """What can be said of a process that has ended without an answer."""
    try:
        how = signal.strsignal(-code) if code < 0 else ""
    except ValueError:
        how = ""
    what = f"the process died ({how or 'exit code'} {abs(code)})"
    said = stderr.strip().splitlines()
    if not stack.strip() and said:
        what += f": {said[-1]}"
    hint = f"the stage before ({before}) found nothing; try it with more --games" if before else "run stage plain first"
    if code == -getattr(signal, "SIGKILL", 9):
        hint = "somebody killed it, or there was not memory enough"
    frames = [(found["file"], int(found["line"])) for found in PLACES.finditer(stack)]
    calls = [kernel for file, number in frames for kernel in _called(file, number)]
    doing = f"calling {calls[0]}" if calls else ""
    for file, number in frames[:1]:
        function = re.search(rf"line {number} in (\w+)", stack)
        return Finding(
            Fault(what, file, number, function[1] if function else ""),
            doing,
            f"a kernel keeps within its arrays; {hint}",
        )
    return Finding(Fault(what), doing, f"a kernel keeps within its arrays; {hint}")


def _called(file: str, number: int) -> list[str]:
    """The kernels that a line calls."""
    import linecache

    from kibitz.core.game import KERNELS, OPTIONAL_KERNELS

    return [name for name in CALLED.findall(linecache.getline(file, number)) if name in (*KERNELS, *OPTIONAL_KERNELS)]


def main() -> None:
    """The process of one stage: check, and write down what was found."""
    request, answer, stack = json.loads(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    with open(stack, "w") as dump:
        faulthandler.enable(dump)
        found = _found(request)
        answer.write_text(json.dumps(found))
        faulthandler.disable()


def _found(request: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing, a finding, or why the game cannot be made as it was asked for."""
    from kibitz.core.conformance import Broken, check
    from kibitz.core.game import make

    package = package_of(request["name"])
    game = None
    try:
        game = make(request["name"], **request["options"])
        check(game, request["games"], request["seed"])
    except Broken as broken:
        return asdict(_kept_not(game, broken))
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        if isinstance(problem, BadGame) and problem.__cause__ is not None:
            problem = problem.__cause__
        if game is None and isinstance(problem, KibitzError):
            return {"refused": str(problem)}
        return asdict(_raised(game, problem, package))
    return {}


def _kept_not(game: Any, broken: Any) -> Finding:
    """A rule of the contract that the game does not keep: the place is the kernel that is likeliest to blame."""
    from kibitz.core.contract import CONTRACT, provided_at

    what = str(broken).removeprefix(f"{game.name} {dict(game.options)}: ")
    places = [provided_at(game, kernel) for kernel in broken.kernels]
    fault = Fault(what, *places[0]) if places else Fault(what)
    rules = [CONTRACT[kernel] for kernel in broken.kernels if kernel in CONTRACT]
    also = [Fault("", *place).place() for place in places[1:2] if place[0]]
    return Finding(fault, _doing(broken.__traceback__), "; ".join(dict.fromkeys(rules[:2])), *also)


def _raised(game: Any, problem: BaseException, package: str) -> Finding:
    """An exception out of the game's own code, or out of its compilation."""
    from kibitz.core.contract import ANY, BOUNDS, CONTRACT, provided_at

    fault = fault_of(problem, package)
    frames = traceback.extract_tb(problem.__traceback__)
    calls = [kernel for frame in reversed(frames) for kernel in _called(frame.filename, frame.lineno or 0)]
    calls += [frame.name for frame in reversed(frames) if frame.name in CONTRACT]
    kernel = calls[0] if calls else ""
    if not fault.file and game is not None and kernel:
        fault = Fault(fault.what, *provided_at(game, kernel))
    if game is None:
        rule, doing = "the modules of a game can be imported and provide what core/game.py asks for", "making the game"
    else:
        is_index = isinstance(problem, IndexError)
        rule = BOUNDS.format_map(_sizes(game)) if is_index else f"{ANY}; {CONTRACT.get(kernel, '')}".rstrip("; ")
        doing = _doing(problem.__traceback__)
    return Finding(fault, doing, rule)


def _sizes(game: Any) -> dict[str, int]:
    return {name: int(getattr(game, name)) for name in ("SIZE", "ACTIONS", "SENSES", "PLAYERS")}


def _doing(trace: TracebackType | None) -> str:
    """What the innermost check was about, from its docstring, and where in which game it was."""
    from kibitz.core import conformance

    doing = ""
    for frame, _ in traceback.walk_tb(trace):
        code = frame.f_code
        check = getattr(conformance, code.co_name, None)
        if code.co_filename != conformance.__file__ or "check" not in code.co_name or check is None:
            continue
        about = (check.__doc__ or "").strip().split("\n\n")[0]
        place = frame.f_locals.get("where") or (
            f"game {frame.f_locals['number']}" if "number" in frame.f_locals else ""
        )
        doing = f"checking: {' '.join(about.split())}" + (f" ({place})" if place else "")
    return doing
