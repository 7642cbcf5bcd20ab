"""What a position and a view answer in words: cards by name, as far as the game's words say them (core/game.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, State


class Card(str):
    """A card's name, such as `Th`, `21t` or `K`, that knows its rank and suit and prints without quotes."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """What comes before the suit: `T` of `Th`."""
        return self[: len(self) - len(self.suit)]

    @property
    def suit(self) -> str:
        """The small letter at the end: `h` of `Th`; empty where cards have no suit."""
        return self[-1] if len(self) > 1 and self[-1].islower() else ""

    def __repr__(self) -> str:
        return str(self)


class Readable:
    """The part that positions and views share."""

    game: Game
    state: State

    @property
    def trick(self) -> dict[int, Card]:
        """The cards of the trick on the table, by seat, in the order played."""
        return {seat: Card(card) for seat, card in self._words("trick")(self.state).items()}

    @property
    def last_trick(self) -> dict[int, Card]:
        """The cards of the last complete trick, by seat, in the order played; empty before there is one."""
        return {seat: Card(card) for seat, card in self._words("last_trick")(self.state).items()}

    @property
    def contract(self) -> str:
        """The contract, or the bid that stands; empty where there is none yet."""
        return str(self._words("contract")(self.state))

    @property
    def points(self) -> list[float]:
        """The points in tricks so far, for each seat; where points belong to sides, those of its side."""
        return list(self._words("points")(self.state))

    def _words(self, name: str) -> Callable[..., Any]:
        """A function of the game's words, if it has it."""
        found: Callable[..., Any] | None = getattr(self.game.words, name, None)
        if found is None:
            able = [one for one in READINGS if hasattr(self.game.words, one)]
            raise BadInput(f"{self.game.name} has no {name}: it can tell {', '.join(able) or 'none of these'}")
        return found

    def _cards(self, name: str, seat: int) -> list[Card]:
        """The answer of a function of the game's words that is about one seat."""
        if not 0 <= seat < self.game.PLAYERS:
            raise BadInput(f"there is no seat {seat}: {self.game.name} has seats 0 to {self.game.PLAYERS - 1}")
        return [Card(card) for card in self._words(name)(self.state, seat)]


READINGS = ("hand", "unseen", "trick", "last_trick", "contract", "points")
"""The functions of a game's words that are asked here; the contract in core/game.py says what each gives."""
