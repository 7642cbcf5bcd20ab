"""Hearts and Euchre beside OpenSpiel's, move by move: the same legal moves, the same results."""

import random

import numpy as np
import pyspiel
import pytest

from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.tricks import layout as at

RANKS = {"hearts": 13, "euchre": 6}


def theirs(name: str, action: int) -> int:
    """OpenSpiel counts cards rank by rank, we suit by suit; calls have the same numbers."""
    cards = 4 * RANKS[name]
    return action if action >= cards else action % RANKS[name] * 4 + action // RANKS[name]


def opened(name: str, game: pyspiel.Game, p: Position) -> pyspiel.State:
    """The same deal at OpenSpiel's table."""
    state = game.new_initial_state()
    s = p.state
    state.apply_action(int(s[at.DEALER]))
    hands = [[c for c in range(4 * RANKS[name]) if int(s[at.HAND + seat]) >> c & 1] for seat in range(4)]
    first = int(s[at.DEALER]) if name == "euchre" else 0
    while state.is_chance_node():
        dealt = len(state.history()) - 1
        pile = hands[(first + dealt) % 4] if any(hands) else [int(s[at.DEAD]).bit_length() - 1]
        state.apply_action(theirs(name, pile.pop()))
    return state


def co_simulated(name: str, games: int, seed: int, **options: str) -> int:
    """Play random games at both tables; returns how many moves were compared."""
    settings = {"stick_the_dealer": options.get("stick", "on") == "on"} if name == "euchre" else {}
    game, other = make(name, **options), pyspiel.load_game(name, settings)
    luck, compared = random.Random(seed), 0
    for number in range(games):
        p = Position(game, seed, number)
        state = opened(name, other, p)
        while p.turn != OVER:
            assert state.current_player() == p.turn, (name, number, p.actions)
            legal = p.legal_actions()
            if p.state[at.PHASE] != at.PASSING:  # three cards have one order here and six there
                assert sorted(theirs(name, a) for a in legal) == state.legal_actions(), (name, number, p.actions)
            move = luck.choice(legal)
            p.push(move)
            state.apply_action(theirs(name, move))
            compared += 1
        assert state.is_terminal()
        offset = 26.0 if name == "hearts" else 0.0
        assert state.returns() == pytest.approx([offset + x for x in p.returns()]), (name, number, p.actions)
    return compared


@pytest.mark.parametrize("name,options", [("hearts", {}), ("euchre", {}), ("euchre", {"stick": "off"})])
def test_random_games_equal_openspiels(name: str, options: dict[str, str]) -> None:
    assert co_simulated(name, 100 if PLAIN else 800, 1, **options) > (1_000 if PLAIN else 8_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "euchre"])
def test_many_random_games_equal_openspiels(name: str) -> None:
    assert co_simulated(name, 100_000, 2) > 1_000_000


def test_every_direction_is_drawn_equally_often() -> None:
    counts = np.bincount([int(Position(make("hearts"), 3, k).state[at.DEALER]) for k in range(400)], minlength=4)
    assert counts.min() > 60
