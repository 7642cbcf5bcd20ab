"""What several verbs ask for in the same way: a game with options, a seed, progress, JSON."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import Game, make
from kibitz.core.plain_text import json_text
from kibitz.core.rng import MOST_SEED

GameName = Annotated[str, typer.Argument(help="A game, see `kibitz games`.", metavar="GAME")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="An option of the game: key=value; may be repeated.")]
Seed = Annotated[int, typer.Option(help="Where the luck comes from: the same seed gives the same games.")]
Threads = Annotated[int, typer.Option(help="Threads to use; results do not depend on it.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout and nothing else.")]

MOST_THREADS = 256
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def asked_game(name: str, settings: Sequence[str] | None) -> Game:
    """The game that somebody asked for on the command line."""
    return make(name, **asked_options(settings))


def asked_options(settings: Sequence[str] | None) -> dict[str, str]:
    """The options of a game from key=value."""
    return asked_pairs("set", settings)


def asked_pairs(name: str, texts: Sequence[str] | None) -> dict[str, str]:
    """What an option that may be repeated says, each time key=value."""
    pairs: dict[str, str] = {}
    for text in texts or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"--{name} {text} is not possible: write --{name} key=value")
        pairs[key.strip()] = value.strip()
    return pairs


def asked_number(name: str, value: int, least: int, most: int) -> int:
    """A number within bounds."""
    if not least <= value <= most:
        raise BadInput(f"--{name} {value} is not possible: a whole number from {least} to {most} is")
    return value


def asked_seed(value: int) -> int:
    """A seed within bounds."""
    return asked_number("seed", value, 0, MOST_SEED)


def asked_duration(name: str, text: str) -> float:
    """Seconds from 90, 90s, 30m or 2h."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if not found or not 0 < float(found[1]) <= 1e8:
        raise BadInput(f"--{name} {text} is not possible: write 90s, 30m or 2h")
    return float(found[1]) * UNITS[found[2]]


def print_json(thing: Any) -> None:
    """One JSON object on stdout, in ASCII where stdout knows no more."""
    text = json_text(thing)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json_text(thing, ascii_only=True)
    print(text)


class ProgressLines:
    """Says how far something is where nobody sees a bar, as in a file: a line now and then, the longer it takes the
    more seldom."""

    FIRST, LAST = 10.0, 300.0
    """Seconds before the first line, and at most between two of them."""

    def __init__(
        self, what: str, total: float | None, say: Callable[[str], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        self.what, self.total, self.say, self.now = what, total, say, now
        self.done, self.start = 0.0, now()
        self.due = self.start + self.FIRST

    def __call__(self, more: float) -> None:
        """So much more is done."""
        self.done += more
        now = self.now()
        if now < self.due or self.done == self.total:
            return
        taken = now - self.start
        self.due = now + min(max(taken, self.FIRST), self.LAST)
        if not self.total or not self.done:
            self.say(f"{self.what}: {self.done:,.0f} after {lasted(taken)}")
            return
        left = taken * (self.total - self.done) / self.done
        self.say(f"{self.what}: {self.done:,.0f} of {self.total:,.0f} after {lasted(taken)}, about {lasted(left)} left")


def lasted(seconds: float) -> str:
    """A time as people say it: 40 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def bar(what: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """A progress bar on stderr with rate and time left; gives a function that takes how much more is done."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    from kibitz.cli.shown import Paper

    console = Paper(sys.stderr)
    if not console.is_terminal:
        console.print(f"{what} ...")
        yield ProgressLines(what, total, console.print)
        return
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total, rate="")

        def advance(more: float) -> None:
            progress.advance(task, more)
            speed = progress.tasks[0].speed
            progress.update(task, rate=f"{speed:,.0f}/s" if speed else "")

        yield advance
