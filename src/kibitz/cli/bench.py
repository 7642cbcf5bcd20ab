"""`kibitz bench`: speed, as ratios to other libraries measured in the same run."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.core.errors import BadInput


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Benchmarks; all by default.", metavar="[NAMES]")] = None,
    folder: Annotated[Path, typer.Option(help="The folder of benchmark scripts.")] = Path("benchmarks"),
) -> None:
    """Run the benchmarks of a source checkout.

    Example: kibitz bench poker
    """
    scripts = {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}
    if not scripts:
        raise BadInput(f"there are no benchmarks in {folder}: run this in a checkout of kibitz, or name --folder")
    for name in names or scripts:
        if name not in scripts:
            raise BadInput(f"there is no benchmark {name}: there are {', '.join(scripts)}")
        sys.argv = [str(scripts[name])]
        runpy.run_path(str(scripts[name]), run_name="__main__")
