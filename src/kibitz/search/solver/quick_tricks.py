"""What the leader's side takes at once, and when nobody can force a trick on a seat: bounds that save a search."""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import highest, lowest, popcount
from kibitz.games.tricks import layout as at
from kibitz.search.solver import arena as ar
from kibitz.search.solver.arena import Ints

# Bound by Solver.
SEATS: Any = 0
BASE: Any = 0
cheapest: Any = None
dearest: Any = None


def least_worth(a: Ints, hand: int, count: int) -> int:
    """The least that so many cards of a hand can be worth."""
    points = 0
    k = BASE + ar.PRICE
    end = k + 2 * a[BASE + ar.PRICES]
    while count > 0 and k < end:
        some = min(count, popcount(hand & a[k]))
        points += some * a[k + 1]
        count -= some
        k += 2
    return points


def top_worth(a: Ints, cards: int, count: int) -> int:
    """What the strongest so many cards of one class are worth together."""
    points = 0
    while count > 0 and cards:
        card = highest(cards)
        cards ^= 1 << card
        points += a[BASE + ar.WORTHS + card]
        count -= 1
    return points


def quick_tricks(a: Ints, seat: int, left: int) -> int:
    """What the side of the leader takes for sure: his top trumps, then plain cards that nobody can beat or has to ruff."""
    own, trumps, asked = a[at.HAND + seat], a[BASE + ar.TRUMPS], a[BASE + ar.ASKED]
    others = 0
    for other in range(SEATS):
        if other != seat:
            others |= a[at.HAND + other]
    mine = own & trumps
    theirs = others & trumps
    sure = mine & (-2 << highest(theirs)) if theirs else mine
    rounds = popcount(sure)
    most = 0
    for other in range(SEATS):
        if other != seat:
            most = max(most, popcount(a[at.HAND + other] & trumps))
    if most <= rounds:
        sure = mine
    tricks = popcount(sure)
    trump_tricks = tricks
    points = 0
    while sure:
        points += a[BASE + ar.WORTHS + lowest(sure)]
        sure &= sure - 1
    smeared = 0
    for k in range(a[BASE + ar.CLASSES]):
        cards = a[BASE + ar.CLASS_CARDS + k]
        suit = own & cards
        if suit == 0:
            continue
        rest = others & cards
        top = suit & (-2 << highest(rest)) if rest else suit
        length = popcount(top)
        longest = 0
        for other in range(SEATS):
            if other != seat:
                longest = max(longest, popcount(a[at.HAND + other] & cards))
        if length >= longest:
            top = suit
            length = popcount(top)
        for other in range(SEATS):
            if other != seat:
                held = popcount(a[at.HAND + other] & trumps)
                is_ours = asked >> other & 1 == asked >> seat & 1
                if held > (trump_tricks if is_ours else rounds):  # he can still ruff when his cards of the suit are gone
                    length = min(length, popcount(a[at.HAND + other] & cards))
        tricks += length
        points += dearest(a, top, length)
        for other in range(SEATS):
            if other != seat and asked >> other & 1 == asked >> seat & 1:
                smeared += dearest(a, a[at.HAND + other] & cards, length)
    if tricks == popcount(own):
        return left
    if tricks == 0:
        return 0
    added = 0
    for other in range(SEATS):
        if other != seat:
            if asked >> other & 1 == asked >> seat & 1:
                added += max(smeared, cheapest(a, a[at.HAND + other], tricks))
                smeared = 0
            else:
                added += cheapest(a, a[at.HAND + other], tricks)
    return points + added + tricks * a[BASE + ar.A_TRICK]


def is_safe(a: Ints, seat: int) -> bool:
    """No trumps: whether nobody can ever force a trick on a seat, whose j-th lowest cards lie below the others' in every suit."""
    for k in range(a[BASE + ar.CLASSES]):
        cards = a[BASE + ar.CLASS_CARDS + k]
        mine = a[at.HAND + seat] & cards
        theirs = 0
        for other in range(SEATS):
            if other != seat:
                theirs |= a[at.HAND + other] & cards
        while mine and theirs:
            if lowest(mine) > lowest(theirs):
                return False
            mine &= mine - 1
            theirs &= theirs - 1
    return True


def is_lost(a: Ints, seat: int, leader: int) -> bool:
    """No trumps: whether the leader has a card below all of the seat's in a suit, which none of the others has to take either."""
    for k in range(a[BASE + ar.CLASSES]):
        cards = a[BASE + ar.CLASS_CARDS + k]
        mine = a[at.HAND + seat] & cards
        if mine == 0:
            continue
        below = cards & ((mine & -mine) - 1)
        fits = a[at.HAND + leader] & below != 0
        for other in range(SEATS):
            held = a[at.HAND + other] & cards
            if other != seat and held != 0 and held & below == 0:
                fits = False
        if fits:
            return True
    return False
