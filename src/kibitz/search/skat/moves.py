"""Moves of a suit game or grand with open cards: which are legal, which are as good as others, which to try first."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest
from kibitz.core.jit import kernel
from kibitz.search.skat.tables import BEATEN_BY, FOLLOWS, WORTH, Ints

EQUALS = 3 | 3 << 7 | 3 << 14 | 3 << 21 | 7 << 28
"""Cards whose next higher neighbour is worth as much: sevens, eights, all jacks but the highest."""


@kernel
def spare(hand: int, live: int) -> int:
    """Cards that are as good as a higher one in the same hand: no live card lies between, and they count the same."""
    gone = ~live
    near = hand >> 1 | gone >> 1 & EQUALS >> 1 & (hand >> 2 | gone >> 2 & EQUALS >> 2 & hand >> 3)
    return hand & EQUALS & near


@kernel
def answers(a: Ints, hand: int, led: int) -> int:
    """The cards that may be played to a card led."""
    follow = hand & a[FOLLOWS + led]
    return follow if follow else hand


@kernel
def enter(a: Ints, place: int, count: int, move: int) -> None:
    """Insert a move (score << 5 | card) into a list sorted from the best down."""
    k = count
    while k > 0 and a[place + k - 1] < move:
        a[place + k] = a[place + k - 1]
        k -= 1
    a[place + k] = move


@kernel
def lead_score(a: Ints, card: int, second: int, third: int, seat: int, trumps: int) -> int:
    """How early to try a lead; `seat` is the declarer's, counted from the leader."""
    beats, worth = a[BEATEN_BY + card], a[WORTH + card]
    is_trump = trumps >> card & 1
    if seat == 0:
        if is_trump and (second | third) & trumps:  # in a grand side suits come before a jack that loses
            is_grand = not trumps >> 21 & 1
            return 250 if is_grand and (second | third) & beats else 320 + card
        beaten = answers(a, second, card) & beats | answers(a, third, card) & beats
        return 230 - 2 * worth if beaten else 260 + worth
    if seat == 1:
        best = answers(a, second, card) & beats
        ours = best == 0 or answers(a, third, card) & a[BEATEN_BY + highest(best)] != 0
    else:
        helps = answers(a, second, card) & beats
        best = highest(helps) if helps else card
        replies = answers(a, third, card)
        ours = replies & beats == 0 or (helps != 0 and replies & a[BEATEN_BY + best] == 0)
    return (260 + worth if ours else 230 - 2 * worth) - 10 * is_trump


@kernel
def order_seconds(a: Ints, place: int, moves: int, led: int, third: int, seat: int, trumps: int) -> int:
    """Write the second seat's moves, best first; returns how many."""
    beats, replies = a[BEATEN_BY + led], answers(a, third, led)
    third_wins = replies & beats != 0
    count = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        worth = a[WORTH + card]
        if beats >> card & 1:
            ours = seat == 0 or replies & a[BEATEN_BY + card] == 0
            score = 300 + worth if ours else 250 - 3 * worth
        else:
            ours = third_wins if seat == 0 else seat == 2 and not third_wins
            score = (300 + 2 * worth if ours else 250 - 3 * worth) - 5 * (trumps >> card & 1)
        enter(a, place, count, score << 5 | card)
        count += 1
    return count


@kernel
def order_thirds(a: Ints, place: int, moves: int, best: int, best_seat: int, seat: int, trumps: int) -> int:
    """Write the third seat's moves, best first; returns how many."""
    beats = a[BEATEN_BY + best]
    is_ours = (best_seat == seat) == (seat == 2)
    count = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        worth = a[WORTH + card]
        if beats >> card & 1:
            score = 300 + worth
        else:
            score = (300 + worth if is_ours else 250 - 3 * worth) - 5 * (trumps >> card & 1)
        enter(a, place, count, score << 5 | card)
        count += 1
    return count
