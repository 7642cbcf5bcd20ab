"""Belote beside its naive twin: the same legal moves at every move, the same returns."""

import random

import numpy as np
import pytest

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from tests.naive import belote as naive


def twin_of(p: Position) -> naive.Game:
    cards, _, start = p.deal_text.partition(" ; ")
    *hands, turned, stock = (pile.split() for pile in cards.split(" | "))
    return naive.Game(hands, turned[0], stock, int(start.split()[1]), p.game.options["undertrump"] == "on")


def compare(undertrump: str, games: int, seed: int) -> dict[str, int]:
    """Play random games at both tables; counts what has happened in them."""
    game = make("belote", undertrump=undertrump)
    words, luck = game.words.ACTION_WORDS, random.Random(seed)
    mask = np.zeros(game.ACTIONS, np.bool_)
    seen = {"void": 0, "belote": 0, "capot": 0, "lost": 0, "equal": 0, "undertrumped": 0}
    for number in range(games):
        p = Position(game, seed, number)
        twin, s, told = twin_of(p), p.state, (undertrump, seed, number, p.deal_text)
        while twin.turn is not None:
            assert game.turn(s) == twin.turn, told
            game.legal(s, mask)
            legal = {words[action]: int(action) for action in np.flatnonzero(mask)}
            assert set(legal) == twin.legal(), (told, twin.calls, twin.tricks, twin.table)
            move = "pass" if "pass" in legal and luck.random() < 0.3 else luck.choice(sorted(legal))
            seen["undertrumped"] += must_play_lower(twin)
            game.step(s, legal[move])
            twin.play(move)
        assert game.turn(s) < 0, told
        out = np.zeros(4)
        game.returns(s, out)
        assert out.tolist() == twin.returns(), (told, twin.calls, twin.tricks)
        count(twin, seen)
    return seen


def must_play_lower(twin: naive.Game) -> bool:
    """Rule 3.4 applies: the seat must trump and has only lower trumps, and other cards."""
    if not twin.table or twin.turn is None:
        return False
    hand, best = twin.hands[twin.turn], twin.winner(twin.table)
    trumps = {card for card in hand if card[1] == twin.trump}
    if not trumps or trumps == hand or {card for card in hand if card[1] == twin.table[0][1][1]}:
        return False
    lying = [naive.TRUMP_RANKS.index(card[0]) for _, card in twin.table if card[1] == twin.trump]
    is_lower = lying and all(naive.TRUMP_RANKS.index(card[0]) < max(lying) for card in trumps)
    return bool(is_lower) and best % 2 != twin.turn % 2


def count(twin: naive.Game, seen: dict[str, int]) -> None:
    if twin.taker is None:
        seen["void"] += 1
        return
    points, side = twin.points(), twin.taker % 2
    held = [20 * (twin.had_belote is not None and twin.had_belote % 2 == k) for k in (0, 1)]
    ours, theirs = points[side] + held[side], points[1 - side] + held[1 - side]
    seen["belote"] += sum(held) > 0
    seen["capot"] += sum(points) == 252
    seen["lost"] += ours < theirs
    seen["equal"] += ours == theirs


@pytest.mark.parametrize("undertrump", ["on", "off"])
def test_random_games_of_belote_equal_the_naive_twins(undertrump: str) -> None:
    seen = compare(undertrump, 300 if PLAIN else 1000, 1)
    assert PLAIN or min(seen.values()) > 0, seen


@pytest.mark.slow
@pytest.mark.parametrize("undertrump", ["on", "off"])
def test_a_hundred_thousand_games_of_belote_equal_the_naive_twins(undertrump: str) -> None:
    seen = compare(undertrump, 3000 if PLAIN else 50_000, 2)
    assert PLAIN or min(seen.values()) > 0, seen
