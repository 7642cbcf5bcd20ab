"""Worlds fit the view, are uniform, and are counted right."""

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, make
from kibitz.core.position import Position
from kibitz.core.view import View, view_of
from kibitz.games.cego.table import BLIND, STANDARD, SUITS, is_void
from kibitz.games.cego_deals.rules import RESTRICT, SUBGAME, exchange, fits
from kibitz.games.coinche import layout as coinche
from kibitz.games.skat import state as skat
from kibitz.games.tricks.layout import ASIDE, DECLARER, HAND, PLAYED
from kibitz.search import worlds
from kibitz.search.hidden_cards import likely_places
from tests.search.endings import endings

HIDDEN = {
    "skat": [skat.HAND, skat.HAND + 1, skat.HAND + 2, skat.ASIDE],
    "coinche": [coinche.HAND + seat for seat in range(4)],
    "cego": [HAND, HAND + 1, HAND + 2, HAND + 3, ASIDE],
}


def views(game: Game, n: int, played: int, seed: int = 1) -> list[View]:
    states = endings(game, n, played, seed)
    return [view_of(game, s, seat) for s in states for seat in range(game.PLAYERS)]


def deals(game: Game, states: Any) -> list[tuple[int, ...]]:
    words = HIDDEN[game.name.split("-")[0]]
    return [tuple(int(word) for word in s[words]) for s in states]


CASES: list[tuple[str, dict[str, Any], int]] = [
    ("skat-suit", {}, 22),
    ("skat-null-ouvert", {}, 9),
    ("coinche", {"auction": "none"}, 22),
    ("cego-raeuber", {}, 36),
]


@pytest.mark.parametrize(("name", "options", "played"), CASES)
def test_sampled_worlds_look_the_same_to_the_seat(name: str, options: dict[str, Any], played: int) -> None:
    game = make(name, **options)
    for view in views(game, 3, played):
        for s in worlds.sample(view, 20):
            again = view_of(game, s, view.seat)
            assert (again.state == view.state).all() and again.infoset() == view.infoset()


@pytest.mark.parametrize(("name", "options", "played"), CASES[:3])
def test_worlds_are_uniform(name: str, options: dict[str, Any], played: int) -> None:
    game = make(name, **options)
    tested = 0
    for view in views(game, 12, played):
        total = worlds.count(view)
        if not 4 <= total <= 120:
            continue
        listed = deals(game, worlds.every(view))
        assert len(set(listed)) == total
        seen = Counter(deals(game, worlds.sample(view, 60 * total)))
        assert set(seen) <= set(listed)
        assert chisquare([seen[deal] for deal in listed]).pvalue > 1e-4
        tested += 1
    assert tested > 2


def test_cego_worlds_are_uniform_for_who_knows_what_lies_aside() -> None:
    game = make("cego-standard")
    view = next(v for v in views(game, 20, 34, 3) if v.seat == 0 and 4 <= worlds.count(v) <= 400)
    listed = deals(game, worlds.every(view))
    seen = Counter(deals(game, worlds.sample(view, 50 * len(listed))))
    assert chisquare([seen[deal] for deal in listed]).pvalue > 1e-4 and set(seen) == set(listed)


def test_first_view_of_a_declarer_has_as_many_worlds_as_the_rules_say() -> None:
    game = make("skat-suit")
    s = endings(game, 1, 0)[0]
    declarer = int(s[skat.DECLARER])
    assert worlds.count(view_of(game, s, declarer)) == 184_756
    assert worlds.count(view_of(game, s, (declarer + 1) % 3)) == 42_678_636


def test_few_worlds_are_listed_and_many_are_drawn() -> None:
    game = make("skat-suit")
    view = views(game, 1, 24)[0]
    total = worlds.count(view)
    assert len(worlds.draw(view, total)) == total
    assert len(worlds.draw(views(game, 1, 0)[0], 7)) == 7


def test_the_same_luck_gives_the_same_worlds() -> None:
    game = make("coinche", auction="none")
    view = views(game, 1, 3)[0]
    assert (worlds.sample(view, 5) == worlds.sample(view, 5)).all()


def test_a_view_that_contradicts_itself_is_refused() -> None:
    game = make("skat-suit")
    view = views(game, 1, 6)[0]
    view.state[skat.HAND + view.seat] |= view.state[skat.PLAYED + (view.seat + 1) % 3]
    with pytest.raises(BadInput, match="no deal fits"):
        worlds.sample(view, 3)
    with pytest.raises(BadInput, match="at least 1"):
        worlds.sample(views(game, 1, 6)[0], 0)


def cego_worlds(view: View) -> list[tuple[int, ...]]:
    """All worlds of a defender by trial: every way to give the hidden cards out, every exchange that could be."""
    game, s, seat = view.game, view.state, view.seat
    seen = int(s[HAND + seat] | s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2] | s[PLAYED + 3])
    hidden = [card for card in range(54) if not seen >> card & 1]
    others = [(seat + k) % 4 for k in (1, 2, 3)]
    holders = [other for other in others for _ in range(11 - int(s[PLAYED + other]).bit_count())]
    found = set()
    for cards in permutations(hidden, len(holders)):
        hands = dict.fromkeys(others, 0)
        for other, card in zip(holders, cards, strict=True):
            hands[other] |= 1 << card
        if any(hands[o] & int(SUITS[k]) for o in others for k in range(5) if is_void(s, o, k)):
            continue
        aside = sum(1 << card for card in hidden) & ~sum(hands.values())
        single = hands[int(s[DECLARER])] | int(s[PLAYED + s[DECLARER]])
        known = tuple(hands.get(k, int(s[HAND + k])) for k in range(4))
        if game.options["subgame"] != "standard":
            if fits(s[SUBGAME], s[RESTRICT], single):
                found.add((*known, aside, aside))
            continue
        for kept in combinations([card for card in range(54) if single >> card & 1], 2):
            for laid in (card for card in range(54) if aside >> card & 1):
                both = 1 << kept[0] | 1 << kept[1]
                table = game.blank()
                table[HAND], table[BLIND] = both | aside & ~(1 << laid), single & ~both | 1 << laid
                if fits(STANDARD, s[RESTRICT], table[HAND]):
                    blind = int(table[BLIND])
                    exchange(table)
                    if table[HAND] == single:
                        found.add((*known, aside, blind))
    return sorted(found)


@pytest.mark.parametrize("subgame", ["standard", "solo", "ultimo", "bettel", "piccolo"])
def test_worlds_of_cegos_defenders_are_uniform(subgame: str) -> None:
    game = make(f"cego-{subgame}")
    tested = 0
    for s in endings(game, 12, 41, 2, spared=1 if subgame in ("standard", "solo") else 60):
        view = view_of(game, s, 1)
        listed = cego_worlds(view)
        if not 4 <= len(listed) <= 700:
            continue
        words = [HAND, HAND + 1, HAND + 2, HAND + 3, ASIDE, BLIND]
        seen = Counter(tuple(int(word) for word in w[words]) for w in worlds.sample(view, 50 * len(listed)))
        assert set(seen) <= set(listed)
        assert chisquare([seen[world] for world in listed]).pvalue > 1e-4
        tested += 1
        if tested == 3:
            break
    assert tested


@pytest.mark.parametrize("name", ["hearts", "skat-suit", "cego-bettel"])
def test_every_hidden_card_lies_somewhere(name):
    position = Position(make(name), 5)
    for _ in range(14):
        position.push(position.legal()[-1])
    for seat in range(position.game.PLAYERS):
        view = position.view(seat)
        found = likely_places(view, worlds.sample(view, 20), np.full(20, 0.05))
        assert set(found) == set(position.game.words.unseen(position.state, seat))
        assert all(sum(chances.values()) == pytest.approx(1.0) for chances in found.values())
        assert "skat" in next(iter(found.values())) or name != "skat-suit" or seat == position.state[DECLARER]
    assert likely_places(Position(make("leduc"), 1).view(0), np.zeros((1, 1), np.int64), np.ones(1)) == {}
