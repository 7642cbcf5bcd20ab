"""Plans for a Skat hand, what to play and what to lay away, in the order the rule-based player's formula likes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.jit import loop
from kibitz.core.shapes import Floats, Ints
from kibitz.games.skat import bots, scoring
from kibitz.games.skat import cards as skat

DEALT = 10
LISTED = len(skat.PICKUP_DECLARATIONS)
OPEN = LISTED - 1
SUIT_GAME, GRAND_GAME, NULL_GAME, OPEN_NULL = range(4)
KINDS = 4


@dataclass(frozen=True)
class Plan:
    """A contract with the cards laid away for it."""

    declaration: int
    """Its place in DECLARATIONS."""
    laid: int
    """Two cards, none in a hand game."""
    tops: int
    """Matadors, as far as the player knows them."""
    chance: float
    """To win, by the formula."""

    @property
    def kind(self) -> int:
        """Suit game, grand, null or null ouvert."""
        kind = skat.DECLARED_KIND[self.declaration]
        if kind == skat.NULL:
            return OPEN_NULL if skat.ANNOUNCED[self.declaration] & skat.OUVERT else NULL_GAME
        return GRAND_GAME if kind == skat.GRAND else SUIT_GAME

    def gain(self, p: float, bid: int) -> float:
        """Tournament points expected from winning with chance p at a bid."""
        is_hand = bool(skat.ANNOUNCED[self.declaration] & skat.HAND)
        kind = skat.DECLARED_KIND[self.declaration]
        if kind == skat.NULL:
            return float(
                bots.null_gain(np.sqrt(p) if self.kind == OPEN_NULL else p, is_hand, bid, self.kind == OPEN_NULL)
            )
        return float(bots.trick_gain(p, kind, self.tops, is_hand, bid))


def pickup_plans(cards: int, laid: int, seat: int, bid: int, each: int, most: int) -> list[Plan]:
    """The best plans for twelve cards, at most `each` with one contract; `laid` are those laid already, lower first."""
    pairs = np.zeros((LISTED, each), np.int64)
    chances = np.zeros((LISTED, each))
    hopes = np.full((LISTED, each), -np.inf)
    _list_plans(cards, laid, seat == 0, bid, pairs, chances, hopes)
    order = np.argsort(-hopes, axis=None, kind="stable")[:most]
    found = [divmod(int(place), each) for place in order if np.isfinite(hopes.flat[place])]
    return [
        Plan(k, int(pairs[k, j]), int(scoring.matadors(cards, skat.DECLARED_KIND[k])), float(chances[k, j]))
        for k, j in found
    ]


def hand_plans(cards: int, seat: int, bid: int, most: int) -> list[Plan]:
    """The best plans for ten cards without the skat, nothing but hand announced."""
    room = np.zeros(bots.FEATURES)
    found = []
    for k in range(LISTED, len(skat.DECLARATIONS)):
        if skat.ANNOUNCED[k] & ~(skat.HAND | skat.OUVERT) or (
            skat.ANNOUNCED[k] & skat.OUVERT and skat.DECLARED_KIND[k] != skat.NULL
        ):
            continue
        kind = skat.DECLARED_KIND[k]
        p = bots.chance(cards, kind, bots.AFTER, bots.SKAT_POINTS, seat == 0, room)
        found.append(
            Plan(k, 0, int(scoring.matadors(cards, kind)), float(p * p if skat.ANNOUNCED[k] & skat.OUVERT else p))
        )
    return sorted(found, key=lambda plan: -plan.gain(plan.chance, bid))[:most]


@loop
def _list_plans(
    cards: int, laid: int, is_forehand: bool, bid: int, pairs: Ints, chances: Floats, hopes: Floats
) -> None:
    """Write the best plans for each contract, with their chances and what they are expected to gain."""
    room = np.zeros(bots.FEATURES)
    for first in range(skat.CARDS - 1):
        for second in range(first + 1, skat.CARDS):
            pair = 1 << first | 1 << second
            if cards & pair != pair or pair & laid != laid or (laid and not laid >> first & 1):
                continue
            points = float(skat.WORTH[first] + skat.WORTH[second])
            for k in range(LISTED):
                kind = skat.NULL if k == OPEN else k
                p = bots.chance(cards & ~pair, kind, bots.AFTER, points, is_forehand, room)
                if kind == skat.NULL:
                    hope = bots.null_gain(p, False, bid, k == OPEN)
                else:
                    hope = bots.trick_gain(p, kind, scoring.matadors(cards, kind), False, bid)
                if k == OPEN:
                    p *= p
                j = len(hopes[k])
                while j > 0 and hopes[k, j - 1] < hope:
                    j -= 1
                if j == len(hopes[k]):
                    continue
                for place in range(len(hopes[k]) - 1, j, -1):
                    hopes[k, place] = hopes[k, place - 1]
                    pairs[k, place] = pairs[k, place - 1]
                    chances[k, place] = chances[k, place - 1]
                hopes[k, j] = hope
                pairs[k, j] = pair
                chances[k, j] = p
