"""Actions in the numbers of an observation: where `observe` renames suits, mask and action follow, in this one place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from kibitz.adapters import is_framed
from kibitz.core.game import Game
from kibitz.core.jit import specialise
from kibitz.core.shapes import Bools, Ints

game: Any = None  # these two are bound by specialise in the template below
FRAMED: Any = False


@cache
def offer_kernel(game: Game, framed: bool) -> Callable[..., Any]:
    """The kernel `offer` of one game."""
    return specialise(offer, f"{game.tag}|{framed}", game=game.kernels, FRAMED=framed)


def offer(s: Ints, seat: int, legal: Bools, order: Ints, mask: Bools, real: Ints) -> None:
    """Write the legal actions of the seat to move in the learner's numbers, and what each of these means in the game's.

    `legal` and `order` are scratch arrays [ACTIONS]; `real` keeps what it held for numbers that are not legal.
    """
    if FRAMED:
        game.legal(s, legal)
        game.canonical(s, seat, order)
        mask[:] = False
        for action in range(game.ACTIONS):
            if legal[action]:
                mask[order[action]] = True
                real[order[action]] = action
    else:
        game.legal(s, mask)


def learner_number(game: Game, observation: str, s: Ints, seat: int, action: int) -> int:
    """The number that a seat's learner has for one of the game's actions."""
    return int(frame_of(game, observation, s, seat)[action])


def game_number(game: Game, observation: str, s: Ints, seat: int, number: int) -> int:
    """The game's action that a seat's learner has a number for; a number that is none stays what it is."""
    if not 0 <= number < game.ACTIONS:
        return number
    return int(np.flatnonzero(frame_of(game, observation, s, seat) == number)[0])


def frame_of(game: Game, observation: str, s: Ints, seat: int) -> Ints:
    """[ACTIONS]: the learner's number of each of the game's actions."""
    order = np.arange(game.ACTIONS)
    if is_framed(game, observation):
        game.canonical(s, seat, order)
    return order
