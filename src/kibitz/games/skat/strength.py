"""How good a Skat hand is: the chance to win a contract, by logistic formulas fitted to self-play of skat-rule.

The weights come from games in which skat-rule's own card play met random hands (declared hands oversampled);
docs/games/skat.md says how they were measured. They are a judgement of hands for this player, not a property of the
game.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.skat.cards import ACE, GRAND, JACK, JACKS, NULL, NULL_RANK, SUIT, TEN

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
        out[1 + suit] = cards >> (8 * suit + JACK) & 1
        plain = cards & SUIT[suit] & ~JACKS
        if suit == kind:
            out[5] = popcount(plain)
            out[6] = cards >> (8 * suit + ACE) & 1
            out[7] = cards >> (8 * suit + TEN) & 1
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
    has_ace = plain >> ACE & 1
    has_ten = plain >> TEN & 1
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
    left = cards & SUIT[suit]
    while left:
        ranks |= 1 << NULL_RANK[lowest(left)]
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
