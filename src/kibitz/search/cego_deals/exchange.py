"""Worlds of Standard-Cego behind the exchange, drawn card by card: each possible one equally likely and none drawn in
vain.

The cards that an opponent has not seen, and those that the single player has played, are gone through from the best
to the worst (rule 4.2), and each is given to a place: his hand, what lies aside, the hands of the two others. He kept
the first two of the cards he was dealt, and laid the last one of the blind away: a phase says how many he has kept so
far, and whether the one laid away has been met. A table, filled from the last card back, has the number of ways to go
on from every card, phase and room left in the places; a draw walks forward and gives each way its share. Only the
least value of the dealt hand is left to throwing in.
"""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.jit import kernel, loop
from kibitz.core.shapes import Floats, Ints
from kibitz.games.cego.table import BLIND, BLIND_CARDS, CARDS, GEISS, HAND_CARDS, unseen, worth
from kibitz.games.cego_deals.rules import RESTRICT, STANDARD_HALVES
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.worlds import some

HIS, ASIDE, ONE, OTHER = range(4)
"""Places: the single player's hand, what lies aside, the hands of the two others."""
PLACES = 4
BOTH_KEPT, LAID = 2, 3
"""Phases: cards kept so far, and LAID more once the card of the blind that was laid away has been met."""
PHASES = 6
DONE = LAID + BOTH_KEPT
ORDER: Ints = np.array([*range(CARDS - 1, GEISS - 1, -1), *sorted(range(GEISS), key=lambda card: (-(card % 8), -card))])
"""From the best card to the worst (rule 4.2)."""
CARD, BARRED, TAKES, LEFT = range(4)
"""A step: a card, the places that cannot have it, whether it takes room (not if it has been played), hidden cards
from here on.
"""


@kernel
def lay_out(shown: int, hidden: int, lacks: Ints, steps: Ints) -> int:
    """Fill in the steps, [CARDS + 1, 4]; `lacks` are the cards that each place has not; returns how many there are."""
    n = 0
    for card in ORDER:
        if not (hidden | shown) >> card & 1:
            continue
        steps[n, CARD], steps[n, TAKES] = card, hidden >> card & 1
        steps[n, BARRED] = 0 if hidden >> card & 1 else 15 ^ 1 << HIS
        for place in range(PLACES):
            steps[n, BARRED] |= (hidden & lacks[place]) >> card << place & 1 << place
        n += 1
    for k in range(n - 1, -1, -1):
        steps[k, LEFT] = steps[k + 1, LEFT] + steps[k, TAKES]
    return n


@kernel
def after(phase: int, place: int, mark: int) -> int:
    """The phase after a card has gone to a place, -1 if it cannot; marked are cards kept, and the one laid away."""
    if place == HIS:
        if mark:
            return phase + 1 if phase % LAID < BOTH_KEPT else -1
        return phase if phase < LAID else -1
    if place == ASIDE:
        if mark:
            return phase + LAID if phase < LAID else -1
        return phase if phase % LAID == BOTH_KEPT else -1
    return -1 if mark else phase


@kernel
def fill_table(steps: Ints, n: int, size: Ints, stride: Ints) -> Floats:
    """float[steps + 1, PHASES, rooms]: in how many ways the cards from each step on can be given out.

    A room is the room left in the first three places; that of the last follows from the cards left.
    """
    table = np.zeros((n + 1, PHASES, (size[0] + 1) * stride[0]))
    table[n, DONE, 0] = 1.0
    room = np.zeros(PLACES, np.int64)
    for k in range(n - 1, -1, -1):
        left, barred, takes = steps[k, LEFT], steps[k, BARRED], steps[k, TAKES]
        for r0 in range(min(size[0], left) + 1):
            for r1 in range(min(size[1], left - r0) + 1):
                for r2 in range(max(0, left - r0 - r1 - size[3]), min(size[2], left - r0 - r1) + 1):
                    room[0], room[1], room[2], room[3] = r0, r1, r2, left - r0 - r1 - r2
                    here = r0 * stride[0] + r1 * stride[1] + r2 * stride[2]
                    for phase in range(PHASES):
                        ways = 0.0
                        for place in range(PLACES):
                            if not barred >> place & 1 and room[place] >= takes:
                                for mark in range(2):
                                    then = after(phase, place, mark)
                                    if then >= 0:
                                        ways += table[k + 1, then, here - takes * stride[place]]
                        table[k, phase, here] = ways
    return table


@kernel
def walk(table: Floats, steps: Ints, n: int, size: Ints, stride: Ints, r: rng.Rng, found: Ints, marked: Ints) -> None:
    """Give every card to a place, all ways being equally likely; found are hidden cards, marked those kept or laid."""
    room = size.copy()
    found[:] = 0
    marked[:] = 0
    here = size[0] * stride[0] + size[1] * stride[1] + size[2] * stride[2]
    phase = 0
    for k in range(n):
        barred, takes = steps[k, BARRED], steps[k, TAKES]
        left = rng.uniform(r) * table[k, phase, here]
        to = to_mark = to_phase = 0
        for place in range(PLACES):
            if left < 0.0:
                break
            if barred >> place & 1 or room[place] < takes:
                continue
            for mark in range(2):
                then = after(phase, place, mark)
                ways = table[k + 1, then, here - takes * stride[place]] if then >= 0 else 0.0
                if ways > 0.0 and left >= 0.0:
                    to, to_mark, to_phase = place, mark, then
                    left -= ways
        card = 1 << steps[k, CARD]
        found[to] |= card * takes
        marked[to] |= card * to_mark
        room[to] -= takes
        here -= takes * stride[to]
        phase = to_phase


@loop
def redeal_rows(view: Ints, seat: int, r: rng.Rng, states: Ints) -> None:
    """Fill rows with worlds of an opponent's view."""
    single = view[at.DECLARER]
    one = (seat + 1) & 3 if (seat + 1) & 3 != single else (seat + 2) & 3
    other = (seat + 3) & 3 if (seat + 3) & 3 != single else (seat + 2) & 3
    shown, hidden = view[at.PLAYED + single], unseen(view, seat)
    size = np.zeros(PLACES, np.int64)
    size[HIS], size[ASIDE] = HAND_CARDS - popcount(shown), BLIND_CARDS
    size[ONE] = HAND_CARDS - popcount(view[at.PLAYED + one])
    size[OTHER] = HAND_CARDS - popcount(view[at.PLAYED + other])
    lacks = np.zeros(PLACES, np.int64)
    lacks[HIS], lacks[ONE], lacks[OTHER] = view[at.LACKS + single], view[at.LACKS + one], view[at.LACKS + other]
    share = size[ONE]
    if lacks[ONE] == lacks[OTHER]:  # then the two are one place, and shared out at the end
        size[OTHER] += share
        size[ONE] = 0
    stride = np.zeros(PLACES, np.int64)
    stride[2], stride[1], stride[0] = 1, size[2] + 1, (size[1] + 1) * (size[2] + 1)
    steps = np.zeros((CARDS + 1, 4), np.int64)
    n = lay_out(shown, hidden, lacks, steps)
    table = fill_table(steps, n, size, stride)
    found = np.zeros(PLACES, np.int64)
    marked = np.zeros(PLACES, np.int64)
    least = STANDARD_HALVES if view[RESTRICT] else 0
    for row in range(len(states)):
        s = states[row]
        s[:] = view
        walk(table, steps, n, size, stride, r, found, marked)
        while worth(marked[HIS] | found[ASIDE] & ~marked[ASIDE]) < least:
            walk(table, steps, n, size, stride, r, found, marked)
        s[BLIND] = (found[HIS] | shown) & ~marked[HIS] | marked[ASIDE]
        s[at.ASIDE], s[at.HAND + single] = found[ASIDE], found[HIS]
        hand = found[ONE] if size[ONE] == share else some(r, found[OTHER], share)
        s[at.HAND + one], s[at.HAND + other] = hand, found[OTHER] & ~hand
