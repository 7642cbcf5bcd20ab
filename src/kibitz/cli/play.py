"""`kibitz play`: a person against bots, seeing only what the seat may know."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

from kibitz.bots import make_bot, seat_bots
from kibitz.bots.person import QUIT, LeftTheTable, Person, translate
from kibitz.cli.asked import GameName, Settings, asked_game, asked_number, asked_seed
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.rng import unguessable
from kibitz.core.telling import told


def play(
    game: GameName,
    seat: Annotated[int, typer.Option(help="Where you sit.")] = 0,
    bots: Annotated[
        str, typer.Option(help="Who sits in the other seats: one bot for all, or one per seat.")
    ] = "random",
    seed: Annotated[int | None, typer.Option(help="Play the same deals again; without it they are random.")] = None,
    games: Annotated[int, typer.Option(help="How many games.")] = 1,
    settings: Settings = None,
    lang: Annotated[str, typer.Option(help="Language of cards and calls, where the game has others.")] = "en",
) -> None:
    """Play in the terminal. Type a move as shown; quit or Ctrl-C leaves the table.

    Example: kibitz play kuhn --seat 1 --bots kuhn-rule
    """
    made = asked_game(game, settings)
    asked_number("seat", seat, 0, made.PLAYERS - 1)
    asked_number("games", games, 1, 10**6)
    luck = unguessable() if seed is None else asked_seed(seed)
    translate(made, "", lang)
    seats = _seats(made, bots, seat, Person("you", lang))
    print(f"type a move as shown; {QUIT} leaves the table", file=sys.stderr)
    total, played = 0.0, 0
    with suppress(LeftTheTable):
        for number in range(games):
            total += _one_game(made, seats, seat, luck, number, lang)
            played += 1
    if games > 1:
        print(f"\n{played} games: you have {total:+g}", file=sys.stderr)
    print(f"seed {luck}", file=sys.stderr)


def _seats(game: Game, bots: str, seat: int, person: Bot) -> list[Bot]:
    count = len(bots.split(","))
    if count == game.PLAYERS - 1 and count > 1:
        others = [make_bot(game, spec.strip()) for spec in bots.split(",")]
        return [*others[:seat], person, *others[seat:]]
    if count not in (1, game.PLAYERS):
        raise BadInput(f"{game.name} has {game.PLAYERS} seats: name one bot for all others, or one per seat")
    made = seat_bots(game, bots)
    made[seat] = person
    return made


def _one_game(game: Game, seats: list[Bot], seat: int, seed: int, number: int, lang: str) -> float:
    position = Position(game, seed, number)
    while not position.is_over:
        mover = position.turn
        action = seats[mover].act(position.view(mover))
        before = position.state.copy()
        position.push(action)
        heard = told(game, before, position.state, seat, mover, lang)
        if heard and mover != seat:
            print(f"seat {mover}: {heard}", file=sys.stderr)
    returns = position.returns()
    print(f"\n{show_open(position, lang)}", file=sys.stderr)
    print("returns: " + "  ".join(f"seat {k}: {x:+g}" for k, x in enumerate(returns)), file=sys.stderr)
    print("you have won" if position.won(seat) else "you have not won", file=sys.stderr)
    return returns[seat]


def show_open(position: Position, lang: str) -> str:
    """The table with all cards open, once the game is over."""
    return str(position) if lang == "en" else str(position.game.words.show(position.state, None, lang))
