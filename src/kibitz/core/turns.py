"""How a game goes from one decision to the next: deal or move, let chance move, see who is to move,
give the seat its luck.

Templates for all loops that play games; `turns` binds them to one game. The hot loops, of `simulate` and of `Batch`,
have their lines written out: compiled code counts who holds each array that a call hands over, which took 90 ns a move,
more than twice the move itself.
"""

from __future__ import annotations

import types
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Floats, Ints

Log = NDArray[np.int32]

# Bound by specialise.
game = settle = UNBOUND


@cache
def turns(game: Game) -> types.SimpleNamespace:
    """The kernels begin, advance, to_move, settle and finish of one game."""
    chance = specialise(let_chance_move, game.tag, game=game.kernels)
    bound = {"game": game.kernels, "settle": chance}
    kernels = {template.__name__: specialise(template, game.tag, inline=True, **bound) for template in
               (begin, advance, to_move, finish)}  # fmt: skip
    return types.SimpleNamespace(settle=chance, **kernels)


def begin(s: Ints, keys: Ints, r: Ints, root: Ints, number: int, blank: Ints, p: Floats, log: Log) -> int:
    """Deal game `number` into a state, with keys to the luck of everybody; gives the number of (chance) moves made."""
    s[:] = blank
    rng.begin(keys, root, number)
    rng.turn(r, keys, rng.DEALER, rng.PLAY, 0)
    game.deal(s, r)
    return settle(s, keys, r, 0, p, log) if game.HAS_CHANCES else 0


def advance(s: Ints, keys: Ints, r: Ints, action: int, moves: int, p: Floats, log: Log) -> int:
    """Play an action after so many moves, and whatever chance does then; gives the number of moves made so far."""
    game.step(s, action)
    if len(log) > 0:
        log[moves] = action
    moves += 1
    return moves + settle(s, keys, r, moves, p, log) if game.HAS_CHANCES else moves


def to_move(s: Ints, keys: Ints, r: Ints, moves: int) -> int:
    """The seat to move, whose luck is put into `r`, or OVER."""
    seat = game.turn(s)
    if seat >= 0:
        rng.turn(r, keys, seat, rng.PLAY, moves)
    return int(seat)


def finish(s: Ints, returns: Floats, won: NDArray[np.bool_]) -> None:
    """What everybody gets at the end, and who has won."""
    game.returns(s, returns)
    for seat in range(game.PLAYERS):
        won[seat] = game.won(s, seat) if game.HAS_WON else returns[seat] > 0


def let_chance_move(s: Ints, keys: Ints, r: Ints, moves: int, p: Floats, log: Log) -> int:
    """Let chance move until a seat is to move or the game is over;
    gives how often, and writes to a log that is kept."""
    count = 0
    while game.turn(s) == CHANCE:
        n = game.chances(s, p)
        rng.turn(r, keys, rng.DEALER, rng.CHANCE, moves + count)
        outcome = rng.sample(r, p, n)
        game.step(s, outcome)
        if len(log) > 0:
            log[moves + count] = outcome
        count += 1
    return count
