"""Experiments: registered beside their paper, found by name or prefix, run at a quick or a full scale.

@experiment("kuhn.value", paper="Kuhn, Simplified Two-Person Poker (1950)", about="the value of the game", minutes=1)
def value(scale: Scale) -> Result:
    iterations = scale.pick(quick=1_000, full=100_000)
    ...
    return Result("Value of Kuhn poker", tables=[Table("Value", ["", "published", "ours", "verdict"], rows)])
"""

from __future__ import annotations

import difflib
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from kibitz import papers
from kibitz.arena.parts import Part
from kibitz.core.arrays import Arrays
from kibitz.core.errors import BadInput, KibitzError, UnknownExperiment
from kibitz.core.work import Executor, Serial
from kibitz.papers.listed import LISTED
from kibitz.papers.origin import commit, machine, today, versions
from kibitz.papers.pieces import Asked, Bookmark, OthersTurn, Pieces, check_work, plain, timed
from kibitz.papers.result import Cell, Claim, Figure, Published, Result, Table, Verdict, save, verdict

__all__ = [
    "Asked", "Bookmark", "Cell", "Claim", "Experiment", "Figure", "OthersTurn", "Progress", "Published", "Result",
    "Scale", "Share", "Table", "Verdict",
    "experiment", "find", "names", "progress_bar", "run_experiment", "silent", "verdict",
    "versions",
]  # fmt: skip

Item = TypeVar("Item")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and out of how much."""


def silent(what: str, done: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class Scale:
    """How large an experiment is run, from which seed, and who is told how far it is."""

    name: str = "quick"
    seed: int = 1
    threads: int = 1
    progress: Progress = silent
    pieces: Pieces | None = None
    """Where finished pieces are kept; None keeps nothing."""
    executor: Executor | None = None
    """Who computes pieces that do not depend on each other; None computes them here."""
    given: tuple[tuple[str, str], ...] = ()
    """What a user gives an experiment instead of its own: a name (`inference`, `records`) and a path each."""

    def __post_init__(self) -> None:
        if self.name not in ("quick", "full"):
            raise BadInput(f"there is no scale {self.name!r}: it is quick or full")

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels to whoever computes a piece: nobody there is told how far it is, or keeps anything."""
        return Scale, (self.name, self.seed, self.threads, silent, None, None, self.given)

    def pick(self, *, quick: Item, full: Item) -> Item:
        """Return the value for this scale."""
        return quick if self.name == "quick" else full

    def track(self, items: Sequence[Item], what: str, first: int = 0) -> Iterator[Item]:
        """Go through the items and report progress; the first so many were done before and are left out."""
        for done, item in enumerate(items[first:], first):
            self.progress(what, done, len(items))
            yield item
        self.progress(what, len(items), len(items))

    def piece(
        self, name: str, settings: Any, compute: Callable[[], Any], reads: Iterable[Path] = (), of: str = ""
    ) -> Any:
        """What `compute` gives, as plain data (lists, dicts, numbers), from the work folder if it was kept there.

        The settings are all that it depends on beside the seed; `reads` are the models and tables that it reads. Pieces
        that several experiments share say so with a name of their own, `of`, which is changed when their meaning
        changes, as editions of experiments do not touch them.
        """
        return self.pieces.piece(name, settings, compute, reads, of) if self.pieces else plain(compute())

    def each(self, asked: Sequence[Asked], what: str, of: str = "") -> list[Any]:
        """The values of pieces that do not depend on each other, in order;
        on a cluster they are computed side by side."""
        hands = self.executor or Serial()

        def tell(done: int) -> None:
            self.progress(what, done, len(asked))

        if self.pieces:
            return self.pieces.each(asked, hands, of, tell)
        values = []
        for value, _ in hands.run(timed, asked):
            values.append(value)
            tell(len(values))
        return values

    def long_piece(
        self, name: str, settings: Any, compute: Callable[[Bookmark], Any], reads: Iterable[Path] = (), of: str = ""
    ) -> Any:
        """The same, for what takes longer than half a minute: it puts its state aside with the bookmark it is given."""
        return self.pieces.long_piece(name, settings, compute, reads, of) if self.pieces else plain(compute(Bookmark()))

    def arrays(self, name: str, settings: Any, compute: Callable[[Bookmark], Arrays], of: str = "") -> Arrays:
        """A long piece whose value is arrays."""
        return self.pieces.arrays(name, settings, compute, of) if self.pieces else compute(Bookmark())


@dataclass(frozen=True)
class Share:
    """Which pieces of an experiment are computed here: those of a part, none (join), or all."""

    part: Part | None = None
    place: int = 0
    """Of the experiment among those that are run."""
    join: bool = False


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show one bar per kind of work on the terminal's error stream while the block runs."""
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    tasks: dict[str, TaskID] = {}
    with Bars(console=Console(stderr=True), transient=True) as bars:

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what)
            bars.update(tasks[what], completed=done, total=total)

        yield show


Run = Callable[[Scale], Result]


@dataclass(frozen=True)
class Experiment:
    """One table or claim of a paper and the function that computes it again."""

    name: str
    paper: str
    about: str
    minutes: float
    """Rough time at full scale on one core."""
    run: Run
    edition: int = 1
    """Raised by hand when what the experiment computes changes its meaning:
    pieces and kept results of earlier editions are not used."""
    published: str = ""
    """What the paper prints of it, in a few words."""
    takes: tuple[str, ...] = ()
    """What a user may give it instead of its own."""


_registered: dict[str, Experiment] = {}


def experiment(
    name: str, paper: str = "", about: str = "", minutes: float = 0.0, edition: int = 1, published: str = "",
    takes: tuple[str, ...] = (),
) -> Callable[[Run], Run]:  # fmt: skip
    """Register the function below as an experiment; the name becomes a file name and is found by its prefixes.

    What is not said here stands in the list of all experiments (`papers/listed.py`).
    """
    if not re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", name):
        raise BadInput(f"{name!r} cannot name an experiment: write paper.experiment in lower case")

    def register(run: Run) -> Run:
        known = _registered.get(name)
        if known and (known.run.__module__, known.run.__qualname__) != (run.__module__, run.__qualname__):
            raise BadInput(f"{name} is already registered by {known.run.__module__}: choose another name")
        _registered[name] = Experiment(name, paper, about, minutes, run, edition, published, takes)
        for cite, own in LISTED.items():
            if name in own:
                line = own[name]
                told = (line.about, line.minutes, run, line.edition, line.published, takes)
                _registered[name] = Experiment(name, cite, *told)
        return run

    return register


def names() -> list[str]:
    """Return the names of all experiments, in alphabetical order."""
    for module in papers.PAPERS:
        import_module(f"kibitz.papers.{module}")
    return sorted(_registered)


def find(name: str) -> list[Experiment]:
    """Return the experiment of this name, or all whose name begins with it and a dot."""
    known = names()
    found = [_registered[each] for each in known if each == name or each.startswith(f"{name}.")]
    if found:
        return found
    prefixes = {each[:end] for each in known for end, letter in enumerate(each) if letter == "."}
    near = difflib.get_close_matches(name, [*known, *sorted(prefixes)], n=1, cutoff=0.5)
    advice = f"did you mean {near[0]}?" if near else f"choose from {', '.join(sorted(prefixes))}"
    raise UnknownExperiment(f"there is no experiment {name!r}: {advice}")


def run_experiment(
    name: str, scale: Scale, folder: Path | str, work: Path | None = None, share: Share | None = None
) -> Result:
    """Run one experiment and write its result to `<folder>/<name>.json`.

    With a work folder, pieces that were finished there before are not computed again; the seconds of the result count
    them. With a share, other parts' pieces must be there; OthersTurn if they are not.
    """
    found = find(name)
    if len(found) > 1:
        raise UnknownExperiment(f"{name} stands for {', '.join(one.name for one in found)}: run one at a time")
    asked = found[0]
    _check_writable(Path(folder))
    if work is not None:
        check_work(work)
        mine = share or Share()
        kept = Pieces(work, asked.name, asked.edition, scale.name, scale.seed, mine.part, mine.place, mine.join)
        scale = replace(scale, pieces=kept)
    started, worked = time.perf_counter(), time.process_time()
    made = asked.run(scale)
    before = scale.pieces.before if scale.pieces else 0.0
    result = replace(
        made,
        name=asked.name,
        paper=asked.paper,
        about=asked.about,
        scale=scale.name,
        command=_command(asked.name, scale),
        seed=scale.seed,
        threads=scale.threads,
        seconds=round(before + time.perf_counter() - started, 3),
        versions=versions(),
        edition=asked.edition,
        date=today(),
        commits=list(dict.fromkeys([commit(), *(scale.pieces.commits if scale.pieces else ())])),
        machine=machine(),
        cpu_seconds=round(time.process_time() - worked, 3),
    )
    save(result, Path(folder))
    return result


def _command(name: str, scale: Scale) -> str:
    """Return the command line that computes the same numbers again."""
    given = "".join(f" --{option} {path}" for option, path in scale.given)
    return f"kibitz reproduce {name}{scale.pick(quick=' --quick', full='')} --seed {scale.seed}{given}"


def _check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written before hours are spent on what should go into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"cannot make the folder {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise KibitzError(f"cannot write into the folder {folder}: permission denied")
