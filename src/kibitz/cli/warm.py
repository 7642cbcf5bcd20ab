"""`kibitz warm`: compile ahead of time, so that the next command starts at once."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from kibitz.cli.arguments import Settings, asked_game
from kibitz.cli.shown import tell
from kibitz.core.errors import BadGame


def warm(
    games: Annotated[list[str] | None, typer.Argument(help="Games; all by default.", metavar="[GAMES]")] = None,
    settings: Settings = None,
) -> None:
    """Compile the kernels of games and their bots into the cache.

    Example: kibitz warm leduc
    """
    from kibitz.arena.play import play
    from kibitz.arena.play import warm as compile_loops
    from kibitz.bots import rules, seat_bots
    from kibitz.core.game import names

    for name in games or names():
        start = time.perf_counter()
        try:
            game = asked_game(name, settings)
        except BadGame as problem:
            if games:
                raise
            tell(str(problem), sys.stderr)
            continue
        random = seat_bots(game, "random")
        compile_loops(game, random)
        for _ in play(game, random, 2, fused=False):
            pass
        for rule in rules(game):
            compile_loops(game, seat_bots(game, rule))
        print(f"{name}: {time.perf_counter() - start:.1f} s")
