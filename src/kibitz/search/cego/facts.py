"""Where the hidden cards of Cego's sub-games can lie, and worlds drawn many at a time.

The places are the hands of the three others and what lies aside. What the others know of the single player's hand (that it fits the
sub-game, that it came out of the exchange) does not sort cards into places, so only views without such knowledge are counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.view import View
from kibitz.games.cego_deals.deals import STANDARD_HALVES
from kibitz.games.cego_deals.rules import RESTRICT, SUBGAME, knows_aside
from kibitz.games.tarock import (
    ALL,
    ASIDE,
    BETTEL,
    BLIND,
    BLIND_CARDS,
    CLASSES,
    HAND,
    HAND_CARDS,
    PICCOLO,
    PLAYED,
    RAEUBER,
    SINGLE,
    SOLO,
    STANDARD,
    SUITS,
    ULTIMO,
    VOIDS,
    unseen,
)
from kibitz.search.cego import draws
from kibitz.search.worlds import IMPOSSIBLE, Facts, is_twice, pooled

Ints = NDArray[np.int64]

UNRESTRICTED = {STANDARD: draws.EXCHANGE, ULTIMO: draws.HOLDS_GEISS}
"""What a sub-game tells about the single player's hand."""
RESTRICTED = {
    STANDARD: draws.EXCHANGE,
    SOLO: draws.SOLO_HAND,
    ULTIMO: draws.ULTIMO_HAND,
    BETTEL: draws.ALL_LOW,
    PICCOLO: draws.ONE_HIGH,
}
"""The same when only deals are played that fit it."""


def facts(view: View) -> Facts:
    """Voids are all that binds the cards of a seat that knows of no restriction."""
    s, seat = view.state, view.seat
    is_bound = s[RESTRICT] == 1 or s[SUBGAME] in (STANDARD, ULTIMO)
    if seat != s[SINGLE] and s[SUBGAME] != RAEUBER and is_bound:
        raise BadInput(f"the worlds of {view.game.name} are counted for the single player only")
    known = [int(s[HAND + seat]), *(int(s[PLAYED + other]) for other in range(4))]
    if is_twice(*known) or known[0].bit_count() + known[1 + seat].bit_count() != HAND_CARDS:
        return IMPOSSIBLE
    hidden = int(unseen(s, seat))
    room, barred = [], []
    for k in range(1, 4):
        other = (seat + k) % 4
        room.append(HAND_CARDS - int(s[PLAYED + other]).bit_count())
        barred.append(sum(int(SUITS[suit]) for suit in range(CLASSES) if s[VOIDS] >> (CLASSES * other + suit) & 1))
    if knows_aside(s, seat):
        hidden &= ~int(s[ASIDE])
        return Facts(pooled(hidden, (*barred, ALL)), (*room, 0))
    return Facts(pooled(hidden, (*barred, 0)), (*room, BLIND_CARDS))


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view."""
    for k in range(3):
        states[:, HAND + (view.seat + 1 + k) % 4] = places[:, k]
    if not knows_aside(view.state, view.seat):
        states[:, ASIDE] = states[:, BLIND] = places[:, 3]


def places(view: View, states: Ints) -> Ints:
    """[n, 4]: the hidden cards of worlds in their places, which `fill` writes back."""
    found = states[:, [*(HAND + (view.seat + k) % 4 for k in (1, 2, 3)), ASIDE]]
    if knows_aside(view.state, view.seat):
        found[:, 3] = 0
    return found


def shown(view: View) -> tuple[int, ...]:
    """The cards that have come out of each place."""
    return (*(int(view.state[PLAYED + (view.seat + k) % 4]) for k in (1, 2, 3)), 0)


def redealer(game: Game) -> Callable[..., None]:
    """`redeal` for many worlds of one view: what is the same for all of them is found once."""
    return _redeal


def _redeal(view: Ints, seat: int, r: Ints, states: Ints) -> None:
    """Places are the single player's hand, what lies aside, and the others with the same voids together."""
    hidden, restrict = int(unseen(view, seat)), bool(view[RESTRICT])
    bins = np.array([HAND_CARDS - int(view[PLAYED + (seat + k) % 4]).bit_count() for k in (1, 2, 3)] + [BLIND_CARDS])
    if knows_aside(view, seat):
        hidden &= ~int(view[ASIDE])
        bins[3] = 0
    known = draws.FREE
    if seat != view[SINGLE]:
        known = (RESTRICTED if restrict else UNRESTRICTED).get(int(view[SUBGAME]), draws.FREE)
    lacks = [int(view[VOIDS]) >> CLASSES * ((seat + k) % 4) & (1 << CLASSES) - 1 for k in (1, 2, 3)] + [0]
    kinds: list[object] = list(lacks)
    if known != draws.FREE:
        kinds[(int(view[SINGLE]) - seat - 1) % 4] = "single"
    if known == draws.EXCHANGE:
        kinds[3] = "aside"
    # The largest place comes last: what is left there follows from the rest.
    others = sorted({kind for kind in kinds if isinstance(kind, int)}, key=lambda kind: _room(bins, kinds, kind))
    named = [kind for kind in ("single", "aside") if kind in kinds]
    spare = draws.PLACES - len(named) - len(others)
    at: dict[object, int] = {kind: k for k, kind in enumerate(named)}
    at |= {kind: len(named) + spare + k for k, kind in enumerate(others)}
    home = np.array([at[kind] for kind in kinds])
    voids = np.zeros(draws.PLACES, np.int64)
    voids[home] = lacks
    order = draws.BY_STRENGTH if known == draws.EXCHANGE else draws.BY_CLASS
    least = STANDARD_HALVES if restrict else 0
    draws.draw_rows(view, seat, known, hidden, least, order, bins, home, voids, r, states)


def _room(bins: Ints, kinds: list[object], kind: object) -> int:
    return sum(int(room) for room, its in zip(bins, kinds, strict=True) if its == kind)
