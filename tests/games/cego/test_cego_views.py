"""What a seat is given: views, observations, redeals that are possible and uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from kibitz.core import rng
from kibitz.core.conformance import check
from kibitz.core.game import Game, State, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.cego.table import ALL, BLIND, TAROCK
from kibitz.games.cego_deals.rules import LOG, RESTRICT, SUBGAME, exchange, fits
from kibitz.games.cego_deals.senses import SLICES
from kibitz.games.tricks.layout import ASIDE, HAND, PLAYED

PRESETS = ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")


@pytest.mark.parametrize("subgame", PRESETS)
@pytest.mark.parametrize("restrict", ["on", "off"])
@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_contract(subgame: str, restrict: str, games: int) -> None:
    check(make(f"cego-{subgame}", restrict=restrict), games=1 if PLAIN else games)


def replayed(game: Game, s: State) -> None:
    """Play the log of a world from its deal: every card must be legal and lead to the same bytes."""
    world = s.copy()
    deal = game.blank()
    hands = [int(s[HAND + seat] | s[PLAYED + seat]) for seat in range(4)]
    dealt = [*hands, int(s[BLIND])]
    dealt[0] = (hands[0] | int(s[ASIDE])) & ~int(s[BLIND])
    game.words.read_deal(" | ".join(TAROCK.text(pile) for pile in dealt), deal)
    mask = np.zeros(game.ACTIONS, np.bool_)
    for card in s[LOG:]:
        if card < 0:
            break
        game.legal(deal, mask)
        assert mask[card]
        game.step(deal, int(card))
    assert (deal == world).all()


@pytest.mark.parametrize("subgame", PRESETS)
@pytest.mark.parametrize("restrict", ["on", "off"])
def test_redealt_worlds_replay(subgame: str, restrict: str) -> None:
    game = make(f"cego-{subgame}", restrict=restrict)
    luck = np.random.default_rng(2)
    for number in range(1 if PLAIN else 12):
        p = Position(game, seed=6, number=number)
        while not p.is_over:
            seat = int(luck.integers(4))
            world = p.state.copy()
            game.redeal(world, seat, rng.fresh(number, len(p.actions), seat))
            replayed(game, world)
            assert int(np.bitwise_or.reduce(world[[HAND, HAND + 1, HAND + 2, HAND + 3, ASIDE]])) | played(world) == ALL
            p.push(int(luck.choice(p.legal_actions())))


def played(s: State) -> int:
    return int(np.bitwise_or.reduce(s[PLAYED : PLAYED + 4]))


def ending(subgame: str, cards: int, seed: int) -> Position:
    """A game played at random until so many cards are left to play."""
    luck = np.random.default_rng(seed)
    for number in range(1000):
        p = Position(make(f"cego-{subgame}"), seed=seed, number=number)
        while not p.is_over and len(p.actions) < 44 - cards:
            own = [card for card in p.legal_actions() if card != TAROCK.card("1t")] or p.legal_actions()
            p.push(int(luck.choice(own)))
        if not p.is_over:
            return p
    raise AssertionError("no game lasts that long")


def possible(p: Position, seat: int) -> set[tuple[int, ...]]:
    """All worlds (hands, what lies aside, blind) that the seat must hold for possible, by trying everything."""
    s = p.state
    others = [other for other in range(4) if other != seat]
    standard = s[SUBGAME] == 0
    knows = standard and seat == 0
    hidden = [card for card in range(54) if not (played(s) | int(s[HAND + seat])) >> card & 1]
    if knows:
        hidden = [card for card in hidden if not int(s[ASIDE]) >> card & 1]
    sizes = [11 - int(s[PLAYED + other]).bit_count() for other in others]
    found = set()
    for first in combinations(hidden, sizes[0]):
        left = [card for card in hidden if card not in first]
        for second in combinations(left, sizes[1]):
            rest = [card for card in left if card not in second]
            for third in combinations(rest, sizes[2]):
                hands = {
                    other: sum(1 << c for c in cards)
                    for other, cards in zip(others, (first, second, third), strict=True)
                }
                hands[seat] = int(s[HAND + seat])
                aside = int(s[ASIDE]) if knows else sum(1 << card for card in rest if card not in third)
                found |= worlds_with(p, hands, aside, knows)
    return found


def worlds_with(p: Position, hands: dict[int, int], aside: int, knows: bool) -> set[tuple[int, ...]]:
    s = p.state
    blinds = {aside}
    full = hands[0] | int(s[PLAYED])
    if s[SUBGAME] == 0:
        blinds = {int(s[BLIND])} if knows else unexchanged(s, full, aside)
    elif not fits(s[SUBGAME], s[RESTRICT], full):
        return set()
    found = set()
    for blind in blinds:
        world = s.copy()
        for seat in range(4):
            world[HAND + seat] = hands[seat]
        world[ASIDE], world[BLIND] = aside, blind
        try:
            replayed(p.game, world)
        except (AssertionError, ValueError):
            continue
        found.add((*(hands[seat] for seat in range(4)), aside, blind))
    return found


def unexchanged(s: State, hand: int, legage: int) -> set[int]:
    """All blinds from which rule 4.2 makes this hand and Legage."""
    cards = [card for card in range(54) if hand >> card & 1]
    found = set()
    for one, two in combinations(cards, 2):
        for laid_away in range(54):
            if legage >> laid_away & 1:
                kept = 1 << one | 1 << two
                trial = s.copy()
                trial[HAND] = kept | legage & ~(1 << laid_away)
                trial[BLIND] = hand & ~kept | 1 << laid_away
                blind = int(trial[BLIND])
                if fits(0, s[RESTRICT], trial[HAND]):
                    exchange(trial)
                    if trial[HAND] == hand:
                        found.add(blind)
    return found


@pytest.mark.skipif(PLAIN, reason="thousands of redeals")
@pytest.mark.parametrize(
    ("subgame", "seat", "cards"),
    [
        ("raeuber", 1, 3),
        ("solo", 2, 3),
        ("ultimo", 3, 3),
        ("bettel", 1, 3),
        ("piccolo", 2, 3),
        ("standard", 0, 11),
        ("standard", 3, 2),
    ],
)
def test_redeal_is_uniform(subgame: str, seat: int, cards: int) -> None:
    p = ending(subgame, cards, seed=11)
    worlds = possible(p, seat)
    draws = 40 * len(worlds) + 400
    counts: Counter[tuple[int, ...]] = Counter()
    world = p.state.copy()
    for number in range(draws):
        world[:] = p.state
        p.game.redeal(world, seat, rng.fresh(9, number, seat))
        counts[(*map(int, world[HAND : HAND + 4]), int(world[ASIDE]), int(world[BLIND]))] += 1
    assert set(counts) <= worlds and len(worlds) > 1
    assert stats.chisquare([counts[world] for world in worlds]).pvalue > 1e-3


def test_observation_shows_who_played_what_and_when() -> None:
    p = Position(make("cego-raeuber"), seed=5)
    for _ in range(9):
        p.push(p.legal_actions()[0])
    seat = p.turn
    seen = p.view(seat).observe()
    by_seat = seen[SLICES["played"]].reshape(4, 54)
    for k in range(4):
        cards = int(p.state[PLAYED + (seat + k) % 4])
        assert [bool(x) for x in by_seat[k]] == [bool(cards >> card & 1) for card in range(54)]
    when = seen[SLICES["when"]]
    assert [round(11 * float(when[card])) for card in p.actions] == [1] * 4 + [2] * 4 + [3]


def test_information_sets_tell_orders_apart() -> None:
    """Perfect recall: the same cards in another order are another information set."""
    keys = set()
    games = 40 if PLAIN else 400
    for number in range(games):
        p = Position(make("cego-standard"), seed=1, number=number)
        while not p.is_over and len(p.actions) < 12:
            keys.add(p.view(p.turn).infoset())
            p.push(p.legal_actions()[number % len(p.legal_actions())])
    assert len(keys) == 12 * games
