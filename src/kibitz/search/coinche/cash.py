"""Points that the side of the leader can take at once in Coinche: a bound that saves a search."""

from __future__ import annotations

from kibitz.core.bits import highest, popcount
from kibitz.core.jit import kernel
from kibitz.search.coinche.tables import DEAREST, PRICE, TRUMPS, Ints


@kernel
def cheapest(a: Ints, hand: int, count: int) -> int:
    """The least that so many cards of a hand can be worth."""
    points = 0
    k = PRICE
    while count > 0 and k < PRICE + 24:
        some = min(count, popcount(hand & a[k]))
        points += some * a[k + 1]
        count -= some
        k += 2
    return points


@kernel
def cashed(a: Ints, own: int, left: int, partner: int, right: int, all_points: int) -> int:
    """Points the leader's side takes at once: top trumps, then cards of other suits that nobody can beat or has to ruff."""
    trumps = a[TRUMPS]
    mine = own & trumps
    theirs = (left | partner | right) & trumps
    sure = mine & (-2 << highest(theirs)) if theirs else mine
    rounds = popcount(sure)
    ruffs_left = popcount(left & trumps) > rounds
    ruffs_right = popcount(right & trumps) > rounds
    helped = popcount(partner & trumps)
    if not ruffs_left and not ruffs_right and helped <= rounds:
        sure = mine
    tricks = popcount(sure)
    keeps_trumps = helped > tricks
    points = smeared = 0
    if tricks:
        points += a[DEAREST + 3 * 2304 + 256 * tricks + (sure >> 24)]
        smeared += a[DEAREST + 3 * 2304 + 256 * tricks + (partner >> 24 & 255)]
    for k in range(3 if trumps else 4):
        suit = own >> 8 * k & 255
        if suit == 0:
            continue
        one, two, three = left >> 8 * k & 255, partner >> 8 * k & 255, right >> 8 * k & 255
        rest = one | two | three
        top = suit & (-2 << highest(rest)) if rest else suit
        length, one_length, two_length, three_length = popcount(top), popcount(one), popcount(two), popcount(three)
        if length >= one_length and length >= two_length and length >= three_length:
            top = suit
            length = popcount(top)
        if ruffs_left:
            length = min(length, one_length)
        if ruffs_right:
            length = min(length, three_length)
        if keeps_trumps:
            length = min(length, two_length)
        tricks += length
        points += a[DEAREST + 2304 * k + 256 * length + top]
        smeared += a[DEAREST + 2304 * k + 256 * length + two]
    if tricks == popcount(own):
        return all_points
    return points + max(smeared, cheapest(a, partner, tricks)) + cheapest(a, left, tricks) + cheapest(a, right, tricks)
