"""`kibitz play`: a person against bots, seeing only what the seat may know."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.bots import best_bot, lacks_torch, make_bot, seat_bots
from kibitz.bots.person import LeftTheTable, Person
from kibitz.cli.arguments import GameName, Settings, asked_number, asked_options, asked_seed
from kibitz.cli.main import INTERRUPTED
from kibitz.core.errors import BadInput, install_command
from kibitz.core.game import Game, make
from kibitz.core.offers import for_people
from kibitz.core.policy import Bot
from kibitz.core.rng import unguessable
from kibitz.terminal.evening import Evening
from kibitz.terminal.keeping import Keeper, usual_place
from kibitz.terminal.paint import paint_for
from kibitz.terminal.table import QUIT, Table
from kibitz.terminal.tongue import Tongue


def play(
    game: GameName,
    seat: Annotated[int, typer.Option(help="Where you sit in the first game.")] = 0,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Who sits in the other seats: one bot for all, or one per seat; without it best, "
            "see `kibitz bots GAME`."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Play the same deals again; without it they are random.")] = None,
    games: Annotated[int | None, typer.Option(help="How many games; seats go round.")] = None,
    match: Annotated[
        bool, typer.Option("--match", help="Play what the game is played for: a match, a series, a session.")
    ] = False,
    settings: Settings = None,
    lang: Annotated[str, typer.Option(help="Language of the table: en, de or fr.")] = "en",
    records: Annotated[Path | None, typer.Option(help="Where games are kept; a file of yours without it.")] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-records", help="Whether games are kept.")] = True,
    colours: Annotated[int, typer.Option(help="2 or 4 colours for the suits.")] = 2,
    scroll: Annotated[bool, typer.Option("--scroll", help="Never redraw the table in place.")] = False,
) -> None:
    """Play in the terminal. Type a move as shown, ? for help; quit or Ctrl-C leaves the table.

    Example: kibitz play kuhn --seat 1 --bots kuhn-rule
    """
    made = make(game, **{**for_people(game), **asked_options(settings)})
    asked_number("seat", seat, 0, made.PLAYERS - 1)
    if games is not None:
        asked_number("games", games, 1, 10**6)
    if colours not in (2, 4):
        raise BadInput(f"--colours {colours} is not possible: 2 or 4 is")
    luck = unguessable() if seed is None else asked_seed(seed)
    tongue, paint = Tongue(made, lang), paint_for(sys.stderr, lang, colours, scroll)
    best = best_bot(made)
    players = _players(made, bots or best, seat, Person("person", lang))
    keeper = Keeper((records or usual_place(made.name)) if keep else None)
    keeper.check()
    people = [k for k, bot in enumerate(players) if isinstance(bot, Person)]
    table = Table(players, people, tongue, paint, best)
    evening = Evening(made, players, table, keeper, luck, match, games)
    table.welcome = tongue.say("type a move as shown, ? for help; {} leaves the table", tongue.say(QUIT))
    if bots is None and lacks_torch(made):
        table.welcome += "\n" + tongue.say("stronger bots need {}", install_command("learn"))
    try:
        evening.play()
    except LeftTheTable:
        evening.leave()
    except KeyboardInterrupt:
        table.tell("\n" + tongue.say("interrupted; nothing half-written was left behind"))
        sys.exit(INTERRUPTED)
    finally:
        evening.say_where()


def _players(game: Game, bots: str, seat: int, person: Bot) -> list[Bot]:
    count = len(bots.split(","))
    if count == game.PLAYERS - 1 and count > 1:
        others = [make_bot(game, spec.strip()) for spec in bots.split(",")]
        return [*others[:seat], person, *others[seat:]]
    if count not in (1, game.PLAYERS):
        raise BadInput(f"{game.name} has {game.PLAYERS} seats: name one bot for all others, or one per seat")
    made = seat_bots(game, bots)
    made[seat] = person
    return made
