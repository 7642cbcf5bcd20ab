"""What matches and tournaments ask for in the same way, and how they name bots that failed."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.scoresheet import Spoiled
from kibitz.bots import meant
from kibitz.cli.shown import tell
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.shipped import note_on

SOME_FAILED = 1
"""Exit code when everything was played but bots failed in some games."""
MOST_TOLD = 20

Seatings = Annotated[
    str | None,
    typer.Option(help="each, teams, soloist, four, six or eight; without it, what fits the game."),
]
Batched = Annotated[int, typer.Option(min=1, max=1 << 20, help="Games side by side where bots are not compiled.")]
ShardDeals = Annotated[int | None, typer.Option(min=1, help="Deals in a piece of work; results do not depend on it.")]
MoveTime = Annotated[float | None, typer.Option(help="Seconds a bot that is not compiled may take for a move.")]
Records = Annotated[Path | None, typer.Option(help="Write every game to this file, one per line.")]
Csv = Annotated[bool, typer.Option("--csv", help="A table as comma-separated values on stdout and nothing else.")]


def asked_bots(game: Game, text: str) -> list[str]:
    """The bots of a list separated by commas, by the names they have in a game."""
    found = [meant(game, part.strip()) for part in text.split(",") if part.strip()]
    for note in filter(None, (note_on(game, spec) for side in found for spec in side.split("+"))):
        tell(f"note: {note}", sys.stderr)
    return found


def asked_time(seconds: float | None) -> float | None:
    """A time for a move."""
    if seconds is not None and not 0 < seconds < 1e6:
        raise BadInput(f"--move-time {seconds:g} is not possible: a number of seconds above 0 is")
    return seconds


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Rows of the same keys as comma-separated values on stdout."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def report_failures(spoiled: Sequence[Spoiled]) -> None:
    """Name on stderr every bot that failed, with its game and record, and leave with an exit code other than 0."""
    if not spoiled:
        return
    for one in spoiled[:MOST_TOLD]:
        failure = one.failure
        tell(
            f"kibitz: game {one.game} (deal {failure.number}, seating {one.seating}): {failure.bot} in seat "
            f"{failure.seat} {failure.reason} at move {failure.move}; record {failure.record.line()}",
            sys.stderr,
        )
    if len(spoiled) > MOST_TOLD:
        print(f"kibitz: and {len(spoiled) - MOST_TOLD} more; --json names them all", file=sys.stderr)
    print(f"kibitz: bots failed in {len(spoiled)} games; deals in which that happened do not count", file=sys.stderr)
    raise typer.Exit(SOME_FAILED)
