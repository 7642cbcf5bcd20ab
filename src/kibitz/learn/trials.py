"""Training runs side by side: here one after the other, or each on some other machine,
with its folder sent there and back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kibitz.core.files import LOCK, is_part, whole_file
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.shipped import files_named
from kibitz.core.work import Executor
from kibitz.learn.model import Card, read_card
from kibitz.learn.run import Plan, train

Files = dict[str, bytes]
"""What a folder holds, by name."""


@dataclass(frozen=True)
class Run:
    """A run with what its folder held before."""

    plan: Plan
    folder: Path
    files: Files

    @property
    def reads(self) -> list[str]:
        """The files that rivals and baselines are read from."""
        return [name for spec in (*self.plan.seating.rivals, *self.plan.baselines) for name in files_named(spec)]


def trained(
    plans: Sequence[Plan],
    folders: Sequence[Path],
    make_bot: Callable[[Game, str], Bot],
    executor: Executor | None = None,
) -> Iterator[Card]:
    """The cards of runs, each trained in its folder; a run that was begun there goes on."""
    if executor is None:
        for plan, folder in zip(plans, folders, strict=True):
            yield train(plan, folder, make_bot)
        return
    runs = [Run(plan, folder, _held(folder)) for plan, folder in zip(plans, folders, strict=True)]
    for run, _ in zip(runs, executor.run(partial(train_run, make_bot), runs, _keep), strict=True):
        yield read_card(run.folder)


def train_run(make_bot: Callable[[Game, str], Bot], run: Run) -> Files:
    """Train a run in a folder of this machine, and give what is in it at the end."""
    with tempfile.TemporaryDirectory(prefix="kibitz-") as made:
        folder = Path(made) / run.folder.name
        _fill(folder, run.files)
        train(run.plan, folder, make_bot)
        return _held(folder)


def _keep(run: Run, files: Files) -> None:
    _fill(run.folder, files)


def _fill(folder: Path, files: Files) -> None:
    for name, content in files.items():
        with whole_file(folder / name) as file:
            file.write(content)


def _held(folder: Path) -> Files:
    if not folder.is_dir():
        return {}
    names = [
        path for path in sorted(folder.iterdir()) if path.is_file() and path.name != LOCK and not is_part(path.name)
    ]
    return {path.name: path.read_bytes() for path in names}
