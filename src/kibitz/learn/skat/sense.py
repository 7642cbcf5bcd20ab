"""The play of the cards in Skat as learners see it: trumps first, other suits in a canonical order, seats counted from
one's own.

Suit games, grand and null have outputs of their own: their cards are numbers 0 to 31, 32 to 63 and 64 to 95.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.pieces import slices
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HAS_PASSED, LOW, bid_bounds
from kibitz.games.skat.cardplay import unseen
from kibitz.games.skat.knowledge import is_open, knows_skat
from kibitz.games.skat.scoring import worth_of

FAMILIES = 3
CLASSES = 5
VALUE_STEPS, POINT_STEPS = 8, 20
SLICES = slices(
    hand=skat.CARDS, may_hold=2 * skat.CARDS, played=2 * skat.CARDS, winning=skat.CARDS, beats=skat.CARDS,
    masters=skat.CARDS, led=CLASSES, position=at.PLAYERS, winner=2, forehand=at.PLAYERS, family=FAMILIES, announced=4,
    trick=10, value=VALUE_STEPS, points=2 * POINT_STEPS, sums=2, tricks=2, bids=5,
)  # fmt: skip
SENSES = SLICES["bids"].stop
(
    _HAND, _MAY, _PLAYED, _WINNING, _BEATS, _MASTERS, _LED, _POSITION, _WINNER, _FOREHAND, _FAMILY, _ANNOUNCED, _TRICK,
    _VALUE, _POINTS, _SUMS, _TRICKS, _BIDS,
) = (piece.start for piece in SLICES.values())  # fmt: skip


@kernel
def family(kind: int) -> int:
    """0 for the suit games, 1 for grand, 2 for null."""
    return max(0, kind - skat.GRAND + 1)


@kernel
def _suit_key(s: State, seat: int, suit: int, hidden: int) -> int:
    """The higher, the earlier a suit comes: trumps, the suit led, the longest; equals by what is unseen."""
    cards = skat.MASKS[s[at.CONTRACT], suit]
    if cards == 0:
        return 1 << 50
    held, rest = (s[at.HAND + seat] & cards) >> 8 * suit, (hidden & cards) >> 8 * suit
    shown = 0
    for k in range(1, at.PLAYERS):
        shown = shown << 8 | (s[at.LACKS + (seat + k) % at.PLAYERS] & hidden & cards) >> 8 * suit
    is_led = s[at.COUNT] > 0 and cards >> s[at.TABLE] & 1
    return int(is_led) << 49 | popcount(held) << 44 | held << 36 | rest << 28 | shown << 8 | (3 - suit)


@kernel
def suit_places(s: State, seat: int) -> int:
    """Two bits a suit: its place in the order of the suits."""
    hidden = unseen(s, seat)
    keys = (
        _suit_key(s, seat, 0, hidden),
        _suit_key(s, seat, 1, hidden),
        _suit_key(s, seat, 2, hidden),
        _suit_key(s, seat, 3, hidden),
    )
    places = 0
    for suit in range(4):
        for other in range(4):
            if keys[other] > keys[suit]:
                places += 1 << 2 * suit
    return places


@kernel
def card_place(kind: int, places: int, card: int) -> int:
    """Where a card stands; jacks that are trumps keep their places."""
    if kind == skat.NULL:
        return 8 * (places >> 2 * (card >> 3) & 3) + skat.NULL_RANK[card]
    return card if card & 7 == skat.JACK else 8 * (places >> 2 * (card >> 3) & 3) + (card & 7)


@kernel
def canonical(s: State, seat: int, order: Ints) -> None:
    """order[action]: its number; a family's cards change places with whatever has their numbers."""
    for action in range(at.ACTIONS):
        order[action] = action
    if s[at.PHASE] != at.PLAYING:
        return
    places, first = suit_places(s, seat), skat.CARDS * family(s[at.CONTRACT])
    for card in range(skat.CARDS):
        order[first + card] = card
    for card in range(skat.CARDS):
        order[card] = first + card_place(s[at.CONTRACT], places, card)


@kernel
def _spread(cards: int, kind: int, places: int, out: Singles, start: int) -> None:
    left = cards
    while left:
        out[start + card_place(kind, places, lowest(left))] = 1.0
        left &= left - 1


@kernel
def _steps(amount: int, each: int, most: int, out: Singles, start: int) -> None:
    for k in range(min(most, amount // each)):
        out[start + k] = 1.0


@kernel
def _masters(kind: int, hand: int, hidden: int) -> int:
    """Own cards that no unseen card of their suit beats; in null those that are below all of them."""
    found, left = 0, hand
    while left:
        card = lowest(left)
        left &= left - 1
        above = skat.ABOVE[kind, card]
        rivals = skat.MASKS[kind, skat.CLASS[kind, card]] & ~above if kind == skat.NULL else above
        if rivals & hidden == 0:
            found |= 1 << card
    return found


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Hand, what the others may hold and have played, the trick, the contract, points and the auction."""
    if s[at.PHASE] != at.PLAYING or s[at.DECLARER] == at.NOBODY:
        return
    kind, places, hidden, hand = s[at.CONTRACT], suit_places(s, seat), unseen(s, seat), s[at.HAND + seat]
    _spread(hand, kind, places, out, _HAND)
    _spread(_masters(kind, hand, hidden), kind, places, out, _MASTERS)
    for k in range(1, at.PLAYERS):
        other = (seat + k) % at.PLAYERS
        may = s[at.HAND + other] if is_open(s, other) else hidden & ~s[at.LACKS + other]
        _spread(may, kind, places, out, _MAY + skat.CARDS * (k - 1))
        _spread(s[at.PLAYED + other], kind, places, out, _PLAYED + skat.CARDS * (k - 1))
    count = s[at.COUNT]
    out[_POSITION + count] = 1.0
    if count > 0:
        led, value = skat.CLASS[kind, s[at.TABLE]], 0
        out[_LED + (led if led == skat.TRUMP else places >> 2 * led & 3)] = 1.0
        _spread(1 << s[at.BEST], kind, places, out, _WINNING)
        out[_WINNER + (s[at.BEST_SEAT] - seat + at.PLAYERS) % at.PLAYERS - 1] = 1.0
        following = hand & skat.MASKS[kind, led]
        _spread((following or hand) & skat.BEATEN_BY[kind, s[at.BEST]], kind, places, out, _BEATS)
        for k in range(count):
            value += skat.WORTH[s[at.TABLE + k]]
        _steps(value, 3, VALUE_STEPS, out, _VALUE)
    out[_FOREHAND + (at.PLAYERS - seat) % at.PLAYERS] = 1.0
    out[_FAMILY + family(kind)] = 1.0
    for bit in range(4):
        out[_ANNOUNCED + bit] = skat.ANNOUNCED[s[at.DECLARED]] >> bit & 1
    out[_TRICK + min(s[at.DONE], 9)] = 1.0
    single = s[at.POINTS + s[at.DECLARER]]
    both = s[at.POINTS] + s[at.POINTS + 1] + s[at.POINTS + 2] - single
    if knows_skat(s, seat):
        single += worth_of(s[at.ASIDE])
    _steps(single, 3, POINT_STEPS, out, _POINTS)
    _steps(both, 3, POINT_STEPS, out, _POINTS + POINT_STEPS)
    out[_SUMS], out[_SUMS + 1] = single / 60.0, both / 60.0
    taken = s[at.TRICKS + s[at.DECLARER]]
    out[_TRICKS], out[_TRICKS + 1] = taken > 0, s[at.DONE] > taken
    bounds = np.empty(BOUNDS, np.int64)
    bid_bounds(s, bounds)
    for k in range(1, at.PLAYERS):
        other = (seat + k) % at.PLAYERS
        out[_BIDS + k - 1] = 0.1 * (bounds[LOW + other] + 1)
        out[_BIDS + k + 1] = bounds[HAS_PASSED + other]
    out[_BIDS + 4] = skat.BIDS[s[at.HIGH]] / 50.0
