"""The whole game of Cego: worlds that fit what a seat knows, all equally likely.

A world is a deal together with the words that were hidden from the seat. Voids, exposed cards and open discards bind the
bins of `tarock_worlds`; who held what before the exchange is then drawn uniformly, and a world in which some word of the
auction or the exchange would have been illegal is thrown in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego.exchange import keeps_two
from kibitz.games.cego.rules import (
    DEALT,
    DISCARD,
    HOT,
    KEEP,
    KEPT,
    LAID_AWAY,
    LOG,
    MOVES,
    PHASE,
    PLAYING,
    SAID,
    SIZE,
    START,
    block,
    hides_words,
    knows_blind,
    moves,
    start,
    step,
)
from kibitz.games.tarock import (
    ASIDE,
    BLIND,
    BLIND_CARDS,
    CEGO,
    CLASSES,
    EINE,
    EINE_LEERE,
    GAME,
    GEISS,
    HAND,
    HAND_CARDS,
    PLAYED,
    SEATS,
    SINGLE,
    SUITS,
    TRUMPS,
    ULTIMO,
    VOIDS,
    ZWEI_LEERE,
    unseen,
)
from kibitz.games.tarock_worlds import BINS, MOST_POOLS, add_pool, closed_by_voids, draw_world, ways
from kibitz.games.tricks.worlds import some

Ints = NDArray[np.int64]


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Draw everything hidden from the seat anew, uniformly over the worlds that fit all it knows."""
    pools = np.zeros(MOST_POOLS, np.int64)
    least = np.zeros((MOST_POOLS, BINS), np.int64)
    most = np.zeros((MOST_POOLS, BINS), np.int64)
    size = np.zeros(BINS, np.int64)
    bins = np.zeros(BINS, np.int64)
    held = np.zeros(BINS, np.int64)
    trial = np.zeros(SIZE, np.int64)
    hold_known(s, seat, held)
    sort_unseen(s, seat, held, pools, least, most, size)
    table = ways(pools, least, most, size)
    while True:
        draw_world(r, table, pools, least, most, size, bins)
        trial[:] = s[:SIZE]
        for b in range(BINS - 1):
            trial[HAND + ((seat + 1 + b) & 3)] = bins[b] | held[b]
        if not knows_blind(s, seat):
            trial[ASIDE] = bins[3] | held[3]
            undo_exchange(trial, seat, r)
        for other in range(SEATS):
            if other != s[SINGLE] or not exchanged(s):
                trial[DEALT + other] = trial[HAND + other] | trial[PLAYED + other]
        if is_possible(trial):
            break
    s[:SIZE] = trial[:SIZE]


@kernel
def exchanged(s: State) -> bool:
    """Whether the declarer has taken up the blind."""
    return s[GAME] >= CEGO and s[PHASE] > KEEP


@kernel
def hold_known(s: State, seat: int, held: Ints) -> None:
    """Cards whose place the seat knows without having them: exposed ones, an open discard, the Geiss in Ultimo."""
    single = (s[SINGLE] - seat - 1) & 3
    if seat == s[SINGLE] or hides_words(s, seat):
        return
    if s[GAME] == ULTIMO:
        held[single] |= (1 << GEISS) & ~s[PLAYED + s[SINGLE]]
    elif s[GAME] >= EINE_LEERE:
        held[single] |= s[KEPT] & ~s[PLAYED + s[SINGLE]]
        if s[LAID_AWAY] >= 0:
            held[3] |= 1 << s[LAID_AWAY]


@kernel
def sort_unseen(s: State, seat: int, held: Ints, pools: Ints, least: Ints, most: Ints, size: Ints) -> None:
    """Fill in pools, limits and sizes for `ways`; the limits leave out no possible world."""
    hidden = unseen(s, seat) & ~(held[0] | held[1] | held[2] | held[3])
    single = (s[SINGLE] - seat - 1) & 3
    for b in range(BINS - 1):
        size[b] = HAND_CARDS - popcount(s[PLAYED + ((seat + 1 + b) & 3)])
    size[3] = BLIND_CARDS
    if exchanged(s) and s[PHASE] == DISCARD:
        size[3] -= 1
        if seat != s[SINGLE]:
            size[single] += 1
    if knows_blind(s, seat):
        hidden &= ~s[ASIDE]
        size[3] = 0
    for b in range(BINS):
        size[b] -= popcount(held[b])
    low = np.zeros(BINS, np.int64)
    high = np.zeros(BINS, np.int64)
    for suit in range(CLASSES):
        closed_by_voids(s[VOIDS], seat, suit, high)
        cards = hidden & SUITS[suit]
        if seat != s[SINGLE]:
            shut = shut_out(s) & cards
            add_pool(pools, least, most, cards & ~shut, low, high)
            high[single] = 0
            cards = shut
        add_pool(pools, least, most, cards, low, high)


@kernel
def shut_out(s: State) -> int:
    """Rule 8.4: trumps that the declarer cannot hold because an open discard was the lowest or the highest of the blind."""
    card = s[LAID_AWAY]
    if s[GAME] < ZWEI_LEERE or card < 0:
        return 0
    if not TRUMPS >> card & 1:
        return TRUMPS
    below = (1 << card) - 1
    return TRUMPS & below if s[GAME] == ZWEI_LEERE else TRUMPS & ~below & ~(1 << card)


@kernel
def undo_exchange(s: State, seat: int, r: rng.Rng) -> None:
    """Draw what the declarer held before he took up the blind, and the hidden words he said: each way equally likely."""
    single = s[SINGLE]
    if seat == single or not exchanged(s):
        s[BLIND] = s[ASIDE]
        if s[PHASE] == KEEP and hides_words(s, seat) and s[MOVES] > s[SAID]:
            # Any card but the last may be said first, so every hand leaves ten words.
            s[KEPT] = some(r, s[HAND + single] & ~(1 << highest(s[HAND + single])), 1)
            s[LOG + s[SAID]] = lowest(s[KEPT])
        return
    hand = s[HAND + single] | s[PLAYED + single]
    if s[GAME] == EINE:
        s[KEPT] = some(r, hand, 1)
    elif s[GAME] == CEGO and s[PHASE] == DISCARD:
        s[KEPT] = some(r, hand, 2)
    elif s[GAME] == CEGO:
        away = some(r, s[ASIDE], 1)
        s[LAID_AWAY] = lowest(away)
        # 55 pairs of the hand, or the card laid away with one of eleven.
        s[KEPT] = some(r, hand, 2) if rng.below(r, 66) < 55 else away | some(r, hand, 1)
    away = 1 << s[LAID_AWAY] if s[LAID_AWAY] >= 0 else 0
    s[DEALT + single] = s[KEPT] | (s[ASIDE] & ~away)
    s[BLIND] = (hand | s[ASIDE]) & ~s[DEALT + single]
    if hides_words(s, seat):
        s[LOG + s[SAID]] = lowest(s[KEPT])
        if keeps_two(s[GAME]):
            s[LOG + s[SAID] + 1] = highest(s[KEPT])
            if s[PHASE] == PLAYING:
                s[LOG + s[SAID] + 2] = s[LAID_AWAY]


@kernel
def is_possible(s: State) -> bool:
    """Whether every word before the play was legal in the deal of this world."""
    past = np.zeros(SIZE, np.int64)
    past[:HOT] = s[:HOT]
    start(past)
    for seat in range(SEATS):
        past[HAND + seat] = past[DEALT + seat] = s[DEALT + seat]
    past[BLIND] = past[ASIDE] = s[BLIND]
    words = s[START] if s[PHASE] == PLAYING else s[MOVES]
    for k in range(words):
        word = s[LOG + k] - block(past)
        if word < 0 or not moves(past) >> word & 1:
            return False
        step(past, s[LOG + k])
    return True
