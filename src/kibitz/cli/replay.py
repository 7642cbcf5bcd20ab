"""`kibitz replay`: a recorded game move by move, with what each seat knew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.analysis import Moment, moments, position_at, recorded_game
from kibitz.cli.arguments import Json, asked_number, print_json
from kibitz.cli.shown import tell
from kibitz.core.plain_text import one_line
from kibitz.core.position import Position
from kibitz.core.record import Record


def replay(
    file: Annotated[Path, typer.Argument(help="A file of records.", metavar="FILE")],
    game: Annotated[int, typer.Option(help="Which game of the file, counted from 1.")] = 1,
    seat: Annotated[int | None, typer.Option(help="Show what this seat knew; without it, the seat to move.")] = None,
    everybody: Annotated[bool, typer.Option("--all", help="Show what every seat knew.")] = False,
    web: Annotated[bool, typer.Option("--web", help="Open the file in the browser; ISS archives too.")] = False,
    port: Annotated[int, typer.Option(help="With --web: where to listen; 0 takes any port that is free.")] = 0,
    browser: Annotated[bool, typer.Option(help="With --web: open the page at once.")] = True,
    as_json: Json = False,
) -> None:
    """Show a recorded game move by move.

    Example: kibitz replay games.jsonl --game 17
    """
    if web:
        from kibitz.cli.serve import show_records

        show_records(file, asked_number("port", port, 0, 65535), browser)
        return
    record = recorded_game(file, game)
    end = position_at(record, len(record.ids))
    if seat is not None:
        asked_number("seat", seat, 0, end.game.PLAYERS - 1)
    if as_json:
        print_json(_json(record, end))
        return
    tell(f"{record.game}, seed {record.seed}, deal {record.number}: {one_line(record.deal)}")
    tell(", ".join(f"seat {k}: {one_line(bot)}" for k, bot in enumerate(record.seats)))
    for moment in moments(record):
        _show(record, moment, seat, everybody)
    tell(f"\n{end}")
    if record.returns:
        tell("returns " + " ".join(f"{value:+g}" for value in record.returns))
    else:
        tell(f"the game was broken off before move {len(record.ids)}")


def _show(record: Record, moment: Moment, seat: int | None, everybody: bool) -> None:
    if moment.seat < 0:
        tell(f"\nmove {moment.move}, chance: {one_line(moment.word)}")
        return
    tell(f"\nmove {moment.move}, seat {moment.seat} ({one_line(record.seats[moment.seat])}): {one_line(moment.word)}")
    tell(f"legal: {' '.join(moment.legal)}")
    seats = range(len(record.seats)) if everybody else [moment.seat if seat is None else seat]
    for one in seats:
        tell(f"what seat {one} knew:")
        tell("\n".join(f"  {line}" for line in moment.knew(one).splitlines()))


def _json(record: Record, end: Position) -> dict[str, Any]:
    seats = range(len(record.seats))
    moves = [
        {
            "move": moment.move,
            "seat": moment.seat if moment.seat >= 0 else None,
            "bot": record.seats[moment.seat] if moment.seat >= 0 else None,
            "action": moment.word,
            "legal": moment.legal,
            "knew": [moment.knew(seat) for seat in seats],
        }
        for moment in moments(record)
    ]
    return {
        "game": record.game, "options": record.options, "seed": record.seed, "number": record.number,
        "deal": record.deal, "seats": record.seats, "moves": moves, "end": str(end), "returns": record.returns or None,
    }  # fmt: skip
