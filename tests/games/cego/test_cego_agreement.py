"""The compiled sub-games against the naive ones: turn and legality at every move, observation, score, returns."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.cego.table import TAROCK
from kibitz.games.tricks.layout import POINTS
from tests.naive import cego as naive

FAST = 60 if PLAIN else 500
SLOW = 100_000
VARIANTS = [
    (subgame, restrict, reward, tie)
    for subgame in naive.SUBGAMES
    for restrict in ("on", "off")
    for reward, tie in (("", "first"), ("win", "all"), ("sign", "first"))
]


def compare(games: int, looks: float) -> None:
    luck = random.Random(20)
    for number in range(games):
        subgame, restrict, reward, tie = VARIANTS[number % len(VARIANTS)]
        settings = {"restrict": restrict, "raeuber_tie": tie} | ({"reward": reward} if reward else {})
        hands, blind = naive.random_deal(luck, subgame, restrict)
        slow = naive.SubGame(hands, blind, subgame, restrict, reward, tie)
        text = " | ".join(" ".join(pile) for pile in [*hands, blind])
        fast = Position(make(f"cego-{subgame}", **settings), deal=text)
        play_along(slow, fast, luck, looks)


def play_along(slow: naive.SubGame, fast: Position, luck: random.Random, looks: float) -> None:
    """Play one game in both; `looks` is the share of moves at which the naive (slow) observation is compared."""
    while slow.turn is not None:
        assert fast.turn == slow.turn
        assert set(fast.legal()) == slow.legal()
        if luck.random() < looks:
            assert list(observation(fast, slow.turn)) == slow.paper_observation(slow.turn)
        card = luck.choice(sorted(slow.legal()))
        slow.play(card)
        fast.game.step(fast.state, TAROCK.card(card))
    assert fast.turn == OVER
    assert [x / 2 for x in fast.state[POINTS : POINTS + 4]] == [naive.worth(pile_of(slow, seat)) for seat in range(4)]
    assert fast.returns() == slow.returns()
    assert [fast.won(seat) for seat in range(4)] == [slow.won(seat) for seat in range(4)]
    last = luck.randrange(4)
    assert list(observation(fast, last)) == slow.paper_observation(last)


def pile_of(slow: naive.SubGame, seat: int) -> list[str]:
    return [card for winner, cards in slow.table.tricks if winner == seat for card in cards]


def observation(fast: Position, seat: int) -> NDArray[np.float32]:
    return fast.view(seat).observe("paper")


def test_agrees_with_the_naive_game() -> None:
    compare(FAST, looks=0.2)


@pytest.mark.slow
def test_agrees_with_the_naive_game_for_long() -> None:
    compare(SLOW, looks=1.0)
