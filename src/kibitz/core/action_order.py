"""Actions in the numbers of an observation: where `observe` renames suits, mask and action follow,
in this one place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, kernel, specialise
from kibitz.core.shapes import Bools, Ints

# Bound by specialise in the template below.
game = UNBOUND
RENAMED: Any = False


def is_renamed(game: Game, observation: str) -> bool:
    """Whether an observation renames suits, so that the actions of a learner are numbered in its order as well.

    The papers' own observations keep the names of the suits.
    """
    return game.has("canonical") and observation != "paper"


@kernel
def renumber(legal: Bools, order: Ints, mask: Bools, real: Ints) -> None:
    """Write what is legal in the learner's numbers, and what each of these means in the game's.

    `order` [ACTIONS] is the learner's number of each of the game's actions.
    """
    for action in range(len(order)):
        mask[order[action]] = legal[action]
        real[order[action]] = action


@cache
def offer_kernel(game: Game, renamed: bool) -> Callable[..., Any]:
    """The kernel `offer` of one game."""
    return specialise(offer, f"{game.tag}|{renamed}", game=game.kernels, RENAMED=renamed)


def offer(s: Ints, seat: int, legal: Bools, order: Ints, mask: Bools, real: Ints) -> None:
    """Write the legal actions of the seat to move in the learner's numbers, and what each of these means in the game's.

    `legal` and `order` are scratch arrays [ACTIONS]; `real` is left alone where the numbers are the game's own.
    """
    if RENAMED:
        game.legal(s, legal)
        game.canonical(s, seat, order)
        renumber(legal, order, mask, real)
    else:
        game.legal(s, mask)


def learner_number(game: Game, observation: str, s: Ints, seat: int, action: int) -> int:
    """The number that a seat's learner has for one of the game's actions."""
    return int(order_of(game, observation, s, seat)[action])


def game_number(game: Game, observation: str, s: Ints, seat: int, number: int) -> int:
    """The game's action that a seat's learner has a number for; a number that is none stays what it is."""
    if not 0 <= number < game.ACTIONS:
        return number
    return int(np.flatnonzero(order_of(game, observation, s, seat) == number)[0])


def order_of(game: Game, observation: str, s: Ints, seat: int) -> Ints:
    """[ACTIONS]: the learner's number of each of the game's actions."""
    order = np.arange(game.ACTIONS)
    if is_renamed(game, observation):
        game.canonical(s, seat, order)
    return order
