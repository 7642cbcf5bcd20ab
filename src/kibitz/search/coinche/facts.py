"""Where the hidden cards of Coinche can lie: the hands of the three others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.view import View
from kibitz.games.coinche.layout import CARDS, DEAD, HAND, LACKS, PACK, PLAYED
from kibitz.search.worlds import IMPOSSIBLE, Facts, is_twice, pooled

Ints = NDArray[np.int64]


def facts(view: View) -> Facts:
    """The places are the hands of the next three seats; LACKS has the voids, ceilings and belotes shown."""
    s, seat = view.state, view.seat
    others = [(seat + k) % 4 for k in (1, 2, 3)]
    known = [int(word) for word in (s[DEAD], s[HAND + seat], *s[PLAYED : PLAYED + 4])]
    dealt = (CARDS - known[0].bit_count()) // 4
    if is_twice(*known) or known[1].bit_count() + known[2 + seat].bit_count() != dealt:
        return IMPOSSIBLE
    seen = sum(known)
    room = tuple(dealt - known[2 + other].bit_count() for other in others)
    return Facts(pooled(PACK & ~seen, tuple(int(s[LACKS + other]) for other in others)), room)


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view."""
    for k in range(3):
        states[:, HAND + (view.seat + 1 + k) % 4] = places[:, k]


def places(view: View, states: Ints) -> Ints:
    """[n, 3]: the hidden cards of worlds in their places, which `fill` writes back."""
    return states[:, [HAND + (view.seat + k) % 4 for k in (1, 2, 3)]]


def shown(view: View) -> tuple[int, ...]:
    """The cards that have come out of each place."""
    return tuple(int(view.state[PLAYED + (view.seat + k) % 4]) for k in (1, 2, 3))
