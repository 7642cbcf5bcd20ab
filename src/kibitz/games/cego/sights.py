"""What both games of Cego write down for a seat: cards, the trick, who played what and when, voids, points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.cego.table import BLIND, CARDS, CLASSES, SEATS, is_void, knows_aside, unseen
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.senses import spread

TABLE = {
    "hand": CARDS, "unseen": CARDS, "aside": CARDS, "blind": CARDS, "played": SEATS * CARDS, "when": CARDS,
    "trick": 3 * CARDS, "winning": CARDS, "winner": SEATS, "leader": SEATS, "voids": SEATS * CLASSES, "points": SEATS,
    "tricks": SEATS,
}  # fmt: skip
"""The pieces of `observe_table` with their lengths."""
HAND, UNSEEN, ASIDE, BLIND_AT, PLAYED, WHEN, TRICK, WINNING, WINNER, LEADER, VOIDS, POINTS, TRICKS = range(len(TABLE))


def starts(slices: Mapping[str, slice]) -> Ints:
    """Where an observation has the pieces of `observe_table`."""
    return np.array([slices[name].start for name in TABLE])


@kernel
def observe_table(s: State, seat: int, log: int, start: Ints, out: Singles) -> None:
    """Write the pieces of TABLE, other seats counted from the own one; the log of cards played begins at `log`."""
    spread(s[at.HAND + seat], out, start[HAND])
    spread(unseen(s, seat), out, start[UNSEEN])
    if knows_aside(s, seat):
        spread(s[at.ASIDE], out, start[ASIDE])
        spread(s[BLIND], out, start[BLIND_AT])
    for k in range(SEATS):
        other = (seat + k) & 3
        spread(s[at.PLAYED + other], out, start[PLAYED] + CARDS * k)
        for suit in range(CLASSES):
            out[start[VOIDS] + CLASSES * k + suit] = is_void(s, other, suit)
        out[start[POINTS] + k] = s[at.POINTS + other] / 158.0
        out[start[TRICKS] + k] = s[at.TRICKS + other] / 11.0
    for k in range(SEATS * s[at.DONE] + s[at.COUNT]):
        out[start[WHEN] + s[log + k]] = (k // SEATS + 1) / 11.0
    for k in range(s[at.COUNT]):
        player = (s[at.LEADER] + k - seat) & 3
        if player > 0:
            out[start[TRICK] + CARDS * (player - 1) + s[at.TABLE + k]] = 1.0
    if s[at.COUNT] > 0:
        out[start[WINNING] + s[at.BEST]] = 1.0
        out[start[WINNER] + ((s[at.BEST_SEAT] - seat) & 3)] = 1.0
    out[start[LEADER] + ((s[at.LEADER] - seat) & 3)] = 1.0
