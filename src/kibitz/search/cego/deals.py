"""A Cego deal before the search: the canonical keys of its positions, what is left."""

from __future__ import annotations

from kibitz.core.bits import lowest, mix, popcount
from kibitz.core.jit import kernel
from kibitz.search.cego.tables import (
    A_TRICK,
    AIM,
    ASKED,
    GENERATION,
    HAND,
    LEADER,
    MARKED,
    OWNER,
    PICCOLO,
    RUN,
    SINGLE,
    SUIT_KEY,
    TABLE,
    WORTHS,
    Ints,
)

TRUMPS = (1 << 54) - (1 << 32)


@kernel
def open_deal(a: Ints, p: Ints) -> int:
    """Make the arena ready for another deal; returns what is left to get."""
    a[GENERATION] = a[GENERATION] + 1 & 0x7FFFFFFF
    a[SINGLE] = p[ASKED] + p[LEADER] & 3
    for card in range(54):
        a[OWNER + card] = 0
        for k in range(4):
            if p[HAND + k] >> card & 1:
                a[OWNER + card] = k
    run = a[RUN]
    for suit in range(4):
        for pattern in range(1 << run):
            key = same_owners(p, pattern, 8 * suit, run)
            for rest in range(0, 256, 1 << run):
                a[SUIT_KEY + 256 * suit + rest + pattern] = (rest | key) << 8 * suit
    if a[AIM] >= PICCOLO:
        return 1
    live = live_cards(p)
    left = (popcount(live) + 3) // 4 * a[A_TRICK]
    while live:
        left += a[WORTHS + lowest(live)]
        live &= live - 1
    return left


@kernel
def same_owners(p: Ints, pattern: int, shift: int, size: int) -> int:
    """A pattern with the same owners in the same order: each live card moved to the lowest place its owner allows.

    Cards go down greedily past cards of others that are not in the pattern, so equal sequences end in one pattern.
    """
    found = 0
    place = 0
    left = pattern
    while left:
        card = lowest(left)
        left &= left - 1
        owner = owner_of(p, shift + card)
        while owner_of(p, shift + place) != owner:
            place += 1
        found |= 1 << place
        place += 1
    return found


@kernel
def owner_of(p: Ints, card: int) -> int:
    """Who holds a card at the root, 4 if nobody does."""
    for k in range(4):
        if p[HAND + k] >> card & 1:
            return k
    return 4


@kernel
def live_cards(p: Ints) -> int:
    """The cards in the hands and on the table."""
    live = p[HAND] | p[HAND + 1] | p[HAND + 2] | p[HAND + 3]
    for k in range(3):
        if p[TABLE + k] >= 0:
            live |= 1 << p[TABLE + k]
    return live


@kernel
def position_key(a: Ints, live: int, leader: int, taken: int) -> int:
    """A hash that is equal for positions in which only the names of equally good cards differ."""
    trumps = live & TRUMPS
    code = 1
    while trumps:
        code = code << 2 | a[OWNER + lowest(trumps)]
        trumps &= trumps - 1
    marks = live & a[MARKED]
    code |= (marks >> 32 & 1) << 48 | (marks >> 52 & 3) << 49 | leader << 52 | taken << 54
    plain = (
        a[SUIT_KEY + (live & 255)]
        | a[SUIT_KEY + 256 + (live >> 8 & 255)]
        | a[SUIT_KEY + 512 + (live >> 16 & 255)]
        | a[SUIT_KEY + 768 + (live >> 24 & 255)]
    )
    return mix(mix(plain | a[GENERATION] << 32) ^ code)
