"""Coinche as learners see it best: the cards by what they can do now, the auction by each seat's latest bid.

Shorter than the game's own observation: of the play it keeps what is unseen, who is void and what the partner has
played, not who played what when. It knows the plain game only, without further bids and with all eight tricks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest
from kibitz.core.game import State
from kibitz.core.jit import UNBOUND, specialise
from kibitz.games.belotes import ABOVE, BEATEN_BY, STRENGTH, SUIT_CARDS, WORTH, side_points
from kibitz.games.coinche import OPTIONS, auction, rules, senses
from kibitz.games.coinche import layout as at
from kibitz.games.pieces import slices

Floats = NDArray[np.float32]

VALUE_STEPS, VALUE_STEP = 8, 5
NEED_STEPS, NEED_STEP = 16, 10
USUAL_TARGET = 2000.0
PLAIN = {option.name: option.default for option in OPTIONS if option.size}
SLICES = slices(
    hand=32,
    unseen=32,
    winning=32,
    masters=32,
    beats=32,
    partner=32,
    led=4,
    position=4,
    winner=4,
    trick=at.EACH,
    voids=3 * 4,
    ceiling=3 * 8,
    value=VALUE_STEPS,
    need=NEED_STEPS,
    points=2,
    belote=4,
    play=1,
    opener=4,
    level=at.LEVELS,
    suit=4,
    taker=4,
    coinched=2,
    coincher=4,
    passes=4,
    bids=4 * (at.LEVELS + 4),
    totals=2,
)
SENSES = SLICES["totals"].stop
(
    _HAND, _UNSEEN, _WINNING, _MASTERS, _BEATS, _PARTNER, _LED, _POSITION, _WINNER, _TRICK, _VOIDS, _CEILING, _VALUE,
    _NEED, _POINTS, _BELOTE, _PLAY, _OPENER, _LEVEL, _SUIT, _TAKER, _COINCHED, _COINCHER, _PASSES, _BIDS, _TOTALS,
) = (piece.start for piece in SLICES.values())  # fmt: skip

# Bound by specialise in the template below, so that the machine code depends on the game's folder as well.
suit_places = card_place = legal_cards = bid_level = bid_suit = UNBOUND


def _observe(s: State, seat: int, out: Floats) -> None:
    places = suit_places(s, seat)
    hand = s[at.HAND + seat]
    hidden = at.PACK & ~(hand | s[at.DEAD])
    for k in range(4):
        hidden &= ~s[at.PLAYED + k]
    for card in range(32):
        place = card_place(places, card)
        out[_HAND + place] = hand >> card & 1
        out[_UNSEEN + place] = hidden >> card & 1
        out[_PARTNER + place] = s[at.PLAYED + ((seat + 2) & 3)] >> card & 1
    out[_OPENER + ((s[at.DEALER] + 1 - seat) & 3)] = 1.0
    target = float(s[at.TARGET]) if s[at.TARGET] else USUAL_TARGET
    out[_TOTALS + (seat & 1)] = s[at.TOTAL_NS] / target
    out[_TOTALS + 1 - (seat & 1)] = s[at.TOTAL_EW] / target
    for k in range(4):
        bid = s[at.LAST_BID + ((seat + k) & 3)]
        if bid > 0:
            row = _BIDS + (at.LEVELS + 4) * k
            for level in range(bid_level(bid) + 1):
                out[row + level] = 1.0
            out[row + at.LEVELS + (places >> 2 * bid_suit(bid) & 3)] = 1.0
    out[_PASSES + min(s[at.PASSES], 3)] = 1.0
    if s[at.BIDDER] != at.NOBODY:
        out[_SUIT + (places >> 2 * s[at.CONTRACT] & 3)] = 1.0
        out[_TAKER + ((s[at.BIDDER] - seat) & 3)] = 1.0
        for level in range(at.LEVELS):
            out[_LEVEL + level] = s[at.VALUE] >= 80 + 10 * level
        for times in range(s[at.COINCHED]):
            out[_COINCHED + times] = 1.0
        if s[at.COINCHER] != at.NOBODY:
            out[_COINCHER + ((s[at.COINCHER] - seat) & 3)] = 1.0
    if s[at.PHASE] != at.PLAYING:
        return
    trump, side = s[at.CONTRACT], seat & 1
    out[_PLAY] = 1.0
    out[_TRICK + min(s[at.DONE], at.EACH - 1)] = 1.0
    out[_POINTS] = side_points(s, side) / 162.0
    out[_POINTS + 1] = side_points(s, 1 - side) / 162.0
    need = s[at.VALUE] - side_points(s, s[at.BIDDER] & 1)
    for k in range(4):
        other = (seat + k) & 3
        if s[at.ANNOUNCED] >> (4 * trump + other) & 1:
            out[_BELOTE + k] = 1.0
            if other & 1 == s[at.BIDDER] & 1:
                need -= 20
        if k == 0:
            continue
        for suit in range(4):
            if s[at.LACKS + other] & SUIT_CARDS[suit] == SUIT_CARDS[suit]:
                out[_VOIDS + 4 * (k - 1) + (places >> 2 * suit & 3)] = 1.0
        absent = s[at.LACKS + other] & SUIT_CARDS[trump]
        while absent:
            out[_CEILING + 8 * (k - 1) + STRENGTH[trump, lowest(absent)]] = 1.0
            absent &= absent - 1
    for k in range(NEED_STEPS):
        out[_NEED + k] = need > NEED_STEP * k
    for card in range(32):
        if hand >> card & 1 and ABOVE[trump, card] & hidden == 0:
            out[_MASTERS + card_place(places, card)] = 1.0
    count = s[at.COUNT]
    out[_POSITION + count] = 1.0
    if count == 0:
        return
    out[_LED + (places >> 2 * (s[at.TABLE] >> 3) & 3)] = 1.0
    out[_WINNER + ((s[at.BEST_SEAT] - seat) & 3)] = 1.0
    out[_WINNING + card_place(places, s[at.BEST])] = 1.0
    taking = legal_cards(s, seat) & BEATEN_BY[trump, s[at.BEST]]
    while taking:
        out[_BEATS + card_place(places, lowest(taking))] = 1.0
        taking &= taking - 1
    value = 0
    for k in range(count):
        value += WORTH[trump, s[at.TABLE + k]]
    for k in range(VALUE_STEPS):
        out[_VALUE + k] = value >= VALUE_STEP * (k + 1)


observe = specialise(
    _observe,
    "coinche",
    suit_places=senses.suit_places,
    card_place=senses.card_place,
    legal_cards=rules.legal_cards,
    bid_level=auction.bid_level,
    bid_suit=auction.bid_suit,
)
canonical = senses.canonical
