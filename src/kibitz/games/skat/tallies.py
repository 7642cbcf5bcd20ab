"""What is counted at the end of every Skat deal, for `kibitz simulate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.game import Game, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import BIDS, DECLARATIONS, DECLARED_KIND, KIND_WORDS

# Counters: deals, passed in, Ramsch, sum of bids, overbid, games / wins / card points / game points per declaration,
# sheet points per seat (8.1).
N = len(DECLARATIONS)
PASSED_IN, RAMSCHES, BID_SUM, OVERBIDS, GAMES = 0, 1, 2, 3, 4
WINS, CARD_SUM, SCORE_SUM = GAMES + N, GAMES + 2 * N, GAMES + 3 * N
SHEETS = GAMES + 4 * N
TALLIES = SHEETS + at.PLAYERS
SERIES = 36
"""Deals in a series at a table of three (8.2)."""


@kernel
def tally(s: State, counts: Floats) -> None:
    """Add one deal that is over."""
    if s[at.WHO] == at.NOBODY:
        counts[PASSED_IN] += 1.0
        return
    if s[at.IS_RAMSCH]:
        counts[RAMSCHES] += 1.0
        counts[SHEETS + s[at.WHO]] += s[at.SCORE]
        return
    declared = s[at.DECLARED]
    counts[BID_SUM] += BIDS[s[at.HIGH]]
    counts[OVERBIDS] += s[at.OVERBID]
    counts[GAMES + declared] += 1.0
    counts[WINS + declared] += s[at.SUCCESS]
    counts[CARD_SUM + declared] += s[at.TOTAL]
    counts[SCORE_SUM + declared] += s[at.SCORE]
    for seat in range(at.PLAYERS):
        counts[SHEETS + seat] += entry(s, seat)


@kernel
def entry(s: State, seat: int) -> int:
    """Rule 8.1: what a seat writes down for a deal that is over."""
    if s[at.WHO] == at.NOBODY:
        return 0
    if s[at.IS_RAMSCH]:
        return s[at.SCORE] if seat == s[at.WHO] else 0
    if seat == s[at.DECLARER]:
        return s[at.SCORE] + 50 if s[at.SUCCESS] else s[at.SCORE] - 50
    return 0 if s[at.SUCCESS] else 40


def report(game: Game, tallies: Any, games: int) -> dict[str, Any]:
    """Contract distribution, win rate per contract, mean bid and passed-in rate of a simulation."""
    played, won = tallies[GAMES:WINS], tallies[WINS:CARD_SUM]
    declared, wins = float(played.sum()), float(won.sum())

    def told(rows: list[int]) -> dict[str, Any]:
        count = float(played[rows].sum())
        return {"games": int(count), "share": count / declared, "win_rate": float(won[rows].sum()) / count}

    contracts = {
        word: {**told([k]), "mean_value": float(tallies[SCORE_SUM + k]) / float(played[k])}
        for k, word in enumerate(DECLARATIONS)
        if played[k]
    }
    of_kind = {name: np.flatnonzero(kind == DECLARED_KIND).tolist() for kind, name in enumerate(KIND_WORDS)}
    kinds = {name: told(rows) for name, rows in of_kind.items() if played[rows].any()}
    return {
        "contracts": contracts,
        "kinds": kinds,
        "declared": int(declared),
        "declarer_win_rate": wins / declared if declared else None,
        "mean_bid": float(tallies[BID_SUM]) / declared if declared else None,
        "overbid_rate": float(tallies[OVERBIDS]) / declared if declared else None,
        "passed_in_rate": (float(tallies[PASSED_IN]) + float(tallies[RAMSCHES])) / games if games else None,
        "sheet_per_series": [
            SERIES * float(tallies[SHEETS + seat]) / games if games else None for seat in range(at.PLAYERS)
        ],
    }
