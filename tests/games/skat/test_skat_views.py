"""Skat: what seats see, and worlds dealt anew: legal, unnoticed, uniform."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from kibitz.core import rng
from kibitz.core.conformance import check
from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.skat import senses
from kibitz.games.skat.auction import BOUNDS, bid_bounds
from kibitz.games.skat.cards import BIDS, DECK
from kibitz.games.skat.knowledge import dealt_hand, dealt_skat
from kibitz.games.skat.state import ASIDE, CONTRACT, FAMILY, GIVEN, HAND, LACKS, LOG, MOVES, PLAYED, SIZE, TAKEN
from tests.games.skat.table import table
from tests.games.skat.test_skat_rules import PLAIN_DEAL

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("skat", {}), ("skat", {"early_end": "off"}), ("skat-ramsch", {}), ("skat-ramsch", {"schieberamsch": "on"}),
    ("skat-suit", {}), ("skat-grand", {}), ("skat-null", {}), ("skat-null-ouvert", {}), ("skat-points", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_game_keeps_the_contract(name: str, options: dict[str, Any]) -> None:
    check(make(name, **options), games=1 if PLAIN else 15)


@pytest.mark.parametrize("kind", range(6))
def test_a_hand_is_shown_once(kind: int) -> None:
    cards = "Jc As Ts 7h 9d Kd Qc"
    game = make("skat")
    s = game.blank()
    s[CONTRACT] = kind
    shown = game.words.cards_text(s, sum(1 << card for card in DECK.cards(cards)))
    assert sorted(shown.split()) == sorted(cards.split())


def random_position(name: str, options: dict[str, Any], number: int, passing: bool) -> Position:
    """A random game stopped somewhere, in every second case after three passes where that makes a Ramsch."""
    luck = np.random.default_rng(number)
    p = Position(make(name, **options), 21, number)
    stop = int(luck.integers(1, 40))
    while len(p.actions) < stop:
        legal = p.legal_actions()
        p.push("pass" if passing and "pass" in p.legal() else int(luck.choice(legal)))
        if p.is_over:
            p.pop()
            break
    return p


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_replaying_the_log_in_a_redealt_world_is_legal(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    mask = np.zeros(game.ACTIONS, np.bool_)
    for number in range(2 if PLAIN else 60):
        p = random_position(name, options, number, number % 2 == 0)
        for seat in range(3):
            for blanked in (False, True):
                other = p.view(seat).state.copy() if blanked else p.state.copy()
                game.redeal(other, seat, rng.fresh(5, number, seat))
                again = game.blank()
                game.words.read_deal(game.words.deal_text(other), again)
                for move in other[LOG : LOG + other[MOVES]]:
                    game.legal(again, mask)
                    assert mask[move], (number, seat)
                    game.step(again, int(move))
                assert again.tobytes() == other.tobytes()
                seen = np.zeros(SIZE, np.int64)
                game.view(other, seat, seen)
                assert seen.tobytes() == p.view(seat).state.tobytes()


def ending(words: str, name: str = "skat", **options: Any) -> Position:
    return table(PLAIN_DEAL, words, name, **options)


def worlds_by_listing(p: Position, seat: int) -> set[tuple[int, ...]]:
    """Every way to spread the cards a seat has not seen that fits the voids shown, by trying all of them."""
    from itertools import combinations

    from kibitz.games.skat.knowledge import knows_skat

    s = p.state
    left, right = (seat + 1) % 3, (seat + 2) % 3
    known = int(s[HAND + seat]) | int(s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2])
    known |= int(s[ASIDE]) if knows_skat(s, seat) else 0
    unknown = [card for card in range(32) if not known >> card & 1]
    room = [int(s[HAND + other]).bit_count() for other in (left, right)]

    def fits(cards: tuple[int, ...], other: int) -> bool:
        return not any(s[LACKS + other] >> card & 1 for card in cards)

    found = set()
    for first in combinations(unknown, room[0]):
        rest = [card for card in unknown if card not in first]
        for second in combinations(rest, room[1]):
            if fits(first, left) and fits(second, right):
                found.add((sum(1 << c for c in first), sum(1 << c for c in second)))
    return found


LATE = "7c 7h Ac Ad 7s 7d Ks 8s 8d Td 8c 8h Qs 9s 9h Kd 9c Qh As Qc Kh"
"""Seven tricks of a grand from the hand: middlehand shows no clubs and no spades, forehand no diamonds."""


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_redeal_is_uniform_over_all_worlds(seat: int) -> None:
    p = ending(f"pass 18 pass hand GH {LATE}")
    worlds = worlds_by_listing(p, seat)
    draws = 40 * len(worlds) if not PLAIN else 2 * len(worlds)
    counts: Counter[tuple[int, ...]] = Counter()
    left, right = (seat + 1) % 3, (seat + 2) % 3
    for k in range(draws):
        s = p.state.copy()
        p.game.redeal(s, seat, rng.fresh(1, k, seat))
        counts[int(s[HAND + left]), int(s[HAND + right])] += 1
    assert set(counts) <= worlds
    if not PLAIN:
        assert set(counts) == worlds
        assert stats.chisquare([counts[world] for world in worlds]).pvalue > 1e-4


def test_redeal_after_a_pick_up_is_uniform_over_what_was_picked_up() -> None:
    p = ending("pass 18 pass pickup 9d Qd G")
    counts: Counter[int] = Counter()
    for k in range(200 if PLAIN else 20_000):
        s = p.state.copy()
        p.game.redeal(s, 0, rng.fresh(1, k))
        twelve = int(s[HAND + 2] | s[ASIDE])
        place = [
            sorted(card for card in range(32) if twelve >> card & 1).index(c) for c in range(32) if s[TAKEN] >> c & 1
        ]
        counts[place[0] * 12 + place[1]] += 1
    if not PLAIN:
        assert len(counts) == 66
        assert stats.chisquare(list(counts.values())).pvalue > 1e-4


JACKS = 0x80808080


@pytest.mark.parametrize("seat", [0, 2])
def test_redeal_of_a_schieberamsch_weighs_worlds_by_the_ways_to_push(seat: int) -> None:
    """Rearhand has picked up and is to push: how often each number of cards or jacks comes up is counted by hand."""
    p = table(PLAIN_DEAL, "pass pass pass Qc Kc Th Ah", "skat-ramsch", schieberamsch="on")
    found: Counter[int] = Counter()
    draws = 100 if PLAIN else 30_000
    for k in range(draws):
        s = p.state.copy()
        p.game.redeal(s, seat, rng.fresh(9, k))
        assert not int(s[GIVEN] | s[GIVEN + 1]) & JACKS
        if seat == 0:
            found[(int(s[GIVEN]) & int(s[GIVEN + 1])).bit_count()] += 1
        else:
            found[(int(s[HAND + 1]) & JACKS).bit_count()] += 1
    jacks = 4 - (int(p.state[HAND + seat]) & JACKS).bit_count()
    ways = passed_on_at_once(jacks) if seat == 0 else jacks_of_middlehand(jacks)
    if not PLAIN:
        keys = [key for key, count in ways.items() if count]
        expected = [draws * ways[key] / sum(ways.values()) for key in keys]
        assert stats.chisquare([found[key] for key in keys], expected).pvalue > 1e-4


def jacks_of_middlehand(jacks: int) -> dict[int, int]:
    """For rearhand: of twenty unseen cards middlehand has ten, j of them jacks; the two he received are none."""
    return {j: comb(jacks, j) * comb(20 - jacks, 10 - j) * comb(12 - j, 2) for j in range(jacks + 1)}


def passed_on_at_once(jacks: int) -> dict[int, int]:
    """For forehand: k of the two it pushed are now with rearhand, among his twelve of 22, and were pushed on again."""
    plain = 22 - 2 - jacks
    return {
        k: sum(
            comb(2, k) * comb(jacks, j) * comb(plain, 12 - k - j) * comb(12 - j - k, 2 - k) for j in range(jacks + 1)
        )
        for k in range(3)
    }


def test_hidden_discards_are_blank_in_the_log() -> None:
    p = ending("pass 18 pass pickup 9d Qd G")
    assert list(p.view(0).state[LOG + 4 : LOG + 6]) == [-1, -1]
    assert list(p.view(2).state[LOG + 4 : LOG + 6]) == [DECK.card("9d"), DECK.card("Qd")]


def test_dealt_cards_are_remembered() -> None:
    p = ending("pass 18 pass pickup Kd Ad G 7c 7h Ac")
    assert DECK.text(int(dealt_skat(p.state))) == "9d Qd"
    assert set(DECK.text(int(dealt_hand(p.state, 2))).split()) == set(PLAIN_DEAL.split(" | ")[2].split())


def observation(p: Position, seat: int, name: str, kind: str = "default") -> list[float]:
    seen = p.view(seat).observe(kind)
    return seen[p.game.observation(kind).slices[name]].tolist()


def test_trumps_come_first_in_the_observation() -> None:
    hearts = ending("pass 18 pass hand HH")
    hand = [k for k, bit in enumerate(observation(hearts, 1, "hand")) if bit]
    # Hearts, trumps, stand where clubs do; the jack of diamonds keeps its place; diamonds stay last.
    assert hand == [0, 1, 2, 3, 4, 5, 6, 24, 25, 31]
    order = np.zeros(hearts.game.ACTIONS, np.int64)
    hearts.game.canonical(hearts.state, 1, order)
    assert order[DECK.card("7h")] == 0 and order[DECK.card("7c")] == 8 and order[DECK.card("Jd")] == 31
    assert sorted(order) == list(range(hearts.game.ACTIONS))


def test_observation_tells_when_cards_were_played() -> None:
    p = ending("pass 18 pass hand GH 7c Jd Ac 7h")
    when = observation(p, 0, "when")
    assert [round(30 * when[DECK.card(name)]) for name in ("7c", "Jd", "Ac", "7h", "8c")] == [1, 2, 3, 4, 0]


def test_observations_of_different_histories_differ() -> None:
    """Perfect recall: random games never give one seat the same observation for two information sets."""
    for jumps in ("off", "on"):
        game = make("skat", jumps=jumps)
        seen: dict[bytes, int] = {}
        for number in range(3 if PLAIN else 150):
            luck = np.random.default_rng(number)
            p = Position(game, 3, number % 5)  # few deals, so that histories meet again
            while p.turn != OVER:
                view = p.view(p.turn)
                key = view.observe().tobytes()
                assert seen.setdefault(key, view.infoset()) == view.infoset()
                p.push(int(luck.choice(p.legal_actions())))


def bounds(words: str, **options: Any) -> list[tuple[int, int]]:
    """The least and the most each seat would bid, in values; 0 for not at all."""
    out = np.zeros(BOUNDS, np.int64)
    bid_bounds(ending(words, **options).state, out)
    value = lambda k: int(BIDS[k]) if k >= 0 else 0  # noqa: E731
    return [(value(out[seat]), value(out[3 + seat])) for seat in range(3)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", [(0, 264)] * 3),
        ("pass", [(0, 264), (0, 0), (0, 264)]),
        ("18 hold 20 hold pass", [(20, 264), (20, 20), (0, 264)]),  # a bidder who stops has said it all
        ("18 hold 20 pass", [(18, 18), (20, 264), (0, 264)]),
        ("18 hold pass pass", [(18, 264), (18, 18), (0, 18)]),  # rearhand would not have said 20
        ("18 pass 20 hold 22 pass", [(0, 0), (20, 20), (22, 264)]),
        ("pass pass 18", [(18, 264), (0, 0), (0, 0)]),
        ("pass pass pass", [(0, 0)] * 3),
    ],
)
def test_bounds_of_the_highest_bid(words: str, expected: list[tuple[int, int]]) -> None:
    assert bounds(words) == expected


def test_bounds_after_a_jump() -> None:
    assert bounds("33 pass", jumps="on") == [(0, 30), (33, 264), (0, 264)]


def test_slices_cover_the_observations() -> None:
    for slices, size in ((senses.SLICES, senses.SENSES), (senses.COMPACT_SLICES, senses.COMPACT)):
        covered = sorted((part.start, part.stop) for part in slices.values())
        assert covered[0][0] == 0 and covered[-1][1] == size
        assert all(a[1] == b[0] for a, b in itertools.pairwise(covered))


def test_contract_games_keep_the_family_word() -> None:
    assert Position(make("skat-grand")).state[FAMILY] == 2
