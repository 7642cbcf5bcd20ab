"""`kibitz warm`: compile ahead of time, so that the next command starts at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from kibitz.cli.arguments import Settings, asked_game
from kibitz.cli.shown import tell
from kibitz.core.errors import BadGame, BadInput
from kibitz.core.game import Game, names


def warm(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Games, each with its bots after it; all games by default.", metavar="[GAME [BOT ...]]"),
    ] = None,
    settings: Settings = None,
) -> None:
    """Compile the kernels of games and their bots into the cache:
    those named after a game, or else its rules, its best and pimc.

    Example: kibitz warm leduc
    Example: kibitz warm skat pimc skat-rule
    """
    from kibitz.bots.preparing import preparing

    for name, asked in _asked(words or []):
        start = time.perf_counter()
        try:
            game = asked_game(name, settings)
        except BadGame as problem:
            if words:
                raise
            tell(str(problem), sys.stderr)
            continue
        bots = ["random", *(asked or _usual(game))]
        for number, spec in enumerate(bots, 1):
            with preparing(f"{name} {number} of {len(bots)} ({spec})"):
                _compile(game, spec)
            _compile_apart(game, spec)
        tell(f"{name}: {', '.join(bots)} ready after {time.perf_counter() - start:.1f} s")


def _asked(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Games with the bots named after each."""
    known = names()
    if not words:
        yield from ((name, []) for name in known)
        return
    places = [place for place, word in enumerate(words) if word in known or place == 0]
    for place, following in zip(places, [*places[1:], len(words)], strict=True):
        yield words[place], list(words[place + 1 : following])


def _usual(game: Game) -> list[str]:
    """The rule-based players, the best bot and search where it can play."""
    from kibitz.bots import best_bot, rules
    from kibitz.search.pimc import can_play

    return list(dict.fromkeys([*rules(game), best_bot(game), *(["pimc"] if can_play(game) else [])]))


def _compile(game: Game, spec: str) -> None:
    """Let a bot play: alone what is fused into one loop, move by move what is not."""
    from kibitz.arena.fused import can_fuse
    from kibitz.arena.play import play
    from kibitz.arena.play import warm as compile_loops
    from kibitz.bots import seat_bots
    from kibitz.bots.person import Person

    bots = seat_bots(game, spec)
    if any(isinstance(bot, Person) for bot in bots):
        raise BadInput(f"{spec} needs no compiling: name bots")
    if hasattr(bots[0], "prepare"):
        bots[0].prepare()
        return
    if can_fuse(bots):
        compile_loops(game, bots)
    if spec == "random" or not can_fuse(bots):
        for _ in play(game, bots, 2, fused=False):
            pass


def _compile_apart(game: Game, spec: str) -> None:
    """What a bot that searches has compiled when it plays with a person, where most of the game runs as it is."""
    from kibitz.bots import parts
    from kibitz.bots.pimc import practice
    from kibitz.bots.stranger import meet

    if spec.split(":")[0] == "pimc":
        meet(game, *parts(game, spec), practice(game))
