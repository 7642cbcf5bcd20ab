"""What the leader's side takes at once, and when nobody can force a trick on a seat: bounds that save a search."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Ints
from kibitz.search.solver import arena as ar

# Bound by Solver.
IN_TRICK = BASE = WIDE = cheapest = dearest = UNBOUND


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


def quick_tricks(a: Ints, own: int, left: int, across: int, right: int, asked: int, all_left: int) -> int:
    """What the side of the leader takes for sure: his top trumps, then plain cards that nobody can beat or has to ruff.

    His partners add to his tricks what they can, the others what they must.
    """
    if IN_TRICK == 3:
        right &= 0
    trumps = a[BASE + ar.TRUMPS]
    ours1, ours2, ours3 = (asked ^ asked >> 1) & 1 == 0, (asked ^ asked >> 2) & 1 == 0, (asked ^ asked >> 3) & 1 == 0
    tricks = points = smeared = 0
    ruffs1 = ruffs2 = ruffs3 = False
    if trumps:
        mine = own & trumps
        theirs = (left | across | right) & trumps
        sure = mine & (-2 << highest(theirs)) if theirs else mine
        rounds = popcount(sure)
        t1, t2, t3 = popcount(left & trumps), popcount(across & trumps), popcount(right & trumps)
        if t1 <= rounds and t2 <= rounds and t3 <= rounds:
            sure = mine
        tricks = popcount(sure)
        # Who still has trumps ruffs when his cards of the suit are gone; partners must not be forced to.
        ruffs1, ruffs2 = t1 > (tricks if ours1 else rounds), t2 > (tricks if ours2 else rounds)
        ruffs3 = t3 > (tricks if ours3 else rounds)
        if tricks:
            if ours1:
                smeared += dearest(a, left & trumps, tricks)
            if ours2:
                smeared += dearest(a, across & trumps, tricks)
            if ours3 and IN_TRICK > 3:
                smeared += dearest(a, right & trumps, tricks)
        while sure:
            points += a[BASE + ar.WORTHS + lowest(sure)]
            sure &= sure - 1
    forced1 = forced2 = forced3 = 0
    k = BASE + ar.CLASS_CARDS
    end = k + 3 * a[BASE + ar.CLASSES]
    while k < end:
        cards = a[k]
        suit = own & cards
        if suit:
            x, y, z = left & cards, across & cards, right & cards
            rest = x | y | z
            top = suit & (-2 << highest(rest)) if rest else suit
            length, l1, l2, l3 = popcount(top), popcount(x), popcount(y), popcount(z)
            if length >= l1 and length >= l2 and length >= l3:
                top = suit
                length = popcount(top)
            if ruffs1:
                length = min(length, l1)
            if ruffs2:
                length = min(length, l2)
            if ruffs3 and IN_TRICK > 3:
                length = min(length, l3)
            tricks += length
            if WIDE:
                if length:
                    points += dearest(a, top, length)
                    if ours1:
                        smeared += dearest(a, x, length)
                    if ours2:
                        smeared += dearest(a, y, length)
                    if ours3 and IN_TRICK > 3:
                        smeared += dearest(a, z, length)
            elif length:
                shift = a[k + 1]
                most = a[k + 2] + (length << 8)
                least = most + ar.PATTERNS
                points += a[most + (top >> shift)]
                if ours1:
                    smeared += a[most + (x >> shift)]
                else:
                    forced1 += a[least + (x >> shift)]
                if ours2:
                    smeared += a[most + (y >> shift)]
                else:
                    forced2 += a[least + (y >> shift)]
                if IN_TRICK > 3:
                    if ours3:
                        smeared += a[most + (z >> shift)]
                    else:
                        forced3 += a[least + (z >> shift)]
        k += 3
    if tricks == 0:
        return 0
    if tricks == popcount(own):
        return all_left
    helped = 0
    least1 = cheapest(a, left, tricks)
    if ours1:
        helped += least1
    else:
        points += max(forced1, least1)
    least2 = cheapest(a, across, tricks)
    if ours2:
        helped += least2
    else:
        points += max(forced2, least2)
    if IN_TRICK > 3:
        least3 = cheapest(a, right, tricks)
        if ours3:
            helped += least3
        else:
            points += max(forced3, least3)
    return points + max(smeared, helped) + tricks * a[BASE + ar.A_TRICK]


def is_safe(a: Ints, own: int, others: int) -> bool:
    """No trumps: whether nobody can force a trick on a hand: in each suit its j-th lowest card is below theirs."""
    for k in range(a[BASE + ar.CLASSES]):
        cards = a[BASE + ar.CLASS_CARDS + 3 * k]
        mine, theirs = own & cards, others & cards
        while mine and theirs:
            if lowest(mine) > lowest(theirs):
                return False
            mine &= mine - 1
            theirs &= theirs - 1
    return True


def is_lost(a: Ints, own: int, leader: int, second: int, third: int, fourth: int) -> bool:
    """No trumps: whether the leader has a card below all of a hand's in a suit, which no other seat has to take."""
    for k in range(a[BASE + ar.CLASSES]):
        cards = a[BASE + ar.CLASS_CARDS + 3 * k]
        mine = own & cards
        if mine == 0:
            continue
        below = (mine & -mine) - 1
        if leader & cards & below == 0:
            continue
        fits = True
        if second != own and second & cards and second & cards & below == 0:
            fits = False
        if third != own and third & cards and third & cards & below == 0:
            fits = False
        if fourth != own and fourth & cards and fourth & cards & below == 0:
            fits = False
        if fits:
            return True
    return False
