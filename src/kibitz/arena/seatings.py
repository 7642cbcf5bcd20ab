"""Who sits where in a match of A against B: every deal is played once in each seating, so luck falls to both alike.

A game says which form fits it by the word SEATINGS in its package, or by a function `seatings(values)` where that
depends on its options; without it everybody plays for himself. Forms:

each      A in each seat among B's and B in each seat among A's; with two players that is both orders
teams     A's team against B's and the reverse; the teams are the game's sides
soloist   A as soloist against B's and the reverse, wherever the deal puts the soloist
four      these two and both bots among themselves: AvBB BvAA AvAA BvBB
six       AvBB BvAA and both soloists against mixed defenders: AvAB AvBA BvAB BvBA
eight     all of them
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kibitz.arena.fused import own_roles, soloist_of
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of
from kibitz.core.position import Position

A, B = 0, 1
LETTERS = "AB"
Seating = tuple[int, ...]
"""A or B for each seat, or for each place from the soloist on."""


@dataclass(frozen=True)
class Form:
    """The seatings in which each deal is played; in a match the one with A and B exchanged belongs to each."""

    name: str
    seatings: tuple[Seating, ...]
    by_soloist: bool = False
    is_match: bool = True
    """Whether A and B are compared; else the games are played for themselves."""

    def __post_init__(self) -> None:
        if self.is_match and {mirror(seating) for seating in self.seatings} != set(self.seatings):
            raise BadInput(f"seatings {' '.join(self.names)} are not fair: each needs the one with A and B exchanged")

    @property
    def names(self) -> list[str]:
        """`AvBB` where there is a soloist, `ABB` otherwise."""
        return [self.text(seating) for seating in self.seatings]

    def text(self, seating: Seating) -> str:
        """One seating as letters."""
        letters = "".join(LETTERS[side] for side in seating)
        return f"{letters[0]}v{letters[1:]}" if self.by_soloist else letters

    @property
    def contested(self) -> tuple[int, ...]:
        """The places of the seatings in which A and B meet in a match."""
        return tuple(k for k, seating in enumerate(self.seatings) if self.is_match and len(set(seating)) == 2)

    def partner(self, k: int) -> int:
        """The place of the k-th seating's mirror image."""
        return self.seatings.index(mirror(self.seatings[k]))

    @property
    def seat_games(self) -> int:
        """How many seats A has in the contested games of a deal; B has as many."""
        return sum(self.seatings[k].count(A) for k in self.contested)


def mirror(seating: Seating) -> Seating:
    """The seating with A and B exchanged."""
    return tuple(1 - side for side in seating)


def form_of(game: Game, name: str | None = None) -> Form:
    """The form of a match in a game: the one asked for, or the one the game says fits it."""
    name = name or usual(game)
    if name not in FORMS:
        raise BadInput(f"there are no seatings {name}: there are {', '.join(FORMS)}")
    return FORMS[name](game)


def usual(game: Game) -> str:
    """The form a game names, or `each`."""
    package = importlib.import_module(package_of(game.name))
    return str(package.seatings(game.options)) if hasattr(package, "seatings") else getattr(package, "SEATINGS", "each")


def role_names(game: Game, form: Form) -> tuple[str, ...]:
    """What a seat can turn out to be: the game's own ROLES, or its sides."""
    if own_roles(game):
        return own_roles(game)
    if form.by_soloist:
        return ("soloist", "defender")
    if form.name == "teams":
        return ("team 0", "team 1")
    return tuple(f"seat {seat}" for seat in range(game.PLAYERS))


def _each(game: Game) -> Form:
    seats = game.PLAYERS
    if seats < 2:
        raise BadInput(f"{game.name} has one seat: there is nobody to play against")
    alone = [tuple(A if seat == mine else B for seat in range(seats)) for mine in range(seats)]
    # With two players the mirror images are the same two seatings again.
    return Form("each", tuple(dict.fromkeys(_with_mirrors(alone))))


def _teams(game: Game) -> Form:
    s = Position(game).state
    sides = tuple(int(game.side(s, seat)) for seat in range(game.PLAYERS))
    if set(sides) != {A, B}:
        raise BadInput(f"{game.name} has no two teams: choose other seatings, such as {usual(game)}")
    return Form("teams", (sides, mirror(sides)))


def _soloist(name: str, with_own: bool, with_mixed: bool) -> Callable[[Game], Form]:
    def form(game: Game) -> Form:
        others = game.PLAYERS - 1
        if not _has_soloist(game):
            raise BadInput(f"{game.name} has no soloist when the cards are dealt: choose other seatings, such as each")
        if with_mixed and others != 2:
            raise BadInput(f"seatings {name} need two defenders, and {game.name} has {others}: choose soloist or four")
        seatings = [(A, *[B] * others)]
        seatings += [(A, *[A] * others)] if with_own else []
        seatings += [(A, A, B), (A, B, A)] if with_mixed else []
        return Form(name, tuple(_with_mirrors(seatings)), by_soloist=True)

    return form


def _has_soloist(game: Game) -> bool:
    s = Position(game).state
    sides = [int(game.side(s, seat)) for seat in range(game.PLAYERS)]
    return soloist_of(game)(s) >= 0 and sorted(sides) == [0] + [1] * (game.PLAYERS - 1)


def _with_mirrors(seatings: Iterable[Seating]) -> list[Seating]:
    return [one for seating in seatings for one in (seating, mirror(seating))]


FORMS: dict[str, Callable[[Game], Form]] = {
    "each": _each,
    "teams": _teams,
    "soloist": _soloist("soloist", False, False),
    "four": _soloist("four", True, False),
    "six": _soloist("six", False, True),
    "eight": _soloist("eight", True, True),
}
