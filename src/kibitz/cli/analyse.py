"""`kibitz analyse`: one move of a recorded game as several bots see it, or every decision and what it cost."""

from __future__ import annotations

from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from kibitz.arena.analysis import Decision, Opinion, decisions, opinion, position_at, recorded_game
from kibitz.arena.explanation import Explanation, explanation
from kibitz.bots import BEST, make_bot
from kibitz.cli.arguments import Json, asked_number, bar, print_json
from kibitz.cli.shown import Paper, tell
from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file
from kibitz.core.opinion import unit_of
from kibitz.core.record import Record, last_position

MOST_ROWS = 10


def analyse(
    file: Annotated[Path, typer.Argument(help="A file of records.", metavar="FILE")],
    bots: Annotated[str, typer.Option(help="Whose opinions to ask, separated by commas.")] = BEST,
    game: Annotated[int, typer.Option(help="Which game of the file, counted from 1.")] = 1,
    move: Annotated[
        int | None, typer.Option(help="Which move, counted from 0 as `kibitz replay` does; without it the whole game.")
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Of a whole game: only this seat's decisions.")] = None,
    draws: Annotated[
        int | None, typer.Option(help="How often to ask a bot that gives no probabilities, with other luck each time.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Of a whole game: draw what the decisions cost to this file (.svg, .png).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask bots about one move of a recorded game, or the first of them about every decision: what did it cost?

    Example: kibitz analyse games.jsonl --game 17 --move 2 --bots random,leduc-rule
    Example: kibitz analyse games.jsonl --game 3 --bots pimc --seat 0
    """
    record = recorded_game(file, game)
    if draws is not None:
        asked_number("draws", draws, 1, 10**6)
    specs = [part.strip() for part in bots.split(",") if part.strip()]
    if not specs:
        raise BadInput("nobody is asked: name at least one bot")
    if move is None:
        _whole_game(record, specs, seat, draws, plot, as_json)
        return
    position = position_at(record, move)
    mover = position.turn
    asked = [make_bot(position.game, spec) for spec in specs]
    opinions = [opinion(bot, position, draws) for bot in asked]
    reasons = [why for bot in asked if (why := explanation(bot, position.view(mover)))]
    played = record.actions[move] if move < len(record.actions) else None
    if as_json:
        print_json(
            {
                "game": record.game, "number": record.number, "move": move, "seat": mover, "bot": record.seats[mover],
                "played": played, "legal": position.legal(), "opinions": [asdict(one) for one in opinions],
                **({"reasons": [asdict(why) for why in reasons]} if reasons else {}),
            }
        )  # fmt: skip
        return
    tell(str(position.view(mover)))
    tell(
        f"move {move}, seat {mover} ({record.seats[mover]}) played {played or 'nothing: the game was broken off here'}"
    )
    _show_opinions(opinions, position.legal(), played)
    for why in reasons:
        _show_reasons(why)


def _show_opinions(opinions: list[Opinion], legal: list[str], played: str | None) -> None:
    """One row an action, the ten that the bots like best and the one played."""
    from rich.table import Table

    def liking(word: str) -> tuple[float, float]:
        """How likely the bots are to play it, then what they say it is worth."""
        values = [one.values[word] for one in opinions if word in one.values]
        return sum(one.probabilities[word] for one in opinions), max(values, default=-inf)

    ranked = sorted(legal, key=liking, reverse=True)
    shown = [word for place, word in enumerate(ranked) if place < MOST_ROWS or word == played]
    table = Table(box=None, pad_edge=False)
    table.add_column("action")
    for one in opinions:
        table.add_column(f"{one.bot} ({one.source})", justify="right")
    for word in shown:
        marks = [_cell(one.probabilities[word], one.values.get(word)) for one in opinions]
        table.add_row(f"{word} (played)" if word == played else word, *marks)
    paper = Paper()
    paper.print(table)
    for one in opinions:
        if one.values:
            paper.print(f"in brackets what {one.bot} says it is worth, in {one.unit}")
    if len(shown) < len(legal):
        paper.print(f"{len(legal) - len(shown)} more are legal (--json has all)")


def _whole_game(
    record: Record, specs: list[str], seat: int | None, draws: int | None, plot: Path | None, as_json: bool
) -> None:
    """Every decision with what it cost, the costliest first."""
    end = last_position(record)
    if seat is not None:
        asked_number("seat", seat, 0, end.game.PLAYERS - 1)
    if plot is not None:
        from kibitz.arena.plots import check_picture

        check_picture(plot)
    bot = make_bot(end.game, specs[0])
    with bar(f"asking {bot.name}", len(record.ids)) as advance:
        found: list[Decision] = []
        for one in decisions(record, bot, seat, draws):
            advance(one.move - (found[-1].move if found else -1))
            found.append(one)
    if plot is not None:
        _draw(found, f"{record.game} as {bot.name} sees it", plot)
    if as_json:
        print_json(
            {"game": record.game, "number": record.number, "bot": bot.name, "decisions": [asdict(d) for d in found]}
        )
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("move", "seat", "hand", "played", f"{bot.name} plays", "cost", "as likely"):
        table.add_column(
            column, justify="right" if column in ("move", "cost", "as likely") else "left", overflow="fold"
        )
    for one in sorted(found, key=lambda d: (-(d.cost or 0.0), d.chance)):
        cost = "" if one.cost is None else f"{one.cost:.2f}"
        table.add_row(str(one.move), str(one.seat), one.hand, one.played, one.choice, cost, f"{100 * one.chance:.0f} %")
    paper = Paper()
    paper.print(table)
    known = [one.cost for one in found if one.cost is not None]
    same = sum(one.played == one.choice for one in found)
    total = f"; together they cost {sum(known):.2f}, in {unit_of(bot)}" if known else ""
    paper.print(f"{len(found)} decisions, {same} as {bot.name} would{total}")


def _draw(found: list[Decision], title: str, path: Path) -> None:
    from kibitz.arena.plots import bars, check_picture

    costs = {f"{one.move}: {one.played}": one.cost for one in found if one.cost is not None}
    figure = bars(costs, title=title, x_label="move", y_label="cost")
    with whole_file(path) as file:
        figure.savefig(file, format=check_picture(path))


def _show_reasons(why: Explanation) -> None:
    """The worlds of a searching bot, what its cards are worth in them, and where it thinks the unseen cards are."""
    from rich.table import Table

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
