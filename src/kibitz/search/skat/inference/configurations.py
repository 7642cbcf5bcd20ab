"""Worlds as card configurations: only who holds which cards, as masks, so that hundreds of thousands fit in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.game import State
from kibitz.core.jit import loop
from kibitz.core.shapes import Ints, Singles
from kibitz.core.view import View
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.knowledge import is_open, knows_skat
from kibitz.games.skat.senses import FRAME
from kibitz.games.skat.state import ASIDE, HAND, PLAYERS, TAKEN
from kibitz.search import worlds as deals

CARD_AT: Ints = np.argsort(FRAME, axis=1).astype(np.int64)
"""int64[kind + 1, place]: the card at a place of the frame in which networks see a kind of game."""
LEFT, RIGHT, PILE = range(3)


@dataclass(frozen=True)
class Configurations:
    """n ways the cards can lie now."""

    hands: Ints
    """[n, PLAYERS]: the cards each seat still holds."""
    skat: Ints
    """[n]: the cards face down."""
    taken: Ints
    """[n]: the skat as it was picked up, 0 where nobody has or where it is left open."""

    def __len__(self) -> int:
        return len(self.skat)

    def pick(self, rows: slice | Ints) -> Configurations:
        """Some of them."""
        return Configurations(self.hands[rows], self.skat[rows], self.taken[rows])

    def write(self, row: int, s: State) -> State:
        """A copy of a state with the hidden cards of one configuration."""
        world = s.copy()
        world[HAND : HAND + PLAYERS] = self.hands[row]
        world[ASIDE], world[TAKEN] = self.skat[row], self.taken[row]
        return world


def configurations(states: Ints) -> Configurations:
    """The cards of full states [n, SIZE]."""
    states = np.atleast_2d(states)
    return Configurations(states[:, HAND : HAND + PLAYERS].copy(), states[:, ASIDE].copy(), states[:, TAKEN].copy())


def joined(parts: list[Configurations]) -> Configurations:
    """Several sets as one."""
    return Configurations(
        np.concatenate([part.hands for part in parts]),
        np.concatenate([part.skat for part in parts]),
        np.concatenate([part.taken for part in parts]),
    )


def sampled(view: View, n: int) -> Configurations:
    """n configurations that fit a view, drawn uniformly with the seat's own luck."""
    return configurations(deals.sample(view, n))


def listed(view: View) -> Configurations:
    """All configurations that fit a view; the pick-up is left open."""
    s, seat = view.state, view.seat
    places = deals.listed(deals.facts(view))
    hands = np.tile(s[HAND : HAND + PLAYERS], (len(places), 1))
    for place, other in ((LEFT, (seat + 1) % PLAYERS), (RIGHT, (seat + 2) % PLAYERS)):
        if not is_open(s, other):
            hands[:, other] = places[:, place]
    skat = np.full(len(places), s[ASIDE]) if knows_skat(s, seat) else places[:, PILE]
    return Configurations(hands, skat, np.full(len(places), s[TAKEN]))


def bits(masks: Ints, kind: int) -> Singles:
    """[n, CARDS]: masks as zeros and ones, in the frame of a kind of game (-1 for the plain order)."""
    out = np.empty((len(masks), CARDS), np.float32)
    write_bits(np.ascontiguousarray(masks), CARD_AT[kind + 1], out)
    return out


@loop
def write_bits(masks: Ints, cards: Ints, out: Singles) -> None:
    """Row by row 1.0 where a mask has the card."""
    for row in range(len(masks)):
        for place in range(len(cards)):
            out[row, place] = masks[row] >> cards[place] & 1
