"""Cego's sub-games: how they begin and what they pay. Numbers are those of games/cego/RULES.md."""

from __future__ import annotations

from kibitz.core.bits import lowest
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.cego import table as cego
from kibitz.games.cego_deals.deals import REWARD, SUBGAME, TIE, exchange
from kibitz.games.tricks import layout as at

LOG = at.OWN + 4 + cego.SHARED
POINTS, WIN, SIGN = 0, 1, 2
TALLIES = cego.CARDS
"""How many tricks each card has won."""


@kernel
def opening(s: State, number: int) -> None:
    """Rules 4.1 and 4.2: seat 0 leads; in Räuber nobody plays alone."""
    s[at.CONTRACT] = s[SUBGAME]
    s[at.DECLARER] = at.NOBODY if s[SUBGAME] == cego.RAEUBER else 0
    s[cego.BLIND] = s[at.ASIDE]
    if s[SUBGAME] == cego.STANDARD:
        exchange(s)


@kernel
def score(s: State, out: Floats) -> None:
    """Rule 4.6."""
    if s[REWARD] == POINTS:
        halves = cego.single_halves(s)
        for seat in range(cego.SEATS):
            out[seat] = 0.5 * (halves if seat == s[at.DECLARER] else cego.ALL_HALVES - halves)
        return
    lost = 0.0 if s[REWARD] == WIN else -1.0
    winners = cego.winning_seats(s, s[TIE])
    for seat in range(cego.SEATS):
        out[seat] = 1.0 if winners >> seat & 1 else lost


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 3.9."""
    return cego.winning_seats(s, s[TIE]) >> seat & 1 == 1


@kernel
def tally(s: State, counts: Floats) -> None:
    """Count the cards that won a trick."""
    left = s[cego.WINNERS]
    while left:
        counts[lowest(left)] += 1.0
        left &= left - 1
