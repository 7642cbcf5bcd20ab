"""The rule-based player of the whole game: it bids by what its hand is worth and plays cards like the sub-games' player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.games.cego.rules import (
    ANNOUNCE,
    DISCARD,
    HOLD,
    KEEP,
    PASS,
    PHASE,
    PLAYING,
    SAY_BETTEL,
    SAY_CEGO,
    SAY_EINE,
    SAY_RAEUBER,
    SAY_SOLO,
    SAY_ULTIMO,
    SAY_ZWEI_VERSCHIEDENE,
    SETTLE,
    moves,
)
from kibitz.games.tarock import EINE_LEERE, GAME, GEISS, HALVES, HAND, HIGH, TOP_TRUMPS, TRUMPS, TURN, fits_solo, worth
from kibitz.games.tarock_play import best_card, strength

THRIFT, RAISE_AT, RAISE_BY, SETTLE_AT = range(4)


@kernel
def announcement(hand: int, mask: NDArray[np.bool_]) -> int:
    """The best special game the hand is made for: the hands that the sub-games are restricted to."""
    trumps = popcount(hand & TRUMPS)
    if mask[SAY_ULTIMO] and hand >> GEISS & 1 and trumps >= 8 and popcount(hand & TOP_TRUMPS) >= 2:
        return SAY_ULTIMO
    if mask[SAY_SOLO] and fits_solo(hand):
        return SAY_SOLO
    if mask[SAY_BETTEL] and hand & HIGH == 0:
        return SAY_BETTEL
    return PASS


@kernel
def bid(hand: int, mask: NDArray[np.bool_], knobs: NDArray[np.float64]) -> int:
    """The lowest level on offer that the hand is worth: what it holds goes to the Legage, so its points are what counts."""
    points = worth(hand) / 2.0
    for word in range(SAY_CEGO, SAY_ZWEI_VERSCHIEDENE + 1):
        if mask[word]:
            return word if points >= knobs[RAISE_AT] + knobs[RAISE_BY] * (word - SAY_EINE) else quiet(mask)
    return quiet(mask)


@kernel
def quiet(mask: NDArray[np.bool_]) -> int:
    """Pass, or hold where passing is not allowed."""
    return PASS if mask[PASS] else HOLD


@kernel
def kept(view: State, cards: int) -> int:
    """The strongest card that may be kept; of cards that must be exposed the weakest."""
    sign = -1.0 if view[GAME] >= EINE_LEERE else 1.0
    best = lowest(cards)
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if sign * strength(card) > sign * strength(best):
            best = card
    return best


@kernel
def first_kept(view: State, cards: int) -> int:
    """Of two strongest cards, named in rising number, the lower one."""
    hand = view[HAND + view[TURN]]
    one = kept(view, hand)
    other = kept(view, hand & ~(1 << one))
    first = min(one, other)
    return first if cards >> first & 1 else kept(view, cards)


@kernel
def laid_away(cards: int) -> int:
    """The card that brings most points to the Legage and is missed least in the play."""
    best = lowest(cards)
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if HALVES[card] - 0.35 * strength(card) > HALVES[best] - 0.35 * strength(best):
            best = card
    return best


@kernel
def choose(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Announce, bid, exchange and play by what the hand is worth."""
    phase = view[PHASE]
    hand = view[HAND + view[TURN]]
    if phase == PLAYING:
        return best_card(view, moves(view), knobs[THRIFT])
    if phase == ANNOUNCE:
        word = announcement(hand, mask)
        return word if mask[word] else SAY_SOLO
    if phase == SETTLE:
        return SAY_CEGO if worth(hand) / 2.0 >= knobs[SETTLE_AT] else SAY_RAEUBER
    if phase == KEEP:
        return first_kept(view, moves(view)) if view[GAME] < EINE_LEERE else kept(view, moves(view))
    if phase == DISCARD:
        return laid_away(moves(view))
    return bid(hand, mask, knobs)


BOTS = {
    "cego-rule": Rule(
        choose,
        "bids by the points of its hand, plays by who will win the trick; knobs thrift, raise_at, raise_by, settle_at",
        {"thrift": 0.5, "raise_at": 25.0, "raise_by": 3.0, "settle_at": 13.0},
    )
}
