"""Worlds weighed by the auction: how likely everybody would have called as he did, with the hand he has there.

The network that calls stands for everybody. A call that it finds WARMTH points worse than another is e times less
likely, and a share of all calls is held to be made at random, so that a strange auction contradicts no world.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.view import View
from kibitz.games.coinche import layout as at
from kibitz.search.coinche.caller import CALLS, COINCHE, INPUTS, SCALE, SURCOINCHE, TOO_HIGH, load, look_back
from kibitz.search.network import Network, softmax

SAMPLES = 256
WARMTH = 20.0
STRANGE = 0.15


@dataclass(frozen=True)
class Reader:
    """Weighs worlds by a network that calls."""

    net: Network
    samples: int = SAMPLES

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: how well the hands of each world go with what their holders called."""
        s, total = view.state, np.zeros(len(worlds))
        if s[at.NO_AUCTION]:
            return np.ones(len(worlds))
        numbers = [k for k in range(int(s[at.CALLED])) if (s[at.DEALER] + 1 + k) % 4 != view.seat]
        rows = np.empty((len(worlds), INPUTS), np.float32)
        called = np.empty(len(worlds), np.int64)
        for number in numbers:
            look_back(worlds, int(s[at.DEALER] + 1 + number) % 4, number, rows, called)
            mask = possible(s, number)
            chances = softmax(self.net(rows) * np.float32(SCALE / WARMTH), mask)
            drawn = chances[np.arange(len(worlds)), called].astype(np.float64)
            total += np.log((1.0 - STRANGE) * drawn + STRANGE / mask.sum())
        return np.exp(total - total.max())


def possible(s: Ints, number: int) -> Bools:
    """[CALLS]: the calls that the network would consider at a moment of the auction, and the one that was made."""
    level, bidder, coinched = -1, -1, 0
    for k in range(number):
        call = int(s[at.LOG + k])
        if call == COINCHE:
            coinched = 1
        elif call != at.PASS:
            level, bidder = (call - 1) // 4, k % 4
    found = np.zeros(CALLS, np.bool_)
    found[at.PASS] = True
    if coinched:
        found[SURCOINCHE] = bidder % 2 == number % 2
    else:
        found[1 + 4 * (level + 1) : TOO_HIGH] = True
        found[COINCHE] = bidder >= 0 and bidder % 2 != number % 2
    found[s[at.LOG + number]] = True
    return found


def weigher(game: Game) -> Reader:
    """Worlds weighed by the auction, for players of Coinche."""
    return Reader(load())
