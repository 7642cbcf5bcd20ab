"""Contracts that are not bid for but set up: given ones, and those the generator makes (rules 11.3 to 11.6)."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import (
    ACE,
    ANNOUNCED,
    CLASS,
    DECLARED_KIND,
    GRAND,
    HAND,
    JACKS,
    NULL,
    NULL_RANK,
    POINTS,
    STRENGTH,
    SUIT,
    TEN,
    TRUMP,
)  # fmt: skip
from kibitz.games.skat.state import (
    ANY,
    DECLARED,
    DECLARER,
    FAMILY,
    GRANDS_ONLY,
    HANDS,
    HIGH,
    IS_HAND,
    KIND,
    NULL_OUVERTS_ONLY,
    PHASE,
    PLAYERS,
    PLAYING,
    SEAT,
    SKAT,
    SUITS_ONLY,
    TAKEN,
)  # fmt: skip

NULL_OUVERT = 6  # its place among the declarations; those without hand stand at their kind
NEVER = 1 << 30


@kernel
def set_up(s: State, declarer: int, declaration: int, laid: int, bid: int) -> None:
    """Begin the play of a dealt state with a contract; `laid` are the discards (none in a hand game), `bid` a place in the list."""
    s[DECLARER] = declarer
    s[DECLARED] = declaration
    s[KIND] = DECLARED_KIND[declaration]
    s[HIGH] = bid
    s[IS_HAND] = ANNOUNCED[declaration] & HAND
    if laid:
        s[TAKEN] = s[SKAT]
        s[HANDS + declarer] = (s[HANDS + declarer] | s[SKAT]) & ~laid
        s[SKAT] = laid
    s[PHASE] = PLAYING
    s[SEAT] = 0


@kernel
def generate(s: State, r: rng.Rng) -> None:
    """Rule 11.3: a declarer by lot, his contract by his twelve cards."""
    declarer = rng.below(r, PLAYERS)
    cards = s[HANDS + declarer] | s[SKAT]
    family = s[FAMILY]
    if family == ANY:
        family = SUITS_ONLY + rng.below(r, 3)
    kind = NULL
    if family == SUITS_ONLY:
        kind = longest_suit(cards)
    elif family == GRANDS_ONLY:
        kind = GRAND
    set_up(s, declarer, NULL_OUVERT if family == NULL_OUVERTS_ONLY else kind, planned_discards(cards, kind), 0)


@kernel
def longest_suit(cards: int) -> int:
    """Rule 11.4: the suit with most cards other than jacks, the dearest if tied."""
    best = 0
    for suit in range(1, 4):
        if popcount(cards & SUIT[suit] & ~JACKS) > popcount(cards & SUIT[best] & ~JACKS):
            best = suit
    return best


@kernel
def planned_discards(cards: int, kind: int) -> int:
    """Rules 11.5 and 11.6: the two cards he is least reluctant to part with."""
    first = second = NEVER
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        value = _reluctance(cards, kind, card)
        if value < first:
            second = first
            first = value
        elif value < second:
            second = value
    return 1 << (first & 31) | 1 << (second & 31)


@kernel
def _reluctance(cards: int, kind: int, card: int) -> int:
    """The order of rules 11.5 and 11.6 as one number, whose lowest five bits are the card."""
    suit = card >> 3
    if kind == NULL:
        return (7 - NULL_RANK[card]) << 9 | popcount(cards & SUIT[suit]) << 5 | card
    if CLASS[kind, card] == TRUMP:
        return 2 << 20 | STRENGTH[kind, card] << 9 | card
    rank = card & 7
    length = popcount(cards & SUIT[suit] & ~JACKS)
    if rank == ACE or (rank == TEN and cards >> (card - TEN + ACE) & 1):
        return 1 << 20 | POINTS[card] << 9 | length << 5 | card
    return (15 - POINTS[card]) << 9 | length << 5 | card
