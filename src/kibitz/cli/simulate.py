"""`kibitz simulate`: many games between bots, with means, errors and rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.arena.executor import executor
from kibitz.arena.games import Games, cut_games, games_shelf, play_games
from kibitz.arena.play import MOST_GAMES
from kibitz.arena.simulate import Outcome, simulate_pieces
from kibitz.arena.simulate import simulate as run
from kibitz.bots import seat_bots
from kibitz.bots.person import Person
from kibitz.cli.arguments import (
    MOST_THREADS,
    GameName,
    Json,
    Seed,
    Settings,
    Threads,
    asked_game,
    asked_number,
    asked_seed,
    bar,
    print_json,
)  # fmt: skip
from kibitz.cli.work_arguments import ClusterAddress, Join, PartOf, ProcessCount, Shards, asked_part, do_part
from kibitz.core.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

MOST_SHOWN = 16
"""A statistic with more numbers is named but not printed."""


def simulate(
    game: GameName,
    bots: Annotated[str, typer.Option(help="One bot per seat, separated by commas, or one for all seats.")] = "random",
    games: Annotated[int, typer.Option(help="How many games.")] = 10_000,
    seed: Seed = 0,
    settings: Settings = None,
    threads: Threads = 1,
    batch: Annotated[int, typer.Option(help="Games side by side where bots are not compiled.")] = 1024,
    records: Annotated[Path | None, typer.Option(help="Write every game to this file, one per line.")] = None,
    processes: ProcessCount = 1,
    cluster: ClusterAddress = None,
    part: PartOf = None,
    join: Join = False,
    shards: Shards = None,
    piece: Annotated[
        int | None, typer.Option(min=1, help="Games in a piece of work; results do not depend on it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play many games between bots.

    Example: kibitz simulate leduc --games 1000000 --bots random,leduc-rule --seed 1
    """
    made = asked_game(game, settings)
    asked_number("games", games, 1, MOST_GAMES)
    asked_number("batch", batch, 1, 1 << 20)
    asked_number("threads", threads, 1, MOST_THREADS)
    asked_seed(seed)
    seats = seat_bots(made, bots)
    own = asked_part(part, join, shards, cluster=cluster)
    in_pieces = processes > 1 or cluster is not None or shards is not None
    if in_pieces and threads > 1:
        raise BadInput("--threads belongs to one process: use --processes, --cluster or --shards without it")
    if any(isinstance(bot, Person) for bot in seats):
        raise BadInput(
            "a person plays one game at a time: kibitz play seats people, and keeps their games with --records"
        )
    with bar(f"playing {game}", games) as advance:
        if in_pieces:
            ending = records.suffix if records else None
            whole = Games(made, tuple(bot.name for bot in seats), seed, 0, games, batch, ending)
            shelf = games_shelf(shards) if shards else None
            if own and shelf:
                do_part(play_games, cut_games(whole, piece), own, shelf, executor(processes), advance, as_json)
                return
            outcome = simulate_pieces(
                whole,
                records,
                executor=executor(processes, cluster),
                shelf=shelf,
                size=piece,
                join=join,
                progress=advance,
            )
        else:
            outcome = run(made, seats, games, seed, threads=threads, batch=batch, records=records, progress=advance)
    if as_json:
        print_json(outcome.as_json())
    else:
        _show(outcome)


def _show(outcome: Outcome) -> None:
    from rich.table import Table

    from kibitz.cli.shown import Paper

    table = Table(box=None, pad_edge=False)
    for column in ("seat", "bot", "mean return", "won"):
        table.add_column(column, justify="right" if column in ("mean return", "won") else "left")
    for seat, score in enumerate(outcome.scores):
        won = f"{100 * outcome.win_rate[seat]:.2f} %"
        table.add_row(str(seat), outcome.bots[seat], f"{score.mean:+.4f} ± {score.se:.4f}", won)
    console = Paper()
    console.print(table)
    facts = outcome.as_json()
    console.print(
        f"{outcome.games:,} games in {outcome.seconds:.2f} s: {facts['games_per_second']:,.0f} games/s, "
        f"{outcome.mean_length:.2f} actions a game (± is one standard error)"
    )
    for name, value in outcome.report.items():
        if isinstance(value, Mapping) and value and all(isinstance(row, Mapping) for row in value.values()):
            console.print(_grid(name.replace("_", " "), value))
        elif isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
            console.print(_side_by_side(name.replace("_", " "), [_flat(one) for one in value]))
        else:
            console.print(f"{name.replace('_', ' ')}: {_told(value)}")


def _grid(name: str, rows: Mapping[str, Mapping[str, object]]) -> Table:
    """A statistic that has the same numbers for many things: one row a thing."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(name)
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for thing, row in rows.items():
        table.add_row(str(thing), *(_told(row[column]) if column in row else "" for column in columns))
    return table


def _side_by_side(name: str, things: Sequence[Mapping[str, object]]) -> Table:
    """Many numbers of a few things, such as seats: one column a thing."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in (name, *(str(thing.get("seat", number)) for number, thing in enumerate(things))):
        table.add_column(column, justify="left" if column == name else "right")
    for row in dict.fromkeys(row for thing in things for row in thing if row != "seat"):
        table.add_row(row.replace("_", " "), *(_told(thing[row]) if row in thing else "" for thing in things))
    return table


def _flat(thing: Mapping[str, object]) -> dict[str, object]:
    """Numbers within numbers beside the others; what is known of the others again (how many,
    between which bounds) is left to --json."""
    found = {name: value for name, value in thing.items() if not isinstance(value, Mapping)}
    for inner in (value for value in thing.values() if isinstance(value, Mapping)):
        found |= {name: value for name, value in inner.items() if name not in found}
    return found


def _told(value: object) -> str:
    """A statistic in words; what is long is left to --json."""
    if isinstance(value, Mapping):
        if len(value) > MOST_SHOWN:
            return f"{len(value)} numbers (--json has them)"
        return ", ".join(f"{key} {_told(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_told(one) for one in value)
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
