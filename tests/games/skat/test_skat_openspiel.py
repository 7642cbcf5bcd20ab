"""Skat: card play against OpenSpiel's skat, whose card points the preset skat-points counts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.skat import cards
from kibitz.games.skat.cards import DECK

SUITS, RANKS = "dhsc", "789QKTAJ"  # OpenSpiel's numbers: 8 * suit + rank, diamonds first
THEIRS = {rank + suit: 8 * SUITS.index(suit) + RANKS.index(rank) for suit in SUITS for rank in RANKS}
OURS = {number: DECK.names.index(card) for card, number in THEIRS.items()}
PASS, GAMES = 32, {"D": 33, "H": 34, "S": 35, "C": 36, "G": 37, "N": 38}


def start_foreign(hands: list[list[str]], skat: list[str], declarer: int, declaration: str, laid: list[str]) -> Any:
    """The same deal there: three cards each, the skat, four each, three each; then the declarer names his game."""
    state = pyspiel.load_game("skat").new_initial_state()
    order = [hands[seat][k] for seat in range(3) for k in range(3)] + skat
    order += [hands[seat][k] for seat in range(3) for k in range(3, 7)]
    order += [hands[seat][k] for seat in range(3) for k in range(7, 10)]
    for card in order:
        state.apply_action(THEIRS[card])
    for _ in range(declarer):
        state.apply_action(PASS)
    state.apply_action(GAMES[declaration])
    for card in laid:
        state.apply_action(THEIRS[card])
    return state


def co_simulate(number: int) -> None:
    position = Position(make("skat-points"), 3, number)
    parts = [part.split() for part in position.deal_text.split(" | ")]
    declarer, declaration, *laid, _ = parts[4]
    theirs = start_foreign(parts[:3], parts[3], int(declarer), declaration, laid)
    game, s = position.game, position.state
    mask = np.zeros(game.ACTIONS, np.bool_)
    luck = random.Random(number)
    while game.turn(s) != OVER:
        game.legal(s, mask)
        legal = [int(a) for a in np.flatnonzero(mask)]
        assert theirs.current_player() == game.turn(s)
        assert sorted(OURS[a] for a in theirs.legal_actions()) == legal
        card = luck.choice(legal)
        game.step(s, card)
        theirs.apply_action(THEIRS[cards.ACTION_WORDS[card]])
    assert theirs.is_terminal()
    out = np.zeros(3)
    game.returns(s, out)
    assert list(out) == pytest.approx(theirs.returns())


@pytest.mark.parametrize("games", [20 if PLAIN else 1000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_card_play_agrees_with_openspiel(games: int) -> None:
    for number in range(games):
        co_simulate(number)
