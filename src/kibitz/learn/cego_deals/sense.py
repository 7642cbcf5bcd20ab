"""Cego as learners see it best: a few hundred numbers, plain suits in a canonical order, and the points already won.

Only slots of the table that both Cego games share are read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego.table import (
    BEATEN_BY,
    CARDS,
    CLASS,
    CLASSES,
    GEISS,
    HALVES,
    HAND_CARDS,
    RAEUBER,
    SEATS,
    SUITS,
    TRUMP,
    TRUMPS,
    is_void,
    knows_aside,
    unseen,
    worth,
)  # fmt: skip
from kibitz.games.pieces import slices
from kibitz.games.tricks import layout as at

Floats = NDArray[np.float32]

VALUE_STEPS = 8
POINT_STEPS = 16
SLICES = slices(
    hand=CARDS,
    unseen=CARDS,
    winning=CARDS,
    masters=CARDS,
    beats=CARDS,
    led=CLASSES,
    position=SEATS,
    winner=SEATS,
    single=SEATS,
    trick=HAND_CARDS,
    voids=(SEATS - 1) * CLASSES,
    value=VALUE_STEPS,
    points=POINT_STEPS,
    shares=SEATS,
    taken=SEATS,
)
SENSES = SLICES["taken"].stop
_AT = {name: piece.start for name, piece in SLICES.items()}
_UNSEEN, _WINNING, _MASTERS, _BEATS = (_AT[name] for name in ("unseen", "winning", "masters", "beats"))
_LED, _POSITION, _WINNER, _SINGLE = (_AT[name] for name in ("led", "position", "winner", "single"))
_TRICK_NO, _VOIDS, _VALUE, _POINTS = (_AT[name] for name in ("trick", "voids", "value", "points"))
_SHARES, _TAKEN = _AT["shares"], _AT["taken"]


@kernel
def suit_key(s: State, seat: int, suit: int, hidden: int) -> int:
    """The higher, the earlier a plain suit comes: the suit led, then those the seat holds most of;
    equals by what is unseen."""
    held = s[at.HAND + seat] >> 8 * suit & 255
    shown = 0
    for k in range(1, SEATS):
        shown = shown << 1 | int(is_void(s, (seat + k) & 3, suit))
    is_led = s[at.COUNT] > 0 and s[at.TABLE] >> 3 == suit
    return int(is_led) << 40 | popcount(held) << 36 | held << 28 | (hidden >> 8 * suit & 255) << 20 | shown << 8 | suit


@kernel
def suit_places(s: State, seat: int) -> int:
    """Two bits a plain suit: its place in the order of the suits."""
    hidden = unseen(s, seat)
    k0, k1, k2, k3 = (
        suit_key(s, seat, 0, hidden),
        suit_key(s, seat, 1, hidden),
        suit_key(s, seat, 2, hidden),
        suit_key(s, seat, 3, hidden),
    )
    p0 = int(k1 > k0) + int(k2 > k0) + int(k3 > k0)
    p1 = int(k0 > k1) + int(k2 > k1) + int(k3 > k1)
    p2 = int(k0 > k2) + int(k1 > k2) + int(k3 > k2)
    p3 = int(k0 > k3) + int(k1 > k3) + int(k2 > k3)
    return p0 | p1 << 2 | p2 << 4 | p3 << 6


@kernel
def card_place(places: int, card: int) -> int:
    """A card renamed by an order of the plain suits."""
    return 8 * (places >> 2 * (card >> 3) & 3) + (card & 7) if card < GEISS else card


@kernel
def canonical(s: State, seat: int, order: NDArray[np.int64]) -> None:
    """order[card] = the number of the card in the seat's order of the suits."""
    places = suit_places(s, seat)
    for suit in range(4):
        for rank in range(8):
            order[8 * suit + rank] = 8 * (places >> 2 * suit & 3) + rank
    for card in range(GEISS, CARDS):
        order[card] = card


@kernel
def spread(cards: int, places: int, out: Floats, start: int) -> None:
    """Write a mask as 54 bits, suits in their places, over zeros."""
    left = cards
    while left:
        out[start + card_place(places, lowest(left))] = 1.0
        left &= left - 1


@kernel
def steps(amount: int, each: int, most: int, out: Floats, start: int) -> None:
    """Write an amount as so many ones."""
    for k in range(min(most, amount // each)):
        out[start + k] = 1.0


@kernel
def observe(s: State, seat: int, out: Floats) -> None:
    """Hand, what is unseen, the trick, masters and cards that would take it, voids shown and points."""
    places = suit_places(s, seat)
    hidden = unseen(s, seat)
    hand = s[at.HAND + seat]
    spread(hand, places, out, 0)
    spread(hidden, places, out, _UNSEEN)
    masters, left = 0, hand
    while left:
        card = lowest(left)
        if (hidden & SUITS[CLASS[card]]) >> card == 0:
            masters |= 1 << card
        left &= left - 1
    spread(masters, places, out, _MASTERS)
    count = s[at.COUNT]
    out[_POSITION + count] = 1.0
    if count > 0:
        led = CLASS[s[at.TABLE]]
        out[_LED + (TRUMP if led == TRUMP else places >> 2 * led & 3)] = 1.0
        out[_WINNING + card_place(places, s[at.BEST])] = 1.0
        out[_WINNER + ((s[at.BEST_SEAT] - seat) & 3)] = 1.0
        value = 0
        own = hand & SUITS[led] if hand & SUITS[led] else hand & TRUMPS
        spread(own & BEATEN_BY[s[at.BEST]], places, out, _BEATS)
        for k in range(count):
            value += HALVES[s[at.TABLE + k]]
        steps(value, 3, VALUE_STEPS, out, _VALUE)
    if s[at.CONTRACT] != RAEUBER:
        out[_SINGLE + ((s[at.DECLARER] - seat) & 3)] = 1.0
    out[_TRICK_NO + min(s[at.DONE], HAND_CARDS - 1)] = 1.0
    for k in range(1, SEATS):
        for suit in range(CLASSES):
            place = suit if suit == TRUMP else places >> 2 * suit & 3
            out[_VOIDS + CLASSES * (k - 1) + place] = is_void(s, (seat + k) & 3, suit)
    known = s[at.POINTS + max(0, s[at.DECLARER])]
    if knows_aside(s, seat):
        known += worth(s[at.ASIDE])
    steps(known, 8, POINT_STEPS, out, _POINTS)
    for k in range(SEATS):
        other = (seat + k) & 3
        out[_SHARES + k] = s[at.POINTS + other] / 64.0
        out[_TAKEN + k] = min(s[at.TRICKS + other], 2) * 0.5


@kernel
def banked(s: State, seat: int) -> float:
    """Standard and Solo with reward=points: what the seat's side has for sure, the cards aside included."""
    single = s[at.POINTS + s[at.DECLARER]]
    if seat == s[at.DECLARER]:
        return 0.5 * (single + worth(s[at.ASIDE]))
    return 0.5 * (s[at.POINTS] + s[at.POINTS + 1] + s[at.POINTS + 2] + s[at.POINTS + 3] - single)
