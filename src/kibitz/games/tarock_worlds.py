"""Uniform worlds: share unseen cards out among four bins when some bins cannot hold some of the cards.

The bins are the hands of the three other seats and what lies aside. Cards with the same limits form a pool. The number of
ways to share out the pools from a given one on, as a function of the room left in the bins, is found backward; then
the shares are drawn forward with exactly the right probabilities, and the cards of each pool uniformly.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.jit import kernel
from kibitz.games.tarock import CARDS, CLASSES
from kibitz.games.tricks.worlds import some

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BINS = 4
MOST_POOLS = 3 * CLASSES
FACTORIAL = np.array([float(factorial(n)) for n in range(CARDS + 1)])


@kernel
def add_pool(pools: Ints, least: Ints, most: Ints, cards: int, low: Ints, high: Ints) -> None:
    """Enter cards with the limits of each bin, joining them to a pool with the same ones; limits hold for a pool as a whole."""
    if cards == 0:
        return
    for k in range(MOST_POOLS):
        if pools[k] == 0:
            pools[k] = cards
            least[k] = low
            most[k] = high
            return
        same = True
        for b in range(BINS):
            if low[b] != 0 or least[k, b] != 0 or high[b] != most[k, b]:
                same = False
        if same:
            pools[k] |= cards
            return


@kernel
def pool_count(pools: Ints) -> int:
    """How many pools have cards."""
    n = 0
    while n < MOST_POOLS and pools[n] != 0:
        n += 1
    return n


@kernel
def place(room: Ints, share: Ints, size: Ints) -> int:
    """The index of the room that a share leaves in the first three bins; the last bin's room follows from the cards left."""
    return ((room[0] - share[0]) * (size[1] + 1) + room[1] - share[1]) * (size[2] + 1) + room[2] - share[2]


@kernel
def ways(pools: Ints, least: Ints, most: Ints, size: Ints) -> Floats:
    """float[pools, rooms]: in how many ways the pools from each one on fill the room left."""
    rooms = (size[0] + 1) * (size[1] + 1) * (size[2] + 1)
    n = pool_count(pools)
    table = np.zeros((n, rooms))
    if n == 0:
        return table
    reached = np.zeros((n, rooms), np.bool_)
    share = np.zeros(BINS, np.int64)
    room = np.zeros(BINS, np.int64)
    reached[0, place(size, share, size)] = True
    for k in range(n - 1):
        for here in range(rooms):
            if reached[k, here]:
                room_at(here, k, pools, size, room)
                first_share(popcount(pools[k]), least[k], most[k], room, share)
                while share[3] >= 0:
                    reached[k + 1, place(room, share, size)] = True
                    next_share(popcount(pools[k]), least[k], most[k], room, share)
    for here in range(rooms):
        if reached[n - 1, here]:
            room_at(here, n - 1, pools, size, room)
            if fills(least[n - 1], most[n - 1], room):
                table[n - 1, here] = chosen(room)
    for k in range(n - 2, -1, -1):
        for here in range(rooms):
            if reached[k, here]:
                room_at(here, k, pools, size, room)
                first_share(popcount(pools[k]), least[k], most[k], room, share)
                while share[3] >= 0:
                    table[k, here] += chosen(share) * table[k + 1, place(room, share, size)]
                    next_share(popcount(pools[k]), least[k], most[k], room, share)
    return table


@kernel
def fills(least: Ints, most: Ints, room: Ints) -> bool:
    """Whether the last pool may take all the room that is left."""
    fitting = 0
    for b in range(BINS):
        fitting += least[b] <= room[b] <= most[b]
    return fitting == BINS


@kernel
def chosen(share: Ints) -> float:
    """In how many ways a pool can be split into shares of these sizes."""
    cards = share[0] + share[1] + share[2] + share[3]
    return FACTORIAL[cards] / (FACTORIAL[share[0]] * FACTORIAL[share[1]] * FACTORIAL[share[2]] * FACTORIAL[share[3]])


@kernel
def room_at(here: int, k: int, pools: Ints, size: Ints, room: Ints) -> None:
    """The room left in all bins at an index of the table, when pool k is next."""
    room[2] = here % (size[2] + 1)
    room[1] = here // (size[2] + 1) % (size[1] + 1)
    room[0] = here // (size[2] + 1) // (size[1] + 1)
    cards = 0
    for j in range(k, pool_count(pools)):
        cards += popcount(pools[j])
    room[3] = cards - room[0] - room[1] - room[2]


@kernel
def first_share(cards: int, least: Ints, most: Ints, room: Ints, share: Ints) -> None:
    """The first way to split a pool among the bins; share[3] is -1 if there is none."""
    share[0] = least[0]
    share[1] = least[1]
    share[2] = least[2] - 1
    next_share(cards, least, most, room, share)


@kernel
def next_share(cards: int, least: Ints, most: Ints, room: Ints, share: Ints) -> None:
    """The next way to split a pool among the bins; share[3] is -1 after the last."""
    while share[0] <= min(most[0], room[0]):
        while share[1] <= min(most[1], room[1]):
            share[2] += 1
            while share[2] <= min(most[2], room[2]):
                share[3] = cards - share[0] - share[1] - share[2]
                if least[3] <= share[3] <= min(most[3], room[3]):
                    return
                share[2] += 1
            share[1] += 1
            share[2] = least[2] - 1
        share[0] += 1
        share[1] = least[1]
    share[3] = -1


@kernel
def draw_world(r: rng.Rng, table: Floats, pools: Ints, least: Ints, most: Ints, size: Ints, bins: Ints) -> None:
    """Fill the four bins, every way to do so being equally likely; `table` is what `ways` gave."""
    bins[:] = 0
    room = size.copy()
    share = np.zeros(BINS, np.int64)
    taken = np.zeros(BINS, np.int64)
    n = pool_count(pools)
    for k in range(n):
        if k == n - 1:
            taken[:] = room
        else:
            share[:] = 0
            left = rng.uniform(r) * table[k, place(room, share, size)]
            first_share(popcount(pools[k]), least[k], most[k], room, share)
            while share[3] >= 0 and left >= 0.0:
                weight = chosen(share) * table[k + 1, place(room, share, size)]
                if weight > 0.0:
                    taken[:] = share
                    left -= weight
                next_share(popcount(pools[k]), least[k], most[k], room, share)
        cards = pools[k]
        for b in range(BINS):
            part = some(r, cards, taken[b])
            cards &= ~part
            bins[b] |= part
            room[b] -= taken[b]


@kernel
def closed_by_voids(voids: int, seat: int, suit: int, high: Ints) -> None:
    """The limits of the bins for one class: a seat that has shown a void holds none of it."""
    for b in range(BINS - 1):
        other = (seat + 1 + b) & 3
        high[b] = 0 if voids >> (CLASSES * other + suit) & 1 else CARDS
    high[BINS - 1] = CARDS
