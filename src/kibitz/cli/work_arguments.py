"""How verbs ask who does the work: processes, a cluster, parts by hand; and what it would cost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import print_json
from kibitz.core.errors import BadInput

if TYPE_CHECKING:
    from kibitz.arena.cost import Cost
    from kibitz.arena.parts import Part, Shelf
    from kibitz.core.work import Executor

ProcessCount = Annotated[int, typer.Option(min=1, max=256, help="Processes to use; results do not depend on it.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", help="A Ray cluster: HOST:PORT, auto for this machine's, local for a new one here."),
]
PartOf = Annotated[
    str | None, typer.Option("--part", help="Do every N-th piece alone, I/N: for several machines without a cluster.")
]
Join = Annotated[bool, typer.Option("--join", help="Make the result from pieces that parts have done; do none here.")]
Shards = Annotated[
    Path | None,
    typer.Option("--shards", help="Keep finished pieces in this folder, to go on from or to bring together."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would cost, from a timed sample, and stop.")]


def asked_part(
    part: str | None, join: bool, folder: Path | None, needs: str = "--shards FOLDER", cluster: str | None = None
) -> Part | None:
    """A part that somebody asked for, once it is known where its pieces go."""
    from kibitz.arena.parts import part_of

    if part is None and not join:
        return None
    if part is not None and join:
        raise BadInput("--part and --join exclude each other: do all parts first, then join them")
    if folder is None:
        raise BadInput(f"{'--join' if join else '--part'} needs {needs}: that is where the pieces are kept")
    if cluster is not None:
        raise BadInput("--cluster shares the work by itself: leave out --part and --join")
    return part_of(part) if part is not None else None


def do_part(
    work: Callable[[Any], Any], pieces: Sequence[Any], part: Part, shelf: Shelf[Any, Any], executor: Executor,
    advance: Callable[[float], None], as_json: bool,
) -> None:  # fmt: skip
    """Do a part and say so."""
    from kibitz.arena.parts import do_part as run

    done, own = run(work, pieces, part, shelf, executor, lambda piece: advance(piece.count))
    if as_json:
        print_json({"part": str(part), "pieces": own, "done_now": done, "of": len(pieces), "folder": str(shelf.folder)})
    else:
        print(f"part {part}: {own} of {len(pieces)} pieces, {done} of them done now, are in {shelf.folder}")
        print("when all parts are done, the same command with --join in place of --part makes the result")


def show_cost(estimate: Callable[[], Cost], as_json: bool) -> None:
    """Print what work would take."""
    print("timing a sample; the first one of a game compiles it ...", file=sys.stderr)
    cost = estimate()
    if as_json:
        print_json(cost.as_json())
    else:
        print("\n".join(cost.lines()))
