"""Coinche: what `coinche-strong-plus` does for its partner (chapter 4 of PLAYERS.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.coinche.bidding import ACES, COUNTS, SIGNALS, TIE
from kibitz.games.coinche.cards import ABOVE, BEATERS, NINE, SUIT_CARDS, TRUMPS
from kibitz.games.coinche.choice import LOW, RICHEST, pick
from kibitz.games.coinche.layout import (
    BEST,
    CALLED,
    CARD,
    COUNT,
    DEAD,
    DEALER,
    HAND,
    LACKS,
    LOG,
    MASTER,
    MOVES,
    NO_TRUMPS,
    PLAYED,
    SUIT,
    TABLE,
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
    """Rules 4.1, 4.2 and 4.4; NOTHING where chapter 3 decides."""
    suit, best = view[SUIT], view[BEST]
    any_suit = knobs[TIE] > 0
    plain = cards & ~TRUMPS[suit]
    discards = plain and not cards & SUIT_CARDS[view[TABLE] >> 3]
    if view[MASTER] != (seat + 2) % 4:
        winners = cards & BEATERS[suit, best]
        if winners:
            return _take(view, seat, cards, winners, r, knobs) if knobs[COUNTS] else NOTHING
        return _signal(view, seat, plain, any_suit, r) if knobs[SIGNALS] and discards else NOTHING
    if plain and is_safe(view, seat, knobs[COUNTS] > 0):
        spare = plain & ~masters(view, seat, plain) if knobs[COUNTS] else plain
        return pick(spare if spare else plain, RICHEST, suit, any_suit, r)
    if knobs[COUNTS]:
        sure = masters(view, seat, plain & BEATERS[suit, best])
        if sure:
            return pick(sure, RICHEST, suit, any_suit, r)
    if knobs[SIGNALS] and discards:
        return _signal(view, seat, plain, any_suit, r)
    return pick(cards, LOW, suit, any_suit, r)


@kernel
def is_safe(view: State, seat: int, counts: bool) -> bool:
    """Whether the partner's card will win the trick: nobody plays after the seat, or no hidden card of its suit is higher."""
    suit, best = view[SUIT], view[BEST]
    if view[COUNT] == 3:
        return True
    higher = ABOVE[suit, best] & ~seen(view, seat)
    if not counts:
        return not higher
    after = (seat + 1) % 4
    if higher & ~view[LACKS + after]:
        return False
    void = view[LACKS + after] & SUIT_CARDS[best >> 3] == SUIT_CARDS[best >> 3]
    return not void or not BEATERS[suit, best] & ~seen(view, seat) & ~view[LACKS + after]


@kernel
def _take(view: State, seat: int, cards: int, winners: int, r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Rule 4.2: how to win a trick from an opponent, or whether to."""
    suit = view[SUIT]
    any_suit = knobs[TIE] > 0
    plain = winners & ~TRUMPS[suit]
    if not plain:
        return NOTHING
    sure = masters(view, seat, plain)
    if view[COUNT] == 3:
        spare = plain & ~sure
        return pick(spare, RICHEST, suit, any_suit, r) if spare else NOTHING
    if sure:
        return pick(sure, RICHEST, suit, any_suit, r)
    return pick(cards, LOW, suit, any_suit, r)


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
            if BEATERS[suit, best] >> card & 1:
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
