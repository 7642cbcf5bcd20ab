"""What a call in Coinche says about a hand: a table of log-odds per card, counted from auctions, and worlds weighed by
it.

A call is of one of a few kinds (names a suit at 80, raises by 20, passes over the partner's suit, ...). For each kind
the table has how much likelier than usual its maker holds each rank in the suit it is about, and outside it. The weight
of a world is the product over all seats, their calls and their cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz.core.arrays import Column, read_arrays
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import View
from kibitz.games.coinche import layout as at

NAMES = 0
"""Kinds 0 to 3: names a suit at 80, 90, 100, or 110 and more."""
RAISES = 4
"""Kinds 4 to 6: raises the partner's suit by 10, 20, or 30 and more."""
LEAVES, YIELDS, OPENS_NOT, DOUBLES = 7, 8, 9, 10
"""Passes over the partner's suit, over an opponent's, with nothing bid; coinches."""
KINDS = 11
COLUMNS = 16
"""Eight ranks in the suit a call is about, eight outside."""
FILE = "coinche-bidder/calls.npz"
SAMPLES = 4000


def readings(s: Ints) -> set[tuple[int, int, int]]:
    """What was called: (seat, kind, suit), each once; suit -1 where a call is about none."""
    found: set[tuple[int, int, int]] = set()
    named: set[tuple[int, int]] = set()
    level, suit, bidder = -1, -1, -1
    if s[at.NO_AUCTION]:
        return found
    for k in range(int(s[at.CALLED])):
        seat, call = int(s[at.DEALER] + 1 + k) % 4, int(s[at.LOG + k])
        if call == at.PASS:
            kind = OPENS_NOT if bidder < 0 else LEAVES if bidder % 2 == seat % 2 else YIELDS
            if kind != LEAVES or (seat, suit) not in named:  # who named the suit has said what he had
                found.add((seat, kind, suit))
        elif call == at.COINCHE:
            found.add((seat, DOUBLES, suit))
        elif call != at.SURCOINCHE:
            new_level, new_suit = (call - 1) // at.STRAINS, (call - 1) % at.STRAINS
            if bidder >= 0 and bidder % 2 == seat % 2 and new_suit == suit:
                found.add((seat, RAISES + min(new_level - level - 1, 2), suit))
            elif new_suit < 4:
                found.add((seat, NAMES + min(new_level, 3), new_suit))
            level, suit, bidder = new_level, new_suit, seat
            named.add((seat, suit))
    return {(seat, kind, suit if suit < 4 else -1) for seat, kind, suit in found}


def columns(suit: int) -> Ints:
    """[32]: the column of every card for a call about a suit."""
    cards = np.arange(32)
    return np.where(cards // 8 == suit, cards % 8, 8 + cards % 8)


@dataclass(frozen=True)
class Calls:
    """Weighs worlds by the auction; the true world never weighs nothing."""

    table: Floats
    samples: int = SAMPLES

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: how well the hands of each world go with what their holders called."""
        total = np.zeros(len(worlds))
        scores = np.zeros((4, 32))
        for seat, kind, suit in readings(view.state):
            scores[seat] += self.table[kind, columns(suit)]
        for seat in range(4):
            if seat != view.seat and scores[seat].any():
                hands = worlds[:, at.HAND + seat] | worlds[:, at.PLAYED + seat]
                total += (hands[:, None] >> np.arange(32) & 1) @ scores[seat]
        return np.exp(total - total.max())


def load(path: Path | None = None) -> Floats:
    """The table in a file, or the one that comes with kibitz."""
    place = path or shipped_folder() / FILE
    if not place.exists():
        raise BadInput(f"there is no table of calls {place}")
    try:
        table: Floats = read_arrays(place, {"log_odds": Column("f8", (KINDS, COLUMNS))})["log_odds"]
    except BadRecord as problem:
        raise BadInput(f"{place} is no table of calls, or damaged: {problem}") from None
    return table


def weigher(game: Game) -> Calls:
    """Worlds weighed by the auction, for players of Coinche."""
    return Calls(load())
