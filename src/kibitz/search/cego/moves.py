"""Moves of Cego with open cards: which are legal, which are as good as others, which to try first, what a trick decides."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest
from kibitz.core.jit import kernel
from kibitz.search.cego.tables import AIM, BEATEN_BY, FOLLOWS, PICCOLO, WANTS, WORTHS, Ints

NOTHING = -1
GEISS = 32
TRUMPS = (1 << 54) - (1 << 32)


@kernel
def spare(hand: int, live: int, equals: int) -> int:
    """Cards that are as good as a higher one in the same hand: no live card lies between, and they count the same."""
    extra = 0
    left = hand & equals
    while left:
        card = lowest(left)
        left &= left - 1
        above = live & (-2 << card)
        if above:
            next = lowest(above)
            if hand >> next & 1 and ((1 << next) - (1 << card)) & ~equals == 0:
                extra |= 1 << card
    return extra


@kernel
def answers(a: Ints, hand: int, led: int) -> int:
    """The cards that may be played to a card led: its suit, else trumps, else any."""
    follow = hand & a[FOLLOWS + led]
    if follow:
        return follow
    return hand & TRUMPS if hand & TRUMPS else hand


@kernel
def enter(a: Ints, place: int, count: int, move: int) -> None:
    """Insert a move (score << 6 | card) into a list sorted from the best down."""
    k = count
    while k > 0 and a[place + k - 1] < move:
        a[place + k] = a[place + k - 1]
        k -= 1
    a[place + k] = move


@kernel
def order(
    a: Ints, place: int, moves: int, led: int, best: int, best_seat: int, k: int, asked: int, h1: int, h2: int, h3: int
) -> int:
    """Write the moves of the k-th seat of a trick, best first; h1 to h3 are the hands of the seats after it (0 where there is none).

    A card is good if the seat asked about is going to win the trick and that is wanted, or is not and that is wanted.
    """
    count = 0
    wants = (a[WANTS] == 1) == (k == asked)
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        lead = card if k == 0 else led
        wins = k == 0 or a[BEATEN_BY + best] >> card & 1 == 1
        top, seat = card if wins else best, k if wins else best_seat
        single, others = 0, 0
        for m in range(3):
            hand = h1 if m == 0 else h2 if m == 1 else h3
            if hand == 0:
                continue
            higher = answers(a, hand, lead) & a[BEATEN_BY + top]
            if k + m + 1 == asked:
                single = higher
            else:
                others |= higher
        if k == asked:
            gets = wins and others == 0
        elif asked < k:
            gets = seat == asked and others == 0
        else:
            gets = single != 0 and (others == 0 or highest(single) > highest(others))
        worth = a[WORTHS + card]
        score = 250 - 3 * worth
        if gets == wants:
            score = 300 + (worth if wins else 2 * worth)
        if k == 0 and card >= GEISS:
            score += 20 if wants and gets else -10
        if not wins and card >= GEISS:
            score -= 5
        enter(a, place, count, score << 6 | card)
        count += 1
    return count


@kernel
def verdict(a: Ints, is_own: bool, cards: int, best: int, is_last: bool, taken: int) -> int:
    """After a trick of Piccolo or Ultimo: 1 if the single player has reached his aim, 0 if he has failed, -1 if it is open."""
    if a[AIM] == PICCOLO:
        if is_own:
            return 0 if taken > 0 else 1 if is_last else NOTHING
        return taken if is_last else NOTHING
    if is_last:
        return 1 if best == GEISS else 0
    return 0 if cards >> GEISS & 1 else NOTHING
