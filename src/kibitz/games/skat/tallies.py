"""What is counted at the end of every Skat deal, for `kibitz simulate`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import BIDS, DECLARATIONS
from kibitz.games.skat.state import (
    DECLARED,
    DECLARER,
    HIGH,
    IS_RAMSCH,
    NOBODY,
    OVERBID,
    PLAYERS,
    SCORE,
    SUCCESS,
    TOTAL,
    WHO,
)  # fmt: skip

# Counters: deals, passed in, Ramsch, sum of bids, overbid, games / wins / card points / game points per declaration,
# sheet points per seat (8.1).
N = len(DECLARATIONS)
PASSED_IN, RAMSCHES, BID_SUM, OVERBIDS, GAMES = 0, 1, 2, 3, 4
WINS, CARD_SUM, SCORE_SUM = GAMES + N, GAMES + 2 * N, GAMES + 3 * N
SHEETS = GAMES + 4 * N
TALLIES = SHEETS + PLAYERS


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Add one deal that is over."""
    if s[WHO] == NOBODY:
        counts[PASSED_IN] += 1.0
        return
    if s[IS_RAMSCH]:
        counts[RAMSCHES] += 1.0
        counts[SHEETS + s[WHO]] += s[SCORE]
        return
    declared = s[DECLARED]
    counts[BID_SUM] += BIDS[s[HIGH]]
    counts[OVERBIDS] += s[OVERBID]
    counts[GAMES + declared] += 1.0
    counts[WINS + declared] += s[SUCCESS]
    counts[CARD_SUM + declared] += s[TOTAL]
    counts[SCORE_SUM + declared] += s[SCORE]
    for seat in range(PLAYERS):
        counts[SHEETS + seat] += entry(s, seat)


@kernel
def entry(s: State, seat: int) -> int:
    """Rule 8.1: what a seat writes down for a deal that is over."""
    if s[WHO] == NOBODY:
        return 0
    if s[IS_RAMSCH]:
        return s[SCORE] if seat == s[WHO] else 0
    if seat == s[DECLARER]:
        return s[SCORE] + 50 if s[SUCCESS] else s[SCORE] - 50
    return 0 if s[SUCCESS] else 40
