"""Many games in one array: the fast door. One compiled call moves all of them, and deals again where one has ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import CHANCE, OVER, Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.turns import turns
from kibitz.core.view import Views

Log = NDArray[np.int32]

# Bound by specialise in the templates below.
game = observe = begin = settle = to_move = finish = UNBOUND


class Batch:
    """n games side by side; game numbers first, first + 1, ... are dealt to the rows in order, as rows become free.

    A game's luck depends on (seed, its number) alone, so what happens in game 17 is the same for every n. All arrays
    are owned by the batch and overwritten by `step`.
    """

    def __init__(
        self, game: Game, n: int, seed: int = 0, first: int = 0, games: int | None = None, *, keep_log: bool = False
    ) -> None:
        if n < 1:
            raise BadInput(f"a batch of {n} games is not possible: it takes at least 1")
        self.game, self.n, self.seed = game, n, seed
        self.next_number, self.end = first, None if games is None else first + games
        self.state = np.zeros((n, game.SIZE), np.int64)
        self.turn = np.full(n, OVER, np.int64)
        """The seat to move, or OVER where no game is left to deal."""
        self.mask = np.zeros((n, game.ACTIONS), np.bool_)
        self.number = np.full(n, -1, np.int64)
        """The game number in each row."""
        self.moves = np.zeros(n, np.int64)
        """Moves so far, chance included."""
        self.length = np.zeros(n, np.int64)
        """Actions so far, chance not counted."""
        self.rng = np.zeros((n, rng.SLOTS), np.int64)
        """The luck of the seat to move."""
        self.keys = np.zeros((n, rng.keys_for(game.PLAYERS)), np.int64)
        """Where all luck of a game comes from; no view holds any of it."""
        self._root = rng.root(seed)
        self.ended = np.zeros(n, np.bool_)
        """Where the last step ended a game; the arrays below describe the game that ended."""
        self.returns = np.zeros((n, game.PLAYERS))
        self.won = np.zeros((n, game.PLAYERS), np.bool_)
        self.last_number = np.full(n, -1, np.int64)
        self.last_length = np.zeros(n, np.int64)
        self.last_state = np.zeros((n, game.SIZE), np.int64)
        self.log = np.zeros((n, game.LONGEST if keep_log else 0), np.int32)
        """Every move of the running games, chance included, if the batch keeps a log."""
        self.last_log = np.zeros_like(self.log)
        self.last_moves = np.zeros(n, np.int64)
        self._blank = game.blank()
        self._open = _bound(game, _open_rows)
        self._step = _bound(game, _step_rows)
        self._blind = _bound(game, _view_rows)
        self._deal_rows(np.arange(n))

    def step(self, actions: Ints) -> None:
        """Play one action in every row that has a seat to move; rows without one are left alone."""
        actions = np.ascontiguousarray(actions, np.int64)
        active = self.turn >= 0
        if actions.shape != (self.n,):
            raise BadInput(f"a batch of {self.n} games takes {self.n} actions, not {actions.shape}")
        chosen = np.where(active, actions, 0)
        legal = (chosen >= 0) & (chosen < self.game.ACTIONS)
        legal[legal] = self.mask[legal.nonzero()[0], chosen[legal]]
        if not (legal | ~active).all():
            row = int(np.flatnonzero(active & ~legal)[0])
            raise IllegalMove(
                f"action {actions[row]} is illegal for seat {self.turn[row]} in game {self.number[row]}: "
                f"legal are {', '.join(map(str, np.flatnonzero(self.mask[row])))}"
            )
        self.step_unchecked(chosen)

    def step_unchecked(self, actions: Ints) -> None:
        """`step` for actions that are known to be legal."""
        self._step(
            self.state, self.turn, self.mask, self.moves, self.length, self.number, self.keys, self.rng, actions,
            self.ended, self.returns, self.won, self.last_number, self.last_length, self.last_moves, self.last_state,
            self.log, self.last_log,
        )  # fmt: skip
        if self.ended.any():
            self._deal_rows(np.flatnonzero(self.ended))

    def abandon(self, rows: NDArray[np.intp]) -> None:
        """Break off the games in some rows and deal the next ones there; they do not count as ended."""
        self._deal_rows(rows)

    def views(self, rows: NDArray[np.intp] | None = None) -> Views:
        """What the seats to move may know, in all rows with a seat to move or in the given ones."""
        rows = np.flatnonzero(self.turn >= 0) if rows is None else rows
        seats = self.turn[rows]
        blanked = np.zeros((len(rows), self.game.SIZE), np.int64)
        self._blind(self.state, rows, seats, blanked)
        return Views(self.game, seats, blanked, self.mask[rows], self.rng[rows])

    def observe(self, kind: str = "default", out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """[n, SENSES]: what the seat to move sees in each row; zeros where nobody is to move."""
        return observe_rows(self.game, self.state, self.turn, kind, out)

    def _deal_rows(self, rows: NDArray[np.intp]) -> None:
        left = len(rows) if self.end is None else max(0, min(len(rows), self.end - self.next_number))
        self.number[rows] = -1
        self.turn[rows] = OVER
        self.mask[rows] = False
        self.number[rows[:left]] = np.arange(self.next_number, self.next_number + left)
        self.next_number += left
        self._open(
            self.state, self.turn, self.mask, self.moves, self.length, self.number, self.keys, self.rng, rows[:left],
            self._root, self._blank, self.log,
        )  # fmt: skip


def observe_rows(
    game: Game, states: Ints, seats: Ints, kind: str = "default", out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """[n, SENSES]: what each row's seat sees."""
    observation = game.observation(kind)
    if out is None:
        out = np.empty((len(seats), observation.senses), np.float32)
    _observer(game, kind)(states, seats, out)
    return out


def infoset_rows(game: Game, states: Ints, seats: Ints) -> Ints:
    """[n]: each row's information set key."""
    keys = np.zeros(len(seats), np.int64)
    _bound(game, _infoset_rows)(states, seats, keys)
    return keys


@cache
def _bound(game: Game, template: Callable[..., Any]) -> Callable[..., Any]:
    return specialise(template, game.tag, game=game.kernels, **vars(turns(game)))


@cache
def _observer(game: Game, kind: str) -> Callable[..., Any]:
    return specialise(_observe_rows, f"{game.tag}|{kind}", observe=game.observation(kind).observe)


def _open_rows(
    state: Ints, turn: Ints, mask: Bools, moves: Ints, length: Ints, number: Ints, keys: Ints, r: Ints, rows: Ints,
    root: Ints, blank: Ints, log: Log,
) -> None:  # fmt: skip
    p = np.zeros(max(1, game.CHANCES))
    for row in rows:
        moves[row] = begin(state[row], keys[row], r[row], root, number[row], blank, p, log[row])
        length[row] = 0
        turn[row] = to_move(state[row], keys[row], r[row], moves[row])
        game.legal(state[row], mask[row])


def _step_rows(
    state: Ints, turn: Ints, mask: Bools, moves: Ints, length: Ints, number: Ints, keys: Ints, r: Ints, actions: Ints,
    ended: Bools, returns: Floats, won: Bools, last_number: Ints, last_length: Ints, last_moves: Ints, last_state: Ints,
    log: Log, last_log: Log,
) -> None:  # fmt: skip
    p = np.zeros(max(1, game.CHANCES))
    for row in range(len(turn)):
        ended[row] = False
        if turn[row] < 0:
            continue
        s = state[row]
        game.step(s, actions[row])  # written out, see core/turns
        if log.shape[1] > 0:
            log[row, moves[row]] = actions[row]
        moves[row] += 1
        if game.HAS_CHANCES and game.turn(s) == CHANCE:
            moves[row] += settle(s, keys[row], r[row], moves[row], p, log[row])
        length[row] += 1
        turn[row] = game.turn(s)
        if turn[row] == OVER:
            ended[row] = True
            finish(s, returns[row], won[row])
            last_number[row] = number[row]
            last_length[row] = length[row]
            last_moves[row] = moves[row]
            last_state[row] = s
            last_log[row] = log[row]
        else:
            rng.turn(r[row], keys[row], turn[row], rng.PLAY, moves[row])
            game.legal(s, mask[row])


def _view_rows(state: Ints, rows: Ints, seats: Ints, out: Ints) -> None:
    for i in range(len(rows)):
        game.peek(state[rows[i]], seats[i], out[i])


def _infoset_rows(states: Ints, seats: Ints, keys: Ints) -> None:
    for i in range(len(seats)):
        keys[i] = game.infoset(states[i], seats[i])


def _observe_rows(states: Ints, seats: Ints, out: NDArray[np.float32]) -> None:
    for i in range(len(seats)):
        out[i] = 0.0
        if seats[i] >= 0:
            observe(states[i], seats[i], out[i])
