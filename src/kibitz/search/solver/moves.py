"""Moves with open cards: which are as good as others, and which to try first."""

from __future__ import annotations

from kibitz.core.bits import lowest
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Ints
from kibitz.search.solver import arena as ar

LEAST = -1 << 40
"""Below the score of any move: what costs many points has a negative one."""

# Bound by Solver.
BASE = UNBOUND


def spare(hand: int, live: int, equals: int) -> int:
    """Cards that are as good as a lower one in the same hand: no live card lies between, and they count the same.

    An addition carries the bit above each card through all cards above it that are gone.
    """
    gone = ~live & equals
    above = (hand & equals) << 1
    return (above & gone) + gone & ~gone & hand | above & ~gone & hand


def next_best(a: Ints, place: int, count: int, limit: int) -> int:
    """The best of some moves among those below a limit."""
    best = LEAST
    for k in range(place, place + count):
        move = a[k]
        best = move if move > best and move < limit else best
    return best


def leads(a: Ints, place: int, moves: int, asked: int, h1: int, h2: int, h3: int) -> tuple[int, int]:
    """Write the moves of the leader, each with how early to try it, and return how many, and the first to try; h1 to h3
    are the hands that follow.

    Open cards show which side is going to win the trick: the one that can put the strongest card on what lies there.
    Among cards that beat another one a higher bit is stronger, so comparing two sets of them tells which has the
    strongest.
    """
    if moves & (moves - 1) == 0:
        return 1, lowest(moves)
    own = asked & 1
    trumps = a[BASE + ar.TRUMPS]
    # all bits set where a seat is on the leader's side
    s1, s2, s3 = (asked >> 1 & 1 ^ own) - 1, (asked >> 2 & 1 ^ own) - 1, (asked >> 3 & 1 ^ own) - 1
    rivals = h1 & ~s1 | h2 & ~s2 | h3 & ~s3
    scores = BASE + ar.LEAD_SCORES + (own << 8) + (ar.DRAWS if rivals & trumps else 0)
    n, first = 0, LEAST
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        suit = a[BASE + ar.FOLLOWS + card]
        f1, f2, f3 = h1 & suit if h1 & suit else h1, h2 & suit if h2 & suit else h2, h3 & suit if h3 & suit else h3
        ours, theirs = f1 & s1 | f2 & s2 | f3 & s3, f1 & ~s1 | f2 & ~s2 | f3 & ~s3
        matters = suit | trumps
        is_ours = ours & matters | 1 << card > theirs & matters
        move = a[scores + (ar.OURS if is_ours else 0) + card]
        a[place + n] = move
        first = max(first, move)
        n += 1
    return n, first


def order(
    a: Ints, place: int, moves: int, led: int, best: int, holder: int, k: int, asked: int, h1: int, h2: int
) -> tuple[int, int]:
    """The same for the k-th seat of a trick after the leader, in which `best` of the seat `holder` is winning."""
    if moves & (moves - 1) == 0:
        return 1, lowest(moves)
    own = asked >> k & 1
    beats = a[BASE + ar.BEATS + best]
    suit = a[BASE + ar.FOLLOWS + led]
    s1, s2 = (asked >> (k + 1) & 1 ^ own) - 1, (asked >> (k + 2) & 1 ^ own) - 1
    f1, f2 = h1 & suit if h1 & suit else h1, h2 & suit if h2 & suit else h2
    ours, theirs = (f1 & s1 | f2 & s2) & beats, (f1 & ~s1 | f2 & ~s2) & beats
    scores = BASE + ar.SCORES + (own << 8)
    is_ours = ours > theirs or (theirs == 0 and asked >> holder & 1 == own)
    losing = scores + (ar.OURS if is_ours else 0)
    n, first = 0, LEAST
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        spot = losing
        if beats >> card & 1:
            spot = scores + (ar.WINS | ar.OURS if ours | 1 << card > theirs else ar.WINS)
        move = a[spot + card]
        a[place + n] = move
        first = max(first, move)
        n += 1
    return n, first
