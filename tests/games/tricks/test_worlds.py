"""Hidden cards handed out to places: counted and drawn as an enumeration of all ways says."""

from collections import Counter
from itertools import product
from math import factorial

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from kibitz.core import rng
from kibitz.core.jit import PLAIN, specialise
from kibitz.games.tricks.worlds import (
    MOST_CARDS,
    MOST_POOLS,
    add_pool,
    by_home,
    draw_worlds,
    join_places,
    pool_count,
    sizes_of,
    some,
    sort_cards,
    ways,
)

Ints = NDArray[np.int64]
DRAWS = 300 if PLAIN else 3000
DRAW, NO_STATE = specialise(draw_worlds, "any", CHECKS=False), np.zeros(1, np.int64)


class Room:
    """Places of some sizes, and pools of cards with how many of them each place takes."""

    def __init__(self, size: list[int]) -> None:
        n = len(size)
        self.size = np.array(size, np.int64)
        self.pools = np.zeros(MOST_POOLS, np.int64)
        self.least, self.most = np.zeros((MOST_POOLS, n), np.int64), np.zeros((MOST_POOLS, n), np.int64)

    def add(self, cards: int, low: list[int], high: list[int]) -> None:
        add_pool(self.pools, self.least, self.most, cards, np.array(low, np.int64), np.array(high, np.int64))

    def bar(self, hidden: int, barred: list[int]) -> None:
        sort_cards(hidden, np.array(barred, np.int64), self.pools, self.least, self.most)

    def ways(self) -> NDArray[np.float64]:
        return ways(self.pools, self.least, self.most, self.size)

    def draw(self, r: Ints, table: NDArray[np.float64]) -> tuple[int, ...]:
        places, home = np.zeros((1, len(self.size)), np.int64), np.arange(len(self.size))
        DRAW(NO_STATE, 0, r, r, False, table, self.pools, self.least, self.most, self.size, home, self.size, places)
        return tuple(int(cards) for cards in places[0])

    def every_way(self) -> set[tuple[int, ...]]:
        """All ways, by trying every place for every card."""
        pools = [int(cards) for cards in self.pools[: pool_count(self.pools)]]
        cards = [card for card in range(64) if any(pool >> card & 1 for pool in pools)]
        found = set()
        for chosen in product(range(len(self.size)), repeat=len(cards)):
            places = [sum(1 << card for card, at in zip(cards, chosen) if at == k) for k in range(len(self.size))]
            fits = all(places[k].bit_count() == self.size[k] for k in range(len(places)))
            for pool, least, most in zip(pools, self.least, self.most):
                shares = [(places[k] & pool).bit_count() for k in range(len(places))]
                fits = fits and all(low <= share <= high for low, share, high in zip(least, shares, most))
            if fits:
                found.add(tuple(places))
        return found


def barred_room(luck: np.random.Generator, chance: float) -> tuple[Room, list[int], int]:
    """Random sizes, at most six cards with gaps between their numbers, random cards barred from each place."""
    while True:
        size = [int(n) for n in luck.integers(0, 4, luck.integers(2, 5))]
        if 0 < sum(size) <= 6:
            break
    cards = [int(card) for card in luck.choice(52, sum(size), replace=False)]
    hidden = sum(1 << card for card in cards)
    barred = [sum(1 << card for card in range(52) if luck.random() < chance) for _ in size]
    room = Room(size)
    room.bar(hidden, barred)
    return room, barred, hidden


def limited_room(luck: np.random.Generator) -> Room:
    """Random pools, some of which must or must not give so many cards to a place."""
    while True:
        size = [int(n) for n in luck.integers(0, 4, luck.integers(2, 4))]
        if 1 < sum(size) <= 6:
            break
    room, left, card, free = Room(size), sum(size), 0, list(size)
    while left:
        n = int(luck.integers(1, left + 1))
        low = [int(luck.random() < 0.3 and free[k] > 0) for k in range(len(size))]
        free = [free[k] - low[k] for k in range(len(size))]
        high = [k + int(luck.integers(0, 4)) for k in low]
        room.add(((1 << n) - 1) << card, low, high)
        card, left = card + n, left - n
    return room


def is_uniform(room: Room, table: NDArray[np.float64], worlds: set[tuple[int, ...]], seed: int) -> bool:
    r = rng.fresh(seed)
    counts = Counter(room.draw(r, table) for _ in range(DRAWS))
    assert set(counts) <= worlds
    return bool(stats.chisquare([counts[world] for world in sorted(worlds)]).pvalue > 1e-5)


def test_ways_are_as_many_as_an_enumeration_finds() -> None:
    luck, impossible = np.random.default_rng(1), 0
    for _ in range(20 if PLAIN else 120):
        room, barred, hidden = barred_room(luck, 0.25)
        every = room.every_way()
        assert room.ways()[0, -1] == len(every), (room.size, barred, hidden)
        for places in every:
            assert not any(cards & bars for cards, bars in zip(places, barred))
        impossible += not every
    assert impossible > 0


def test_pools_with_the_same_bars_are_one() -> None:
    room = Room([2, 2, 1])
    room.bar(0b11111, [0b00011, 0, 0b00011])
    assert room.pools[: pool_count(room.pools)].tolist() == [0b00011, 0b11100]  # those that are free come last
    assert room.most[1].tolist()[0] > 4 and room.most[0].tolist()[::2] == [0, 0]


def test_limits_are_kept_by_the_count() -> None:
    luck, found = np.random.default_rng(2), []
    for _ in range(20 if PLAIN else 120):
        room = limited_room(luck)
        every = room.every_way()
        assert room.ways()[0, -1] == len(every), (room.size, room.pools, room.least, room.most)
        found.append(len(every))
    assert min(found) == 0 and max(found) > 5


def test_limits_that_ask_for_more_than_there_is_room_leave_no_way() -> None:
    room = Room([0, 2, 1])
    room.add(0b011, [1, 0, 0], [9, 9, 9])
    room.add(0b100, [0, 0, 0], [9, 9, 9])
    assert room.ways()[0, -1] == len(room.every_way()) == 0


@pytest.mark.parametrize("seed", range(3 if PLAIN else 12))
def test_worlds_are_drawn_uniformly(seed: int) -> None:
    luck = np.random.default_rng(100 + seed)
    while True:
        room, _, _ = barred_room(luck, 0.25)
        table, worlds = room.ways(), room.every_way()
        if 2 < len(worlds) < 60:
            break
    assert is_uniform(room, table, worlds, seed)


@pytest.mark.parametrize("seed", range(3 if PLAIN else 12))
def test_worlds_with_limits_are_drawn_uniformly(seed: int) -> None:
    luck = np.random.default_rng(200 + seed)
    while True:
        room = limited_room(luck)
        table, worlds = room.ways(), room.every_way()
        if 2 < len(worlds) < 60 and pool_count(room.pools) > 1:
            break
    assert is_uniform(room, table, worlds, seed)


def test_a_whole_pack_is_counted_exactly() -> None:
    room = Room([13, 13, 13])
    room.bar((1 << 39) - 1, [0, 0, 0])
    assert room.ways()[0, -1] == pytest.approx(factorial(39) / factorial(13) ** 3)


def test_some_cards_are_any_with_equal_chance() -> None:
    r = rng.fresh(5)
    cards = 0b1011_0010_0000_0000_0001
    counts = Counter(some(r, cards, 2) for _ in range(DRAWS))
    assert len(counts) == 10 and all(found & ~cards == 0 and found.bit_count() == 2 for found in counts)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-5


def test_places_with_the_same_limits_are_filled_as_one_and_shared_out() -> None:
    room = Room([2, 1, 2, 1])
    room.add(0b000111, [0, 0, 0, 0], [0, MOST_CARDS, MOST_CARDS, MOST_CARDS])
    room.add(0b111000, [0, 0, 0, 0], [MOST_CARDS, 1, MOST_CARDS, MOST_CARDS])
    home = np.zeros(4, np.int64)
    joined = join_places(room.pools, room.least, room.most, room.size, home)
    assert joined == 3 and home[2] == home[3] == 2 and home[0] != home[1]
    size = sizes_of(room.size, home, joined)
    low, high = by_home(room.least, home, joined), by_home(room.most, home, joined)
    table = ways(room.pools, low, high, size)
    r, places = rng.fresh(6), np.zeros((1, 4), np.int64)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        DRAW(NO_STATE, 0, r, r, False, table, room.pools, low, high, size, home, room.size, places)
        counts[tuple(map(int, places[0]))] += 1
    assert len(counts) == table[0, -1] * 3 == 36
    assert stats.chisquare(list(counts.values())).pvalue > 1e-5
