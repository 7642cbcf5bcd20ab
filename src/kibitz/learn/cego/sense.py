"""The whole game of Cego as learners see it: the table as in the sub-games, and the words and the exchange."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego import rules
from kibitz.games.cego import table as cego
from kibitz.games.pieces import slices
from kibitz.games.tricks import layout as at
from kibitz.learn.cego_deals import sense as table

canonical = table.canonical
PHASES = 7
SLICES = slices(
    table=table.SENSES, phase=PHASES, game=rules.GAMES, bid=len(rules.SPOKEN), passed=cego.SEATS, forehand=cego.SEATS,
    kept=cego.CARDS,
)  # fmt: skip
SENSES = SLICES["kept"].stop
_PHASE, _GAME, _BID, _PASSED, _FOREHAND, _KEPT = (
    SLICES[name].start for name in ("phase", "game", "bid", "passed", "forehand", "kept")
)


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The table, the phase, the game, the standing word, who has passed, who spoke first, and what was kept."""
    table.observe(s, seat, out)
    out[_PHASE + (s[at.PHASE] - cego.ANNOUNCE if s[at.PHASE] >= cego.ANNOUNCE else PHASES - 1)] = 1.0
    if s[at.CONTRACT] != cego.UNDECIDED:
        out[_GAME + s[at.CONTRACT]] = 1.0
    if s[rules.BID] != 0:
        out[_BID + s[rules.BID] - cego.CARDS] = 1.0
    for k in range(cego.SEATS):
        out[_PASSED + k] = s[rules.PASSED] >> ((seat + k) & 3) & 1
    out[_FOREHAND + ((s[at.DEALER] + 1 - seat) & 3)] = 1.0
    if not rules.hides_words(s, seat):
        table.spread(s[rules.KEPT], table.suit_places(s, seat), out, _KEPT)
