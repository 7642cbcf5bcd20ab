"""Moves with open cards: which are as good as others, and which to try first."""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import highest, lowest
from kibitz.games.tricks import layout as at
from kibitz.search.solver import arena as ar
from kibitz.search.solver.arena import Ints

# Bound by Solver.
SEATS: Any = 0
BASE: Any = 0
next_seat: Any = None
beaters: Any = None
enter: Any = None


def spare(hand: int, live: int, equals: int) -> int:
    """Cards that are as good as a higher one in the same hand: no live card lies between, and they count the same."""
    extra = 0
    carry = hand >> 1 & equals
    while carry:
        extra |= carry & hand
        carry = (carry & ~live) >> 1 & equals
    return extra


def beating(a: Ints, hand: int, follows: int, top: int) -> int:
    """The cards with which a hand can take the trick from the card that is winning it."""
    own = hand & follows
    return (own if own else hand) & a[BASE + ar.BEATS + top]


def insert(a: Ints, place: int, count: int, move: int) -> None:
    """Enter a move (score << 6 | card) into a list sorted from the best down."""
    k = count
    while k > 0 and a[place + k - 1] < move:
        a[place + k] = a[place + k - 1]
        k -= 1
    a[place + k] = move


def order(a: Ints, place: int, moves: int, seat: int, count: int, hint: int) -> int:
    """Write the moves of a seat, best first, and return how many: open cards show which side is going to win the trick."""
    asked = a[BASE + ar.ASKED]
    own = asked >> seat & 1
    wants = a[BASE + ar.WANTS] == own
    trumps = a[BASE + ar.TRUMPS]
    is_few = a[BASE + ar.WANTS] == 0
    best, best_seat = a[at.BEST], a[at.BEST_SEAT]
    follows = a[BASE + ar.FOLLOWS + a[at.TABLE]]
    n = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        wins = count == 0 or a[BASE + ar.BEATS + best] >> card & 1 == 1
        top = card if wins else best
        holder = seat if wins else best_seat
        led = a[BASE + ar.FOLLOWS + card] if count == 0 else follows
        other = seat
        for _ in range(SEATS - 1 - count):
            other = next_seat(a, other)
            if asked >> other & 1 != asked >> holder & 1:
                higher = beaters(a, a[at.HAND + other], led, top)
                if higher:
                    top = highest(higher)
                    holder = other
        gets = asked >> holder & 1 == 1
        worth = a[BASE + ar.WORTHS + card]
        score = 250 - 3 * worth
        if gets == wants:
            score = 300 + (worth if wins else 2 * worth)
        if trumps >> card & 1:
            if count == 0:
                score = 320 + card if own and wants and gets else score - 10
            elif not wins:
                score -= 5
        if is_few:
            score += card if wants == 0 and own else -card
        if card == hint:
            score = 900
        enter(a, place, n, score << 6 | card)
        n += 1
    return n

