"""Golden playthroughs: three games of every preset as readable text, so that a change of behaviour shows as a diff.

`python -m tests.playthroughs` writes them anew, `python -m tests.playthroughs NAME` those of one preset; read the diff
before you commit it, and bump the game's VERSION.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kibitz.core.conformance import perft
from kibitz.core.game import make, names
from kibitz.core.position import Position
from kibitz.core.uniform import choose

FOLDER = Path(__file__).parent
SEED = 20
GAMES = 3
MOST_MOVES = 120


def text(name: str) -> str:
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    game = make(name)
    options = " ".join(f"{key}={value}" for key, value in game.options.items())
    yield f"{name} version {game.version} {options}".rstrip()
    yield f"actions {game.ACTIONS}, seats {game.PLAYERS}, longest {game.LONGEST}, state {game.SIZE}"
    yield "observations " + ", ".join(f"{kind} {seen.senses}" for kind, seen in game.observations.items())
    for number in range(GAMES):
        position = Position(game, SEED, number)
        yield f"\n== game {number}: {position.deal_text}"
        yield "perft " + " ".join(str(perft(game, position.state, depth)) for depth in (1, 2))
        yield str(position)
        moves = 0
        while not position.is_over and moves < MOST_MOVES:
            view = position.view(position.turn)
            action = choose(view.state, view.mask, view.rng, np.zeros(0))
            seen = zlib.crc32(view.observe().tobytes())
            yield f"{moves:3} seat {view.seat}: {position.word(action)} (of {len(view.legal())}; sees {seen:08x})"
            position.push(int(action))
            moves += 1
        yield f"after {moves} moves"
        yield str(position)
        yield "returns " + " ".join(f"{x:g}" for x in position.returns()) if position.is_over else "left there"


def write(chosen: list[str]) -> None:
    for name, found in [(name, text(name)) for name in chosen or names()]:
        (FOLDER / f"{name}.txt").write_text(found)
