"""Games moved on in one compiled call, up to the next decision that no compiled opponent makes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from kibitz.core import uniform
from kibitz.core.game import OVER, Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.turns import turns

# Bound by specialise in the template below.
game = choose = advance = to_move = finish = UNBOUND


@cache
def mover(game: Game, kernel: Any) -> Callable[..., None]:
    """The loop for one game and one compiled opponent (random if None).

    Called with a Batch's state, turn, mask, moves, keys and rng, the actions chosen (-1 before the first move), which
    seats the opponent has, its knobs, and returns and won to be filled in.
    """
    fused = kernel or uniform.choose
    tag = f"{game.tag}|{fused.__module__}.{fused.__name__}"
    return specialise(_move_on, tag, game=game.kernels, choose=fused, **vars(turns(game)))


def _move_on(
    state: Ints, turn: Ints, mask: Bools, moves: Ints, keys: Ints, rngs: Ints, actions: Ints, fused: Bools,
    knobs: Floats, returns: Floats, won: Bools,
) -> None:  # fmt: skip
    p = np.zeros(max(1, game.CHANCES))
    log = np.zeros(0, np.int32)
    seen = np.zeros(game.SIZE, np.int64)
    for row in range(len(turn)):
        if turn[row] < 0:
            continue
        s = state[row]
        action = actions[row]
        while True:
            if action >= 0:  # before the first move there is none
                moves[row] = advance(s, keys[row], rngs[row], action, moves[row], p, log)
            seat = to_move(s, keys[row], rngs[row], moves[row])
            turn[row] = seat
            if seat == OVER:
                finish(s, returns[row], won[row])
                break
            game.legal(s, mask[row])
            if not fused[seat]:
                break
            game.peek(s, seat, seen)
            action = choose(seen, mask[row], rngs[row], knobs)
