"""The whole game of Cego: views, redeals, players."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from kibitz.core import rng
from kibitz.core.conformance import check
from kibitz.core.game import State, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.cego.rules import BLANK, DEALT, KEPT, LOG
from kibitz.games.cego.table import BLIND
from kibitz.games.tricks.layout import ASIDE, DECLARER, HAND, MOVES, PLAYED

ACTION_WORDS = make("cego").words.ACTION_WORDS

QUIET = ("pass", "hold")


def shy_word(p: Position, luck: np.random.Generator) -> int:
    """A random action that lets most auctions end in a level of Cego."""
    quiet = [action for action in p.legal_actions() if ACTION_WORDS[action] in QUIET]
    return quiet[0] if quiet and luck.random() < 0.75 else int(luck.choice(p.legal_actions()))


@pytest.mark.parametrize("games", [6, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("switch", ["off", "on"])
def test_contract(switch: str, games: int) -> None:
    game = make("cego", contra_solo=switch, compulsory_solo=switch, dealer=int(switch == "on"))
    check(game, games=2 if PLAIN else games)


def assert_replays(p: Position, world: State) -> None:
    """Play a world's log from its deal: every word must be legal and lead to the same bytes."""
    past = p.game.blank()
    p.game.words.read_deal(p.game.words.deal_text(world), past)
    mask = np.zeros(p.game.ACTIONS, np.bool_)
    for action in world[LOG : LOG + world[MOVES]]:
        p.game.legal(past, mask)
        assert mask[action]
        p.game.step(past, int(action))
    assert (past == world).all()


def test_redealt_worlds_replay() -> None:
    luck = np.random.default_rng(3)
    for number in range(3 if PLAIN else 80):
        options = {"contra_solo": ("off", "on")[number % 2], "compulsory_solo": ("off", "on")[number // 2 % 2]}
        p = Position(make("cego", **options), seed=12, number=number)
        while not p.is_over:
            seat = int(luck.integers(4))
            world, seen = p.state.copy(), p.view(seat).state.copy()
            p.game.redeal(world, seat, rng.fresh(number, len(p.actions), seat))
            assert_replays(p, world)
            p.game.redeal(seen, seat, rng.fresh(number, len(p.actions), seat))
            assert (seen == world).all()  # a view is enough to redeal from
            p.push(shy_word(p, luck))


def test_views_hide_what_was_kept() -> None:
    """6.5"""
    p = Position(make("cego"), seed=3)
    for word in ("pass", "pass", "pass", "pass", "eine", "pass", "pass", "pass"):
        p.push(word)
    p.push(p.legal_actions()[0])
    assert p.view(0).state[KEPT] == p.state[KEPT] and p.view(0).state[BLIND] == p.state[BLIND]
    for seat in (1, 2, 3):
        s = p.view(seat).state
        assert s[KEPT] == s[BLIND] == s[ASIDE] == 0 and s[LOG + 8] == BLANK and s[DEALT] == 0


@pytest.mark.skipif(PLAIN, reason="thousands of redeals")
def test_redeal_is_uniform_behind_an_exchange() -> None:
    """All hands, Legagen and kept cards that an opponent of an Eine must hold for possible, near the end."""
    p = Position(make("cego"), seed=5)
    for word in ("pass", "pass", "pass", "pass", "eine", "pass", "pass", "pass"):
        p.push(word)
    luck = np.random.default_rng(1)
    while len(p.actions) < 9 + 42:
        p.push(int(luck.choice(p.legal_actions())))
    seat = (p.turn + 1) % 4  # it has one card left, and so has the seat to move
    s = p.state
    assert s[DECLARER] == 0
    seat = seat if seat != 0 else p.turn
    played = int(np.bitwise_or.reduce(s[PLAYED : PLAYED + 4]))
    hidden = [card for card in range(54) if not (played | int(s[HAND + seat])) >> card & 1]
    others = [other for other in range(4) if other != seat and s[HAND + other]]
    worlds = set()
    for held in combinations(hidden, len(others)):
        for order in set(product(held, repeat=len(others))):
            if len(set(order)) == len(others):
                worlds |= worlds_with(p, dict(zip(others, order, strict=True)), hidden)
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(30 * len(worlds)):
        world = s.copy()
        p.game.redeal(world, seat, rng.fresh(4, number, seat))
        counts[(*map(int, world[HAND : HAND + 4]), int(world[ASIDE]), int(world[KEPT]))] += 1
    assert set(counts) <= worlds and len(worlds) > 10
    assert stats.chisquare([counts[world] for world in worlds]).pvalue > 1e-3


def worlds_with(p: Position, held: dict[int, int], hidden: list[int]) -> set[tuple[int, ...]]:
    """The possible worlds in which these seats hold these cards; one for every card that may have been kept."""
    world = p.state.copy()
    for other, card in held.items():
        world[HAND + other] = 1 << card
        world[DEALT + other] = world[HAND + other] | world[PLAYED + other]
    world[ASIDE] = sum(1 << card for card in hidden if card not in held.values())
    hand = int(world[HAND] | world[PLAYED])
    found = set()
    for kept in range(54):
        if hand >> kept & 1:
            world[KEPT], world[LOG + 8] = 1 << kept, kept
            world[DEALT] = world[ASIDE] | 1 << kept
            world[BLIND] = hand & ~(1 << kept)
            try:
                assert_replays(p, world)
            except AssertionError:
                continue
            found.add((*map(int, world[HAND : HAND + 4]), int(world[ASIDE]), int(world[KEPT])))
    return found
