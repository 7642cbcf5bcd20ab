"""The compiled whole game against the naive one: turn, legality, what is heard, winners and payment."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.cego.rules import LOG
from kibitz.games.tricks.layout import MOVES
from tests.naive import cego as naive

ACTION_WORDS = make("cego").words.ACTION_WORDS
FAST = 60 if PLAIN else 500
SLOW = 100_000
VARIANTS = list(product(range(4), ("off", "on"), ("off", "on"), ("first", "all")))


def compare(games: int) -> Counter[str]:
    luck = random.Random(21)
    played: Counter[str] = Counter()
    for number in range(games):
        dealer, contra, compulsory, tie = VARIANTS[number % len(VARIANTS)]
        hands, blind = naive.random_deal(luck)
        slow = naive.FullGame(hands, blind, dealer, contra, compulsory, tie)
        game = make("cego", dealer=dealer, contra_solo=contra, compulsory_solo=compulsory, raeuber_tie=tie)
        fast = Position(game, deal=" | ".join(" ".join(pile) for pile in [*hands, blind]))
        play_along(slow, fast, luck)
        played[slow.game + (" against solo" if slow.soloist is not None and slow.game != "solo" else "")] += 1
    return played


def play_along(slow: naive.FullGame, fast: Position, luck: random.Random) -> None:
    while slow.turn is not None:
        assert fast.turn == slow.turn
        legal = slow.legal()
        assert set(fast.legal()) == legal
        words = sorted(legal)
        shy = slow.phase in ("announce", "raise") and luck.random() < 0.7
        word = next((quiet for quiet in ("pass", "hold") if shy and quiet in legal), luck.choice(words))
        slow.play(word)
        fast.game.step(fast.state, ACTION_WORDS.index(word))
        if slow.phase in ("keep", "discard"):
            hear_the_same(slow, fast, luck.randrange(4))
    assert fast.turn == OVER
    for seat in range(4):
        hear_the_same(slow, fast, seat)
    assert fast.returns() == slow.returns() and sum(slow.returns()) == 0
    assert [fast.won(seat) for seat in range(4)] == [slow.won(seat) for seat in range(4)]


def hear_the_same(slow: naive.FullGame, fast: Position, seat: int) -> None:
    """Rule 6.5"""
    s = fast.view(seat).state
    heard = ["??" if action < 0 else ACTION_WORDS[action] for action in s[LOG : LOG + s[MOVES]]]
    assert heard == [word for _, word in slow.heard(seat)]


def test_agrees_with_the_naive_game() -> None:
    played = compare(FAST)
    if not PLAIN:
        wanted = {*naive.SPECIALS, *naive.LEVELS, "raeuber", "cego against solo", "zwei-leere against solo"}
        assert wanted <= set(played)


@pytest.mark.slow
def test_agrees_with_the_naive_game_for_long() -> None:
    compare(SLOW)


def test_session_dealer() -> None:
    """6.2"""
    words = make("cego").words
    dealers = [words.deal_options({}, deal, [0.0] * 4)["dealer"] for deal in range(9)]
    assert dealers == [naive.session_dealer(deal) for deal in range(9)]
