"""Restricted deals: exact numbers of qualifying hands, and the same distribution as throwing deals in (rule 4.3)."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from kibitz.core import rng
from kibitz.core.game import make
from kibitz.core.jit import PLAIN, kernel
from kibitz.games.cego.table import (
    ALL,
    BETTEL,
    BLIND,
    CARDS,
    HIGH,
    PICCOLO,
    SOLO,
    STANDARD,
    TOP_TRUMPS,
    TRUMPS,
    ULTIMO,
)
from kibitz.games.cego_deals.rules import QUALIFYING, any_hand, fits, shapes
from kibitz.games.tricks.layout import HAND
from tests.naive import cego as naive

DRAWS = 2_000 if PLAIN else 40_000
SHARES = {SOLO: 0.0313898, ULTIMO: 0.00504374, BETTEL: 0.000570682, PICCOLO: 0.00753300}  # rule 4.3
SUBGAMES = {SOLO: "solo", ULTIMO: "ultimo", BETTEL: "bettel", PICCOLO: "piccolo", STANDARD: "standard"}


@pytest.mark.parametrize("subgame", SHARES)
def test_shapes_hold_as_many_hands_as_rule_4_3_says(subgame: int) -> None:
    share = QUALIFYING[2 * subgame + 1] / comb(54, 11)
    assert share == pytest.approx(SHARES[subgame], rel=1e-5)


@pytest.mark.parametrize("subgame", SHARES)
def test_shapes_are_disjoint(subgame: int) -> None:
    """No hand has two shapes: two shapes differ in how many cards they take of something that both fix."""
    seen = set()
    for shape in shapes(subgame, True):
        counts = tuple(sorted((group, cards) for group, cards in shape if cards))
        assert counts not in seen
        seen.add(counts)


def dealt(subgame: int, restrict: str, games: int) -> NDArray[np.int64]:
    """[games, 5]: the dealt hands (Standard's before its exchange is not needed here) and the blind."""
    game = make(f"cego-{SUBGAMES[subgame]}", restrict=restrict)
    piles = np.zeros((games, 5), np.int64)
    s = game.blank()
    for number in range(games):
        game.deal(s, rng.fresh(3, number))
        piles[number] = [*s[HAND : HAND + 4], s[BLIND]]
    return piles


@kernel
def thrown_in(s: NDArray[np.int64], root: NDArray[np.int64], hands: NDArray[np.int64]) -> None:
    """Qualifying hands by rejection alone."""
    r = np.zeros(rng.SLOTS, np.int64)
    for number in range(len(hands)):
        rng.enter(r, root, number, rng.DEALER, rng.PLAY, 0)
        hands[number] = any_hand(s, r, np.arange(CARDS))


def kinds(hands: NDArray[np.int64]) -> list[tuple[int, ...]]:
    """What the restrictions look at: trumps, top trumps, high cards, plain suits."""
    return [
        (
            (hand & TRUMPS).bit_count(),
            (hand & TOP_TRUMPS).bit_count(),
            min((hand & HIGH).bit_count(), 9),
            sum(1 for suit in range(4) if hand >> 8 * suit & 255),
        )
        for hand in map(int, hands)
    ]


def card_counts(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([((hands >> card) & 1).sum() for card in range(CARDS)])


def same_distribution(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The p-value of a chi-square test that two columns of counts come from one distribution; rare rows are joined."""
    common = (one + other) >= 20
    table = np.array([[*one[common], one[~common].sum()], [*other[common], other[~common].sum()]])
    return float(stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue)


@pytest.mark.skipif(PLAIN, reason="thousands of deals are thrown in for one")
@pytest.mark.parametrize("subgame", [SOLO, ULTIMO, PICCOLO, BETTEL])
def test_direct_drawing_is_throwing_in(subgame: int) -> None:
    draws = {SOLO: 40_000, ULTIMO: 20_000, PICCOLO: 20_000, BETTEL: 4_000}[subgame]
    thrown = np.zeros(draws, np.int64)
    thrown_in(make(f"cego-{SUBGAMES[subgame]}").blank(), rng.root(5), thrown)
    direct = dealt(subgame, "on", draws)[:, 0]
    labels = sorted(set(kinds(thrown)) | set(kinds(direct)))
    columns = [
        np.bincount([labels.index(kind) for kind in kinds(hands)], minlength=len(labels)) for hands in (thrown, direct)
    ]
    assert same_distribution(*columns) > 1e-3
    assert same_distribution(card_counts(thrown), card_counts(direct)) > 1e-3


@pytest.mark.parametrize("subgame", [SOLO, ULTIMO, BETTEL, PICCOLO])
@pytest.mark.parametrize("restrict", ["on", "off"])
def test_every_deal_fits_and_is_whole(subgame: int, restrict: str) -> None:
    for piles in dealt(subgame, restrict, DRAWS // 20):
        assert fits(subgame, restrict == "on", piles[0])
        words = [naive.DECK[card] for card in range(CARDS) if piles[0] >> card & 1]
        assert restrict == "off" or naive.qualifies(words, SUBGAMES[subgame])
        assert [int(pile).bit_count() for pile in piles] == [11, 11, 11, 11, 10]
        assert int(np.bitwise_or.reduce(piles)) == ALL


@pytest.mark.parametrize("subgame", [BETTEL, SOLO])
def test_the_other_43_cards_are_shuffled(subgame: int) -> None:
    """Given seat 0's hand every other card is as likely in each other pile: 11, 11, 11 and 10 of 43."""
    piles = dealt(subgame, "on", DRAWS // 4)
    for pile, cards in ((1, 11), (2, 11), (3, 11), (4, 10)):
        counts = card_counts(piles[:, pile]).astype(float)
        free = len(piles) - card_counts(piles[:, 0])
        z = (counts - free * cards / 43) / np.sqrt(np.maximum(free * cards / 43 * (1 - cards / 43), 1e-9))
        assert np.abs(z[free > 100]).max() < 4.5


def test_standard_throws_in_what_is_worth_less_than_15() -> None:
    s = make("cego-standard").blank()
    hands = np.zeros(DRAWS // 20, np.int64)
    thrown_in(s, rng.root(9), hands)
    for hand in hands:
        assert naive.worth(naive.DECK[card] for card in range(CARDS) if hand >> card & 1) >= 15


def test_fits_agrees_with_the_naive_test() -> None:
    luck = np.random.default_rng(4)
    for _ in range(DRAWS // 8):
        # Hands rich in trumps and hands poor in them: random ones nearly never qualify.
        weights = np.where(np.arange(CARDS) >= 32, luck.choice([0.05, 1.0, 4.0]), 1.0)
        cards = luck.choice(CARDS, 11, replace=False, p=weights / weights.sum())
        hand = sum(1 << int(card) for card in cards)
        for subgame, name in SUBGAMES.items():
            assert fits(subgame, 1, hand) == naive.qualifies([naive.DECK[card] for card in cards], name)
