"""`kibitz check`: does a game keep the contract, and if not, where."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.arguments import GameName, Json, Seed, Settings, asked_number, asked_options, asked_seed, print_json
from kibitz.core.checkup import STAGES, Stage, checkup
from kibitz.core.plain_text import printable

MOST_GAMES = 1_000_000


def check(
    game: GameName,
    settings: Settings = None,
    games: Annotated[int, typer.Option(help="Random games to check; fewer in plain Python.")] = 20,
    seed: Seed = 7,
    stages: Annotated[
        list[str] | None, typer.Option("--stage", help=f"One of {', '.join(STAGES)}; may be repeated; all by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a game in plain Python, then with bounds checks, then compiled;
    exit code 1 and the first fault if there is one.

    Example: kibitz check kuhn --set players=3
    """
    asked_number("games", games, 1, MOST_GAMES)
    asked_seed(seed)
    done: list[Stage] = []
    for stage in checkup(game, asked_options(settings), games, seed, stages or ()):
        done.append(stage)
        if not as_json:
            _show(game, stage)
    is_sound = all(stage.finding is None for stage in done)
    if as_json:
        print_json({"game": game, "sound": is_sound, "stages": [stage.as_json() for stage in done]})
    elif is_sound:
        print(f"{game} keeps the contract")
    if not is_sound:
        raise typer.Exit(1)


def _show(game: str, stage: Stage) -> None:
    called = STAGES[stage.name][0] if stage.name in STAGES else stage.name
    if stage.finding is None:
        print(f"{game}, {called}: {stage.games} games, {stage.seconds:.1f} s", flush=True)
        return
    print(f"{game}, {called}: broken")
    print(printable("\n".join(stage.finding.lines())))
