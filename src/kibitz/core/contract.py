"""The contract of a game in sentences, one for each thing a game provides, and where a game provides it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.core.catalogue import package_of
from kibitz.core.faults import defined
from kibitz.core.game import Game

CONTRACT = {
    "deal": "deal(s, rng) shuffles and starts; it depends on rng alone and leaves the slots of options as they are",
    "turn": "turn(s) is the seat to move, OVER or CHANCE",
    "legal": "legal(s, mask) writes bool[ACTIONS], returns how many are true, and never none before the game is over",
    "step": "step(s, action) plays a legal action in place; s alone says what follows",
    "returns": "returns(s, out) writes float[PLAYERS] once the game is over, within the bounds of payoffs",
    "payoffs": "payoffs(values) bounds what returns can be, and gives their sum where it is always the same",
    "side": "side(s, seat) is the side the seat is on now",
    "won": "won(s, seat) says whether the seat has won",
    "chances": "chances(s, p) writes the probabilities of a chance move and returns how many; they follow from s alone",
    "moves": "moves(s) has the bit of an action set when legal allows it, counted from block(s)",
    "block": "block(s) is the action that bit 0 of moves(s) stands for",
    "view": "view(s, seat, out) copies s with everything the seat cannot know blanked: a redeal does not change it",
    "observe": "observe(s, seat, out) writes float32[SENSES] from what the seat's view holds and from nothing else",
    "infoset": "infoset(s, seat) is a key of what the seat's view holds and of nothing else",
    "redeal": "redeal(s, seat, rng) draws anew what the seat cannot see, and only that; the result is a possible game",
    "show": "show(s, seat) tells a person what the seat's view holds and nothing else",
    "told": "told(before, after, seat, mover, lang) tells a listener what it sees of a move: no more, and not less",
    "deal_text": "deal_text(s) and read_deal(text, s) are each other's inverse",
    "read_deal": "deal_text(s) and read_deal(text, s) are each other's inverse",
    "ACTION_WORDS": "ACTION_WORDS has one word for each of the ACTIONS, and among legal ones no word stands for two",
    "LONGEST": "no game has more moves than LONGEST",
    "SLICES": "SLICES names the parts of an observation and ends at its length",
}
"""By name; what is not here follows from the docstring of core/game.py."""

ANY = "a kernel runs without an error on every state that can be reached, in plain Python and compiled alike"
BOUNDS = (
    "a kernel keeps within its arrays: s has {SIZE} slots (SIZE), a mask {ACTIONS} (ACTIONS), "
    "an observation {SENSES} (SENSES), returns {PLAYERS} (PLAYERS)"
)


def provided_at(game: Game, name: str) -> tuple[str, int, str]:
    """File, line and function in which a game provides something;
    nothing, 0 and the name where that cannot be found."""
    package = importlib.import_module(package_of(game.name))
    for part in _parts(game, package):
        thing = getattr(part, name, None)
        if hasattr(getattr(thing, "py_func", thing), "__code__"):
            return defined(thing)
        file = getattr(part, "__file__", None)
        if thing is not None and file:
            for number, line in enumerate(Path(file).read_text().splitlines(), 1):
                if re.match(rf"[\w, ]*\b{name}\b[\w, ]*(:.*)?=", line):
                    return file, number, ""
            return file, 1, ""
    return "", 0, name


def _parts(game: Game, package: Any) -> Iterator[Any]:
    yield from game.parts.values()
    yield package
