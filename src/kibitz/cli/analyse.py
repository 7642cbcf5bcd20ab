"""`kibitz analyse`: one move of a recorded game as several bots see it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kibitz.arena.analysis import opinion, position_at, recorded_game
from kibitz.arena.explanation import Explanation, explanation
from kibitz.bots import make_bot
from kibitz.cli.asked import Json, asked_number, print_json
from kibitz.cli.asked_match import asked_bots
from kibitz.core.errors import BadInput


def analyse(
    file: Annotated[Path, typer.Argument(help="A file of records.", metavar="FILE")],
    bots: Annotated[str, typer.Option(help="Whose opinions to ask, separated by commas.")],
    game: Annotated[int, typer.Option(help="Which game of the file, counted from 0.")] = 0,
    move: Annotated[int, typer.Option(help="Which move of the game, counted from 0 as `kibitz replay` does.")] = 0,
    draws: Annotated[
        int | None, typer.Option(help="How often to ask a bot that gives no probabilities, with other luck each time.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask bots what they would do at one move of a recorded game, and how they weigh the legal actions.

    Example: kibitz analyse games.jsonl --game 17 --move 2 --bots random,leduc-rule
    """
    record = recorded_game(file, game)
    if draws is not None:
        asked_number("draws", draws, 1, 10**6)
    position = position_at(record, move)
    specs = asked_bots(bots)
    if not specs:
        raise BadInput("nobody is asked: name at least one bot")
    seat = position.turn
    asked = [make_bot(position.game, spec) for spec in specs]
    opinions = [opinion(bot, position, draws) for bot in asked]
    reasons = [why for bot in asked if (why := explanation(bot, position.view(seat)))]
    played = record.actions[move] if move < len(record.actions) else None
    if as_json:
        print_json(
            {
                "game": record.game, "number": record.number, "move": move, "seat": seat, "bot": record.seats[seat],
                "played": played, "legal": position.legal(), "opinions": [asdict(one) for one in opinions],
                **({"reasons": [asdict(why) for why in reasons]} if reasons else {}),
            }
        )  # fmt: skip
        return
    from rich.table import Table

    from kibitz.cli.shown import Paper, tell

    tell(str(position.view(seat)))
    tell(f"move {move}, seat {seat} ({record.seats[seat]}) played {played or 'nothing: the game was broken off here'}")
    table = Table(box=None, pad_edge=False)
    for column in ("bot", "choice", *position.legal(), "from"):
        table.add_column(column)
    for one in opinions:
        cells = [_cell(one.probabilities[word], one.values.get(word)) for word in position.legal()]
        table.add_row(one.bot, one.choice, *cells, one.source)
    Paper().print(table)
    for why in reasons:
        _show_reasons(why)


def _show_reasons(why: Explanation) -> None:
    """The worlds of a searching bot, what its cards are worth in them, and where it thinks the unseen cards are."""
    from rich.table import Table

    from kibitz.cli.shown import Paper

    console = Paper()
    console.print(f"\n{why.bot} looked at {why.worlds} worlds, worth {why.effective:.1f} equally likely ones")
    values = Table(box=None, pad_edge=False)
    for column in ("card", "mean value", "exact value"):
        values.add_column(column, justify="left" if column == "card" else "right")
    for card, value in sorted(why.values.items(), key=lambda pair: -pair[1]):
        exact = f"{why.exact[card]:+.2f}" if card in why.exact else "-"
        values.add_row(card, f"{value:+.2f}", exact)
    console.print(values)
    if not why.places:
        return
    where = list(next(iter(why.places.values())))
    places = Table(box=None, pad_edge=False)
    for column in ("unseen", *where):
        places.add_column(column, justify="left" if column == "unseen" else "right")
    for card, chances in why.places.items():
        places.add_row(card, *(f"{100 * chances[place]:.0f} %" for place in where))
    console.print(places)


def _cell(probability: float, value: float | None) -> str:
    share = f"{100 * probability:.1f} %" if probability else "-"
    return share if value is None else f"{share} ({value:+.3g})"
