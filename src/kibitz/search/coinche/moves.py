"""Moves of Coinche with open cards: which are legal, which are as good as others, which to try first."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest
from kibitz.core.jit import kernel
from kibitz.search.coinche.tables import BEATEN_BY, PICOT, RISING, TRUMPS, WORTHS, Ints


@kernel
def spare(hand: int, live: int, equals: int) -> int:
    """Cards that are as good as a higher one in the same hand: no live card lies between, and they count the same."""
    gone = ~live
    return hand & equals & (hand >> 1 | gone >> 1 & equals >> 1 & hand >> 2)


@kernel
def answers(a: Ints, hand: int, led: int, best: int, partner_wins: bool) -> int:
    """The cards that may be played to a trick in which `led` was led and `best` is winning."""
    follow = hand & 255 << (led & 24)
    beats = a[BEATEN_BY + best]
    if follow:
        rising = follow & beats & a[RISING]
        return rising if rising else follow
    trumps = hand & a[TRUMPS]
    if trumps == 0:
        return hand
    rising = trumps & beats
    if partner_wins:
        if a[PICOT] == 0:
            return hand
        return hand & ~trumps | (rising if rising else trumps)
    if rising:
        return rising
    return trumps if a[PICOT] else hand


@kernel
def beaters(a: Ints, hand: int, led: int, best: int) -> int:
    """The cards with which a hand can take the trick from the card that is winning it."""
    follow = hand & 255 << (led & 24)
    return (follow if follow else hand) & a[BEATEN_BY + best]


@kernel
def enter(a: Ints, place: int, count: int, move: int) -> None:
    """Insert a move (score << 5 | card) into a list sorted from the best down."""
    k = count
    while k > 0 and a[place + k - 1] < move:
        a[place + k] = a[place + k - 1]
        k -= 1
    a[place + k] = move


@kernel
def order_leads(a: Ints, place: int, moves: int, hint: int, left: int, partner: int, right: int, attacks: bool) -> int:
    """Write the leader's moves, best first; returns how many."""
    count = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        worth = a[WORTHS + card]
        one, other = beaters(a, left, card, card), beaters(a, right, card, card)
        best = card
        if one:
            best = highest(one)
        if other and (best == card or highest(other) > best):
            best = highest(other)
        ours = best == card or beaters(a, partner, card, best) != 0
        score = 260 + worth if ours else 230 - 2 * worth
        if a[TRUMPS] >> card & 1:
            score = 320 + card if attacks and ours else score - 10
        if card == hint:
            score = 500
        enter(a, place, count, score << 5 | card)
        count += 1
    return count


@kernel
def order(a: Ints, place: int, moves: int, led: int, best: int, is_ours: bool, next: int, last: int, seats: int) -> int:
    """Write the moves of a seat with `seats` to play after it, best first; `next` is an opponent's hand, `last` the partner's."""
    count = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        wins = a[BEATEN_BY + best] >> card & 1
        top = card if wins else best
        ours = is_ours or wins == 1
        if seats == 1:
            ours = ours and beaters(a, next, led, top) == 0
        elif seats == 2:
            higher = beaters(a, next, led, top)
            if higher:
                top = highest(higher)
            if higher or not ours:
                ours = beaters(a, last, led, top) != 0
        worth = a[WORTHS + card]
        score = 250 - 3 * worth
        if ours:
            score = 300 + worth if wins else 300 + 2 * worth
        if not wins and a[TRUMPS] >> card & 1:
            score -= 5
        enter(a, place, count, score << 5 | card)
        count += 1
    return count
