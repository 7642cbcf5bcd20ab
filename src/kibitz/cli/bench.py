"""`kibitz bench`: speed, as ratios to other libraries measured in the same run, or to another commit."""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from kibitz.arena.speed import NOTICEABLE, Ratio, against
from kibitz.cli.arguments import Json, asked_number, print_json
from kibitz.cli.shown import Paper, tell
from kibitz.core.errors import BadInput

MOST_ROUNDS = 1000
WIDE = 200
"""Columns where no terminal sets a limit: figures are told whole."""


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Benchmarks; all by default. NAME.PART with --against.", metavar="[NAMES]"),
    ] = None,
    folder: Annotated[Path, typer.Option(help="The folder of benchmark scripts.")] = Path("benchmarks"),
    commit: Annotated[
        str | None, typer.Option("--against", help="Compare with this commit, the two by turns.", metavar="COMMIT")
    ] = None,
    rounds: Annotated[int, typer.Option(help="How often each side runs, with --against.")] = 5,
    by_cpu: Annotated[bool, typer.Option("--cpu", help="Count processor time, on a busy machine.")] = False,
    as_json: Json = False,
) -> None:
    """Run the benchmarks of a source checkout, or compare its speed with that of another commit.

    Example: kibitz bench games search --against HEAD~1
    """
    scripts = {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}
    if not scripts:
        raise BadInput(f"there are no benchmarks in {folder}: run this in a checkout of kibitz, or name --folder")
    for title in names or scripts:
        name, _, part = title.partition(".")
        if name not in scripts:
            raise BadInput(f"there is no benchmark {name}: there are {', '.join(scripts)}")
        if part and commit is None:
            raise BadInput(f"{title} goes with --against COMMIT: without it {name} runs as a whole")
        if part and part not in _parts(scripts[name]):
            parts = ", ".join(_parts(scripts[name])) or "none"
            raise BadInput(f"{name} has no part {part}: its parts are {parts}")
    if commit is not None:
        _compare(
            list(names or scripts), folder, commit, asked_number("rounds", rounds, 1, MOST_ROUNDS), by_cpu, as_json
        )
        return
    if by_cpu:
        raise BadInput("--cpu goes with --against COMMIT")
    if as_json:
        raise BadInput("--json goes with --against COMMIT")
    for name in names or scripts:
        sys.argv = [str(scripts[name])]
        runpy.run_path(str(scripts[name]), run_name="__main__")


def _parts(script: Path) -> list[str]:
    """The parts that a benchmark says it has, read without running it."""
    for node in ast.parse(script.read_text()).body:
        names = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(name, ast.Name) and name.id == "PARTS" for name in names):
            return [key.value for key in ast.walk(node) if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return []


def _compare(names: Sequence[str], folder: Path, commit: str, rounds: int, by_cpu: bool, as_json: bool) -> None:
    found = list(against(names, folder, commit, rounds, lambda text: tell(text, sys.stderr), by_cpu=by_cpu))
    if as_json:
        print_json({"against": commit, "rounds": rounds, "rates": [ratio.as_json() for ratio in found]})
    else:
        _show(found, commit)


def _show(found: Sequence[Ratio], commit: str) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("per second", commit, "here", "ratio", "least to most", ""):
        is_text = column in ("per second", "")
        table.add_column(column, justify="left" if is_text else "right", no_wrap=column != "per second")
    for ratio in found:
        spread = f"{min(ratio.rounds):.3f} to {max(ratio.rounds):.3f}"
        rates = f"{ratio.old:,.1f}", f"{ratio.new:,.1f}"
        table.add_row(ratio.name, *rates, f"{ratio.median:.3f}", spread, ratio.mark)
    console = Paper()
    if not console.is_terminal:
        console.width = WIDE
    console.print(table)
    rounds = len(found[0].rounds)
    console.print(
        f"\nratio: the median of {rounds} rounds, here over {commit}; marked beyond {NOTICEABLE:.0%}, "
        "with ? if not every round agrees"
    )
