"""`kibitz match`: two bots on the same deals with seats exchanged."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.arena.cutting import shards_of
from kibitz.arena.executor import executor
from kibitz.arena.match import MOST_DEALS, Match, whole_match
from kibitz.arena.match import match as run
from kibitz.arena.seatings import form_of
from kibitz.arena.shards import play_shard, sheet_shelf, two_sides
from kibitz.cli import match_arguments
from kibitz.cli.arguments import GameName, Json, Seed, Settings, asked_game, asked_number, asked_seed, bar, print_json
from kibitz.cli.work_arguments import ClusterAddress, Join, PartOf, ProcessCount, Shards, asked_part, do_part
from kibitz.core.errors import BadInput


def match(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Two bots, A,B; a+b in place of one seats two kinds on that side in turn.")],
    deals: Annotated[int, typer.Option(help="How many deals; each is played in every seating.")] = 1000,
    seed: Seed = 0,
    settings: Settings = None,
    seatings: match_arguments.Seatings = None,
    until: Annotated[
        float | None, typer.Option(help="Stop early, at one of five looks, once the interval is this narrow.")
    ] = None,
    bootstrap: Annotated[bool, typer.Option(help="Give a bootstrap interval for the difference too.")] = False,
    processes: ProcessCount = 1,
    cluster: ClusterAddress = None,
    part: PartOf = None,
    join: Join = False,
    shards: Shards = None,
    batch: match_arguments.Batched = 1024,
    shard: match_arguments.ShardDeals = None,
    move_time: match_arguments.MoveTime = None,
    records: match_arguments.Records = None,
    as_json: Json = False,
    as_csv: match_arguments.Csv = False,
) -> None:
    """Play a match over duplicate deals: every deal once in each seating, with the same luck for whoever sits there.

    Example: kibitz match leduc --bots leduc-rule,random --deals 10000 --seed 1
    """
    made = asked_game(game, settings)
    asked_number("deals", deals, 1, MOST_DEALS)
    if until is not None and not until > 0:
        raise BadInput(f"--until {until:g} is not possible: the width of an interval is above 0")
    sides, seconds = match_arguments.asked_bots(made, bots), match_arguments.asked_time(move_time)
    two_sides(made, sides)
    form_of(made, seatings)
    own = asked_part(part, join, shards, cluster=cluster)
    if until is not None and (own or join):
        raise BadInput("--until looks at a match while it is played: leave it out where parts are played by themselves")
    with bar(f"match of {game}", deals) as advance:
        if own and shards:
            whole = whole_match(
                made, sides, deals, asked_seed(seed), seatings=seatings, batch=batch, move_time=seconds, records=records
            )
            (pieces,) = shards_of([whole], shard)
            do_part(play_shard, pieces, own, sheet_shelf(shards), executor(processes), advance, as_json)
            return
        outcome = run(
            made, sides, deals, asked_seed(seed), seatings=seatings, executor=executor(processes, cluster), batch=batch,
            move_time=seconds, records=records, until=until, shard=shard, shards=shards, join=join, progress=advance,
        )  # fmt: skip
    interval = outcome.bootstrap() if bootstrap and outcome.deals else None
    if as_json:
        print_json(_json(outcome, interval))
    elif as_csv:
        match_arguments.print_csv(_rows(outcome))
    else:
        _show(outcome, interval)
    match_arguments.report_failures(outcome.spoiled)


def _json(outcome: Match, interval: tuple[float, float] | None) -> dict[str, Any]:
    found = outcome.as_json()
    if interval:
        found["difference"] |= {"bootstrap_low": interval[0], "bootstrap_high": interval[1]}
    rate = outcome.games / outcome.seconds if outcome.seconds else 0.0
    return found | {"seconds": round(outcome.seconds, 6), "games_per_second": round(rate, 1)}


def _rows(outcome: Match) -> list[dict[str, Any]]:
    found = outcome.as_json()
    sides = [{"role": "all", **side} for side in found["sides"]]
    return [{"game": found["game"], "deals": outcome.deals, **row} for row in [*sides, *found["roles"]]]


def _show(outcome: Match, interval: tuple[float, float] | None) -> None:
    from rich.table import Table

    from kibitz.cli.shown import Paper

    console = Paper()
    table = Table(box=None, pad_edge=False)
    for column in ("bot", "role", "mean return", "won"):
        table.add_column(column, justify="right" if column in ("mean return", "won") else "left")
    for side in outcome.sides:
        table.add_row(side.bot, "", side.score.short, side.wins.short)
    for role in outcome.roles:
        table.add_row(role.bot, role.role, role.score.short, role.wins.short)
    console.print(table)
    first, second = outcome.bots
    console.print(f"{first} less {second}: {outcome.difference}", highlight=False)
    if interval:
        console.print(f"bootstrap interval {interval[0]:+.4g} to {interval[1]:+.4g}", highlight=False)
    for name, delta in outcome.deltas.items():
        console.print(f"delta {name}: {delta}", highlight=False)
    console.print(
        f"{outcome.deals:,} deals in seatings {' '.join(outcome.form.names)}: {outcome.games:,} games in "
        f"{outcome.seconds:.2f} s (± is one standard error, [ ] a 95 % interval)",
        highlight=False,
    )
