"""Where the hidden cards of Skat can lie: the hands of the two others and the two cards face down."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.jit import specialise
from kibitz.core.view import View
from kibitz.games.skat.cards import ALL
from kibitz.games.skat.knowledge import has_picked_up, is_open, is_pushed, knows_skat
from kibitz.games.skat.state import (
    ASIDE,
    DECLARER,
    DISCARDING,
    HAND,
    LACKS,
    PHASE,
    PLAYED,
    PUSHING,
)  # fmt: skip
from kibitz.games.skat.worlds import imagine_pickup
from kibitz.search.worlds import IMPOSSIBLE, Facts, is_twice, pooled

Ints = NDArray[np.int64]
LEFT, RIGHT, PILE = range(3)

imagine: Any = None  # bound by specialise


def facts(view: View) -> Facts:
    """The places are the next seat's hand, the one after's, and the pile."""
    s, seat = view.state, view.seat
    if is_pushed(s) or s[PHASE] in (DISCARDING, PUSHING):
        raise BadInput("worlds cannot be counted while cards are laid away, nor in a Schieberamsch")
    seen = [int(s[HAND + seat]), *(int(s[PLAYED + other]) for other in range(3))]
    if is_twice(*seen) or seen[0].bit_count() + seen[1 + seat].bit_count() != 10:
        return IMPOSSIBLE
    unknown = ALL & ~int(s[HAND + seat] | s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2])
    room, barred = [0, 0, 0], [ALL, ALL, 0]
    for place, other in ((LEFT, (seat + 1) % 3), (RIGHT, (seat + 2) % 3)):
        if is_open(s, other):
            unknown &= ~int(s[HAND + other])
        else:
            room[place] = 10 - int(s[PLAYED + other]).bit_count()
            barred[place] = int(s[LACKS + other])
    if knows_skat(s, seat):
        unknown &= ~int(s[ASIDE])
        barred[PILE] = ALL
    else:
        room[PILE] = 2
    return Facts(pooled(unknown, tuple(barred)), tuple(room))


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view; what the declarer picked up is drawn, as nobody else can know it."""
    s, seat = view.state, view.seat
    for place, other in ((LEFT, (seat + 1) % 3), (RIGHT, (seat + 2) % 3)):
        if not is_open(s, other):
            states[:, HAND + other] = places[:, place]
    if not knows_skat(s, seat):
        states[:, ASIDE] = places[:, PILE]
    if has_picked_up(s) and seat != s[DECLARER]:
        draw_pickups(states, rng.forked(view.rng, rng.WORLDS, 1))


def _draw_rows(states: Ints, luck: Ints) -> None:
    for row in range(len(states)):
        imagine(states[row], luck)


draw_pickups = specialise(_draw_rows, "skat", imagine=imagine_pickup)


def places(view: View, states: Ints) -> Ints:
    """[n, 3]: the hidden cards of worlds in their places, which `fill` writes back."""
    s, seat = view.state, view.seat
    found = np.zeros((len(states), 3), np.int64)
    for place, other in ((LEFT, (seat + 1) % 3), (RIGHT, (seat + 2) % 3)):
        if not is_open(s, other):
            found[:, place] = states[:, HAND + other]
    if not knows_skat(s, seat):
        found[:, PILE] = states[:, ASIDE]
    return found


def shown(view: View) -> tuple[int, int, int]:
    """The cards that have come out of each place."""
    played = [int(view.state[PLAYED + (view.seat + k) % 3]) for k in (1, 2)]
    return played[0], played[1], 0
