"""Cheat's rule-based players (section 9 of RULES.md): naive plays at random, heuristic remembers and reckons."""

from __future__ import annotations

from math import lgamma

import numpy as np

from kibitz.core import rng, uniform
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.abstraction import farthest
from kibitz.games.cheat.multiset import FULL, ONES, count, less, number_of, one, total

UNIFORM_COUNT, SINGLE, UNIFORM_SUBSET = 0, 1, 2
MARGIN = 1e-9
LOG_FACTORIAL = np.array([lgamma(n + 1) for n in range(at.PACK + 1)])


@kernel
def naive(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Rules 9.1 to 9.3; knobs: probability of a challenge, way to discard."""
    rank = view[at.RANK]
    if view[at.ASKED] != at.NOBODY:
        is_impossible = view[at.CLAIM] + count(view[at.HAND + view[at.ASKED]], rank) > at.COPIES
        return at.CHEAT if is_impossible or rng.uniform(r) < knobs[0] else at.TRUST
    size = view[at.SIZES + view[at.DISCARDER]]
    hand = view[at.HAND + view[at.DISCARDER]]
    is_all_true = count(hand, rank) == size and size <= at.MOST
    if at.ONE_BY_ONE:
        return _naive_pick(view, mask, is_all_true, r, int(knobs[1]))
    if is_all_true:
        return at.BASE + number_of(hand)  # rule 9.1
    while True:  # once is enough unless lie_mode is pure or a pass was drawn
        if knobs[1] == UNIFORM_SUBSET:
            action = uniform.choose(view, mask, r, knobs)
        else:
            n = 1 if knobs[1] == SINGLE else 1 + rng.below(r, min(size, at.MOST))
            action = at.BASE + number_of(_random_cards(hand, size, n, r))
        if mask[action] and action >= at.BASE:
            return action


@kernel
def _random_cards(hand: int, size: int, n: int, r: rng.Rng) -> int:
    """n cards of the hand, every choice of single cards equally likely."""
    cards = 0
    for k in range(n):
        cards += one(_random_card(hand - cards, size - k, r))
    return cards


@kernel
def _random_card(hand: int, size: int, r: rng.Rng) -> int:
    """The rank of one of the cards, all equally likely."""
    k = rng.below(r, size)
    for rank in range(at.RANKS):
        k -= count(hand, rank)
        if k < 0:
            return rank
    return at.RANKS - 1


@kernel
def _naive_pick(view: State, mask: Bools, is_all_true: bool, r: rng.Rng, mode: int) -> int:
    """The same card by card: stopping with the right chance each time makes every number equally likely."""
    hand = view[at.HAND + view[at.DISCARDER]]
    size = view[at.SIZES + view[at.DISCARDER]]
    picked = total(view[at.PICKED])
    if is_all_true:
        return at.LAY if picked == size else at.PICK + view[at.RANK]
    if mode == UNIFORM_SUBSET:
        action = _subset_pick(hand, view[at.PICKED], picked, r)
        return action if mask[action] else at.LAY  # only lie_mode = pure forbids it
    most = 1 if mode == SINGLE else min(size, at.MOST)
    if picked > 0 and rng.below(r, most - picked + 1) == 0:
        return at.LAY
    action = at.PICK + _random_card(hand - view[at.PICKED], size - picked, r)
    return action if mask[action] else at.LAY


@kernel
def _subset_pick(hand: int, picked: int, n: int, r: rng.Rng) -> int:
    """Pick in ascending order, each rank as often as it leads to different discards."""
    top = 0
    for rank in range(at.RANKS):
        if count(picked, rank) > 0:
            top = rank
    left = less(hand, picked)
    all_ways = _subsets(left, top, at.MOST - n)
    k = rng.below(r, all_ways if n > 0 else all_ways - 1)
    for rank in range(top, at.RANKS):
        if count(left, rank) > 0 and n < at.MOST:
            ways = _subsets(left - one(rank), rank, at.MOST - n - 1)
            if k < ways:
                return at.PICK + rank
            k -= ways
    return at.LAY


@kernel
def _subsets(hand: int, lowest: int, most: int) -> int:
    """Different choices, the empty one among them, of at most so many cards from a rank upward."""
    ways = np.zeros(most + 1, np.int64)
    ways[0] = 1
    for rank in range(lowest, at.RANKS):
        for n in range(most, 0, -1):
            for k in range(1, min(n, count(hand, rank)) + 1):
                ways[n] += ways[n - k]
    return int(ways.sum())


@kernel
def heuristic(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Rules 9.4 to 9.8; knob: the chance of truth below which a claim is doubted."""
    if view[at.ASKED] == at.NOBODY:
        return _pick_honestly(view) if at.ONE_BY_ONE else at.BASE + number_of(_honest(view))
    seat = view[at.ASKED]
    if view[at.SIZES + view[at.DISCARDER]] == 0:
        return at.CHEAT  # rule 9.6
    placed = _placed(view, seat)
    if view[at.CLAIM] + count(placed, view[at.RANK]) > at.COPIES:
        return at.CHEAT  # rule 9.7
    if knobs[0] <= 0.0:
        return at.TRUST
    return at.CHEAT if truth_chance(view, seat, placed) < knobs[0] - MARGIN else at.TRUST  # rule 9.8


@kernel
def _honest(view: State) -> int:
    """All cards of the rank, or else the one that is farthest away (rules 9.4 and 9.5)."""
    hand = view[at.HAND + view[at.DISCARDER]]
    true = count(hand, view[at.RANK])
    if true > 0:
        return min(true, at.MOST) * one(view[at.RANK])
    return farthest(hand, view[at.RANK], 1)


@kernel
def _pick_honestly(view: State) -> int:
    cards = less(_honest(view), view[at.PICKED])
    for rank in range(at.RANKS):
        if count(cards, rank) > 0:
            return at.PICK + rank
    return at.LAY


@kernel
def _placed(view: State, seat: int) -> int:
    """Own cards and those known of third seats: out of the discarder's reach (rule 9.7)."""
    placed = view[at.HAND + seat] + view[at.PILE + seat]
    for third in range(at.PLAYERS):
        if third != seat and third != view[at.DISCARDER]:
            placed += view[at.KNOWN + seat * at.PLAYERS + third]
    return int(placed)


@kernel
def truth_chance(view: State, seat: int, placed: int) -> float:
    """The chance that the discarder held as many cards of the rank as he claims (rule 9.8)."""
    speaker = view[at.DISCARDER]
    earlier = view[at.LAID + speaker] - view[at.CLAIM]
    surely = less(view[at.KNOWN + seat * at.PLAYERS + speaker], min(earlier, FULL) * ONES)
    sure = total(surely)
    good = at.COPIES - count(placed, view[at.RANK]) - count(surely, view[at.RANK])
    return at_least(
        view[at.CLAIM] - count(surely, view[at.RANK]),
        good,
        view[at.SIZES + speaker] + view[at.CLAIM] - sure,
        at.PACK - total(placed) - sure,
    )


@kernel
def at_least(needed: int, good: int, drawn: int, population: int) -> float:
    """The chance of at least so many good cards among those drawn (hypergeometric)."""
    if needed <= 0:
        return 1.0
    chance = 0.0
    for hits in range(max(needed, drawn + good - population), min(good, drawn) + 1):
        chance += np.exp(
            _log_choose(good, hits) + _log_choose(population - good, drawn - hits) - _log_choose(population, drawn)
        )
    return chance


@kernel
def _log_choose(n: int, k: int) -> float:
    return float(LOG_FACTORIAL[n] - LOG_FACTORIAL[k] - LOG_FACTORIAL[n - k])


BOTS = {
    "cheat-naive": Rule(
        naive,
        "plays at random but finds impossible claims; knobs p_ch (chance of a challenge), "
        "mode (0 any number of cards, 1 one card, 2 any discard, all alike)",
        {"p_ch": 0.5, "mode": UNIFORM_COUNT},
    ),
    "cheat-heuristic": Rule(
        heuristic,
        "tells the truth if it can and remembers cards; "
        "knob thr: doubts claims less likely than this (0: only impossible ones)",
        {"thr": 0.5},
    ),
}
