"""A table at the terminal whose person types given lines; everything that is printed is kept."""

import io
from contextlib import suppress

from kibitz.bots import make_bot, strongest_rule
from kibitz.bots.person import LeftTheTable, Person
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.terminal.paint import Paint
from kibitz.terminal.table import Table
from kibitz.terminal.tongue import Tongue


def seated(name, lang="en", seat=0, bots="random", paint=None, source=None, **options):
    """A table with one person, and what it prints."""
    game = make(name, **options)
    players = [make_bot(game, bots) for _ in range(game.PLAYERS)]
    players[seat] = Person("person", lang)
    out = io.StringIO()
    return (
        Table(players, [seat], Tongue(game, lang), paint or Paint(lang), strongest_rule(game), out, source),
        game,
        out,
    )


def typed(name, *lines, seed=3, lang="en", deal=None, **more):
    """What is printed while a person types some lines; the input ends after them."""
    given = iter([f"{line}\n" for line in lines])
    table, game, out = seated(name, lang, source=lambda: next(given, ""), **more)
    with suppress(LeftTheTable, BadInput):
        table.play(Position(game, seed, deal=deal))
    return out.getvalue(), table
