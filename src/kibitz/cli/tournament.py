"""`kibitz tournament`: many bots on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.cost import match_cost
from kibitz.arena.cutting import shards_of
from kibitz.arena.executor import executor
from kibitz.arena.match import MOST_DEALS
from kibitz.arena.seatings import form_of
from kibitz.arena.shards import play_shard, sheet_shelf
from kibitz.arena.tournament import Tournament, draw, programme
from kibitz.arena.tournament import tournament as run
from kibitz.bots import meant
from kibitz.cli import match_arguments
from kibitz.cli.arguments import GameName, Json, Seed, Settings, asked_game, asked_number, asked_seed, bar, print_json
from kibitz.cli.work_arguments import ClusterAddress, DryRun, Join, PartOf, ProcessCount, asked_part, do_part, show_cost
from kibitz.core.files import is_stream, whole_file


def tournament(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Everybody who takes part, separated by commas.")],
    deals: Annotated[int, typer.Option(help="How many deals each pair plays, in every seating.")] = 1000,
    against: Annotated[
        str | None, typer.Option(help="All against this bot, instead of everybody against everybody.")
    ] = None,
    seed: Seed = 0,
    settings: Settings = None,
    seatings: match_arguments.Seatings = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the result here as JSON; finished pieces are kept in FILE.shards, to go on from."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the matrix of results to this file (.svg, .png).")] = None,
    processes: ProcessCount = 1,
    cluster: ClusterAddress = None,
    part: PartOf = None,
    join: Join = False,
    dry_run: DryRun = False,
    batch: match_arguments.Batched = 1024,
    shard: match_arguments.ShardDeals = None,
    move_time: match_arguments.MoveTime = None,
    records: match_arguments.Records = None,
    as_json: Json = False,
    as_csv: match_arguments.Csv = False,
) -> None:
    """Play a tournament: each pair over the same duplicate deals. Started again after a kill, it goes on where it was.

    Example: kibitz tournament leduc --bots leduc-rule,random --deals 10000 --out leduc.json
    """
    made = asked_game(game, settings)
    asked_number("deals", deals, 1, MOST_DEALS)
    entrants = match_arguments.asked_bots(made, bots)
    against = meant(made, against) if against is not None else None
    _, pairs = draw(made, entrants, against)
    form_of(made, seatings)
    seconds = match_arguments.asked_time(move_time)
    if plot:
        from kibitz.arena.plots import check_picture

        check_picture(plot)
    shards = out.with_name(f"{out.name}.shards") if out and not is_stream(out) else None
    own = asked_part(part, join, shards, "--out FILE", cluster)
    if dry_run or own:
        _, _, wholes = programme(
            made, entrants, deals, asked_seed(seed), against=against, seatings=seatings, batch=batch, move_time=seconds,
            records=records,
        )  # fmt: skip
        pieces = [piece for cut in shards_of(wholes, shard) for piece in cut]
        if dry_run:
            show_cost(lambda: match_cost(pieces, wholes), as_json)
            return
    with bar(f"tournament of {game}", len(pairs) * deals) as advance:
        if own and shards:
            do_part(play_shard, pieces, own, sheet_shelf(shards), executor(processes), advance, as_json)
            return
        outcome = run(
            made, entrants, deals, asked_seed(seed), against=against, seatings=seatings,
            executor=executor(processes, cluster), shards=shards, batch=batch, move_time=seconds, records=records,
            shard=shard, join=join, progress=advance,
        )  # fmt: skip
    if out:
        outcome.save(out)
    if plot:
        _draw(outcome, plot)
    if as_json:
        print_json(outcome.as_json())
    elif as_csv:
        match_arguments.print_csv(_rows(outcome))
    else:
        _show(outcome)
    match_arguments.report_failures(outcome.spoiled)


def _rows(outcome: Tournament) -> list[dict[str, Any]]:
    """One row per pair."""
    return [
        {
            "game": outcome.game.name, "a": pair["bots"][0], "b": pair["bots"][1], "deals": pair["deals"],
            "games": pair["games"], **pair["difference"], "a_win_rate": pair["sides"][0]["win_rate"],
            "b_win_rate": pair["sides"][1]["win_rate"],
        }
        for pair in outcome.as_json()["pairs"]
    ]  # fmt: skip


def _draw(outcome: Tournament, path: Path) -> None:
    from kibitz.arena.plots import check_picture, result_matrix

    mean, error = outcome.matrix()
    figure = result_matrix(
        outcome.bots, outcome.bots, mean, error, title=f"{outcome.game.name}: lead of the row over the column"
    )
    ending = check_picture(path)
    with whole_file(path) as file:
        figure.savefig(file, format=ending)


def _show(outcome: Tournament) -> None:
    from rich.table import Table

    from kibitz.cli.shown import Paper

    console = Paper()
    ranking = Table(box=None, pad_edge=False)
    places = [str(place) for place in range(1, len(outcome.bots) + 1)]
    for column in ("", "bot", "mean lead", "Elo", *(f"over {place}" for place in places)):
        ranking.add_column(column, justify="left" if column == "bot" else "right")
    mean, _ = outcome.matrix()
    order = [outcome.bots.index(rank.bot) for rank in outcome.ranking]
    for place, row, rank in zip(places, order, outcome.ranking, strict=True):
        cells = ["" if value != value else f"{value:+.4g}" for value in mean[row, order]]
        ranking.add_row(place, rank.bot, rank.lead.short, f"{rank.rating.elo:+.0f} ± {rank.rating.se:.0f}", *cells)
    console.print(ranking)
    elos = [rank.rating.elo for rank in outcome.ranking]
    if elos != sorted(elos, reverse=True):
        console.print(
            "By Elo the order is another: it counts how many deals are won, the mean lead by how much they are won."
        )
    for pair, p in zip(outcome.pairs, outcome.holm, strict=True):
        corrected = f" (corrected {p:.2g})" if len(outcome.pairs) > 1 else ""
        console.print(f"{pair.bots[0]} less {pair.bots[1]}: {pair.difference}{corrected}", highlight=False)
        for name, delta in pair.deltas.items():
            console.print(f"  delta {name}: {delta}", highlight=False)
    roles = Table(box=None, pad_edge=False)
    for column in ("bot", "role", "mean return", "won"):
        roles.add_column(column, justify="right" if column in ("mean return", "won") else "left")
    for role in outcome.roles():
        roles.add_row(role.bot, role.role, role.score.short, role.wins.short)
    console.print(roles)
    console.print(
        f"{outcome.deals:,} deals a pair in seatings {' '.join(outcome.form.names)} (± is one standard error)"
    )
