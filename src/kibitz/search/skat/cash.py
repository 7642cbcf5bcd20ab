"""Points that the leader of a trick can take at once in a suit game or grand: bounds that save a search."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import kernel
from kibitz.search.skat.tables import CHEAPEST, DEAREST, PRICE, WORTH, Ints


@kernel
def cheapest(a: Ints, hand: int, count: int) -> int:
    """The least that so many cards of a hand can be worth."""
    points = 0
    k = PRICE
    while count > 0 and k < PRICE + 12:
        some = min(count, popcount(hand & a[k]))
        points += some * a[k + 1]
        count -= some
        k += 2
    return points


@kernel
def cashed_by_declarer(a: Ints, own: int, left: int, right: int, trumps: int) -> int:
    """Points the declarer, on lead, takes without losing a trick: top trumps, then side cards nobody can beat or ruff."""
    mine = own & trumps
    theirs = (left | right) & trumps
    sure = mine & (-2 << highest(theirs)) if theirs else mine
    rounds = popcount(sure)
    ruffs_left = popcount(left & trumps) > rounds
    ruffs_right = popcount(right & trumps) > rounds
    if not ruffs_left and not ruffs_right:
        sure = mine
    tricks = popcount(sure)
    points = 0
    while sure:
        points += a[WORTH + lowest(sure)]
        sure &= sure - 1
    for k in range(3 if trumps >> 21 & 1 else 4):
        suit = own >> 7 * k & 127
        if suit == 0:
            continue
        one, other = left >> 7 * k & 127, right >> 7 * k & 127
        top = suit & (-2 << highest(one | other)) if one | other else suit
        length, one_length, other_length = popcount(top), popcount(one), popcount(other)
        if length >= one_length and length >= other_length:
            top = suit
            length = popcount(top)
        if ruffs_left:
            length = min(length, one_length)
        if ruffs_right:
            length = min(length, other_length)
        tricks += length
        points += a[DEAREST + 128 * length + top]
    return points + cheapest(a, left, tricks) + cheapest(a, right, tricks)


@kernel
def cashed_by_defender(a: Ints, own: int, declarer: int, partner: int, trumps: int) -> int:
    """The same for a defender on lead, who must win every trick himself; his partner adds what he can."""
    mine = own & trumps
    theirs = (declarer | partner) & trumps
    sure = mine & (-2 << highest(theirs)) if theirs else mine
    rounds = popcount(sure)
    held, helped = popcount(declarer & trumps), popcount(partner & trumps)
    is_ruffed = held > rounds
    if held <= rounds and helped <= rounds:
        sure = mine
    tricks = popcount(sure)
    keeps_trumps = helped > tricks
    points = forced = smeared = 0
    while sure:
        points += a[WORTH + lowest(sure)]
        sure &= sure - 1
    for k in range(3 if trumps >> 21 & 1 else 4):
        suit = own >> 7 * k & 127
        if suit == 0:
            continue
        one, other = declarer >> 7 * k & 127, partner >> 7 * k & 127
        top = suit & (-2 << highest(one | other)) if one | other else suit
        length, one_length, other_length = popcount(top), popcount(one), popcount(other)
        if length >= one_length and length >= other_length:
            top = suit
            length = popcount(top)
        if is_ruffed:
            length = min(length, one_length)
        if keeps_trumps:
            length = min(length, other_length)
        tricks += length
        points += a[DEAREST + 128 * length + top]
        forced += a[CHEAPEST + 128 * length + one]
        smeared += a[DEAREST + 128 * length + other]
    return points + max(forced, cheapest(a, declarer, tricks)) + max(smeared, cheapest(a, partner, tricks))
