"""Worlds: full deals that fit everything a seat knows, drawn uniformly, counted exactly, or listed when they are few.

A world is a full state of the engine with the hidden cards dealt in some way. `sample` uses the game's own `redeal`,
which draws from exactly the worlds that fit the hard facts: own cards, cards seen, voids shown, belote, ouvert, the
exchange. `count` and `every` look at where the hidden cards can lie: cards that may be in the same places form a pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.jit import specialise
from kibitz.core.offers import offered
from kibitz.core.shapes import Ints
from kibitz.core.view import View

game: Any = None  # bound by specialise

MOST_LISTED = 200_000


@dataclass(frozen=True)
class Facts:
    """Where the cards can lie that a seat has not seen."""

    pools: tuple[tuple[int, tuple[int, ...]], ...]
    """Cards, as masks, with the places each of them may be in."""
    room: tuple[int, ...]
    """How many of the cards lie in each place."""


def sample(view: View, n: int) -> Ints:
    """[n, SIZE]: worlds drawn with the seat's own luck, every possible one equally likely."""
    if _count(view) == 0:  # `redeal` would look for one for ever
        raise _contradiction(view)
    return _sampled(view, n)


def _sampled(view: View, n: int) -> Ints:
    if n < 1:
        raise BadInput(f"{n} worlds cannot be drawn: at least 1 can")
    states = np.empty((n, view.game.SIZE), np.int64)
    _redealer(view.game)(view.state, view.seat, rng.forked(view.rng, rng.WORLDS), states)
    return states


def count(view: View) -> int:
    """How many different deals of the hidden cards there are."""
    return _ways(facts(view))


def every(view: View) -> Ints:
    """[count, SIZE]: all worlds, in a fixed order."""
    found = facts(view)
    total = _ways(found)
    if total == 0:
        raise _contradiction(view)
    if total > MOST_LISTED:
        raise BadInput(f"{total} worlds are too many to list: at most {MOST_LISTED} are")
    states = np.repeat(view.state[None], total, axis=0)
    room_of(view.game).fill(view, states, listed(found))
    return states


def draw(view: View, n: int) -> Ints:
    """All worlds if they can be counted and there are at most n, else n drawn ones."""
    total = _count(view)
    return every(view) if total is not None and total <= min(n, MOST_LISTED) else _sampled(view, n)


def _count(view: View) -> int | None:
    """The same as `count`; None where that is not known."""
    try:
        return count(view)
    except BadInput:
        return None


def has_facts(game: Game) -> bool:
    """Whether the worlds of a game can be counted."""
    return room_of(game) is not None


def facts(view: View) -> Facts:
    """Where the hidden cards of a view can lie."""
    if not has_facts(view.game):
        raise BadInput(f"the worlds of {view.game.name} cannot be counted: those of trick-taking games can")
    return room_of(view.game).facts(view)


def _contradiction(view: View) -> BadInput:
    return BadInput(
        f"no deal fits what seat {view.seat} of this {view.game.name} knows: a card twice, or too many or too few"
    )


IMPOSSIBLE = Facts(((1, ()),), (0,))
"""A card that can be nowhere."""


def is_twice(*cards: int) -> bool:
    """Whether a card is in more than one of the masks."""
    return sum(mask.bit_count() for mask in cards) != int(np.bitwise_or.reduce(cards)).bit_count()


def pooled(cards: int, barred: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Cards sorted into pools by the places they may be in; barred[place] are those that cannot be there."""
    pools: dict[tuple[int, ...], int] = {}
    for card in range(int(cards).bit_length()):
        if cards >> card & 1:
            places = tuple(place for place, mask in enumerate(barred) if not mask >> card & 1)
            pools[places] = pools.get(places, 0) | 1 << card
    return tuple((mask, places) for places, mask in sorted(pools.items()))


def _ways(found: Facts) -> int:
    """In how many ways the pools fill the places, pool after pool."""
    ways = {found.room: 1}
    for cards, places in sorted(found.pools, key=lambda pool: len(pool[1])):  # the freest last: it fills what is left
        after: dict[tuple[int, ...], int] = {}
        for room, number in ways.items():
            for share in _shares(cards.bit_count(), places, room):
                rest = tuple(have - taken for have, taken in zip(room, share))
                after[rest] = after.get(rest, 0) + number * _splits(cards.bit_count(), share)
        ways = after
    return ways.get((0,) * len(found.room), 0)


def _splits(n: int, share: tuple[int, ...]) -> int:
    left = [n - sum(share[:k]) for k in range(len(share))]
    return prod(comb(rest, part) for rest, part in zip(left, share))


def _shares(n: int, places: tuple[int, ...], room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The ways to spread n equal cards over some places."""
    if not places:
        if n == 0:
            yield (0,) * len(room)
        return
    first, rest = places[0], places[1:]
    fewest = max(0, n - sum(room[place] for place in rest))
    for taken in range(fewest, min(n, room[first]) + 1):
        for share in _shares(n - taken, rest, room):
            yield (*share[:first], taken, *share[first + 1 :])


def listed(found: Facts) -> Ints:
    """[n, places]: the cards in every place, for all ways to place the pools."""
    room = found.room
    if not found.pools:
        return np.zeros((int(not any(room)), len(room)), np.int64)
    cards, places = found.pools[0]
    parts = [np.empty((0, len(room)), np.int64)]
    for share in _shares(cards.bit_count(), places, room):
        tails = listed(Facts(found.pools[1:], tuple(have - taken for have, taken in zip(room, share))))
        if len(tails):
            splits = _spread(_split(cards.bit_count(), share), cards)
            parts.append((splits[:, None] | tails[None]).reshape(-1, len(room)))
    return np.concatenate(parts)


@lru_cache(maxsize=64)
def _split(n: int, share: tuple[int, ...]) -> Ints:
    """[ways, places]: the ways to hand out cards 0 to n - 1 in shares of given sizes."""
    if not share:
        return np.zeros((1, 0), np.int64)
    chosen = np.array(list(combinations(range(n), share[0])), np.int64)
    is_mine = np.zeros((len(chosen), n), np.bool_)
    is_mine[np.arange(len(chosen))[:, None], chosen] = True
    left_over = np.nonzero(~is_mine)[1].reshape(len(chosen), n - share[0])
    others = _split(n - share[0], share[1:])
    ways = np.zeros((len(chosen), len(others), len(share)), np.int64)
    ways[:, :, 0] = (1 << chosen).sum(axis=1)[:, None]
    for place in range(n - share[0]):
        ways[:, :, 1:] |= (others >> place & 1)[None] << left_over[:, place, None, None]
    return ways.reshape(-1, len(share))


def _spread(places: Ints, cards: int) -> Ints:
    """Masks of cards 0, 1, 2, ... as masks of the given cards."""
    out = np.zeros_like(places)
    for place, card in enumerate(card for card in range(cards.bit_length()) if cards >> card & 1):
        out |= (places >> place & 1) << card
    return out


def room_of(game: Game) -> Any:
    """The module that knows where the hidden cards of a game can lie, None if there is none."""
    from kibitz.search import hidden_cards

    own = offered(game, "SEARCH", "FACTS")
    return own or (hidden_cards if hidden_cards.are_countable(game) else None)


@cache
def _redealer(game: Game) -> Callable[..., None]:
    if has_facts(game) and hasattr(room_of(game), "redealer"):
        return room_of(game).redealer(game)
    rows: Callable[..., None] | None = getattr(game.parts["senses"], "redeal_rows", None)
    if rows is not None:
        return rows
    return specialise(_redeal_rows, game.tag, is_loop=True, game=game.kernels)


def _redeal_rows(view: Ints, seat: int, r: Ints, states: Ints) -> None:
    base = np.empty(rng.SLOTS, np.int64)
    rng.split(r, base)
    for row in range(len(states)):
        states[row] = view
        rng.branch(r, base, row)
        game.redeal(states[row], seat, r)
