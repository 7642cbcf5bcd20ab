"""One deal at the terminal, with its past: what each seat heard of every move, who took which trick,
and moves taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.core.errors import BadInput
from kibitz.core.game import State
from kibitz.core.position import Position
from kibitz.core.scene import furnishing
from kibitz.core.telling import told


@dataclass(frozen=True)
class Taken:
    """A trick that was completed by a move."""

    seat: int
    card: str
    points: float | None
    """What it was worth, where points are counted."""


@dataclass
class Deal:
    """A position and the moves that led to it."""

    position: Position
    befores: list[State] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)

    def push(self, action: int) -> None:
        """One move of the seat to move."""
        before, mover = self.position.state.copy(), self.position.turn
        self.position.push(action)
        self.befores.append(before)
        self.movers.append(mover)

    def take_back(self, seat: int) -> int:
        """Go back to the last decision of a seat; gives how many moves were taken back.
        Cards laid together come back together."""
        places = [k for k, mover in enumerate(self.movers) if mover == seat]
        if not places:
            raise BadInput("you have not moved yet: there is nothing to take back")
        place = places[-1]
        while place > 0 and self.movers[place - 1] == seat and not self.is_card(place - 1):
            place -= 1
        count = len(self.movers) - place
        for _ in range(count):
            self.position.pop()
            self.befores.pop()
            self.movers.pop()
        return count

    def after(self, k: int) -> State:
        """The state after a move."""
        return self.befores[k + 1] if k + 1 < len(self.befores) else self.position.state

    def heard(self, k: int, seat: int) -> str:
        """What a seat heard and saw of a move, in English."""
        return told(self.position.game, self.befores[k], self.after(k), seat, self.movers[k])

    def is_card(self, k: int) -> bool:
        """Whether a move was a card to a trick."""
        tell = getattr(self.position.game.words, "trick", None)
        if tell is None:
            return False
        return tell(self.befores[k]) != tell(self.after(k)) or self.taken(k) is not None

    def taken(self, k: int) -> Taken | None:
        """Who took the trick that a move completed, and with what."""
        game, before, after = self.position.game, self.befores[k], self.after(k)
        count, tell = furnishing(game, "tricks"), getattr(game.words, "last_trick", None)
        if count is None or tell is None:
            return None
        has, had = count(after), count(before) or [0] * game.PLAYERS
        winner = next((seat for seat, tricks in enumerate(has) if tricks > had[seat]), None)
        card = tell(after).get(winner)
        if winner is None or card is None:
            return None
        points = getattr(game.words, "points", None)
        gained = None if points is None else points(after)[winner] - points(before)[winner]
        return Taken(winner, card, gained)
