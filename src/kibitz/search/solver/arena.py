"""The arena: one int64 array that holds all a search reads and writes, and the tables of a contract in it.

It begins like a state of the game, up to its log, so that the game's own duty works on it. Cards have other numbers
there: class by class, trumps last, each from its weakest card up and beginning at a whole byte. So in a class a higher
bit is a stronger card, any trump beats what is no trump, and a byte of a mask belongs to one class. A deck that is in
such an order in every contract keeps its numbers; only then may a game's duty name single cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kibitz.core.shapes import Ints
from kibitz.games.tricks.kit import TrickGame

MOST_CARDS, MOST_HAND, MOST_CLASSES, MOST_CHUNKS, MOST_PRICES = 64, 16, 8, 8, 16
CHUNK_BITS, CHUNK_MASK = 8, 255
PATTERNS = 9 << CHUNK_BITS
"""Pairs of a number of cards and a set of them, in a class that is not wide."""
ENTRY_BITS, FEW_BITS, FEWEST_BITS = 18, 16, 14
ENTRIES = 1 << ENTRY_BITS
"""Positions in the transposition table, a hash in front of two bounds each; more would leave the processor's cache."""
SMALL_PART, MIDDLE_PART = (1 << 13) - 1, (1 << 15) - 1
"""What positions of two tricks, of which there are most, use of it: it stays in the cache that is nearest; and what
those of three and four use, which stays in the next."""

POINTS, TRICKS, FEW_POINTS, NO_TRICK, ONE_TRICK, LAST_TRICK = range(6)
"""Aims of the side asked about: many points or tricks, few points, no trick, just one, the last one with a card."""

OURS, DRAWS, WINS = MOST_CARDS, 2 * MOST_CARDS, 2 * MOST_CARDS
"""Steps in the tables of scores: the own side will win the trick; others have trumps to draw; the card is winning."""

# Slots behind the state, counted from BASE.
(
    AIM, ASKED, WANTS, A_TRICK, BONUS, MARKED, EQUALS, TRUMPS, CLASSES, PRICES, NODES, GENERATION, TAKEN, INDEX,
) = range(14)  # fmt: skip
BEATS = 16
WORTHS = BEATS + MOST_CARDS
FOLLOWS = WORTHS + MOST_CARDS
CLASS_CARDS = FOLLOWS + MOST_CARDS
PRICE = CLASS_CARDS + 3 * MOST_CLASSES
HANDS = PRICE + 2 * MOST_PRICES
FIXED = HANDS + 4
SEAT_KEY = FIXED + 8
TAKEN_KEY = SEAT_KEY + 8
KEYS = TAKEN_KEY + 8
WORTH_OF = KEYS + (MOST_CHUNKS << CHUNK_BITS)
"""What the strongest so many of a set of cards are worth, then what the cheapest are, for each kind of plain class."""
LEAD_SCORES = WORTH_OF + 2 * MOST_CLASSES * PATTERNS
SCORES = LEAD_SCORES + 8 * MOST_CARDS
"""How early a card is tried, by whether its seat is asked about, DRAWS or WINS, OURS: a score in front of the card."""
MOVES = SCORES + 8 * MOST_CARDS
TABLE = MOVES + (MOST_HAND + 1) * 4 * MOST_HAND
SIZE = TABLE + ENTRIES


@dataclass(frozen=True, eq=False)
class Numbering:
    """The cards of a game in the order of the arena, for every contract."""

    game: TrickGame

    @cached_property
    def place(self) -> Ints:
        """[contract, card]: the arena's number of a card."""
        tables = self.game.tables
        found = np.tile(np.arange(tables.classes.shape[1]), (len(tables.classes), 1))
        if (np.diff(tables.classes * MOST_CARDS + tables.strength, axis=1) > 0).all():
            return found  # in order as they are; so a duty may name cards
        for row in range(len(found)):
            start = 0
            for k in range(tables.masks.shape[1]):
                own = np.flatnonzero(tables.classes[row] == k)
                found[row, own] = start + tables.strength[row, own]
                start += -(-len(own) // CHUNK_BITS) * CHUNK_BITS
        return found

    def cards(self, row: int, mask: int) -> int:
        """A mask of the game's cards in the arena's numbers."""
        return sum(1 << int(self.place[row, card]) for card in range(self.place.shape[1]) if int(mask) >> card & 1)

    def masks(self, table: Ints) -> Ints:
        """[contract, n] masks, each translated; further columns that are cards' are put in the arena's order."""
        return np.array([[self.cards(row, mask) for mask in table[row]] for row in range(len(table))], np.int64)

    def by_card(self, table: Ints) -> Ints:
        """[contract, card]: the same in the arena's order."""
        found = np.zeros((len(table), MOST_CARDS), np.int64)
        for row in range(len(table)):
            found[row, self.place[row]] = table[row]
        return found

    @property
    def is_wide(self) -> bool:
        """Whether a plain class has more cards than a table of its sets can hold."""
        tables = self.game.tables
        return any(
            int(mask).bit_count() > CHUNK_BITS
            for row, trumps in zip(tables.masks, tables.trumps, strict=True)
            for mask in row
            if mask != trumps
        )

    @property
    def joined(self) -> int:
        """The chunks, as a mask, that go on with a class of the chunk before in some contract."""
        found = 0
        for mask in (int(mask) for row in self.tables["MASKS"] for mask in row if mask):
            first, last = ((mask & -mask).bit_length() - 1) // CHUNK_BITS, (mask.bit_length() - 1) // CHUNK_BITS
            found |= (2 << last) - (2 << first)
        return found

    @property
    def value_bits(self) -> int:
        """How many bits hold what there is to get in a deal."""
        most = int(self.game.tables.worth.sum(axis=1).max()) + self.game.last_trick
        return max(most, self.game.each).bit_length()

    @cached_property
    def tables(self) -> dict[str, Ints]:
        """The game's tables in the arena's numbers, under the names that hooks use."""
        made = self.game.tables
        return {
            "CLASS": self.by_card(made.classes), "MASKS": self.masks(made.masks), "WORTH": self.by_card(made.worth),
            "ABOVE": self.masks(self.by_card(made.above)), "BEATEN_BY": self.masks(self.by_card(made.beaten_by)),
            "STRENGTH": self.by_card(made.strength), "TRUMPS": self.masks(made.trumps[:, None])[:, 0],
        }  # fmt: skip


def loaded(base: int, numbering: Numbering, row: int, aim: int, worth: Ints) -> Ints:
    """The slots behind the state for one contract and aim; `worth` are the points of the arena's cards."""
    tables = numbering.tables
    made = np.zeros(SIZE, np.int64)
    cards = MOST_CARDS
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
    kinds: list[tuple[int, ...]] = []
    for k, mask in enumerate(plain):
        shift, size = (mask & -mask).bit_length() - 1, mask.bit_count()
        made[CLASS_CARDS + 3 * k : CLASS_CARDS + 3 * k + 2] = mask, shift
        kind = tuple(int(price) for price in counted[shift : shift + size])
        if size <= CHUNK_BITS:
            kinds += [] if kind in kinds else [kind]
            start = WORTH_OF + 2 * PATTERNS * kinds.index(kind)
            made[CLASS_CARDS + 3 * k + 2] = base + start
            made[start : start + 2 * PATTERNS] = worth_of(kind)
    for card in range(cards - 1):
        is_suit = any(mask >> card & 3 == 3 for mask in masks)
        if is_suit and counted[card] == counted[card + 1]:
            made[EQUALS] |= 1 << card
    made[LEAD_SCORES : SCORES + 8 * MOST_CARDS] = scores(
        counted, tables["STRENGTH"][row], trumps, bool(made[WANTS]), numbering.game.seats == 3
    ).ravel()
    deck = [card for card in range(cards) if any(mask >> card & 1 for mask in masks)]
    prices = sorted({int(counted[card]) for card in deck})
    made[PRICES] = len(prices)
    for k, price in enumerate(prices):
        made[PRICE + 2 * k] = sum(1 << card for card in deck if counted[card] == price)
        made[PRICE + 2 * k + 1] = price
    return made


def worth_of(prices: tuple[int, ...]) -> Ints:
    """What the strongest k of each set of a class's cards are worth together, then what the cheapest k are."""
    found = np.zeros((2, 9, 1 << CHUNK_BITS), np.int64)
    for cards in range(1 << len(prices)):
        held = [price for place, price in enumerate(prices) if cards >> place & 1]
        for k in range(9):
            found[:, k, cards] = sum(held[max(0, len(held) - k) :]), sum(sorted(held)[:k])
    return found.ravel()


def scores(worth: Ints, strength: Ints, trumps: int, is_up: bool, is_alone: bool) -> Ints:
    """[lead or not, own or not, draws or wins, ours, card]: how early to try a card, the larger the earlier.

    Who is alone against two draws trumps even where it costs a trick (a tenth fewer positions in Skat; in partnerships
    more).
    """
    found = np.zeros((2, 2, 2, 2, MOST_CARDS), np.int64)
    for own, first, ours, card in np.ndindex(2, 2, 2, MOST_CARDS):
        points, is_trump = int(worth[card]), trumps >> card & 1
        lead = 260 + points if ours == is_up else 230 - 2 * points
        if is_trump:
            draws = own and is_up and first
            lead = 320 + card if draws and ours else 250 if draws and is_alone else lead - 10
        other = 250 - 3 * points
        if ours == is_up:
            other = 300 + (points if first else 2 * points)
        if is_trump and not first:
            other -= 5
        if not is_up and not own:
            lead, other = lead + int(strength[card]), other + int(strength[card])
        found[:, own, first, ours, card] = lead << 6 | card, other << 6 | card
    return found
