"""A suit game or grand before the search: the canonical keys of its deal, what is left, what may be played."""

from __future__ import annotations

from kibitz.core.bits import lowest
from kibitz.core.jit import kernel
from kibitz.search.skat.moves import answers
from kibitz.search.skat.tables import GENERATION, HAND, LED, SECOND, SIDE_KEY, SLOTS, TRUMP_KEY, WORTH, Ints


@kernel
def open_deal(a: Ints, p: Ints) -> None:
    """Make the arena ready for another deal: a new generation of entries, the canonical patterns of its cards."""
    a[GENERATION] += 1
    if a[GENERATION] > 255:
        for slot in range(SLOTS):
            a[slot] = 0
        a[GENERATION] = 1
    low_key = 0
    for suit in range(4):
        place = SIDE_KEY + 128 * suit if suit < 3 else TRUMP_KEY
        for pattern in range(8):
            low_key = same_owners(p, pattern, 7 * suit, 3)
            for rest in range(0, 128, 8):
                a[place + rest + pattern] = (rest | low_key) << 7 * suit
    for jacks in range(15, -1, -1):
        key = same_owners(p, jacks, 28, 4) << 28
        for pattern in range(128):
            a[TRUMP_KEY + 128 * jacks + pattern] = a[TRUMP_KEY + pattern] & ~(15 << 28) | key


@kernel
def same_owners(p: Ints, pattern: int, shift: int, size: int) -> int:
    """The smallest pattern of `size` neighbouring cards whose owners, in order, are those of the given one."""
    wanted = owners(p, pattern << shift)
    for smaller in range(pattern):
        if owners(p, smaller << shift) == wanted:
            return smaller
    return pattern


@kernel
def owners(p: Ints, cards: int) -> int:
    """Who holds each of up to four cards, as a number; cards that nobody holds are a fourth owner."""
    sequence = 1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        owner = 3
        for seat in range(3):
            if p[HAND + seat] >> card & 1:
                owner = seat
        sequence = sequence << 2 | owner
    return sequence


@kernel
def points_left(a: Ints, p: Ints) -> int:
    """The points in the hands and on the table."""
    cards = p[HAND] | p[HAND + 1] | p[HAND + 2]
    for k in range(2):
        if p[LED + k] >= 0:
            cards |= 1 << p[LED + k]
    points = 0
    while cards:
        points += a[WORTH + lowest(cards)]
        cards &= cards - 1
    return points


@kernel
def options(a: Ints, p: Ints) -> int:
    """The legal cards of the seat to play."""
    if p[LED] < 0:
        return p[HAND]
    return answers(a, p[HAND + 1] if p[SECOND] < 0 else p[HAND + 2], p[LED])


@kernel
def live_cards(p: Ints) -> int:
    """The cards in the hands and on the table."""
    live = p[HAND] | p[HAND + 1] | p[HAND + 2]
    for k in range(2):
        if p[LED + k] >= 0:
            live |= 1 << p[LED + k]
    return live
