"""What an auction tells: who bid in which duel, and between which bounds each seat's highest bid must lie."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import N_BIDS

LOW, HIGHEST, HAS_PASSED = 0, at.PLAYERS, 2 * at.PLAYERS
BOUNDS = 3 * at.PLAYERS


@kernel
def bid_bounds(s: State, out: Ints) -> int:
    """Read the auction as intentions: each seat has a highest number it would go to, -1 for none.

    Writes int64[BOUNDS]: from LOW on the least it can be (a place in the list of bids), from HIGHEST on the most, from
    HAS_PASSED on whether the seat has passed. A bidder who passes would not have named the next number; who is
    asked and passes would not have held the number; who has not passed goes at least to what it named or held. The
    likelihood of an auction under a policy over highest bids is the product of its mass between the bounds.
    Returns the number of calls in the log.
    """
    for seat in range(at.PLAYERS):
        out[LOW + seat] = -1
        out[HIGHEST + seat] = N_BIDS - 1
        out[HAS_PASSED + seat] = 0
    bidder, asked, high = 1, 0, -1
    is_asked = False
    k = 0
    while k < s[at.MOVES] and at.HOLD <= s[at.LOG + k] < at.BID + N_BIDS:
        call = s[at.LOG + k]
        k += 1
        speaker = asked if is_asked else bidder
        if call == at.PASS:
            out[HIGHEST + speaker] = high - 1 if is_asked else high
            out[HAS_PASSED + speaker] = 1
            if bidder == 1:
                asked = bidder if is_asked else asked
                bidder = 2
            else:
                bidder = 0  # only forehand's choice can follow
            is_asked = False
        elif call == at.HOLD:
            out[LOW + speaker] = high
            is_asked = False
        else:
            high = call - at.BID
            out[LOW + speaker] = high
            is_asked = True
    return k
