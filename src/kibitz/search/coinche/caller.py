"""A network that calls: what each call is worth, by the own hand and the auction so far.

It was learned by self-play of auctions (`call_learning`): the value of a call is what the deal brings when everybody
calls on, so it knows that a partner may raise, that opponents may overcall or coinche, and what a call tells. Its
inputs are those of one seat: the hand with its suits in order of length, who bid what, and the scoring.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.errors import BadInput
from kibitz.core.game import State
from kibitz.core.jit import kernel, loop
from kibitz.core.shapes import Bools, Floats, Ints, Singles
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import View
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.senses import call_place, card_place
from kibitz.search.network import Network, load_network

FILE = "coinche-bidder/caller.npz"
LEARNED = ("made_plus_announced", "colver")
"""The scorings that the network has learned to call in."""
CALLS = 43
LEVELS = 10
_LADDER, _OPENER = 32, 112
_PASSES, _VALUE, _SUIT, _BIDDER, _COINCHED, _COINCHER, _SCORING = 116, 120, 121, 125, 129, 130, 134
INPUTS = 139
SCALE = 200.0
"""Points of a deal in one unit of the network."""
TOO_HIGH = 1 + 4 * (LEVELS - 1)
"""The first call of all tricks: the network was not taught to make those."""
COINCHE, SURCOINCHE = CALLS - 2, CALLS - 1
HOPELESS = np.float32(-1e9)


@kernel
def suit_order(hand: int) -> int:
    """The place of each suit, two bits a suit: the longest first, equal lengths by their cards."""
    places = 0
    for suit in range(4):
        mine, place = hand >> 8 * suit & 255, 0
        for other in range(4):
            theirs = hand >> 8 * other & 255
            a, b = popcount(mine) * 256 + mine, popcount(theirs) * 256 + theirs
            if b > a or (b == a and other < suit):
                place += 1
        places |= place << 2 * suit
    return places


@kernel
def look(hand: int, seat: int, dealer: int, log: State, count: int, scoring: int, out: Singles) -> int:
    """Write what a seat with this hand sees after so many calls; gives the order of the suits."""
    places = suit_order(hand)
    out[:] = 0.0
    left = hand
    while left:
        out[card_place(places, lowest(left))] = 1.0
        left &= left - 1
    passes, value, suit, bidder, coincher = 0, 0.0, -1, -1, -1
    for k in range(count):
        call, who = log[k], (dealer + 1 + k - seat) & 3
        if call == 0:
            passes += 1
            continue
        passes = 0
        if call >= COINCHE:
            coincher = who
            continue
        level = (call - 1) // 4
        suit, bidder, value = places >> 2 * ((call - 1) % 4) & 3, who, 0.1 * (level + 1)
        out[_LADDER + 8 * level + who] = 1.0
        out[_LADDER + 8 * level + 4 + suit] = 1.0
    out[_OPENER + ((dealer + 1 - seat) & 3)] = 1.0
    out[_PASSES + min(passes, 3)] = 1.0
    if bidder >= 0:
        out[_VALUE] = value
        out[_SUIT + suit] = 1.0
        out[_BIDDER + bidder] = 1.0
    if coincher >= 0:
        out[_COINCHED] = 1.0
        out[_COINCHER + coincher] = 1.0
    out[_SCORING + scoring] = 1.0
    return places


@kernel
def look_rows(states: Ints, seats: Ints, out: Singles, order: Ints) -> None:
    """What seats see in states with all their calls, and the place of every call, [n, CALLS]."""
    for row in range(len(seats)):
        s, seat = states[row], seats[row]
        places = look(s[at.HAND + seat], seat, s[at.DEALER], s[at.LOG :], s[at.CALLED], s[at.SCORING], out[row])
        for call in range(CALLS):
            order[row, call] = call_place(places, call)


@loop
def look_back(worlds: Ints, seat: int, number: int, out: Singles, called: Ints) -> None:
    """What a seat saw in each world before a call of the auction, and where the call it made then stands."""
    for row in range(len(worlds)):
        s = worlds[row]
        hand = s[at.HAND + seat] | s[at.PLAYED + seat]
        places = look(hand, seat, s[at.DEALER], s[at.LOG :], number, s[at.SCORING], out[row])
        called[row] = call_place(places, s[at.LOG + number])


def seen(states: Ints, seats: Ints) -> tuple[Singles, Ints]:
    """[n, INPUTS] and [n, CALLS]: what seats see, and the place of every call in it."""
    rows, order = np.empty((len(seats), INPUTS), np.float32), np.empty((len(seats), CALLS), np.int64)
    look_rows(states, seats, rows, order)
    return rows, order


def allowed(masks: Bools) -> Bools:
    """[n, CALLS]: the legal calls that the network was taught to make."""
    found = masks[:, :CALLS].copy()
    found[:, TOO_HIGH:COINCHE] = False
    return found


@dataclass(frozen=True)
class Caller:
    """Calls by a network."""

    net: Network

    def act(self, view: View) -> int:
        """The call that is worth most."""
        values = self.values(view.state[None], np.array([view.seat]))[0]
        return int(np.where(allowed(view.mask[None])[0], values, HOPELESS).argmax())

    def values(self, states: Ints, seats: Ints) -> Floats:
        """[n, CALLS]: what every call is worth to the side of its seat, in points."""
        rows, order = seen(states, seats)
        values = np.take_along_axis(self.net(rows), order, axis=1).astype(np.float64) * SCALE
        is_last = (states[:, at.CALLED] == 3) & (states[:, at.BIDDER] == at.NOBODY)
        values[is_last, at.PASS] = 0.0  # a deal that all pass is void; it is too rare in self-play to be learned
        return values


def load(path: Path | None = None) -> Network:
    """The network in a file, or the one that comes with kibitz."""
    place = path or shipped_folder() / FILE
    if not place.exists():
        raise BadInput(f"there is no network {place} to call with")
    return load_network(place, INPUTS, CALLS)
