"""Skat: card play against OpenSpiel's skat, whose card points the preset skat-points counts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.skat import words
from kibitz.games.skat.cards import DECK

pyspiel = pytest.importorskip("pyspiel")

SUITS, RANKS = "dhsc", "789QKTAJ"  # OpenSpiel's numbers: 8 * suit + rank, diamonds first
THEIRS = {rank + suit: 8 * SUITS.index(suit) + RANKS.index(rank) for suit in SUITS for rank in RANKS}
OURS = {number: DECK.names.index(card) for card, number in THEIRS.items()}


def foreign_numbers() -> None:
    """Read the numbers off OpenSpiel itself, so that the test does not hang on a guess."""
    state = pyspiel.load_game("skat").new_initial_state()
    names = {"D": "d", "H": "h", "S": "s", "C": "c"}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        card = text.split()[-1]
        if len(card) == 2 and card[0] in names:
            THEIRS[card[1] + names[card[0]]] = action
            OURS[action] = DECK.names.index(card[1] + names[card[0]])


def start_foreign(hands: list[list[str]], skat: list[str], declarer: int, declaration: str, laid: list[str]) -> object:
    """The same deal there: three cards each, the skat, four each, three each; then names, skat, discards."""
    state = pyspiel.load_game("skat").new_initial_state()
    order = [hands[seat][k] for seat in range(3) for k in range(3)] + skat
    order += [hands[seat][k] for seat in range(3) for k in range(3, 7)]
    order += [hands[seat][k] for seat in range(3) for k in range(7, 10)]
    for card in order:
        state.apply_action(THEIRS[card])
    games = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs", "G": "grand", "N": "null"}
    while len(state.legal_actions()) and not any(
        "iscard" in state.action_to_string(a) for a in state.legal_actions()
    ):
        bids = {state.action_to_string(a).lower(): a for a in state.legal_actions()}
        wanted = games[declaration[0]] if state.current_player() == declarer else "pass"
        found = [a for text, a in bids.items() if wanted in text]
        if not found:
            break
        state.apply_action(found[0])
        if wanted != "pass":
            break
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
        theirs.apply_action(THEIRS[words.ACTION_WORDS[card]])
    assert theirs.is_terminal()
    out = np.zeros(3)
    game.returns(s, out)
    assert list(out) == pytest.approx(theirs.returns())


@pytest.mark.parametrize("games", [20 if PLAIN else 1000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_card_play_agrees_with_openspiel(games: int) -> None:
    foreign_numbers()
    for number in range(games):
        co_simulate(number)
