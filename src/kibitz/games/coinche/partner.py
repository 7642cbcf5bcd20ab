"""Coinche: what `coinche-strong-plus` does for its partner (chapter 4 of PLAYERS.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.coinche.bidding import ACES, COUNTS, SIGNALS, TIE
from kibitz.games.coinche.cards import ABOVE, NINE, SUIT_CARDS, TRUMPS, beaters
from kibitz.games.coinche.choice import LOW, RICHEST, pick
from kibitz.games.coinche.layout import (
    BEST, CALLED, CARD, COUNT, DEAD, DEALER, HAND, LACKS, LOG, MASTER, MOVES, NO_TRUMPS, PLAYED, SUIT, TABLE,
)  # fmt: skip
from kibitz.games.coinche.scoring import taker

NOTHING = -1


@kernel
def seen(view: State, seat: int) -> int:
    """The cards a seat can place: its own, those played and those face up."""
    cards = view[HAND + seat] | view[DEAD]
    for player in range(4):
        cards |= view[PLAYED + player]
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
        if not ABOVE[view[SUIT], card] & ~known:
            found |= 1 << card
    return found


@kernel
def may_hold(view: State, seat: int, cards: int) -> int:
    """Which of some hidden cards the opponents of a seat may hold, by all that the play has shown."""
    out = cards & ~seen(view, seat)
    return out & ~(view[LACKS + (seat + 1) % 4] & view[LACKS + (seat + 3) % 4])


@kernel
def plus_card(view: State, seat: int, cards: int, r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Rules 4.1 and 4.3; NOTHING where chapter 3 decides."""
    suit, best = view[SUIT], view[BEST]
    any_suit = knobs[TIE] > 0
    plain = cards & ~TRUMPS[suit]
    if view[MASTER] != (seat + 2) % 4:
        discards = knobs[SIGNALS] and plain and not cards & beaters(suit, best) and not cards & _led_cards(view)
        return _signal(view, seat, plain, any_suit, r) if discards else NOTHING
    safe = view[COUNT] == 3 or not ABOVE[suit, best] & ~seen(view, seat)
    if plain and safe:
        return pick(plain, RICHEST, suit, any_suit, r)
    if knobs[SIGNALS] and plain and not cards & _led_cards(view):
        return _signal(view, seat, plain, any_suit, r)
    return pick(cards, LOW, suit, any_suit, r)


@kernel
def _led_cards(view: State) -> int:
    return SUIT_CARDS[view[TABLE] >> 3]


@kernel
def _signal(view: State, seat: int, plain: int, any_suit: bool, r: rng.Rng) -> int:
    """Rule 4.3: a worthless card of a suit in which one holds the best card left, else the lowest outside such suits."""
    suit = view[SUIT]
    asking, other = 0, 0
    for side_suit in range(4):
        own = plain & SUIT_CARDS[side_suit]
        top = masters(view, seat, own)
        if top:
            asking |= own & ~top & (SUIT_CARDS[side_suit] & _WORTHLESS)
        else:
            other |= own
    return pick(asking if asking else other if other else plain, LOW, suit, any_suit, r)


_WORTHLESS = sum(((1 << (NINE + 1)) - 1) << 8 * suit for suit in range(4))


@kernel
def asked_suit(view: State, seat: int) -> int:
    """The suit in which the partner last discarded a worthless card, or NOTHING (rule 4.3)."""
    suit, partner = view[SUIT], (seat + 2) % 4
    asked = NOTHING
    leader = (view[DEALER] + 1) % 4
    first = view[CALLED]
    while first + 4 <= view[MOVES]:
        best = view[LOG + first] - CARD
        winner = leader
        led = best >> 3
        for k in range(1, 4):
            card = view[LOG + first + k] - CARD
            player = (leader + k) % 4
            if player == partner and card >> 3 != led and (_WORTHLESS & ~TRUMPS[suit]) >> card & 1:
                asked = card >> 3
            if beaters(suit, best) >> card & 1:
                best, winner = card, player
        leader = winner
        first += 4
    return asked


@kernel
def plus_lead(view: State, seat: int, r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Rules 4.2 and 4.3; NOTHING where chapter 3 decides."""
    suit, hand = view[SUIT], view[HAND + seat]
    any_suit = knobs[TIE] > 0
    trumps = hand & TRUMPS[suit]
    plain = hand & ~trumps
    if not plain:
        return NOTHING
    out = may_hold(view, seat, TRUMPS[suit])
    if taker(view) % 2 == seat % 2 and trumps and (out or not knobs[COUNTS]):
        return NOTHING
    if knobs[COUNTS]:
        sure = masters(view, seat, plain)
        if out and suit < NO_TRUMPS:
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
    trumps = TRUMPS[view[SUIT]] & ~seen(view, seat)
    for player in ((seat + 1) % 4, (seat + 3) % 4):
        if trumps & ~view[LACKS + player]:
            for suit in range(4):
                if view[LACKS + player] & SUIT_CARDS[suit] == SUIT_CARDS[suit]:
                    cards |= SUIT_CARDS[suit]
    return cards
