"""`kibitz policy`: what a tabular policy does, information set by information set, in words."""

from __future__ import annotations

import csv
import io
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.arguments import Json, Seed, asked_number, asked_seed, print_json
from kibitz.core.files import check_writable, whole_file

if TYPE_CHECKING:
    from kibitz.tabular.policy_words import Row

MOST_GAMES = 10**6


def policy(
    file: Annotated[str, typer.Argument(help="A file that `kibitz solve --out` wrote, or a shipped table.")],
    seat: Annotated[int | None, typer.Option(help="Only what this seat does.")] = None,
    most: Annotated[int, typer.Option(help="Show so many information sets.")] = 50,
    games: Annotated[
        int, typer.Option(help="Where a game is too large to list: play so many, and show what was met.")
    ] = 1000,
    seed: Seed = 1,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write all of them to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Read a policy: what the seat knows, and how likely it takes each action.

    Example: kibitz policy kuhn.npz
    """
    from kibitz.core.game import make
    from kibitz.core.shipped import found_model
    from kibitz.tabular.policy_words import rows
    from kibitz.tabular.table import load

    asked_number("most", most, 1, 10**9)
    asked_number("games", games, 1, MOST_GAMES)
    path = found_model(file, ".npz")
    about = load(path).about
    game = make(about["game"], **about["options"])
    table = load(path, game)
    if seat is not None:
        asked_number("seat", seat, 0, game.PLAYERS - 1)
    if csv_file is not None:
        check_writable(csv_file)
    found = [row for row in rows(game, table, asked_seed(seed), games) if seat is None or row.seat == seat]
    if csv_file is not None:
        with whole_file(csv_file) as out:
            out.write(_csv(found).encode())
    if as_json:
        print_json([row._asdict() for row in found])
        return
    from rich.table import Table as Sheet

    from kibitz.cli.shown import Paper

    sheet = Sheet(title=f"{table!r}")
    for column in ("seat", "knows", "does", *(["met"] if found and found[0].visits else [])):
        sheet.add_column(column, overflow="fold")
    for row in islice(found, most):
        sheet.add_row(str(row.seat), row.knows, _does(row), *([f"{row.visits:,}"] if row.visits else []))
    paper = Paper()
    paper.print(sheet)
    if len(found) > most:
        paper.print(f"{len(found) - most:,} more: --most {len(found)} shows them, --csv FILE writes them all")


def _does(row: Row) -> str:
    """The likely actions, likeliest first."""
    likely = sorted((item for item in row.policy.items() if item[1] >= 0.0005), key=lambda item: -item[1])
    return "  ".join(f"{word} {chance:.3f}" for word, chance in likely)


def _csv(found: list[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["seat", "knows", "action", "probability"])
    for row in found:
        writer.writerows([row.seat, row.knows, action, chance] for action, chance in row.policy.items())
    return text.getvalue()
