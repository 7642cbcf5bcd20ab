"""A Coinche deal before the search: its canonical keys, what is left, what may be played."""

from __future__ import annotations

from kibitz.core.bits import lowest
from kibitz.core.jit import kernel
from kibitz.search.coinche.moves import answers
from kibitz.search.coinche.tables import BEATEN_BY, BONUS, GENERATION, HAND, LIVE_KEY, RUN, SLOTS, TABLE, WORTHS, Ints

GENERATIONS = 127


@kernel
def open_deal(a: Ints, p: Ints) -> int:
    """Make the arena ready for another deal; returns the points left in it."""
    a[GENERATION] += 1
    if a[GENERATION] > GENERATIONS:
        for slot in range(SLOTS):
            a[slot] = 0
        a[GENERATION] = 1
    for suit in range(4):
        run = a[RUN + suit]
        for pattern in range(1 << run):
            key = same_owners(p, pattern, 8 * suit)
            for rest in range(0, 256, 1 << run):
                a[LIVE_KEY + 256 * suit + rest + pattern] = (rest | key) << 8 * suit
    left = a[BONUS]
    cards = live_cards(p)
    while cards:
        left += a[WORTHS + lowest(cards)]
        cards &= cards - 1
    return left


@kernel
def same_owners(p: Ints, pattern: int, shift: int) -> int:
    """The smallest pattern of a suit's lowest cards whose owners, in order, are those of the given one."""
    wanted = owners(p, pattern << shift)
    for smaller in range(pattern):
        if owners(p, smaller << shift) == wanted:
            return smaller
    return pattern


@kernel
def owners(p: Ints, cards: int) -> int:
    """Who holds each of up to three cards, as a number; cards that nobody holds are a fifth owner."""
    sequence = 1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        owner = 4
        for seat in range(4):
            if p[HAND + seat] >> card & 1:
                owner = seat
        sequence = sequence << 3 | owner
    return sequence


@kernel
def live_cards(p: Ints) -> int:
    """The cards in the hands and on the table."""
    live = p[HAND] | p[HAND + 1] | p[HAND + 2] | p[HAND + 3]
    for k in range(3):
        if p[TABLE + k] >= 0:
            live |= 1 << p[TABLE + k]
    return live


@kernel
def options(a: Ints, p: Ints) -> int:
    """The legal cards of the seat to play."""
    if p[TABLE] < 0:
        return p[HAND]
    best, best_seat = p[TABLE], 0
    count = 1
    while count < 3 and p[TABLE + count] >= 0:
        if a[BEATEN_BY + best] >> p[TABLE + count] & 1:
            best, best_seat = p[TABLE + count], count
        count += 1
    return answers(a, p[HAND + count], p[TABLE], best, (best_seat ^ count) & 1 == 0)
