"""Cego's sub-games: how they begin and what they pay. Numbers are those of games/cego/RULES.md.

Restricted deals (rule 4.3) are drawn directly: a qualifying hand is a shape, so many cards of each of a few groups. The
shapes of a sub-game are disjoint and cover its qualifying hands. A shape is picked with the number of its hands as
weight, then its cards are drawn uniformly: every qualifying hand is equally likely, as if deals had been thrown in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats, Ints
from kibitz.games.cego import table as cego
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.worlds import some

SUBGAME, RESTRICT, REWARD, TIE = range(at.OWN, at.OWN + 4)
SAME_RANK = np.array([sum(1 << (8 * suit + rank) for suit in range(4)) for rank in range(8)])
STANDARD_HALVES = 30  # rule 4.3: cards worth 15
GROUPS = 4
Shape = tuple[tuple[int, int], ...]
"""Pairs of a group of cards, as a mask, and how many of them."""


def solo_shapes() -> Iterator[Shape]:
    """Eight trumps or more; or seven with two or more top trumps, and plain cards of one suit or of two."""
    for trumps in range(8, cego.HAND_CARDS + 1):
        yield (cego.TRUMPS, trumps), (cego.PLAIN, cego.HAND_CARDS - trumps)
    suits = [int(mask) for mask in cego.SUITS[:4]]
    for top in range(2, 7):
        good = (cego.TOP_TRUMPS, top), (cego.TRUMPS & ~cego.TOP_TRUMPS, 7 - top)
        for suit in suits:
            yield *good, (suit, 4)
        for one, other in combinations(suits, 2):
            for cards in (1, 2, 3):
                yield *good, (one, cards), (other, 4 - cards)


def ultimo_shapes() -> Iterator[Shape]:
    """The Geiss, two or more top trumps, eight trumps or more in all."""
    geiss = 1 << cego.GEISS
    for top in range(2, 7):
        for others in range(max(0, 7 - top), cego.HAND_CARDS - top):
            plain = cego.HAND_CARDS - 1 - top - others
            yield (
                (geiss, 1),
                (cego.TOP_TRUMPS, top),
                (cego.TRUMPS & ~cego.TOP_TRUMPS & ~geiss, others),
                (cego.PLAIN, plain),
            )


def shapes(subgame: int, restrict: bool) -> list[Shape]:
    """The shapes of seat 0's hand; none where any hand will do, or where throwing in is cheap (standard)."""
    if subgame == cego.ULTIMO:
        return (
            list(ultimo_shapes())
            if restrict
            else [((1 << cego.GEISS, 1), (cego.ALL & ~(1 << cego.GEISS), cego.HAND_CARDS - 1))]
        )
    if not restrict:
        return []
    if subgame == cego.SOLO:
        return list(solo_shapes())
    if subgame == cego.BETTEL:
        return [((cego.LOW, cego.HAND_CARDS),)]
    return [((cego.LOW, cego.HAND_CARDS - 1), (cego.HIGH, 1))] if subgame == cego.PICCOLO else []


def hands_of(shape: Shape) -> int:
    """How many hands have the shape."""
    count = 1
    for group, cards in shape:
        count *= comb(group.bit_count(), cards)
    return count


_ROWS = [(shapes(subgame, restrict), 2 * subgame + restrict) for subgame in range(6) for restrict in (False, True)]
_LIST = [shape for rows, _ in _ROWS for shape in rows]
FIRST = np.cumsum([0] + [len(rows) for rows, _ in _ROWS])
"""The shapes of (subgame, restrict) are rows FIRST[2 * subgame + restrict] up to the next entry."""
HANDS = np.array([hands_of(shape) for shape in _LIST])
GROUP = np.array([[group for group, _ in (*shape, *[(0, 0)] * GROUPS)][:GROUPS] for shape in _LIST])
TAKE = np.array([[cards for _, cards in (*shape, *[(0, 0)] * GROUPS)][:GROUPS] for shape in _LIST])
QUALIFYING = np.array([sum(hands_of(shape) for shape in rows) for rows, _ in _ROWS])
_BITS = (1 << 62) - 1


@kernel
def fits(subgame: int, restrict: int, hand: int) -> bool:
    """Rules 4.3 to 4.5: whether seat 0's dealt cards fit the game."""
    if subgame == cego.ULTIMO:
        trumps = popcount(hand & cego.TRUMPS)
        return hand >> cego.GEISS & 1 == 1 and (
            restrict == 0 or (trumps >= 8 and popcount(hand & cego.TOP_TRUMPS) >= 2)
        )
    if restrict == 0:
        return True
    if subgame == cego.STANDARD:
        return cego.worth(hand) >= STANDARD_HALVES
    if subgame == cego.SOLO:
        return cego.fits_solo(hand)
    if subgame == cego.BETTEL:
        return hand & cego.HIGH == 0
    return subgame != cego.PICCOLO or popcount(hand & cego.HIGH) == 1


@kernel
def shaped_hand(r: rng.Rng, row: int) -> int:
    """Eleven cards that fit, from the shapes of one row of FIRST."""
    hands = QUALIFYING[row]
    fair = _BITS // hands * hands  # below it all remainders are equally likely
    pick = rng.draw(r) & _BITS
    while pick >= fair:
        pick = rng.draw(r) & _BITS
    pick %= hands
    shape = FIRST[row]
    while pick >= HANDS[shape]:
        pick -= HANDS[shape]
        shape += 1
    hand = 0
    for k in range(GROUPS):
        hand |= some(r, GROUP[shape, k], TAKE[shape, k])
    return hand


@kernel
def any_hand(s: State, r: rng.Rng, pack: Ints) -> int:
    """Eleven cards of the deck, thrown in until they fit; they come to lie in front."""
    while True:
        rng.shuffle(r, pack, cego.HAND_CARDS)
        hand = 0
        for k in range(cego.HAND_CARDS):
            hand |= 1 << pack[k]
        if fits(s[SUBGAME], s[RESTRICT], hand):
            return hand


@kernel
def shuffle(s: State, r: rng.Rng, pack: Ints) -> int:
    """Rules 1.7 and 4.3: a hand that fits for seat 0, then the other cards in any order."""
    row = 2 * s[SUBGAME] + s[RESTRICT]
    if FIRST[row] < FIRST[row + 1]:
        hand = shaped_hand(r, row)
        own, other = 0, cego.HAND_CARDS
        for card in range(cego.CARDS):
            if hand >> card & 1:
                pack[own] = card
                own += 1
            else:
                pack[other] = card
                other += 1
    else:
        any_hand(s, r, pack)
    rng.shuffle(r, pack[cego.HAND_CARDS :], 3 * cego.HAND_CARDS)
    return 0


@kernel
def best_of(cards: int) -> int:
    """Rule 4.2: the best card, trumps first, then by the place in the suit."""
    if cards & cego.TRUMPS:
        return highest(cards)
    for rank in range(7, 0, -1):
        if cards & SAME_RANK[rank]:
            return highest(cards & SAME_RANK[rank])
    return highest(cards)


@kernel
def worst_of(cards: int) -> int:
    """Rule 4.2: the worst card."""
    for rank in range(8):
        if cards & SAME_RANK[rank]:
            return lowest(cards & SAME_RANK[rank])
    return lowest(cards)


@kernel
def exchange(s: State) -> None:
    """Rule 4.2: seat 0 keeps its two best cards and takes the nine best of the blind."""
    hand, blind = s[at.HAND], s[cego.BLIND]
    one = 1 << best_of(hand)
    kept = one | 1 << best_of(hand & ~one)
    laid_away = 1 << worst_of(blind)
    s[at.ASIDE] = hand & ~kept | laid_away
    s[at.HAND] = kept | blind & ~laid_away


LOG = at.OWN + 4 + cego.SHARED
POINTS, WIN, SIGN = 0, 1, 2
TALLIES = cego.CARDS
"""How many tricks each card has won."""


@kernel
def opening(s: State, number: int) -> None:
    """Rules 4.1 and 4.2: seat 0 leads; in Räuber nobody plays alone."""
    s[at.CONTRACT] = s[SUBGAME]
    s[at.DECLARER] = at.NOBODY if s[SUBGAME] == cego.RAEUBER else 0
    s[cego.BLIND] = s[at.ASIDE]
    if s[SUBGAME] == cego.STANDARD:
        exchange(s)


@kernel
def score(s: State, out: Floats) -> None:
    """Rule 4.6."""
    if s[REWARD] == POINTS:
        halves = cego.single_halves(s)
        for seat in range(cego.SEATS):
            out[seat] = 0.5 * (halves if seat == s[at.DECLARER] else cego.ALL_HALVES - halves)
        return
    lost = 0.0 if s[REWARD] == WIN else -1.0
    winners = cego.winning_seats(s, s[TIE])
    for seat in range(cego.SEATS):
        out[seat] = 1.0 if winners >> seat & 1 else lost


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 3.9."""
    return cego.winning_seats(s, s[TIE]) >> seat & 1 == 1


@kernel
def tally(s: State, counts: Floats) -> None:
    """Count the cards that won a trick."""
    left = s[cego.WINNERS]
    while left:
        counts[lowest(left)] += 1.0
        left &= left - 1
