"""Worlds of Cego's sub-games drawn card by card, each possible one equally likely and none drawn in vain.

The cards that a seat has not seen are gone through in a fixed order, and each is given to a place: the single player's hand, the
others, what lies aside. Places with the same limits are one, and shared out at the end. What the single player's hand must be like is
followed by a phase: how many high cards so far, whether there are top trumps, which cards were kept in the exchange. A table, filled
from the last card back, has the number of ways to go on from every card, phase and room left in the places; a draw walks
forward and gives each way its share. Only the least value of a hand in Standard-Cego is left to throwing in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.jit import kernel
from kibitz.games.tarock import (
    ASIDE,
    BLIND,
    CARDS,
    CLASS,
    GEISS,
    HAND,
    HIGH,
    PLAYED,
    SINGLE,
    TOP_TRUMPS,
    TRUMP,
    worth,
)
from kibitz.games.tricks.worlds import some

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FREE, HOLDS_GEISS, ALL_LOW, ONE_HIGH, ULTIMO_HAND, SOLO_HAND, EXCHANGE = range(7)
"""What is known of the single player's hand: nothing, what the sub-games ask for, that it came out of the exchange."""
PHASES: Ints = np.array([1, 1, 1, 2, 1, 9, 6])
FEW_TOPS, GOOD_TOPS, LONG, SHORT = range(4)
"""Phases of a Solo: fewer than two top trumps or more; eight trumps; seven, then 2 * suits used + whether the present one is."""
BOTH_KEPT, LAID = 2, 3
"""Phases of an exchange: cards kept so far, and LAID more once the card of the blind that was laid away has been met."""
PLACES = 4
HIS, AWAY = 0, 1
"""The single player's place if something is known of his hand, and what lies aside if it came out of the exchange."""
BINS = 4
"""The hands of the next three seats, and what lies aside."""

BY_CLASS: Ints = np.arange(CARDS - 1, -1, -1)
"""Top trumps, other trumps, suit by suit."""
BY_STRENGTH: Ints = np.array(
    [*range(CARDS - 1, GEISS - 1, -1), *sorted(range(GEISS), key=lambda card: (-(card % 8), -card))]
)
"""From the best card to the worst (rule 4.2)."""
CARD, BARRED, IS_SHOWN, SHOWN_BEFORE, REST, STARTS = range(6)
"""A step of the walk: a card, the places that cannot take it, whether the single player has played it, how many he has played
of those before, the hidden cards from here on, and what begins here."""
LOW_START, PLAIN_START, SUIT_START = 1, 2, 4
"""Bits of STARTS: the trumps below the top ones, the plain cards, a plain suit."""


@kernel
def lay_out(known: int, shown: int, hidden: int, voids: Ints, order: Ints, steps: Ints) -> int:
    """Fill in the steps, [CARDS + 1, 6]; `voids` are the classes that each place lacks; returns how many steps there are."""
    n = before = 0
    low_seen = plain_seen = False
    suit = TRUMP
    for card in order:
        if not (hidden | shown) >> card & 1:
            continue
        own = CLASS[card]
        starts = SUIT_START if own != suit else 0
        suit = own
        if not low_seen and not TOP_TRUMPS >> card & 1:
            starts |= LOW_START
            low_seen = True
        if not plain_seen and own != TRUMP:
            starts |= PLAIN_START
            plain_seen = True
        barred = 0
        for place in range(PLACES):
            barred |= (voids[place] >> own & 1) << place
        if known == ALL_LOW and HIGH >> card & 1:
            barred |= 1 << HIS
        if known in (HOLDS_GEISS, ULTIMO_HAND) and card == GEISS:
            barred |= 15 ^ 1 << HIS
        is_shown = shown >> card & 1
        steps[n, CARD], steps[n, BARRED], steps[n, IS_SHOWN] = card, 15 ^ 1 << HIS if is_shown else barred, is_shown
        steps[n, SHOWN_BEFORE], steps[n, STARTS] = before, starts
        before += is_shown
        n += 1
    steps[n, SHOWN_BEFORE] = before
    steps[n, STARTS] = (0 if low_seen else LOW_START) | (0 if plain_seen else PLAIN_START)
    for k in range(n - 1, -1, -1):
        steps[k, REST] = steps[k + 1, REST] | (0 if steps[k, IS_SHOWN] else 1 << steps[k, CARD])
    return n


@kernel
def arrive(known: int, phase: int, starts: int, held: int) -> int:
    """The phase in which a step begins, when the single player holds so many of the cards before it; -1 if he cannot."""
    if starts == 0 or (known != ULTIMO_HAND and known != SOLO_HAND):
        return phase
    if known == ULTIMO_HAND:
        if (starts & LOW_START and held < 2) or (starts & PLAIN_START and held < 8):
            return -1
        return phase
    if starts & LOW_START:
        phase = GOOD_TOPS if held >= 2 else FEW_TOPS
    if starts & PLAIN_START:
        if held < 7 or (held == 7 and phase == FEW_TOPS):
            return -1
        phase = LONG if held > 7 else SHORT
    if starts & SUIT_START and phase >= SHORT:
        phase -= (phase - SHORT) & 1
    return phase


@kernel
def given(known: int, phase: int, card: int, place: int, mark: int) -> int:
    """The phase after a card has gone to a place, -1 if it cannot; marked are cards kept, and the one of the blind laid away."""
    if known == EXCHANGE:
        if place == HIS:
            if mark:
                return phase + 1 if phase % LAID < BOTH_KEPT else -1
            return phase if phase < LAID else -1
        if place == AWAY:
            if mark:
                return phase + LAID if phase < LAID else -1
            return phase if phase % LAID == BOTH_KEPT else -1
        return -1 if mark else phase
    if place != HIS:
        return phase
    if known == ONE_HIGH and HIGH >> card & 1:
        return 1 if phase == 0 else -1
    if known == SOLO_HAND and phase >= SHORT and (phase - SHORT) & 1 == 0:
        return phase + 3 if phase < SHORT + 4 else -1
    return phase


@kernel
def is_complete(known: int, phase: int) -> bool:
    """Whether a walk may end in a phase."""
    if known == ONE_HIGH:
        return phase == 1
    return known != EXCHANGE or phase == LAID + BOTH_KEPT


@kernel
def fill_table(steps: Ints, n: int, known: int, size: Ints) -> Floats:
    """float[steps + 1, phases, rooms]: in how many ways the cards from each step on can be given out.

    A room is the room left in the first three places; that of the last follows from the cards left.
    """
    phases = PHASES[known]
    marks = 2 if known == EXCHANGE else 1
    step0, step1 = (size[1] + 1) * (size[2] + 1), size[2] + 1
    table = np.zeros((n + 1, phases, (size[0] + 1) * step0))
    for phase in range(phases):
        table[n, phase, 0] = 1.0 if is_complete(known, phase) else 0.0
    for k in range(n - 1, -1, -1):
        left = popcount(steps[k, REST])
        card, barred, takes = steps[k, CARD], steps[k, BARRED], 1 - steps[k, IS_SHOWN]
        for r0 in range(min(size[0], left) + 1):
            held = steps[k + 1, SHOWN_BEFORE] + size[0] - r0
            for r1 in range(min(size[1], left - r0) + 1):
                for r2 in range(max(0, left - r0 - r1 - size[3]), min(size[2], left - r0 - r1) + 1):
                    here = r0 * step0 + r1 * step1 + r2
                    for phase in range(phases):
                        ways = 0.0
                        for place in range(PLACES):
                            room = r0 if place == 0 else r1 if place == 1 else r2 if place == 2 else left - r0 - r1 - r2
                            if barred >> place & 1 or room < takes:
                                continue
                            there = here - takes * (
                                step0 if place == 0 else step1 if place == 1 else 1 if place == 2 else 0
                            )
                            for mark in range(marks):
                                after = given(known, phase, card, place, mark)
                                if after >= 0:
                                    after = arrive(known, after, steps[k + 1, STARTS], held + takes * (place == HIS))
                                if after >= 0:
                                    ways += table[k + 1, after, there]
                        table[k, phase, here] = ways
    return table


@kernel
def walk(table: Floats, steps: Ints, n: int, known: int, size: Ints, r: rng.Rng, found: Ints, marked: Ints) -> None:
    """Give every hidden card to a place, all ways being equally likely."""
    room = size.copy()
    found[:] = 0
    marked[:] = 0
    marks = 2 if known == EXCHANGE else 1
    step0, step1 = (size[1] + 1) * (size[2] + 1), size[2] + 1
    here = size[0] * step0 + size[1] * step1 + size[2]
    phase = arrive(known, 0, steps[0, STARTS], 0)
    for k in range(n):
        card, barred, takes = steps[k, CARD], steps[k, BARRED], 1 - steps[k, IS_SHOWN]
        if room[3] > 0 and here == 0 and known != EXCHANGE:
            found[3] |= steps[k, REST]
            return
        left = rng.uniform(r) * table[k, phase, here]
        to = mark_to = to_phase = to_there = 0
        for place in range(PLACES):
            if left < 0.0:
                break
            if barred >> place & 1 or room[place] < takes:
                continue
            there = here - takes * (step0 if place == 0 else step1 if place == 1 else 1 if place == 2 else 0)
            held = steps[k + 1, SHOWN_BEFORE] + size[0] - room[0] + takes * (place == HIS)
            for mark in range(marks):
                after = given(known, phase, card, place, mark)
                if after >= 0:
                    after = arrive(known, after, steps[k + 1, STARTS], held)
                ways = table[k + 1, after, there] if after >= 0 else 0.0
                if ways > 0.0 and left >= 0.0:
                    to, mark_to, to_phase, to_there = place, mark, after, there
                    left -= ways
        phase, here = to_phase, to_there
        room[to] -= takes
        found[to] |= takes << card
        marked[to] |= mark_to << card


@kernel
def draw_rows(
    view: Ints, seat: int, known: int, hidden: int, least: int, order: Ints, bins: Ints, home: Ints, voids: Ints, r: rng.Rng, states: Ints
) -> None:  # fmt: skip
    """Fill rows with worlds.

    `bins` are the cards that go to each bin and `home` its place, `voids` the classes that a place lacks, `least` is twice the value
    that the dealt hand must have.
    """
    shown = view[PLAYED + view[SINGLE]] if known != FREE else 0
    size = np.zeros(PLACES, np.int64)
    for b in range(BINS):
        size[home[b]] += bins[b]
    steps = np.zeros((CARDS + 1, 6), np.int64)
    n = lay_out(known, shown, hidden, voids, order, steps)
    table = fill_table(steps, n, known, size)
    found = np.zeros(PLACES, np.int64)
    marked = np.zeros(PLACES, np.int64)
    for row in range(len(states)):
        s = states[row]
        s[:] = view
        walk(table, steps, n, known, size, r, found, marked)
        while known == EXCHANGE and worth(marked[HIS] | found[AWAY] & ~marked[AWAY]) < least:
            walk(table, steps, n, known, size, r, found, marked)
        if known == EXCHANGE:
            s[BLIND] = (found[HIS] | shown) & ~marked[HIS] | marked[AWAY]
        for b in range(BINS):
            cards = found[home[b]]
            if popcount(cards) > bins[b]:
                cards = some(r, cards, bins[b])
            found[home[b]] ^= cards
            if b < BINS - 1:
                s[HAND + ((seat + 1 + b) & 3)] = cards
            elif bins[b] > 0:
                s[ASIDE] = cards
                if known != EXCHANGE:
                    s[BLIND] = cards
