"""Worlds carried along a game: what a seat imagined at its last card and still fits is kept, the rest is drawn anew."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.rng import KEY
from kibitz.core.shapes import Ints
from kibitz.core.view import View
from kibitz.search import worlds
from kibitz.search.worlds import Facts

MOST_NUMBERS = 1 << 24
"""Room for the deals of all games that are under way: beyond it everything is forgotten, and drawn anew."""


@dataclass(frozen=True)
class Kept:
    """The deals of hidden cards that a seat imagined at one of its cards."""

    places: Ints
    """[n, places]: the cards in each place."""
    shown: Ints
    """[places]: the cards that had come out of each place by then."""


@dataclass
class Particles:
    """Sets of worlds, one for each seat of each game, that are as good as fresh ones.

    The kept deals were drawn independently, every deal that fitted the earlier view being equally likely. A new view
    rules deals out and makes none of the others likelier, for it shows hard facts only; so a kept deal that still fits
    is an independent, uniform draw from the deals that fit now, exactly as a fresh one. What the way of playing says
    about worlds is for weights, which are found anew at every card.
    """

    size: int
    kept: dict[tuple[int, int], Kept] = field(default_factory=dict)

    def draw(self, view: View) -> Ints:
        """[n, SIZE]: all worlds if there are at most `size`, else as many, kept and fresh ones."""
        try:
            found = worlds.facts(view)
        except BadInput:
            return worlds.sample(view, self.size)
        if worlds.count(view) <= self.size:
            return worlds.draw(view, self.size)
        room = worlds.room_of(view.game)
        key = (int(view.rng[KEY]), view.seat)  # a seat keeps its key for the whole of a game
        shown = np.array(room.shown(view), np.int64)
        places = (
            still_fitting(self.kept[key], found, shown) if key in self.kept else np.zeros((0, len(shown)), np.int64)
        )
        states = np.repeat(view.state[None], len(places), axis=0)
        if len(places):
            room.fill(view, states, places)
        if len(places) < self.size:
            fresh = worlds.sample(view, self.size - len(places))
            states = np.concatenate([states, fresh])
            places = np.concatenate([places, room.places(view, fresh)])
        if (len(self.kept) + 1) * places.size > MOST_NUMBERS:
            self.kept.clear()
        self.kept[key] = Kept(places, shown)
        return states


def still_fitting(kept: Kept, found: Facts, shown: Ints) -> Ints:
    """[n, places]: the kept deals that agree with what has come out since, without those cards."""
    out = shown & ~kept.shown
    left = kept.places & ~out
    fits = ((kept.places & out) == out).all(axis=1)
    fits &= (np.bitwise_count(left) == np.array(found.room)).all(axis=1)
    fits &= np.bitwise_or.reduce(left, axis=1) == sum(cards for cards, _ in found.pools)
    for cards, allowed in found.pools:
        for place in set(range(len(found.room))) - set(allowed):
            fits &= left[:, place] & cards == 0
    return left[fits]
