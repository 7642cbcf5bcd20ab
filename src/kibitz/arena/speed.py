"""How fast this checkout is beside another commit of it: the same benchmarks, turn about, each side with its own cache.

A machine is never the same twice, so the two run alternately and each round gives one ratio; their median and spread
are told. A benchmark is a script with `rates()`: pairs of a name and a rate, where more is better; it may have PARTS,
functions by name that give some of them. On a busy machine the clock may be that of the process: then others cost
nothing, and only what runs in one process can be compared.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kibitz.core.errors import BadInput
from kibitz.core.plain_text import one_line

NOTICEABLE = 0.05
"""A ratio further than this from 1 is marked."""
RUN = """
import importlib.util, json, sys, time
_, script, part, answer, clock = sys.argv
if clock == "cpu":
    time.perf_counter = time.process_time
sys.argv = [script]
spec = importlib.util.spec_from_file_location("benchmark", script)
module = sys.modules["benchmark"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
measure = getattr(module, "PARTS", {}).get(part) or module.rates
found = {name: float(rate) for name, rate in dict(measure()).items()}
where = getattr(sys.modules.get("kibitz"), "__file__", None)
with open(answer, "w") as file:
    json.dump({"rates": found, "kibitz": where}, file)
"""
LONGEST_REASON = 200
Say = Callable[[str], None]
Rates = tuple[dict[str, float], dict[str, float]]
"""Of the old side and of the new one, in one round."""


class Failed(Exception):
    """A benchmark did not run to its end."""


@dataclass(frozen=True)
class Side:
    """One of the two: a tree of sources and the environment that finds it first."""

    name: str
    tree: Path
    environment: Mapping[str, str]
    clock: str

    def rates(self, script: Path, part: str = "") -> dict[str, float]:
        """One run of a benchmark, or of a part if it has it, in a process of its own."""
        with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
            answer = Path(folder, "answer")
            words = [sys.executable, "-P", "-c", RUN, str(script), part, str(answer), self.clock]
            env = {**os.environ, **self.environment}
            done = subprocess.run(words, env=env, cwd=self.tree, capture_output=True, text=True, errors="replace")
            if done.returncode or not answer.exists():
                last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
                raise Failed(one_line(last)[:LONGEST_REASON])
            found = json.loads(answer.read_text())
        where = found["kibitz"]
        if where and not Path(where).resolve().is_relative_to(self.tree.resolve()):
            raise BadInput(f"{self.name} would be measured with the kibitz of {where}: its sources must be in src/")
        rates: dict[str, float] = found["rates"]
        return rates


class Ratio(NamedTuple):
    """One rate of both sides: medians, and the ratio of new to old in each round."""

    name: str
    old: float
    new: float
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rounds' ratios."""
        return statistics.median(self.rounds)

    @property
    def mark(self) -> str:
        """`faster` or `slower` beyond what is noticeable, with a question mark if a round says otherwise."""
        if abs(self.median - 1) <= NOTICEABLE:
            return ""
        is_clear = min(self.rounds) > 1 or max(self.rounds) < 1
        return ("faster" if self.median > 1 else "slower") + ("" if is_clear else "?")

    def as_json(self) -> dict[str, object]:
        """The ratio as plain data."""
        found = {"name": self.name, "old": self.old, "new": self.new, "ratio": self.median, "mark": self.mark}
        return {**found, "least": min(self.rounds), "most": max(self.rounds), "rounds": list(self.rounds)}


def against(
    names: Sequence[str], folder: Path, commit: str, rounds: int, say: Say, *, by_cpu: bool = False
) -> Iterator[Ratio]:
    """The rates of these benchmarks (NAME or NAME.PART) here, beside those of a commit of the same repository."""
    clock = "cpu" if by_cpu else "wall"
    with _worktree(folder, commit, clock) as old:
        root = _git(folder, "rev-parse", "--show-toplevel")
        new = Side("this checkout", Path(root), _paths(Path(root)), clock)
        is_any = False
        for name in names:
            script = (folder / f"{name.partition('.')[0]}.py").resolve()
            found = _benchmark(name, script, old, new, rounds, say)
            is_any = is_any or bool(found)
            yield from found
        if not is_any:
            raise BadInput(f"nothing could be compared with {commit}")


def _benchmark(title: str, script: Path, old: Side, new: Side, rounds: int, say: Say) -> list[Ratio]:
    """One benchmark; what cannot be compared is said and left out."""
    name, _, part = title.partition(".")
    say(f"{title}: compiling and warming up {new.name} ...")
    try:
        wanted = new.rates(script, part).keys()
    except Failed as problem:
        say(f"{title} does not run here: {problem}")
        return []
    say(f"{title}: compiling and warming up {old.name}, whose cache is empty ...")
    theirs = _script_for(name, part, script, old, say)
    if theirs is None:
        return []
    runs: list[Rates] = []
    took = ""
    for number in range(rounds):
        say(f"{title}: round {number + 1} of {rounds}{took} ...")
        start = time.monotonic()
        try:
            earlier, later = _round(old, theirs, new, script, part, number)
        except Failed as problem:
            say(f"{title} is left out: it ran before but not in round {number + 1} ({problem})")
            return []
        if part:  # a script from before it had parts gives everything
            earlier = {key: rate for key, rate in earlier.items() if key in wanted}
        runs.append((earlier, later))
        took = f" (the last took {time.monotonic() - start:.0f} s)"
    return list(_ratios(name, runs, old.name, say))


def _round(old: Side, theirs: Path, new: Side, ours: Path, part: str, number: int) -> Rates:
    """Both sides once; who goes first changes from round to round."""
    if number % 2:
        later = new.rates(ours, part)
        return old.rates(theirs, part), later
    earlier = old.rates(theirs, part)
    return earlier, new.rates(ours, part)


def _script_for(name: str, part: str, script: Path, old: Side, say: Say) -> Path | None:
    """The script that measures the old side: today's, so that both do the same, or else its own."""
    own = old.tree / script.parent.name / script.name
    try:
        old.rates(script, part)
        return script
    except Failed as problem:
        why = str(problem)
    if not own.exists():
        say(f"{name} is left out: {old.name} has no such benchmark, and today's does not run there ({why})")
        return None
    try:
        old.rates(own, part)
    except Failed as problem:
        say(
            f"{name} is left out: today's script does not run at {old.name} ({why}), nor does its own give rates "
            f"({problem})"
        )
        return None
    say(f"{name}: {old.name} is measured by its own script, as today's does not run there ({why})")
    return own


def _ratios(name: str, runs: Sequence[Rates], old: str, say: Say) -> Iterator[Ratio]:
    earlier, later = runs[0]
    for one, side in ((later.keys() - earlier.keys(), "this checkout"), (earlier.keys() - later.keys(), old)):
        if one:
            say(f"{name}: only {side} has {', '.join(sorted(one))}")
    for key in [key for key in earlier if key in later]:
        olds, news = [a[key] for a, _ in runs], [b[key] for _, b in runs]
        rounds = tuple(after / before for before, after in zip(olds, news, strict=True) if before > 0)
        if rounds:
            yield Ratio(f"{name}: {key}", statistics.median(olds), statistics.median(news), rounds)


@contextmanager
def _worktree(folder: Path, commit: str, clock: str) -> Iterator[Side]:
    """A checkout of a commit beside an empty cache, in a temporary folder that is gone afterwards."""
    root = _git(folder, "rev-parse", "--show-toplevel")
    try:
        found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    except BadInput:
        raise BadInput(
            f"there is no commit {commit} in {root}: name one as git does (a hash, a branch, HEAD~3)"
        ) from None
    home = Path(tempfile.mkdtemp(prefix="kibitz-bench-"))
    tree = home / "tree"
    try:
        _git(folder, "worktree", "add", "--quiet", "--detach", str(tree), found)
        (home / "cache").mkdir(mode=0o700)
        yield Side(found[:10], tree, {**_paths(tree), "KIBITZ_CACHE": str(home / "cache")}, clock)
    finally:
        shutil.rmtree(home, ignore_errors=True)
        with suppress(BadInput):
            _git(folder, "worktree", "prune")


def _paths(tree: Path) -> dict[str, str]:
    """PYTHONPATH with the sources of a tree before all others."""
    before = os.environ.get("PYTHONPATH", "")
    return {"PYTHONPATH": os.pathsep.join([str(tree / "src"), *([before] if before else [])])}


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
    except FileNotFoundError:
        raise BadInput("git is not installed: --against needs it to check out the other commit") from None
    if done.returncode:
        said = one_line(done.stderr).removeprefix("fatal: ") or "it gave no reason"
        raise BadInput(f"git {words[0]} failed in {folder}: {said[:LONGEST_REASON]}")
    return done.stdout.strip()
