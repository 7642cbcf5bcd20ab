"""Skat's rule-based player: bids what its hand is good for, plays for the points at hand.

How good a hand is say logistic formulas: their weights come from games in which its own card play met random hands
(declared hands oversampled); docs/games/skat.md says how they were measured. They are a judgement of hands for this
player, not a property of the game.
"""

from __future__ import annotations

import numpy as np

from kibitz.core import rng, uniform
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.cardplay import DEFAULTS, best_card
from kibitz.games.skat.cards import BASE, BIDS, CARDS, GRAND, N_BIDS, NULL, WORTH
from kibitz.games.skat.contracts import NULL_OUVERT
from kibitz.games.skat.scoring import matadors, worth_of

FEATURES = 16
BEFORE, AFTER = 0, 1
"""Ten cards with the skat still to come, or the ten that will be played."""

# Columns: constant, jacks c s h d, plain trumps, trump ace, trump ten, side aces, tens under aces, guarded tens, bare
# tens, losers, voids, points laid away / 10, forehand.
TRICK_WEIGHTS = np.array(
    [[[ 0.3 ,  1.23,  0.89,  0.71,  0.54,  0.4 ,  0.72,  0.45,  0.36, -0.28,  0.88,  0.71, -0.82,  0.01,  0.  , -0.03],
      [ 0.5 ,  1.65,  1.21,  1.18,  1.1 ,  0.  ,  0.  ,  0.  ,  0.63, -0.11,  0.82,  0.72, -0.67,  0.13,  0.  ,  0.15]],
     [[ 0.1 ,  1.12,  0.66,  0.38,  0.2 ,  0.04,  1.1 ,  0.87,  0.94, -0.86,  1.42,  0.  , -1.53,  1.92,  0.54, -0.04],
      [ 0.41,  1.65,  1.11,  1.05,  0.98,  0.  ,  0.  ,  0.  ,  1.02, -0.5 ,  1.29,  0.01, -1.16,  0.91,  1.04,  0.18]]]
)  # fmt: skip
"""float[before or after, suit or grand, feature]"""
# Columns: constant, summed danger, dangerous suits, worst danger, suits without the seven, voids, forehand.
NULL_WEIGHTS = np.array(
    [[ 0.78, -0.52,  0.36,  0.49, -0.44, -0.63, -0.12],
     [ 1.63, -0.49,  0.4 , -0.38, -0.37, -0.29, -0.14]]
)  # fmt: skip


@kernel
def describe(cards: int, kind: int, laid_points: float, is_forehand: bool, out: Floats) -> None:
    """The features of a hand for a suit game or grand."""
    for k in range(FEATURES):
        out[k] = 0.0
    out[0] = 1.0
    for suit in range(4):
        out[1 + suit] = cards >> (8 * suit + skat.JACK) & 1
        plain = cards & skat.SUIT[suit] & ~skat.JACKS
        if suit == kind:
            out[5] = popcount(plain)
            out[6] = cards >> (8 * suit + skat.ACE) & 1
            out[7] = cards >> (8 * suit + skat.TEN) & 1
            continue
        _describe_side_suit(plain >> 8 * suit, out)
    out[14] = laid_points / 10.0
    out[15] = 1.0 if is_forehand else 0.0


@kernel
def _describe_side_suit(plain: int, out: Floats) -> None:
    length = popcount(plain)
    if length == 0:
        out[13] += 1.0
        return
    has_ace = plain >> skat.ACE & 1
    has_ten = plain >> skat.TEN & 1
    out[8] += has_ace
    sure = has_ace
    if has_ten and has_ace:
        out[9] += 1.0
        sure += 1
    elif has_ten and length > 1:
        out[10] += 1.0
    elif has_ten:
        out[11] += 1.0
    out[12] += length - sure


@kernel
def describe_null(cards: int, is_forehand: bool, out: Floats) -> None:
    """The features of a hand for null: a card is in danger by the steps it lies above 7, 9, J, K of its suit."""
    for k in range(7):
        out[k] = 0.0
    out[0] = 1.0
    for suit in range(4):
        held = null_ranks(cards, suit)
        if held == 0:
            out[5] += 1.0
            continue
        worst = 0
        place = 0
        for rank in range(8):
            if held >> rank & 1:
                worst = max(worst, rank - 2 * place)
                place += 1
        out[1] += worst
        out[2] += worst > 0
        out[3] = max(out[3], worst)
        out[4] += held & 1 == 0
    out[6] = 1.0 if is_forehand else 0.0


@kernel
def null_ranks(cards: int, suit: int) -> int:
    """A suit's cards as bits in the order of null, the seven lowest."""
    ranks = 0
    left = cards & skat.SUIT[suit]
    while left:
        ranks |= 1 << skat.NULL_RANK[lowest(left)]
        left &= left - 1
    return ranks


@kernel
def chance(cards: int, kind: int, when: int, laid_points: float, is_forehand: bool, features: Floats) -> float:
    """The chance to win a game of a kind with these ten cards; `features` is room to work in."""
    total = 0.0
    if kind == NULL:
        describe_null(cards, is_forehand, features)
        for k in range(7):
            total += NULL_WEIGHTS[when, k] * features[k]
    else:
        describe(cards, kind, laid_points, is_forehand, features)
        for k in range(FEATURES):
            total += TRICK_WEIGHTS[when, 1 if kind == GRAND else 0, k] * features[k]
    return 1.0 / (1.0 + np.exp(-total))


AGGRESSION, HAND_BIAS, NULL_BIAS, NOISE = range(4)
KNOBS = {"aggression": 0.0, "hand": 0.0, "null": 0.0, "noise": 0.0, **DEFAULTS}
PASSING = -20.0
"""What a deal is worth on average to who passes, in tournament points: the others may play."""
SKAT_POINTS = 7.5  # what two unknown cards hold on average
NEVER = -1e4
NULL_HAND = at.ACTIONS - 2


@kernel
def choose(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Bid while the best contract is expected to pay, take what pays most, play the card that promises most."""
    if knobs[NOISE] > 0.0 and rng.uniform(r) < knobs[NOISE]:
        return uniform.choose(view, mask, r, knobs)
    phase = view[at.PHASE]
    if phase == at.PLAYING:
        return best_card(view, mask, knobs)
    if phase == at.CHOOSING:
        return _choose_hand(view, knobs)
    if phase == at.DISCARDING:
        return _discard(view, knobs)
    if phase == at.DECLARING:
        return _declare(view, knobs)
    return _push(mask) if phase == at.PUSHING else _call(view, knobs)


@kernel
def gain(p: float, value: int) -> float:
    """What a game is worth that is won with chance p (rule 10.2)."""
    return p * (value + 50.0) - (1.0 - p) * (2.0 * value + 130.0)


@kernel
def null_gain(p: float, is_hand: bool, bid: int, is_open: bool) -> float:
    """The gain of null, or of null ouvert, taken to be as hard as winning twice; out of reach below the bid."""
    value = (59 if is_hand else 46) if is_open else (35 if is_hand else 23)
    if value < bid:
        return NEVER
    return gain(p * p if is_open else p, value)


@kernel
def trick_gain(p: float, kind: int, tops: int, is_hand: bool, bid: int) -> float:
    """The gain of a suit game or grand; only schneider, or matadors in the skat, can save it below the bid."""
    value = BASE[kind] * (abs(tops) + (2 if is_hand else 1))
    if value >= bid:
        return gain(p, value)
    return gain(0.2 * p, (bid + BASE[kind] - 1) // BASE[kind] * BASE[kind])


@kernel
def prospect(
    cards: int, known: int, kind: int, when: int, is_hand: bool, bid: int, laid: float, seat: int, knobs: Floats,
    room: Floats
) -> float:  # fmt: skip
    """The expected gain of playing ten cards in a kind of game, as optimistic as the knobs make it.

    `known` are the cards that count for matadors, `laid` the points in the skat, `room` space for the features.
    """
    p = chance(cards, kind, when, laid, seat == 0, room) + knobs[AGGRESSION]
    if is_hand:
        p += knobs[HAND_BIAS]
    if kind == NULL:
        p = min(1.0, max(0.0, p + knobs[NULL_BIAS]))
        return max(null_gain(p, is_hand, bid, False), null_gain(p, is_hand, bid, True))
    return trick_gain(min(1.0, max(0.0, p)), kind, matadors(known, kind), is_hand, bid)


@kernel
def best_prospect(cards: int, bid: int, seat: int, is_hand: bool, knobs: Floats) -> float:
    """The best expected gain of ten cards at a bid, with the skat to come or from the hand."""
    room = np.empty(FEATURES)
    when = AFTER if is_hand else BEFORE
    best = NEVER
    for kind in range(6):
        best = max(best, prospect(cards, cards, kind, when, is_hand, bid, SKAT_POINTS, seat, knobs, room))
    return best


@kernel
def _call(view: State, knobs: Floats) -> int:
    """Go on while the game is expected to pay more than leaving it to the others."""
    is_asked = view[at.PHASE] == at.ANSWERING
    number = view[at.HIGH] if is_asked else view[at.HIGH] + 1
    if number >= N_BIDS:
        return at.PASS
    seat = view[at.TURN]
    cards = view[at.HAND + seat]
    bid = BIDS[number]
    hope = max(best_prospect(cards, bid, seat, False, knobs), best_prospect(cards, bid, seat, True, knobs))
    if hope < PASSING:
        return at.PASS
    return at.HOLD if is_asked else at.BID + number


@kernel
def _choose_hand(view: State, knobs: Floats) -> int:
    seat = view[at.TURN]
    cards = view[at.HAND + seat]
    bid = BIDS[view[at.HIGH]]
    from_hand = best_prospect(cards, bid, seat, True, knobs)
    return at.HAND_GAME if from_hand > best_prospect(cards, bid, seat, False, knobs) else at.PICKUP


@kernel
def best_pair(cards: int, first_card: int, bid: int, seat: int, knobs: Floats) -> int:
    """The two of twelve cards that are best laid away, as a mask; `first_card` is one of them unless negative."""
    room = np.empty(FEATURES)
    best = 0
    most = 10 * NEVER
    for first in range(CARDS - 1):
        if not cards >> first & 1 or (first_card >= 0 and first != first_card):
            continue
        for second in range(first + 1, CARDS):
            if not cards >> second & 1:
                continue
            pair = 1 << first | 1 << second
            laid = float(WORTH[first] + WORTH[second])
            for kind in range(6):
                value = prospect(cards & ~pair, cards, kind, AFTER, False, bid, laid, seat, knobs, room)
                if value > most:
                    most = value
                    best = pair
    return best


@kernel
def _discard(view: State, knobs: Floats) -> int:
    seat = view[at.TURN]
    bid = BIDS[view[at.HIGH]]
    if view[at.LAYING_NOW] == 0:
        return lowest(best_pair(view[at.HAND + seat], -1, bid, seat, knobs))
    return highest(best_pair(view[at.HAND + seat] | view[at.ASIDE], lowest(view[at.ASIDE]), bid, seat, knobs))


@kernel
def _declare(view: State, knobs: Floats) -> int:
    room = np.empty(FEATURES)
    seat = view[at.TURN]
    bid = BIDS[view[at.HIGH]]
    is_hand = view[at.IS_HAND] == 1
    cards = view[at.HAND + seat]
    laid = SKAT_POINTS if is_hand else float(worth_of(view[at.ASIDE]))
    best = GRAND
    most = 10 * NEVER
    for kind in range(6):
        value = prospect(cards, cards | view[at.ASIDE], kind, AFTER, is_hand, bid, laid, seat, knobs, room)
        if value > most:
            most = value
            best = kind
    if best != NULL:
        return at.DECLARE_HAND + 4 * best if is_hand else at.DECLARE + best
    p = chance(cards, NULL, AFTER, 0.0, seat == 0, room) + knobs[AGGRESSION] + knobs[NULL_BIAS]
    p = min(1.0, max(0.0, p))
    is_open = null_gain(p, is_hand, bid, True) > null_gain(p, is_hand, bid, False)
    if is_hand:
        return NULL_HAND + 1 if is_open else NULL_HAND
    return at.DECLARE + NULL_OUVERT if is_open else at.DECLARE + NULL


@kernel
def _push(mask: Bools) -> int:
    """In a Schieberamsch the dearest cards go; the first must leave a higher number for the second."""
    best = at.NOBODY
    for card in range(CARDS):
        if mask[card] and (best == at.NOBODY or WORTH[card] > WORTH[best]):
            best = card
    return best


BOTS = {
    "skat-rule": Rule(
        choose,
        "bids by fitted chances, plays for the points at hand; "
        "knobs aggression, hand, null (added to the chances) and noise",
        KNOBS,
    )
}
