"""Many lines of play that branch: each continues a row of an older array, in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.game import OVER, Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.turns import turns
from kibitz.core.view import Views

# Bound by specialise in the templates below.
game = begin = advance = to_move = UNBOUND


@dataclass(frozen=True)
class Lines:
    """Positions side by side, each with its own luck."""

    game: Game
    state: Ints
    turn: Ints
    """[n]: the seat to move, or OVER."""
    mask: Bools
    moves: Ints
    """[n]: moves so far, chance included."""
    keys: Ints
    rng: Ints
    returns: Floats
    """[n, PLAYERS]: where the game is over."""

    def __len__(self) -> int:
        return len(self.turn)

    def views(self, rows: Ints) -> Views:
        """What the seats to move in some rows may know."""
        seats = self.turn[rows]
        blanked = np.zeros((len(rows), self.game.SIZE), np.int64)
        _bound(self.game, _peek_rows)(self.state, rows, seats, blanked)
        return Views(self.game, seats, blanked, self.mask[rows], self.rng[rows])

    def pick(self, rows: Ints) -> Lines:
        """Some of the lines."""
        return Lines(self.game, *(getattr(self, part)[rows] for part in _PARTS))

    def branch(self, rows: Ints, actions: Ints) -> Lines:
        """The positions after playing an action in each of some rows; a row may be named more than once.

        Lines that come from one row share their luck, so what differs between them is what the actions make of it.
        """
        after = _empty(self.game, len(rows))
        _bound(self.game, _branch_rows)(
            self.state, self.moves, self.keys, rows, actions, after.state, after.turn, after.mask, after.moves,
            after.keys, after.rng, after.returns,
        )  # fmt: skip
        return after


def dealt(game: Game, seed: int, numbers: Ints) -> Lines:
    """The beginnings of some games."""
    lines = _empty(game, len(numbers))
    _bound(game, _deal_rows)(
        lines.state, lines.turn, lines.mask, lines.moves, lines.keys, lines.rng, rng.root(seed), numbers, game.blank(),
        lines.returns,
    )  # fmt: skip
    return lines


_PARTS = ("state", "turn", "mask", "moves", "keys", "rng", "returns")


def stacked(game: Game, parts: Sequence[Lines]) -> Lines:
    """Lines of different lengths one below the other."""
    whole = [_empty(game, 0), *parts]
    return Lines(game, *(np.concatenate([getattr(one, part) for one in whole]) for part in _PARTS))


def _empty(game: Game, n: int) -> Lines:
    return Lines(
        game, np.empty((n, game.SIZE), np.int64), np.empty(n, np.int64), np.zeros((n, game.ACTIONS), np.bool_),
        np.zeros(n, np.int64), np.empty((n, rng.keys_for(game.PLAYERS)), np.int64), np.empty((n, rng.SLOTS), np.int64),
        np.zeros((n, game.PLAYERS)),
    )  # fmt: skip


@cache
def _bound(game: Game, template: Callable[..., Any]) -> Callable[..., Any]:
    return specialise(template, game.tag, game=game.kernels, **vars(turns(game)))


def _deal_rows(
    state: Ints, turn: Ints, mask: Bools, moves: Ints, keys: Ints, rngs: Ints, root: Ints, numbers: Ints, blank: Ints,
    returns: Floats,
) -> None:  # fmt: skip
    p = np.zeros(max(1, game.CHANCES))
    log = np.zeros(0, np.int32)
    for row in range(len(numbers)):
        s = state[row]
        moves[row] = begin(s, keys[row], rngs[row], root, numbers[row], blank, p, log)
        turn[row] = to_move(s, keys[row], rngs[row], moves[row])
        if turn[row] == OVER:
            game.returns(s, returns[row])
        else:
            game.legal(s, mask[row])


def _branch_rows(
    state: Ints, moves: Ints, keys: Ints, rows: Ints, actions: Ints, next_state: Ints, next_turn: Ints,
    next_mask: Bools, next_moves: Ints, next_keys: Ints, next_rngs: Ints, returns: Floats,
) -> None:  # fmt: skip
    p = np.zeros(max(1, game.CHANCES))
    log = np.zeros(0, np.int32)
    for i in range(len(rows)):
        row = rows[i]
        s, r = next_state[i], next_rngs[i]
        s[:] = state[row]
        next_keys[i] = keys[row]
        next_moves[i] = advance(s, keys[row], r, actions[i], moves[row], p, log)
        next_turn[i] = to_move(s, keys[row], r, next_moves[i])
        if next_turn[i] == OVER:
            game.returns(s, returns[i])
        else:
            game.legal(s, next_mask[i])


def _peek_rows(state: Ints, rows: Ints, seats: Ints, out: Ints) -> None:
    for i in range(len(rows)):
        game.peek(state[rows[i]], seats[i], out[i])
