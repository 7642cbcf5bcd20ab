"""`kibitz ladder`: every bot of a game on one list, and the page of all lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, Seed, Settings, asked_game, asked_number, asked_seed, print_json
from kibitz.cli.shown import tell
from kibitz.cli.work_arguments import ProcessCount
from kibitz.core.errors import BadInput

OUT = Path("results/ladder")
MOST = 100_000


def ladder(
    game: Annotated[str, typer.Argument(help="The game; without one, with --docs, the page is written.")] = "",
    bots: Annotated[str | None, typer.Option(help="Who takes part, by commas; without it, all there are.")] = None,
    deals: Annotated[int, typer.Option(help="Deals of a bot that plays one table at a time; others play more.")] = 100,
    against: Annotated[str, typer.Option(help="The anchor; without it, the best of the game's rules.")] = "",
    seed: Seed = 0,
    settings: Settings = None,
    out: Annotated[
        Path, typer.Option(help="Where pieces and results go; a run that was killed goes on from it.")
    ] = OUT,
    keep: Annotated[bool, typer.Option(help="Keep the ladder in the package, for docs/ladder.md.")] = False,
    docs: Annotated[bool, typer.Option(help="Write docs/ladder.md from what is kept, in a checkout.")] = False,
    processes: ProcessCount = 1,
    as_json: Json = False,
) -> None:
    """Play every bot of a game against its best rules on the same deals; points, Elo, and time for a decision.

    Example: kibitz ladder leduc --deals 20
    """
    from kibitz.papers.ladder import KEPT, file_name, shown, write_ladder, write_page

    if docs:
        for path in write_page(Path.cwd()):
            print(path)
        if not game:
            return
    if not game:
        raise BadInput("no game is named: name one, or ask for the page with --docs")
    from kibitz.arena.executor import executor
    from kibitz.arena.ladder import climb, entrants
    from kibitz.bots import meant

    made = asked_game(game, settings)
    asked_number("deals", deals, 2, MOST)
    given = dict(pair.split("=", 1) for pair in settings or ())
    names = [meant(made, part.strip()) for part in bots.split(",") if part.strip()] if bots else entrants(made)
    name = file_name(made.name, given)
    found: dict[str, Any] = climb(
        made, given, names, deals, asked_seed(seed), anchor=meant(made, against) if against else "",
        executor=executor(processes), shards=out / f"{name}.shards", tell=lambda bot: tell(f"{bot} ..."),
    )  # fmt: skip
    for folder in (out, KEPT) if keep else (out,):
        found = write_ladder(found, folder / f"{name}.json")
    if as_json:
        print_json(found)
    else:
        print(shown(found))
    if keep:
        tell(json.dumps(str(KEPT / f"{name}.json")))
