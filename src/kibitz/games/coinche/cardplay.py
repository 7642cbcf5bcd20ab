"""Coinche: how the rule players choose a card (PLAYERS.md).

Cards are looked at in orders, which are tables. Chapter 4 is what `coinche-strong-plus` does for its partner.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games import belotes
from kibitz.games.belotes import ABOVE, ACES, BEATEN_BY, STRENGTH, SUIT_CARDS, TRUMP_CARDS, WORTH
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.rules import legal_cards

NOTHING = -1
TIE, RERAISE, FAITHFUL, COUNTS, SIGNALS = range(5)
"""The players' knobs, in their order."""

LOW, WEAKEST, STRONGEST, SIMPLE_ORDER, FAITHFUL_ORDER, RICHEST = range(6)
_NATURAL = "789TJQKA"


def _order(key: Callable[[int, int, int], int]) -> list[list[int]]:
    return [[key(suit, card, int(TRUMP_CARDS[suit]) >> card & 1) for card in range(32)] for suit in range(6)]


ORDERS = np.array(
    [
        _order(lambda suit, card, trump: 16 * int(WORTH[suit, card]) + 8 * trump + card % 8),  # rule 1.5
        _order(lambda suit, card, trump: 8 * trump + int(STRENGTH[suit, card])),  # rule 3.6
        _order(lambda suit, card, trump: -int(STRENGTH[suit, card])),  # rule 3.4
        _order(lambda suit, card, trump: -8 * trump - int(STRENGTH[suit, card])),  # rule 2.6
        _order(lambda suit, card, trump: 8 * trump - _NATURAL.index(belotes.RANKS[card % 8])),  # rule 2.7
        _order(lambda suit, card, trump: -16 * int(WORTH[suit, card]) + card % 8),  # rule 4.1
    ]
)
"""[order, contract's suit, card]: the smallest number goes first."""


@kernel
def pick(cards: int, order: int, suit: int, any_suit: bool, r: rng.Rng) -> int:
    """The first of the cards in an order; of equal ones that of the first suit, or any of them (rule 1.4)."""
    found = lowest(cards)
    least = ORDERS[order, suit, found]
    equal = 1
    left = cards & (cards - 1)
    while left:
        card = lowest(left)
        left &= left - 1
        key = ORDERS[order, suit, card]
        if key < least:
            found, least, equal = card, key, 1
        elif key == least and any_suit:
            equal += 1
            if rng.below(r, equal) == 0:
                found = card
    return found


@kernel
def strong_card(view: State, seat: int, r: rng.Rng, knobs: Floats) -> int:
    """The card of chapter 3."""
    any_suit = knobs[TIE] > 0
    return lead(view, seat, any_suit, r) if view[at.COUNT] == 0 else follow(view, seat, any_suit, r)


@kernel
def follow(view: State, seat: int, any_suit: bool, r: rng.Rng) -> int:
    """The weakest card that wins as the trick lies, else the lowest (rules 3.6 and 3.7)."""
    suit = view[at.CONTRACT]
    cards = legal_cards(view, seat)
    winners = cards & BEATEN_BY[suit, view[at.BEST]]
    return pick(winners, WEAKEST, suit, any_suit, r) if winners else pick(cards, LOW, suit, any_suit, r)


@kernel
def lead(view: State, seat: int, any_suit: bool, r: rng.Rng) -> int:
    """Rules 3.4 and 3.5."""
    suit, hand = view[at.CONTRACT], view[at.HAND + seat]
    trumps = hand & TRUMP_CARDS[suit]
    plain = hand & ~trumps
    attacks = view[at.DECLARER] % 2 == seat % 2
    if attacks and trumps:
        return pick(trumps, STRONGEST, suit, any_suit, r)
    if plain & ACES:
        return 8 * suit_by_length(plain, plain & ACES, attacks, any_suit, r) + belotes.ACE
    if attacks:
        shortest = plain & SUIT_CARDS[suit_by_length(plain, plain, False, any_suit, r)]
        return pick(shortest, LOW, suit, any_suit, r)
    if plain:
        return pick(plain, LOW, suit, any_suit, r)
    return pick(trumps, WEAKEST, suit, any_suit, r)


@kernel
def suit_by_length(plain: int, among: int, longest: bool, any_suit: bool, r: rng.Rng) -> int:
    """The suit in which most or fewest cards are held, of those with a card among some."""
    best, found, equal = 100, -1, 0
    for suit in range(4):
        length = popcount(plain & SUIT_CARDS[suit])
        key = -length if longest else length
        if not among & SUIT_CARDS[suit] or key > best:
            continue
        if key < best:
            best, found, equal = key, suit, 1
        elif any_suit:
            equal += 1
            if rng.below(r, equal) == 0:
                found = suit
    return found


@kernel
def seen(view: State, seat: int) -> int:
    """The cards a seat can place: its own, those played and those face up."""
    cards = view[at.HAND + seat] | view[at.DEAD]
    for player in range(4):
        cards |= view[at.PLAYED + player]
    return cards


@kernel
def masters(view: State, seat: int, cards: int) -> int:
    """Those cards that no hidden card of their suit beats."""
    known = seen(view, seat)
    found = 0
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if not ABOVE[view[at.CONTRACT], card] & ~known:
            found |= 1 << card
    return found


@kernel
def plus_card(view: State, seat: int, cards: int, r: rng.Rng, knobs: Floats) -> int:
    """Rules 4.1, 4.2 and 4.4; NOTHING where chapter 3 decides."""
    suit, best = view[at.CONTRACT], view[at.BEST]
    any_suit = knobs[TIE] > 0
    plain = cards & ~TRUMP_CARDS[suit]
    discards = plain and not cards & SUIT_CARDS[view[at.TABLE] >> 3]
    if view[at.BEST_SEAT] != (seat + 2) % 4:
        winners = cards & BEATEN_BY[suit, best]
        if winners:
            return _take(view, seat, cards, winners, r, knobs) if knobs[COUNTS] else NOTHING
        return _signal(view, seat, plain, any_suit, r) if knobs[SIGNALS] and discards else NOTHING
    if plain and is_safe(view, seat, knobs[COUNTS] > 0):
        spare = plain & ~masters(view, seat, plain) if knobs[COUNTS] else plain
        return pick(spare if spare else plain, RICHEST, suit, any_suit, r)
    if knobs[COUNTS]:
        sure = masters(view, seat, plain & BEATEN_BY[suit, best])
        if sure:
            return pick(sure, RICHEST, suit, any_suit, r)
    if knobs[SIGNALS] and discards:
        return _signal(view, seat, plain, any_suit, r)
    return pick(cards, LOW, suit, any_suit, r)


@kernel
def is_safe(view: State, seat: int, counts: bool) -> bool:
    """Whether the partner's card will win the trick: the seat plays last, or no hidden card of its suit is higher."""
    suit, best = view[at.CONTRACT], view[at.BEST]
    if view[at.COUNT] == 3:
        return True
    higher = ABOVE[suit, best] & ~seen(view, seat)
    if not counts:
        return not higher
    after = (seat + 1) % 4
    if higher & ~view[at.LACKS + after]:
        return False
    void = view[at.LACKS + after] & SUIT_CARDS[best >> 3] == SUIT_CARDS[best >> 3]
    return not void or not BEATEN_BY[suit, best] & ~seen(view, seat) & ~view[at.LACKS + after]


@kernel
def _take(view: State, seat: int, cards: int, winners: int, r: rng.Rng, knobs: Floats) -> int:
    """Rule 4.2: how to win a trick from an opponent, or whether to."""
    suit = view[at.CONTRACT]
    any_suit = knobs[TIE] > 0
    plain = winners & ~TRUMP_CARDS[suit]
    if not plain:
        return NOTHING
    sure = masters(view, seat, plain)
    if view[at.COUNT] == 3:
        spare = plain & ~sure
        return pick(spare, RICHEST, suit, any_suit, r) if spare else NOTHING
    if sure:
        return pick(sure, RICHEST, suit, any_suit, r)
    return pick(cards, LOW, suit, any_suit, r)


@kernel
def _signal(view: State, seat: int, plain: int, any_suit: bool, r: rng.Rng) -> int:
    """Rule 4.3: a worthless card of a suit in which one holds the best card left, else the lowest of other suits."""
    suit = view[at.CONTRACT]
    asking, other = 0, 0
    for side_suit in range(4):
        own = plain & SUIT_CARDS[side_suit]
        top = masters(view, seat, own)
        if top:
            asking |= own & ~top & (SUIT_CARDS[side_suit] & _WORTHLESS)
        else:
            other |= own
    return pick(asking if asking else other if other else plain, LOW, suit, any_suit, r)


_WORTHLESS = sum(((1 << (belotes.NINE + 1)) - 1) << 8 * suit for suit in range(4))


@kernel
def asked_suit(view: State, seat: int) -> int:
    """The suit in which the partner last discarded a worthless card, or NOTHING (rule 4.3)."""
    suit, partner = view[at.CONTRACT], (seat + 2) % 4
    asked = NOTHING
    leader = (view[at.DEALER] + 1) % 4
    first = view[at.CALLED]
    while first + 4 <= view[at.MOVES]:
        best = view[at.LOG + first] - at.CARD
        winner = leader
        led = best >> 3
        for k in range(1, 4):
            card = view[at.LOG + first + k] - at.CARD
            player = (leader + k) % 4
            if player == partner and card >> 3 != led and (_WORTHLESS & ~TRUMP_CARDS[suit]) >> card & 1:
                asked = card >> 3
            if BEATEN_BY[suit, best] >> card & 1:
                best, winner = card, player
        leader = winner
        first += 4
    return asked


@kernel
def plus_lead(view: State, seat: int, r: rng.Rng, knobs: Floats) -> int:
    """Rules 4.2 and 4.3; NOTHING where chapter 3 decides."""
    suit, hand = view[at.CONTRACT], view[at.HAND + seat]
    any_suit = knobs[TIE] > 0
    trumps = hand & TRUMP_CARDS[suit]
    plain = hand & ~trumps
    if not plain:
        return NOTHING
    none_of = view[at.LACKS + (seat + 1) % 4] & view[at.LACKS + (seat + 3) % 4]
    out = TRUMP_CARDS[suit] & ~seen(view, seat) & ~none_of  # what an opponent may hold
    if view[at.DECLARER] % 2 == seat % 2 and trumps and (out or not knobs[COUNTS]):
        return NOTHING
    if knobs[COUNTS]:
        sure = masters(view, seat, plain)
        if out and suit < belotes.NO_TRUMPS:
            sure &= ~_ruffed(view, seat)
        if sure:
            return pick(sure, RICHEST, suit, any_suit, r)
    if knobs[SIGNALS] and not plain & ACES:
        asked = asked_suit(view, seat)
        if asked != NOTHING and plain & SUIT_CARDS[asked]:
            return pick(plain & SUIT_CARDS[asked], LOW, suit, any_suit, r)
    return NOTHING


@kernel
def _ruffed(view: State, seat: int) -> int:
    """The suits of which an opponent who may hold trumps has shown to be void."""
    cards = 0
    trumps = TRUMP_CARDS[view[at.CONTRACT]] & ~seen(view, seat)
    for player in ((seat + 1) % 4, (seat + 3) % 4):
        if trumps & ~view[at.LACKS + player]:
            for suit in range(4):
                if view[at.LACKS + player] & SUIT_CARDS[suit] == SUIT_CARDS[suit]:
                    cards |= SUIT_CARDS[suit]
    return cards
