"""Hidden cards handed out to places, some of which cannot hold some of them: counted and drawn, every way equally
likely.

Cards with the same limits form a pool. In how many ways the pools from each one on can fill the room that is left in
the places is found backward, as a table over all rooms; then shares are drawn forward with exactly the right
probabilities, and the cards of each pool uniformly. A limit says how many cards of a pool, at least and at most, a
place takes.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.jit import UNBOUND, kernel
from kibitz.core.shapes import Floats, Ints

MOST_CARDS = 63
MOST_POOLS = 32
CHECKS = possible = UNBOUND
"""Bound where a game can tell early that it cannot have been: possible(s, seat, filled, home), for joined places."""
FACTORIAL = np.array([float(factorial(n)) for n in range(MOST_CARDS + 1)])


@kernel
def some(r: rng.Rng, cards: int, n: int) -> int:
    """n cards of a mask, every choice equally likely."""
    found = 0
    left = cards
    for size in range(popcount(cards), popcount(cards) - n, -1):
        card = 1 << nth(left, rng.below(r, size))
        left ^= card
        found |= card
    return found


@kernel
def part_of(r: rng.Rng, cards: int, n: int) -> int:
    """The same with as few draws as can be: what is left is drawn if that is less."""
    size = popcount(cards)
    return some(r, cards, n) if 2 * n <= size else cards & ~some(r, cards, size - n)


@kernel
def add_pool(pools: Ints, least: Ints, most: Ints, cards: int, low: Ints, high: Ints) -> None:
    """Enter cards with the limits of each place, joining them to a pool with the same ones if these only bar places."""
    if cards == 0:
        return
    for k in range(len(pools)):
        if pools[k] == 0:
            pools[k] = cards
            least[k] = low
            most[k] = high
            return
        is_same = True
        for place in range(len(low)):
            if low[place] != 0 or least[k, place] != 0 or high[place] != most[k, place]:
                is_same = False
        if is_same:
            pools[k] |= cards
            return


@kernel
def sort_cards(hidden: int, barred: Ints, pools: Ints, least: Ints, most: Ints) -> None:
    """Put every hidden card into the pool of those that are barred from the same places."""
    limit_cards(hidden, barred, 0, 0, MOST_CARDS, pools, least, most)


@kernel
def limit_cards(
    hidden: int, barred: Ints, at: int, low_at: int, high_at: int, pools: Ints, least: Ints, most: Ints
) -> None:
    """The same for cards of which place `at` takes so many at least and at most, those of every pool."""
    n = len(barred)
    low = np.zeros(n, np.int64)
    high = np.zeros(n, np.int64)
    bound = 0
    for place in range(n):
        bound |= barred[place]
    low[at] = low_at
    free = hidden & ~bound
    bound &= hidden
    while bound:
        card = lowest(bound)
        alike = bound
        for place in range(n):
            is_barred = barred[place] >> card & 1
            high[place] = 0 if is_barred else high_at if place == at else MOST_CARDS
            alike &= barred[place] if is_barred else ~barred[place]
        add_pool(pools, least, most, alike, low, high)
        bound &= ~alike
    for place in range(n):
        high[place] = high_at if place == at else MOST_CARDS
    add_pool(pools, least, most, free, low, high)  # the last pool fills what room is left: that should be the largest


@kernel
def join_places(pools: Ints, least: Ints, most: Ints, size: Ints, home: Ints) -> int:
    """Join places with the same limits, the largest last; home[place] says where it went; returns how many there are
    now.

    Joined places are filled as one and shared out in the end: every way to do that is as likely as any
    other.
    """
    joined = 0
    for place in range(len(size)):
        home[place] = joined
        for other in range(place):
            if home[place] == joined and _are_alike(pools, least, most, place, other):
                home[place] = home[other]
        joined += home[place] == joined
    room = sizes_of(size, home, joined)
    largest = 0
    for place in range(joined):
        if room[place] > room[largest]:
            largest = place
    for place in range(len(size)):
        if home[place] == largest or home[place] == joined - 1:
            home[place] = joined - 1 if home[place] == largest else largest
    return joined


@kernel
def _are_alike(pools: Ints, least: Ints, most: Ints, one: int, other: int) -> bool:
    for k in range(pool_count(pools)):
        is_free = most[k, one] == 0 or most[k, one] == MOST_CARDS
        if least[k, one] + least[k, other] > 0 or most[k, one] != most[k, other] or not is_free:
            return False
    return True


@kernel
def sizes_of(size: Ints, home: Ints, joined: int) -> Ints:
    """[joined]: the room in joined places."""
    found = np.zeros(joined, np.int64)
    for place in range(len(home)):
        found[home[place]] += size[place]
    return found


@kernel
def by_home(limits: Ints, home: Ints, joined: int) -> Ints:
    """[pools, joined]: limits of joined places, which are the same for all that were joined."""
    found = np.zeros((len(limits), joined), np.int64)
    for place in range(len(home)):
        found[:, home[place]] = limits[:, place]
    return found


@kernel
def pool_count(pools: Ints) -> int:
    """How many pools have cards."""
    n = 0
    while n < len(pools) and pools[n] != 0:
        n += 1
    return n


@kernel
def _index(room: Ints, share: Ints, size: Ints) -> int:
    """Where the table has the room that a share leaves; the last place's room follows from the cards left."""
    found = 0
    for place in range(len(size) - 1):
        found = found * (size[place] + 1) + room[place] - share[place]
    return found


@kernel
def _room_at(index: int, cards: int, size: Ints, room: Ints) -> None:
    """The room left in all places at an index of the table, when so many cards are left."""
    for place in range(len(size) - 2, -1, -1):
        room[place] = index % (size[place] + 1)
        index //= size[place] + 1
        cards -= room[place]
    room[len(size) - 1] = cards


@kernel
def _next_share(cards: int, least: Ints, most: Ints, room: Ints, share: Ints, is_first: bool) -> bool:
    """The next way to split a pool among the places, all but the last counting up; false after the last way."""
    last = len(share) - 1
    if is_first:
        share[:] = least
        for place in range(last):
            if least[place] > min(most[place], room[place]):
                return False
    else:
        share[0] += 1
    while True:
        place = 0
        while place < last and share[place] > min(most[place], room[place]):
            share[place] = least[place]
            place += 1
            if place < last:
                share[place] += 1
        if place == last:
            return False
        rest = cards
        for k in range(last):
            rest -= share[k]
        if least[last] <= rest <= min(most[last], room[last]):
            share[last] = rest
            return True
        share[0] += 1


@kernel
def _splits(share: Ints) -> float:
    """In how many ways a pool can be split into shares of these sizes."""
    cards = 0
    below = 1.0
    for place in range(len(share)):
        cards += share[place]
        below *= FACTORIAL[share[place]]
    return FACTORIAL[cards] / below


@kernel
def ways(pools: Ints, least: Ints, most: Ints, size: Ints) -> Floats:
    """[pools, rooms]: in how many ways the pools from each on fill the room left; the first row ends with all ways."""
    rooms = 1
    for place in range(len(size) - 1):
        rooms *= size[place] + 1
    n = pool_count(pools)
    table = np.zeros((n + 1, rooms))
    reached = np.zeros((n + 1, rooms), np.bool_)
    left = np.zeros(n + 1, np.int64)
    for k in range(n - 1, -1, -1):
        left[k] = left[k + 1] + popcount(pools[k])
    room = np.zeros(len(size), np.int64)
    share = np.zeros(len(size), np.int64)
    reached[0, rooms - 1] = True
    for k in range(n):
        for here in range(rooms):
            if reached[k, here]:
                _room_at(here, left[k], size, room)
                going = _next_share(popcount(pools[k]), least[k], most[k], room, share, True)
                while going:
                    reached[k + 1, _index(room, share, size)] = True
                    going = _next_share(popcount(pools[k]), least[k], most[k], room, share, False)
    table[n, 0] = 1.0
    for k in range(n - 1, -1, -1):
        for here in range(rooms):
            if reached[k, here]:
                _room_at(here, left[k], size, room)
                going = _next_share(popcount(pools[k]), least[k], most[k], room, share, True)
                while going:
                    table[k, here] += _splits(share) * table[k + 1, _index(room, share, size)]
                    going = _next_share(popcount(pools[k]), least[k], most[k], room, share, False)
    return table


@kernel
def draw_worlds(
    s: Ints, seat: int, r: rng.Rng, base: rng.Rng, branches: bool, table: Floats, pools: Ints, least: Ints,
    most: Ints, size: Ints, home: Ints, wanted: Ints, places: Ints,
) -> None:  # fmt: skip
    """Fill joined places and share them out, for every row; with branches each row has one of the luck of a base."""
    # Written out: a call with arrays takes as long as what it would do here.
    n, last = pool_count(pools), len(size) - 1
    work = np.empty((4, len(size)), np.int64)
    room, share, taken, filled = work[0], work[1], work[2], work[3]
    for row in range(len(places)):
        if branches:
            rng.branch(r, base, row)
        while True:
            for place in range(last + 1):
                room[place] = size[place]
                filled[place] = 0
            for k in range(n):
                cards = pools[k]
                count = popcount(cards)
                if k == n - 1:
                    for place in range(last + 1):
                        taken[place] = room[place]
                else:
                    here = 0
                    for place in range(last):
                        here = here * (size[place] + 1) + room[place]
                        share[place] = least[k, place]
                    left = rng.uniform(r) * table[k, here]
                    while left >= 0.0:
                        rest, step, below = count, 0, 1.0
                        for place in range(last):
                            rest -= share[place]
                            step = step * (size[place] + 1) + share[place]
                            below *= FACTORIAL[share[place]]
                        if least[k, last] <= rest <= min(most[k, last], room[last]):
                            weight = FACTORIAL[count] / (below * FACTORIAL[rest]) * table[k + 1, here - step]
                            if weight > 0.0:
                                left -= weight
                                for place in range(last):
                                    taken[place] = share[place]
                                taken[last] = rest
                        place = 0
                        share[0] += 1
                        while place < last and share[place] > min(most[k, place], room[place]):
                            share[place] = least[k, place]
                            place += 1
                            if place < last:
                                share[place] += 1
                        if place == last:
                            break
                for place in range(last + 1):
                    part = part_of(r, cards, taken[place])
                    cards ^= part
                    filled[place] |= part
                    room[place] -= taken[place]
            if not CHECKS or possible(s, seat, filled, home):
                break
        for place in range(len(home)):
            part = part_of(r, filled[home[place]], wanted[place])
            filled[home[place]] ^= part
            places[row, place] = part
