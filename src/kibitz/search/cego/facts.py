"""Where the hidden cards of Cego's sub-games can lie, and worlds drawn many at a time.

The places are the hands of the three others and what lies aside. What the others know of the single player's hand (that it fits the
sub-game, that it came out of the exchange) does not sort cards into places, so only views without such knowledge are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.jit import specialise
from kibitz.core.view import View
from kibitz.games.cego.rules import RESTRICT, SUBGAME, knows_aside
from kibitz.games.tarock import (
    ALL,
    ASIDE,
    BLIND,
    BLIND_CARDS,
    CLASSES,
    HAND,
    HAND_CARDS,
    PLAYED,
    RAEUBER,
    SINGLE,
    STANDARD,
    SUITS,
    ULTIMO,
    VOIDS,
    unseen,
)
from kibitz.games.tarock_worlds import BINS, MOST_POOLS, draw_world, ways
from kibitz.search.worlds import IMPOSSIBLE, Facts, is_twice, pooled

Ints = NDArray[np.int64]

senses: Any = None  # bound by specialise


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


@cache
def redealer(game: Game) -> Callable[..., None]:
    """`redeal` for many worlds of one view: what is the same for all of them is found once."""
    return specialise(_redeal_rows, game.tag, senses=_kernels(game))


def _kernels(game: Game) -> Any:
    return game.parts["senses"]


def _redeal_rows(view: Ints, seat: int, r: Ints, states: Ints) -> None:
    pools = np.zeros(MOST_POOLS, np.int64)
    least = np.zeros((MOST_POOLS, BINS), np.int64)
    most = np.zeros((MOST_POOLS, BINS), np.int64)
    size = np.zeros(BINS, np.int64)
    bins = np.zeros(BINS, np.int64)
    held = senses.sort_unseen(view, seat, pools, least, most, size)
    table = ways(pools, least, most, size)
    single = (view[SINGLE] - seat - 1) & 3
    for row in range(len(states)):
        s = states[row]
        s[:] = view
        while True:
            draw_world(r, table, pools, least, most, size, bins)
            if seat == s[SINGLE]:
                break
            bins[single] |= held
            hand = bins[single] | s[PLAYED + s[SINGLE]]
            if s[SUBGAME] == STANDARD:
                if senses.undo_exchange(s, hand, bins[3], r):
                    break
            elif senses.fits(s[SUBGAME], s[RESTRICT], hand):
                break
        for b in range(BINS - 1):
            s[HAND + ((seat + 1 + b) & 3)] = bins[b]
        if not senses.knows_aside(s, seat):
            s[ASIDE] = bins[3]
            if s[SUBGAME] != STANDARD:
                s[BLIND] = bins[3]
