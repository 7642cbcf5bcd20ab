"""Where the hidden cards of a game of the kit can lie: in the hands of the other seats, and aside.

Only in games in which nothing else is hidden: no exchange, no stock, nothing of a game's own to be drawn with the
cards.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.games.tricks import exchange, senses
from kibitz.games.tricks import layout as at
from kibitz.search.solver.payoff import declared
from kibitz.search.worlds import IMPOSSIBLE, Facts, is_twice, pooled


def are_countable(game: Game) -> bool:
    """Whether the worlds of a game are the ways to hand the hidden cards out."""
    kit = declared(game)
    if kit is None or kit.passes or kit.lays or kit.stock:
        return False
    return kit.redraw is exchange.redraw_choices and kit.sort is senses.sort_by_places


def facts(view: View) -> Facts:
    """The places are the hands of the seats that follow, then what lies aside; LACKS bars cards from hands."""
    s, seat, seats = view.state, view.seat, view.game.PLAYERS
    known = [int(cards) for cards in (s[at.DEAD], s[at.HAND + seat], *s[at.PLAYED : at.PLAYED + seats])]
    if is_twice(*known) or known[1].bit_count() != view.game.parts["senses"].hand_size(s, seat):
        return IMPOSSIBLE
    hidden, room, barred = _limits(view)
    return Facts(pooled(hidden, barred), room) if min(room) >= 0 else IMPOSSIBLE


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view."""
    for k, slot in enumerate(_slots(view)):
        states[:, slot] = view.state[slot] | places[:, k]


def places(view: View, states: Ints) -> Ints:
    """[n, places]: the hidden cards of worlds in their places, which `fill` writes back."""
    slots = _slots(view)
    return states[:, slots] & ~view.state[slots]


def shown(view: View) -> tuple[int, ...]:
    """The cards that have come out of each place."""
    return tuple(0 if slot == at.ASIDE else int(view.state[slot - at.HAND + at.PLAYED]) for slot in _slots(view))


def likely_places(view: View, worlds: Ints, shares: Floats) -> dict[str, dict[str, float]]:
    """For every card the seat has not seen, how likely it is in each other hand and aside, by worlds and their shares.

    Nothing where the game is not of the kit; a place without hidden cards is left out.
    """
    kit, seats = declared(view.game), view.game.PLAYERS
    if kit is None:
        return {}
    hidden = int(kit.senses.unseen(view.state, view.seat))
    slots = {f"seat {k}": at.HAND + k for k in ((view.seat + n) % seats for n in range(1, seats))}
    slots[kit.rest.removeprefix("the ")] = at.ASIDE
    masks = {place: worlds[:, slot] & hidden for place, slot in slots.items() if (worlds[:, slot] & hidden).any()}
    return {
        name: {place: float(shares @ (mask >> card & 1)) for place, mask in masks.items()}
        for card, name in enumerate(kit.deck.names)
        if hidden >> card & 1
    }


def _slots(view: View) -> list[int]:
    seats = view.game.PLAYERS
    hands = [at.HAND + (view.seat + k) % seats for k in range(1, seats)]
    return hands + [at.ASIDE] * (len(_limits(view)[1]) - len(hands))


def _limits(view: View) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The hidden cards, and for each place (aside only if cards lie there) its room and what is barred from it."""
    seats = view.game.PLAYERS
    room, barred = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    hidden = int(view.game.parts["senses"].places(view.state, view.seat, room, barred))
    n = seats if room[-1] else seats - 1
    return hidden, tuple(room[:n].tolist()), tuple(barred[:n].tolist())
