"""One game, readable: the scalar door. It checks every move and says what would be right."""

from __future__ import annotations

import difflib

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import CHANCE, OVER, Game, State, make
from kibitz.core.readable import Card, Readable
from kibitz.core.view import View, view_of


class Position(Readable):
    """A game at one moment, with its past: push a move, pop it again, ask who is to move and what is legal.

        p = kibitz.Position("leduc", seed=3)
        p.push("raise")
        print(p, p.legal(), p.hand(0))

    Chance moves after the deal are drawn when they are due, unless `manual_chance`.
    """

    def __init__(
        self, game: Game | str, seed: int = 0, number: int = 0, *, deal: str | None = None, manual_chance: bool = False
    ) -> None:
        game = make(game) if isinstance(game, str) else game
        self.game, self.seed, self.number = game, seed, number
        self.manual_chance = manual_chance
        self.state: State = game.blank()
        self.actions: list[int] = []
        """Every move so far, chance included."""
        self._past: list[tuple[State, int]] = []
        if deal is None:
            game.deal(self.state, self._luck(rng.DEALER))
        else:
            game.words.read_deal(deal, self.state)
        self.deal_text: str = game.words.deal_text(self.state)
        self._settle()

    @classmethod
    def at(cls, game: Game, state: State, seed: int = 0) -> Position:
        """A game from a state in its middle; what came before is not known, so `deal_text` is empty."""
        position = cls.__new__(cls)
        position.game, position.seed, position.number, position.manual_chance = game, seed, 0, False
        position.state, position.actions, position._past, position.deal_text = state.copy(), [], [], ""
        position._settle()
        return position

    @property
    def turn(self) -> int:
        """The seat to move, or OVER, or CHANCE."""
        return int(self.game.turn(self.state))

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when chance moves or the game is over."""
        return self.turn if self.turn >= 0 else None

    def hand(self, seat: int) -> list[Card]:
        """The cards a seat holds."""
        return self._cards("hand", seat)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    def mask(self) -> NDArray[np.bool_]:
        """bool[ACTIONS]: the legal actions of the seat to move."""
        mask = np.zeros(self.game.ACTIONS, np.bool_)
        if self.turn >= 0:
            self.game.legal(self.state, mask)
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions as numbers, ascending; at a chance move, its outcomes."""
        if self.turn == CHANCE:
            return [k for k, chance in enumerate(self.chances()) if chance > 0]
        return [int(action) for action in np.flatnonzero(self.mask())]

    def legal(self) -> list[str]:
        """The legal actions as words."""
        return [self.word(action) for action in self.legal_actions()]

    def chances(self) -> NDArray[np.float64]:
        """The probabilities of the outcomes of the chance move that is due."""
        p = np.zeros(max(1, self.game.CHANCES))
        return p[: self.game.chances(self.state, p)]

    def word(self, action: int) -> str:
        """An action of the side to move (or of chance) as a word."""
        if self.turn == CHANCE:
            return str(self.game.words.chance_word(self.state, action))
        return str(self.game.words.ACTION_WORDS[action])

    def read(self, text: str) -> int:
        """The action that a word means here; raises IllegalMove with a sentence that tells what would be right."""
        if self.turn != CHANCE:
            return read_move(self.game, self.state, self.mask(), text)
        for outcome in self.legal_actions():
            if self.word(outcome) == text.strip():
                return outcome
        raise IllegalMove(f"{text} cannot come up here: possible are {' '.join(self.legal())}")

    def push(self, move: str | int) -> None:
        """Play a move, given as a word or as a number."""
        if self.is_over:
            raise IllegalMove(f"{move} cannot be played: the game is over")
        action = self.read(move) if isinstance(move, str) else int(move)
        if action not in self.legal_actions():
            if self.turn == CHANCE:
                raise IllegalMove(f"outcome {action} cannot come up here: possible are {' '.join(self.legal())}")
            raise illegal(self.game, self.state, self.mask(), action)
        self._past.append((self.state.copy(), len(self.actions)))
        self.game.step(self.state, action)
        self.actions.append(action)
        self._settle()

    def pop(self) -> None:
        """Take back the last move that was pushed, with the chance moves it led to."""
        if not self._past:
            raise BadInput("there is no move to take back")
        before, moves = self._past.pop()
        self.state[:] = before
        del self.actions[moves:]

    def view(self, seat: int | None = None) -> View:
        """What one seat may know, with its luck at this move; without a seat, the one to move."""
        if seat is None:
            if self.turn < 0:
                raise BadInput(f"{'the game is over' if self.is_over else 'chance moves'}: say whose view it shall be")
            seat = self.turn
        return view_of(self.game, self.state, seat, self._luck(seat))

    def solve(self) -> dict[Card, int]:
        """What every legal card is worth with all cards open,
        in the points that `search/doubledummy.py` names for a game."""
        from kibitz.search.doubledummy import solve

        if self.turn < 0:
            raise BadInput("there is nothing to solve: no seat is to move")
        values = solve(self.game, self.state[None])[0]
        return {Card(self.word(action)): int(values[action]) for action in self.legal_actions()}

    def returns(self) -> list[float]:
        """The final scores, one per seat, once the game is over."""
        if not self.is_over:
            raise BadInput("there are no returns before the game is over")
        out = np.zeros(self.game.PLAYERS)
        self.game.returns(self.state, out)
        return [float(x) for x in out]

    def won(self, seat: int) -> bool:
        """Whether the seat has won, in the sense of its game."""
        return self.is_over and self.game.has_won(self.state, seat)

    def __str__(self) -> str:
        return str(self.game.words.show(self.state, None))

    def __repr__(self) -> str:
        due = "over" if self.is_over else "chance moves" if self.turn == CHANCE else f"seat {self.turn} to move"
        return f"<{self.game.name} after {len(self.actions)} moves, {due}>"

    def _luck(self, who: int, purpose: int = rng.PLAY) -> NDArray[np.int64]:
        return rng.fresh(self.seed, self.number, who, len(self.actions), purpose)

    def _settle(self) -> None:
        while self.turn == CHANCE and not self.manual_chance:
            p = self.chances()
            outcome = rng.sample(self._luck(rng.DEALER, rng.CHANCE), p, len(p))
            self.game.step(self.state, outcome)
            self.actions.append(int(outcome))


def read_move(game: Game, s: State, mask: NDArray[np.bool_], text: str) -> int:
    """The legal action that a word means in a state or a view; raises IllegalMove that tells what would be right."""
    words = game.words.ACTION_WORDS
    spell = getattr(game.words, "spell", str)
    for wanted in (text.strip(), spell(text.strip())):
        for action in np.flatnonzero(mask):
            if words[action] == wanted:
                return int(action)
    if spell(text.strip()) in words:
        raise illegal(game, s, mask, words.index(spell(text.strip())))
    legal = [words[action] for action in np.flatnonzero(mask)]
    near = difflib.get_close_matches(text, legal, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise IllegalMove(f"{text.strip() or 'nothing'} is no move here: {hint}legal are {' '.join(legal)}")


def illegal(game: Game, s: State, mask: NDArray[np.bool_], action: int) -> IllegalMove:
    """The error for an action that the rules forbid here, with the reason the game gives."""
    words = game.words.ACTION_WORDS
    word = words[action] if 0 <= action < game.ACTIONS else f"action {action}"
    why = getattr(game.words, "why_not", None)
    reason = why(s, action) if why and 0 <= action < game.ACTIONS else ""
    legal = " ".join(words[legal] for legal in np.flatnonzero(mask))
    return IllegalMove(f"{word} is illegal for seat {game.turn(s)}: {reason or f'legal are {legal}'}")
