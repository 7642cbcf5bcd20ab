"""How far several experiments are that run side by side:
each writes it to a small file, one line shows each of them."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.arena.executor import executor
from kibitz.papers.experiment import OthersTurn, Result, Scale, Share, run_experiment

LOOK = 0.5
"""Seconds between two looks at the files, and at least between two reports of an experiment."""


@dataclass
class Report:
    """Writes an experiment's progress to a file; nothing depends on it, so it is not flushed to the disk."""

    path: Path
    last: float = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Called as any Progress is."""
        now = time.monotonic()
        if now - self.last < LOOK and done < total:
            return
        self.last = now
        part = self.path.with_suffix(".part")
        with suppress(OSError):
            part.write_text(json.dumps([what, done, total]), encoding="utf-8")
            os.replace(part, self.path)


def run_reported(
    asked: tuple[str, Share], scale: Scale, folder: Path, work: Path | None, board: Path, cluster: str | None = None
) -> Result | str:
    """Run one experiment in a process of its own, telling how far it is;
    a word instead of a result if others must go on."""
    name, share = asked
    report = Report(board / f"{name}.json")
    report("getting ready", 0, 1)
    hands = executor(1, cluster) if cluster else None
    try:
        return run_experiment(name, replace(scale, progress=report, executor=hands), folder, work, share)
    except OthersTurn as turn:
        return f"{name}: {turn}"
    finally:
        with suppress(OSError):
            report.path.unlink()


@contextmanager
def lines(console: Any) -> Iterator[Path]:
    """A folder for the reports; while the block runs, a terminal shows a line per running experiment:
    rate, time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    over = threading.Event()
    with tempfile.TemporaryDirectory(prefix="kibitz-") as made, Progress(*columns, console=console) as bars:
        board = Path(made)
        show = Lines(board, bars)

        def watch() -> None:
            while not over.wait(LOOK):
                show.look()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield board
        finally:
            over.set()
            watcher.join()
            show.look()
            for task in bars.task_ids:
                bars.remove_task(task)


class Lines:
    """The lines of the experiments whose files are there."""

    def __init__(self, board: Path, bars: Any) -> None:
        self.board, self.bars = board, bars
        self.tasks: dict[str, tuple[str, Any]] = {}
        """Per experiment, what it is doing and the line of that: a new kind of work has a rate of its own."""

    def look(self) -> None:
        """Read all files once."""
        found = {path.stem: path for path in self.board.glob("*.json")}
        for name in [name for name in self.tasks if name not in found]:
            self.bars.remove_task(self.tasks.pop(name)[1])
        for name, path in sorted(found.items()):
            with suppress(OSError, ValueError):
                what, done, total = json.loads(path.read_bytes())
                self._show(name, what, done, total)

    def _show(self, name: str, what: str, done: int, total: int) -> None:
        held = self.tasks.get(name)
        if held is None or held[0] != what:
            if held is not None:
                self.bars.remove_task(held[1])
            task = self.bars.add_task(f"{name}: {what}", total=total, completed=done, rate="")
            held = self.tasks[name] = (what, task)
        self.bars.update(held[1], completed=done, total=total)
        speed = next(task.speed for task in self.bars.tasks if task.id == held[1])
        self.bars.update(held[1], rate=rate_of(speed))


def rate_of(speed: float | None) -> str:
    """A rate in words: per second, per minute where that is less than one, per hour if need be."""
    if not speed:
        return ""
    for unit, seconds in (("s", 1), ("min", 60)):
        if speed * seconds >= 1:
            return f"{speed * seconds:,.3g}/{unit}"
    return f"{speed * 3600:,.3g}/h"
