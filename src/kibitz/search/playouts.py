"""Deals played to their end by a player that does not see the other hands: what a card is worth where solving open
cards costs too much, or tells too little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from kibitz.core import rng
from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.view import Views

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
    return specialise(_play_rows, f"{game.tag}|{rule}", is_loop=True, game=game.kernels, choose=chooser)


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


def play_on(game: Game, bot: Bot, states: Ints, actions: Ints, seats: Ints, luck: Ints) -> Floats:
    """[n]: what a seat receives in each deal when an action is played and a bot goes on in all seats.

    All deals go on side by side, so that a network is asked once for all who are to move. Deals with the same number
    for `luck` are given the same luck.
    """
    n = len(states)
    tables, rows, chosen = states.copy(), np.arange(n), actions.copy()
    movers, moves = np.zeros(n, np.int64), np.zeros(n, np.int64)
    views, masks = np.zeros_like(tables), np.zeros((n, game.ACTIONS), np.bool_)
    rngs, gains = np.zeros((n, rng.SLOTS), np.int64), np.zeros((n, game.PLAYERS))
    go_on = _goer(game)
    live = go_on(tables, rows, n, chosen, luck, moves, movers, views, masks, rngs, gains)
    while live:
        chosen[:live] = bot.act_batch(Views(game, movers[:live], views[:live], masks[:live], rngs[:live]))
        live = go_on(tables, rows, live, chosen, luck, moves, movers, views, masks, rngs, gains)
    received: Floats = gains[np.arange(n), seats]
    return received


@cache
def _goer(game: Game) -> Callable[..., int]:
    return specialise(_go_on, game.tag, game=game.kernels)


def _go_on(
    tables: Ints, rows: Ints, n: int, chosen: Ints, luck: Ints, moves: Ints, movers: Ints, views: Ints, masks: Bools,
    rngs: Ints, gains: Floats,
) -> int:  # fmt: skip
    """Play what was chosen at the first n of the rows, and on to the next choice; gives how many still have one.

    Those come to the front of `rows`, and what their seats know to the front of the other arrays.
    """
    base = np.zeros(rng.SLOTS, np.int64)
    live = 0
    for k in range(n):
        row, action = rows[k], chosen[k]
        s = tables[row]
        while True:
            game.step(s, action)
            moves[row] += 1
            turn = game.turn(s)
            if turn < 0:
                game.returns(s, gains[row])
                break
            if game.legal(s, masks[live]) > 1:
                rows[live], movers[live] = row, turn
                game.peek(s, turn, views[live])
                rng.branch(rngs[live], base, luck[row] * game.LONGEST + moves[row])
                live += 1
                break
            action = 0
            while not masks[live, action]:
                action += 1
    return live
