"""Skat: the engine against the naive game, move by move: turn, legality, result, returns, who won, the line of ISS."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.skat import cards
from kibitz.games.skat.state import DONE, MATADORS, OVERBID, POINTS, SCORE, TOTAL
from kibitz.games.skat.tallies import entry
from tests.naive import skat as naive
from tests.naive.skat_values import planned_contract

VARIANTS: list[tuple[str, dict[str, Any], int]] = [
    ("skat", {}, 400),
    ("skat", {"jumps": "on", "announced_loss": "iss"}, 250),
    ("skat", {"early_end": "off", "payoff": "value"}, 150),
    ("skat", {"payoff": "points", "defender_share": 1, "announced_loss": "iss"}, 100),
    ("skat", {"defender_share": 1}, 100),
    ("skat-ramsch", {}, 250),
    ("skat-ramsch", {"schieberamsch": "on"}, 250),
    ("skat-ramsch", {"ramsch_skat": "loser", "jungfrau": "off", "durchmarsch": "off", "payoff": "points"}, 100),
    ("skat-suit", {}, 100),
    ("skat-grand", {}, 100),
    ("skat-null", {}, 100),
    ("skat-null-ouvert", {}, 50),
    ("skat-points", {}, 50),
]


def pair(name: str, options: dict[str, Any], number: int) -> tuple[Position, naive.Game]:
    """The same deal in the engine and in the naive game."""
    position = Position(make(name, **options), 11, number)
    parts = [part.split() for part in position.deal_text.split(" | ")]
    chosen = {**naive.PRESETS[name], **options}
    if len(parts) == 4:
        return position, naive.Game(parts[:3], parts[3], **chosen)
    declarer, declaration, *laid, bid = parts[4]
    family = {"N": "null", "NO": "null-ouvert", "G": "grand"}.get(declaration, "suit")
    assert planned_contract(parts[int(declarer)] + parts[3], family) == (
        declaration,
        sorted_as(laid, parts, declarer, family),
    )
    return position, naive.Game(parts[:3], parts[3], int(declarer), declaration, laid, int(bid), **chosen)


def sorted_as(laid: list[str], parts: list[list[str]], declarer: str, family: str) -> list[str]:
    """The discards in the order of the generator: the text has them by number."""
    planned = planned_contract(parts[int(declarer)] + parts[3], family)[1]
    return planned if sorted(planned) == sorted(laid) else laid


def play_both(name: str, options: dict[str, Any], number: int) -> None:
    position, other = pair(name, options, number)
    game, s = position.game, position.state
    luck = random.Random(number)
    mask = np.zeros(game.ACTIONS, np.bool_)
    while game.turn(s) != OVER:
        game.legal(s, mask)
        legal = [cards.ACTION_WORDS[a] for a in np.flatnonzero(mask)]
        assert game.turn(s) == other.turn, other.history
        assert set(legal) == other.legal(), other.history
        # Random auctions are short: let half of the games be bid up, and a quarter be passed in.
        word = luck.choice(legal)
        if "pass" in legal and number % 4 == 3:
            word = "pass"
        elif "pass" in legal and number % 2 and luck.random() < 0.9:
            word = legal[0] if legal[0] != "pass" else legal[1] if len(legal) > 1 else "pass"
        game.step(s, cards.ACTION_WORDS.index(word))
        other.play(word)
    assert other.turn is None
    out = np.zeros(3)
    game.returns(s, out)
    assert list(out) == other.returns(), other.history
    assert [bool(game.won(s, seat)) for seat in range(3)] == [other.won(seat) for seat in range(3)]
    assert [entry(s, seat) for seat in range(3)] == other.sheet()
    assert [s[POINTS + seat] for seat in range(3)] == [other.trick_points_of([seat]) for seat in range(3)]
    assert s[DONE] == len(other.tricks)
    result = other.score()
    if result is not None:
        ours = (s[SCORE], s[MATADORS], bool(s[OVERBID]), s[TOTAL])
        assert ours == (result.score, result.matadors, result.overbid, result.points), other.history


@pytest.mark.parametrize(("name", "options", "games"), VARIANTS, ids=lambda x: str(x))
def test_engine_and_naive_game_agree_at_every_move(name: str, options: dict[str, Any], games: int) -> None:
    for number in range(games // 50 if PLAIN else games):
        play_both(name, options, number)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "games"), VARIANTS, ids=lambda x: str(x))
def test_engine_and_naive_game_agree_on_many_games(name: str, options: dict[str, Any], games: int) -> None:
    for number in range(10_000, 10_000 + 50 * games):
        play_both(name, options, number)
