"""Coinche: the suits in an order that does not depend on their names: renaming them changes nothing a learner sees."""

from __future__ import annotations

from kibitz.core.bits import mix, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import bid_level, bid_suit


@kernel
def suit_places(s: State, seat: int) -> int:
    """The place of each suit in the seat's order, two bits a suit.

    Trumps come first once the cards are played; then the suits by the length and the strength of what the seat was
    dealt in them, longest first. Equal ones are told apart by what has been called and played in them; where that is
    equal too, they are the same for the seat and their order does not matter.
    """
    places = 0
    for suit in range(4):
        place = 0
        for other in range(4):
            if other != suit and _comes_first(s, seat, other, suit):
                place += 1
        places |= place << 2 * suit
    return places


@kernel
def _comes_first(s: State, seat: int, suit: int, other: int) -> bool:
    if s[at.PHASE] != at.CALLING and (s[at.CONTRACT] == suit or s[at.CONTRACT] == other):
        return s[at.CONTRACT] == suit
    own = s[at.HAND + seat] | s[at.PLAYED + seat]
    mine, theirs = own >> 8 * suit & 255, own >> 8 * other & 255
    if mine != theirs:
        return popcount(mine) * 256 + mine > popcount(theirs) * 256 + theirs
    mine, theirs = _history(s, suit), _history(s, other)
    return mine > theirs or (mine == theirs and suit < other)


@kernel
def _history(s: State, suit: int) -> int:
    """A number for everything public that has happened in a suit, the same whatever the suit is called."""
    key = mix(s[at.DEAD] >> 8 * suit & 255)
    for k in range(s[at.CALLED]):
        action = s[at.LOG + k]
        if action != at.PASS and action < at.COINCHE and bid_suit(action) == suit:
            key = mix(key ^ (64 * (k + 1) + bid_level(action)))
    for k in range(s[at.CALLED], s[at.MOVES]):
        card = s[at.LOG + k] - at.CARD
        if card >> 3 == suit:
            key = mix(key ^ (64 * (k + 1) + 32 + (card & 7)))
    return key


@kernel
def place_of(places: int, suit: int) -> int:
    """Where a suit stands in an order; sans-atout and tout-atout stay where they are."""
    return places >> 2 * suit & 3 if suit < 4 else suit


@kernel
def card_place(places: int, card: int) -> int:
    """A card renamed by an order of the suits."""
    return 8 * (places >> 2 * (card >> 3) & 3) + (card & 7)


@kernel
def call_place(places: int, call: int) -> int:
    """A call renamed by an order of the suits."""
    if call == at.PASS or call >= at.COINCHE:
        return call
    strain = (call - 1) % at.STRAINS
    return call if strain > 3 else call - strain + (places >> 2 * strain & 3)


@kernel
def canonical(s: State, seat: int, order: Ints) -> None:
    """order[action] = the number of the action in the order of the suits that the seat's observation uses."""
    places = suit_places(s, seat)
    for action in range(at.ACTIONS):
        order[action] = action
    if not at.SHARED or s[at.PHASE] != at.PLAYING:
        for call in range(at.CALLS):
            order[call] = call_place(places, call)
    if not at.SHARED or s[at.PHASE] == at.PLAYING:
        for card in range(at.CARDS):
            order[at.CARD + card] = at.CARD + card_place(places, card)
