"""What the leader of a trick can take at once in Cego: a bound that saves a search."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import kernel
from kibitz.search.cego.tables import A_TRICK, DEAREST, WORTHS, Ints

TRUMPS = (1 << 54) - (1 << 32)


@kernel
def cashed(a: Ints, own: int, left: int, across: int, right: int, all_points: int) -> int:
    """What the leader takes at once by himself: top trumps, then plain cards that nobody can beat or has to ruff."""
    mine = own & TRUMPS
    theirs = (left | across | right) & TRUMPS
    sure = mine & (-2 << highest(theirs)) if theirs else mine
    rounds = popcount(sure)
    one, two, three = popcount(left & TRUMPS), popcount(across & TRUMPS), popcount(right & TRUMPS)
    if one <= rounds and two <= rounds and three <= rounds:
        sure = mine
    tricks = popcount(sure)
    points = 0
    while sure:
        points += a[WORTHS + lowest(sure)]
        sure &= sure - 1
    for k in range(4):
        suit = own >> 8 * k & 255
        if suit == 0:
            continue
        x, y, z = left >> 8 * k & 255, across >> 8 * k & 255, right >> 8 * k & 255
        rest = x | y | z
        top = suit & (-2 << highest(rest)) if rest else suit
        length, x_length, y_length, z_length = popcount(top), popcount(x), popcount(y), popcount(z)
        if length >= x_length and length >= y_length and length >= z_length:
            top = suit
            length = popcount(top)
        if one > rounds:
            length = min(length, x_length)
        if two > rounds:
            length = min(length, y_length)
        if three > rounds:
            length = min(length, z_length)
        tricks += length
        points += a[DEAREST + 256 * length + top]
    if tricks == popcount(own):
        return all_points
    # Nothing is worth less than one half, but where only tricks count.
    return points + tricks * (3 if a[WORTHS] else 0) + tricks * a[A_TRICK]
