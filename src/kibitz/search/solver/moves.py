"""Moves with open cards: which are as good as others, and which to try first."""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import highest, lowest
from kibitz.search.solver import arena as ar
from kibitz.search.solver.arena import Ints

# Bound by Solver.
BASE: Any = 0
beaters: Any = None
enter: Any = None


def spare(hand: int, live: int, equals: int) -> int:
    """Cards that are as good as a higher one in the same hand: no live card lies between, and they count the same."""
    gone = ~live
    carry = hand >> 1 & equals
    extra = carry & hand
    carry = (carry & gone) >> 1 & equals
    extra |= carry & hand
    carry = (carry & gone) >> 1 & equals
    while carry:  # hardly ever
        extra |= carry & hand
        carry = (carry & gone) >> 1 & equals
    return extra


def beating(a: Ints, hand: int, led: int, top: int) -> int:
    """The cards with which a hand can take the trick from the card that is winning it."""
    own = hand & a[BASE + ar.FOLLOWS + led]
    return (own if own else hand) & a[BASE + ar.BEATS + top]


def insert(a: Ints, place: int, count: int, move: int) -> None:
    """Enter a move (score << 6 | card) into a list sorted from the best down."""
    k = count
    while k > 0 and a[place + k - 1] < move:
        a[place + k] = a[place + k - 1]
        k -= 1
    a[place + k] = move


def order(
    a: Ints,
    place: int,
    moves: int,
    led: int,
    best: int,
    holder: int,
    k: int,
    asked: int,
    h1: int,
    h2: int,
    h3: int,
    hint: int,
) -> int:
    """Write the moves of the k-th seat of a trick, best first, and return how many; h1 to h3 are the hands that follow, 0 for none.

    Open cards show which side is going to win the trick: each side puts its strongest card on what the other has played.
    """
    if moves & (moves - 1) == 0:
        a[place] = lowest(moves)
        return 1
    own = asked >> k & 1
    is_up = a[BASE + ar.WANTS] == 1
    trumps = a[BASE + ar.TRUMPS]
    n = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        lead = card if k == 0 else led
        wins = k == 0 or a[BASE + ar.BEATS + best] >> card & 1 == 1
        top = card if wins else best
        mine = own if wins else asked >> holder & 1
        if h1 and asked >> (k + 1) & 1 != mine:
            higher = beaters(a, h1, lead, top)
            if higher:
                top, mine = highest(higher), 1 - mine
        if h2 and asked >> (k + 2) & 1 != mine:
            higher = beaters(a, h2, lead, top)
            if higher:
                top, mine = highest(higher), 1 - mine
        if h3 and asked >> (k + 3) & 1 != mine and beaters(a, h3, lead, top):
            mine = 1 - mine
        is_ours = mine == own
        worth = a[BASE + ar.WORTHS + card]
        is_trump = trumps >> card & 1
        if k == 0:
            score = 260 + worth if is_ours == is_up else 230 - 2 * worth
            if is_trump:
                score = 320 + card if own and is_up and is_ours else score - 10
        else:
            score = 250 - 3 * worth
            if is_ours == is_up:
                score = 300 + (worth if wins else 2 * worth)
            if is_trump and not wins:
                score -= 5
        if not is_up:
            score += card if own else -card
        if card == hint:
            score = 900
        enter(a, place, n, score << 6 | card)
        n += 1
    return n
