"""What one seat may know: the only thing a bot is given.

The state inside a view is a copy at the same offsets with everything blanked that the seat cannot know, so a bot cannot
cheat and a page cannot leak; `observe` and `infoset` give the same answers on it as on the full state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game, State


@dataclass(frozen=True)
class View:
    """One seat's knowledge of one game at its turn."""

    game: Game
    seat: int
    state: State
    mask: NDArray[np.bool_]
    rng: NDArray[np.int64]
    """The seat's own luck at this move."""

    def legal(self) -> list[int]:
        """The legal actions, ascending."""
        return [int(action) for action in np.flatnonzero(self.mask)]

    def observe(self, kind: str = "default") -> NDArray[np.float32]:
        """The tensor of what the seat sees."""
        observation = self.game.observation(kind)
        out = np.zeros(observation.senses, np.float32)
        observation.observe(self.state, self.seat, out)
        return out

    def infoset(self) -> int:
        """The key of the seat's information set."""
        return int(self.game.infoset(self.state, self.seat))

    def __str__(self) -> str:
        return str(self.game.words.show(self.state, self.seat))


@dataclass(frozen=True)
class Views:
    """The knowledge of the seats to move in many games: arrays with one row a game."""

    game: Game
    seats: NDArray[np.int64]
    states: NDArray[np.int64]
    """[n, SIZE], blanked."""
    masks: NDArray[np.bool_]
    """[n, ACTIONS]"""
    rngs: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seats)

    def __getitem__(self, i: int) -> View:
        return View(self.game, int(self.seats[i]), self.states[i], self.masks[i], self.rngs[i])

    def __iter__(self) -> Iterator[View]:
        return (self[i] for i in range(len(self)))

    def pick(self, rows: NDArray[np.intp]) -> Views:
        """The views of some of the games."""
        return Views(self.game, self.seats[rows], self.states[rows], self.masks[rows], self.rngs[rows])

    def observe(self, kind: str = "default") -> NDArray[np.float32]:
        """[n, SENSES]: what each seat sees."""
        from kibitz.core.batch import observe_rows

        return observe_rows(self.game, self.states, self.seats, kind)

    def infosets(self) -> NDArray[np.int64]:
        """[n]: the keys of the seats' information sets."""
        from kibitz.core.batch import infoset_rows

        return infoset_rows(self.game, self.states, self.seats)


def view_of(game: Game, s: State, seat: int, rng: NDArray[np.int64] | None = None) -> View:
    """What a seat may know of a state; its mask is empty unless it is the seat's turn."""
    from kibitz.core.rng import fresh

    blanked = np.zeros(game.SIZE, np.int64)
    game.view(s, seat, blanked)
    mask = np.zeros(game.ACTIONS, np.bool_)
    if game.turn(s) == seat:
        game.legal(s, mask)
    return View(game, seat, blanked, mask, fresh(0, 0, seat) if rng is None else rng)
