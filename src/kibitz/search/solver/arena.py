"""The arena: one int64 array that holds all a search reads and writes, and the tables of a contract in it.

It begins like a state of the game, up to its log, so that the game's own duty works on it. Cards have other numbers there: class
by class, trumps last, each from its weakest card up. So in a class a higher bit is a stronger card, and any trump beats what is
no trump.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.layout import MOST_SEATS

Ints = NDArray[np.int64]

MOST_CARDS, MOST_HAND, MOST_CLASSES, MOST_CHUNKS, MOST_PRICES = 64, 16, 8, 8, 16
CHUNK_BITS = 8
ENTRIES = 1 << 17
"""Positions that the transposition table holds."""

POINTS, TRICKS, FEW_POINTS, NO_TRICK, ONE_TRICK, LAST_TRICK = range(6)
"""Aims of the side asked about: many points, many tricks, few points, no trick, exactly one trick, the last trick with a card."""

# Slots behind the state, counted from BASE.
(
    AIM, ASKED, WANTS, A_TRICK, BONUS, MARKED, EQUALS, TRUMPS, CLASSES, CHUNKS, PRICES, NODES, GENERATION, TAKEN, SEAT_COUNT,
) = range(15)  # fmt: skip
BEATS = 16
WORTHS = BEATS + MOST_CARDS
FOLLOWS = WORTHS + MOST_CARDS
CLASS_CARDS = FOLLOWS + MOST_CARDS
PRICE = CLASS_CARDS + MOST_CLASSES
CHUNK = PRICE + 2 * MOST_PRICES
SEAT_KEY = CHUNK + 2 * MOST_CHUNKS
TAKEN_KEY = SEAT_KEY + 8
KEYS = TAKEN_KEY + 8
MOVES = KEYS + (MOST_CHUNKS << CHUNK_BITS)
TABLE = MOVES + (MOST_HAND + 1) * MOST_SEATS * MOST_HAND
SIZE = TABLE + 2 * ENTRIES


@dataclass(frozen=True, eq=False)
class Numbering:
    """The cards of a game in the order of the arena, for every contract."""

    game: TrickGame

    @cached_property
    def place(self) -> Ints:
        """[contract, card]: the arena's number of a card."""
        tables = self.game.tables
        found = np.zeros_like(tables.classes)
        for row in range(len(found)):
            keys = tables.classes[row] * MOST_CARDS + tables.strength[row]
            found[row, np.argsort(keys, kind="stable")] = np.arange(found.shape[1])
        return found

    @property
    def is_same(self) -> bool:
        """Whether cards keep their numbers."""
        return bool((self.place == np.arange(self.place.shape[1])).all())

    def cards(self, row: int, mask: int) -> int:
        """A mask of the game's cards in the arena's numbers."""
        return sum(1 << int(self.place[row, card]) for card in range(self.place.shape[1]) if int(mask) >> card & 1)

    def masks(self, table: Ints) -> Ints:
        """[contract, n] masks, each translated; further columns that are cards' are put in the arena's order."""
        return np.array([[self.cards(row, mask) for mask in table[row]] for row in range(len(table))], np.int64)

    def by_card(self, table: Ints) -> Ints:
        """[contract, card]: the same in the arena's order."""
        found = np.zeros_like(table)
        for row in range(len(table)):
            found[row, self.place[row]] = table[row]
        return found

    @cached_property
    def tables(self) -> dict[str, Ints]:
        """The game's tables in the arena's numbers, under the names that hooks use."""
        made = self.game.tables
        return {
            "CLASS": self.by_card(made.classes), "MASKS": self.masks(made.masks), "WORTH": self.by_card(made.worth),
            "ABOVE": self.masks(self.by_card(made.above)), "BEATEN_BY": self.masks(self.by_card(made.beaten_by)),
            "STRENGTH": self.by_card(made.strength), "TRUMPS": self.masks(made.trumps[:, None])[:, 0],
        }  # fmt: skip


def chunks(masks: Ints) -> list[tuple[int, int]]:
    """(shift, width) of pieces of at most CHUNK_BITS cards of one class each, from the classes of a contract."""
    found = []
    for mask in masks:
        cards = [card for card in range(MOST_CARDS) if int(mask) >> card & 1]
        for start in range(0, len(cards), CHUNK_BITS):
            found.append((cards[start], len(cards[start : start + CHUNK_BITS])))
    return found


def loaded(base: int, numbering: Numbering, row: int, aim: int, worth: Ints) -> Ints:
    """The slots behind the state for one contract and aim; `worth` are the points of the arena's cards."""
    tables = numbering.tables
    made = np.zeros(SIZE, np.int64)
    cards = worth.shape[0]
    counted = worth if aim in (POINTS, FEW_POINTS) else np.zeros(cards, np.int64)
    masks = [int(mask) for mask in tables["MASKS"][row] if mask]
    trumps = int(tables["TRUMPS"][row])
    made[AIM], made[TRUMPS], made[WANTS] = aim, trumps, aim not in (FEW_POINTS, NO_TRICK)
    made[A_TRICK] = aim in (TRICKS, NO_TRICK)
    made[BEATS : BEATS + cards] = tables["BEATEN_BY"][row]
    made[WORTHS : WORTHS + cards] = counted
    made[FOLLOWS : FOLLOWS + cards] = tables["MASKS"][row][tables["CLASS"][row]]
    plain = [mask for mask in masks if mask != trumps]
    made[CLASSES] = len(plain)
    made[CLASS_CARDS : CLASS_CARDS + len(plain)] = plain
    for card in range(cards - 1):
        if tables["CLASS"][row, card] == tables["CLASS"][row, card + 1] and counted[card] == counted[card + 1]:
            made[EQUALS] |= 1 << card
    prices = sorted({int(x) for x in counted})
    made[PRICES] = len(prices)
    for k, price in enumerate(prices):
        made[PRICE + 2 * k] = sum(1 << card for card in range(cards) if counted[card] == price)
        made[PRICE + 2 * k + 1] = price
    pieces = chunks(np.array([*plain, trumps] if trumps else plain, np.int64))
    made[CHUNKS] = len(pieces)
    for k, (shift, width) in enumerate(pieces):
        made[CHUNK + 2 * k], made[CHUNK + 2 * k + 1] = shift, (1 << width) - 1
    return made
