"""Deals played to their end by a rule-based player: what a card is worth where solving open cards costs too much."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from kibitz.core import rng
from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Floats, Ints

# these two are bound by specialise
game = choose = UNBOUND


def play_out(game: Game, rule: str, states: Ints, seat: int) -> Floats:
    """[n, ACTIONS]: what the seat receives when all go on by rule after an action; the same luck for every action."""
    mask = np.zeros(game.ACTIONS, np.bool_)
    game.legal(states[0], mask)
    out = np.full((len(states), game.ACTIONS), np.nan)
    knobs = np.array(list(game.parts["bots"].BOTS[rule].knobs.values()))
    _player(game, rule)(states, np.flatnonzero(mask), seat, knobs, out)
    return out


@cache
def _player(game: Game, rule: str) -> Callable[..., None]:
    chooser = game.parts["bots"].BOTS[rule].choose
    return specialise(_play_rows, f"{game.tag}|{rule}", game=game.kernels, choose=chooser)


def _play_rows(states: Ints, actions: Ints, seat: int, knobs: Floats, out: Floats) -> None:
    s = np.zeros(game.SIZE, np.int64)
    view = np.zeros(game.SIZE, np.int64)
    mask = np.zeros(game.ACTIONS, np.bool_)
    gains = np.zeros(game.PLAYERS)
    r = np.zeros(rng.SLOTS, np.int64)
    base = np.zeros(rng.SLOTS, np.int64)
    for row in range(len(states)):
        for action in actions:
            s[:] = states[row]
            game.step(s, action)
            rng.branch(r, base, row)
            turn = game.turn(s)
            while turn >= 0:
                game.peek(s, turn, view)
                game.legal(s, mask)
                game.step(s, choose(view, mask, r, knobs))
                turn = game.turn(s)
            game.returns(s, gains)
            out[row, action] = gains[seat]
