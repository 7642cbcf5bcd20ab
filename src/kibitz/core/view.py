"""What one seat may know: the only thing a bot is given.

The state inside a view is a copy at the same offsets with everything blanked that the seat cannot know, so a bot cannot
cheat and a page cannot leak; `observe` and `infoset` give the same answers on it as on the full state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, State
from kibitz.core.readable import Card, Readable

if TYPE_CHECKING:
    from kibitz.core.position import Position


@dataclass(frozen=True, repr=False)
class View(Readable):
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

    def legal_words(self) -> list[str]:
        """The legal actions as words."""
        return [self.game.words.ACTION_WORDS[action] for action in self.legal()]

    def read(self, word: str) -> int:
        """The legal action that a word means; raises IllegalMove with a sentence that tells what would be right."""
        from kibitz.core.position import read_move

        return read_move(self.game, self.state, self.mask, word)

    @property
    def hand(self) -> list[Card]:
        """The cards the seat holds."""
        return self._cards("hand", self.seat)

    @property
    def playable(self) -> list[Card]:
        """The cards of the hand that may be played (or laid away, or passed on) now."""
        legal = set(self.legal_words())
        return [card for card in self.hand if card in legal]

    @property
    def unseen(self) -> list[Card]:
        """The cards the seat has not seen so far."""
        return self._cards("unseen", self.seat)

    def worlds(self, n: int) -> list[Position]:
        """Positions that fit everything the seat knows, drawn with its own luck, every possible one equally likely."""
        from kibitz.core import rng
        from kibitz.core.position import Position

        if n < 1:
            raise BadInput(f"{n} worlds cannot be drawn: at least 1 can")
        luck, base = rng.forked(self.rng, rng.WORLDS), np.empty(rng.SLOTS, np.int64)
        rng.split(luck, base)
        found = []
        for k in range(n):
            state = self.state.copy()
            rng.branch(luck, base, k)
            self.game.redeal(state, self.seat, luck)
            found.append(Position.at(self.game, state, seed=int(rng.draw(luck)) & rng.MOST_SEED >> 65))
        return found

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

    def __repr__(self) -> str:
        return f"<what seat {self.seat} of {self.game.name} knows>"


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
