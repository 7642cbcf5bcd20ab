"""One game as turn-based environments need it: push an action, see who is to move,
what may be done and what a seat sees."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.action_order import game_number, is_renamed, offer_kernel
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import OVER, Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.position import illegal
from kibitz.core.shapes import Bools, Ints
from kibitz.core.turns import turns
from kibitz.core.view import View, view_of

# Bound by specialise in the templates below.
game = begin = advance = _offer = _look = UNBOUND
_NO_LOG = np.zeros(0, np.int32)


class TurnTable:
    """A game that is played through an adapter; actions are numbered in the order of its observation.

    Chance and luck are those of `Position` and `Batch`: a function of (seed, number).
    """

    def __init__(self, game: Game, observation: str = "default") -> None:
        self.game, self.kind = game, observation
        self.senses = game.observation(observation).senses
        self.renamed = is_renamed(game, observation)
        self.seed = self.number = 0
        self.state: Ints = game.blank()
        self.turn = OVER
        self.moves = 0
        """Moves so far, chance included."""
        self.mask = np.zeros(game.ACTIONS, np.bool_)
        """The legal actions of the seat to move, in the learner's numbers."""
        self.real = np.arange(game.ACTIONS)
        """What each of the legal numbers of the learner means in the game's."""
        self._blank = game.blank()
        self._keys = np.zeros(rng.keys_for(game.PLAYERS), np.int64)
        self._luck = np.zeros(rng.SLOTS, np.int64)
        self._scratch = (np.zeros(game.ACTIONS, np.bool_), np.zeros(game.ACTIONS, np.int64))
        self._chances = np.zeros(max(1, game.CHANCES))
        self._open, self._push, self._look = _kernels(game, self.renamed)
        self._sees = _observer(game, observation)

    def deal(self, seed: int, number: int) -> None:
        """Deal one game."""
        self.seed, self.number = seed, number
        self.turn, self.moves = self._open(
            self.state, self._keys, self._luck, rng.root(seed), number, self._blank, self.mask, self.real,
            *self._scratch, self._chances, _NO_LOG,
        )  # fmt: skip

    def push(self, action: int) -> None:
        """Play an action, given in the learner's number."""
        if not (0 <= action < len(self.mask) and self.mask[action]):
            raise self.refusal(action)
        self.turn, self.moves = self._push(
            self.state, self._keys, self._luck, self.real[action], self.moves, self.mask, self.real, *self._scratch,
            self._chances, _NO_LOG,
        )  # fmt: skip

    def take(self, state: Ints, moves: int) -> None:
        """Go on from a state that comes from elsewhere, such as one dealt anew."""
        self.state[:], self.moves = state, moves
        self.turn = int(self._look(self.state, self.mask, self.real, *self._scratch))

    def refusal(self, action: int) -> IllegalMove:
        """The error for an action that cannot be played now."""
        if self.turn < 0:
            return IllegalMove(f"action {action} cannot be played: the game is over")
        legal = np.zeros(self.game.ACTIONS, np.bool_)
        self.game.legal(self.state, legal)
        return illegal(self.game, self.state, legal, game_number(self.game, self.kind, self.state, self.turn, action))

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees."""
        out = np.zeros(self.senses, np.float32)
        self._sees(self.state, seat, out)
        return out

    def mask_of(self, seat: int) -> NDArray[np.int8]:
        """The legal actions of a seat: none unless it is to move, as they would tell its cards."""
        if seat == self.turn:
            return self.mask.astype(np.int8)
        return np.zeros(self.game.ACTIONS, np.int8)

    def word(self, action: int) -> str:
        """The game's word for one of the learner's numbers."""
        return str(self.game.words.ACTION_WORDS[game_number(self.game, self.kind, self.state, self.turn, action)])

    def view(self, seat: int) -> View:
        """What a bot in a seat is given."""
        return view_of(self.game, self.state, seat, rng.fresh(self.seed, self.number, seat, self.moves))

    def returns(self) -> NDArray[np.float64]:
        """The final scores."""
        if self.turn != OVER:
            raise BadInput("there are no returns before the game is over")
        out = np.zeros(self.game.PLAYERS)
        self.game.returns(self.state, out)
        return out

    def save(self) -> tuple[Any, ...]:
        """Everything needed to come back to this moment."""
        return self.state.copy(), self.turn, self.moves, self.mask.copy(), self.real.copy()

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to a moment that was saved."""
        state, self.turn, self.moves, mask, real = saved
        self.state[:], self.mask[:], self.real[:] = state, mask, real


@cache
def _kernels(game: Game, renamed: bool) -> tuple[Callable[..., Any], ...]:
    tag = f"{game.tag}|{renamed}"
    look = specialise(_look_at, tag, game=game.kernels, _offer=offer_kernel(game, renamed))
    bound: dict[str, Any] = {"game": game.kernels, **vars(turns(game)), "_look": look}
    return specialise(_open_game, tag, **bound), specialise(_push_move, tag, **bound), look


@cache
def _observer(game: Game, kind: str) -> Callable[..., Any]:
    return game.observation(kind).observe


def _look_at(s: Ints, mask: Bools, real: Ints, legal: Bools, order: Ints) -> int:
    """Who is to move, and what may be done."""
    seat = game.turn(s)
    if seat >= 0:
        _offer(s, seat, legal, order, mask, real)
    else:
        mask[:] = False
    return int(seat)


def _open_game(
    s: Ints, keys: Ints, r: Ints, root: Ints, number: int, blank: Ints, mask: Bools, real: Ints, legal: Bools,
    order: Ints, p: NDArray[np.float64], log: NDArray[np.int32],
) -> tuple[int, int]:  # fmt: skip
    moves = begin(s, keys, r, root, number, blank, p, log)
    return _look(s, mask, real, legal, order), moves


def _push_move(
    s: Ints, keys: Ints, r: Ints, action: int, moves: int, mask: Bools, real: Ints, legal: Bools, order: Ints,
    p: NDArray[np.float64], log: NDArray[np.int32],
) -> tuple[int, int]:  # fmt: skip
    moves = advance(s, keys, r, action, moves, p, log)
    return _look(s, mask, real, legal, order), moves
