"""The rules agree with the naive implementation and with colver at every move of random games."""

import importlib
import random

import pytest

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.coinche.layout import HAND
from tests.games.coinche.dealing import compare

VARIANTS = {"sans_atout": True, "tout_atout": True, "high_bids": True, "generale": True, "tout_atout_belotes": True}
GAMES = [
    ("coinche", {}, 500),
    ("coinche-paper", {}, 200),
    ("coinche", {"rules": "picot", "scoring": "announced", "reward": "mirror"}, 100),
    ("coinche", {"scoring": "made", "must_beat_defence": True, "round10": "nearest", "normalise": True}, 100),
    ("coinche", {"scoring": "colver", "eighty_means_82": True, "surcoinche_multiplier": 3}, 100),
    ("coinche", {"belote_untakeable": True, "scoring": "announced", "reward": "good", "all_pass_reward": -10}, 100),
    ("coinche-paper", {"paper_coinche_swaps_attack": True, "paper_either_side_coinches": True}, 100),
    ("coinche-paper", {"reward": "classic", "belote": True, "paper_coinche_swaps_attack": True}, 50),
    ("coinche", {"reward": "no_defense"}, 50),
    pytest.param("coinche", VARIANTS, 200, marks=pytest.mark.resized),
    pytest.param("coinche", VARIANTS | {"rules": "picot", "scoring": "made", "reward": "mirror"}, 100,
    marks=pytest.mark.resized), pytest.param("coinche", {"tricks": 3, "auction": "none", "contract": "60h", "taker": 2,
    "coinched": 1}, 50, marks=pytest.mark.resized), pytest.param("coinche", {"tricks": 2, "short_pack": True,
    "auction": "none", "contract": "capot-s"}, 25, marks=pytest.mark.resized), pytest.param("coinche", {"tricks": 5,
    "rules": "picot"}, 25, marks=pytest.mark.resized),
]  # fmt: skip
FEWER = 50 if PLAIN else 8


@pytest.mark.parametrize(("name", "options", "games"), GAMES)
def test_random_games_agree_with_the_naive_game(name: str, options: dict[str, object], games: int) -> None:
    assert compare(make(name, **options), 11, range(max(4, games // FEWER))) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "games"), GAMES)
def test_a_hundred_thousand_games_agree_with_the_naive_game(name: str, options: dict[str, object], games: int) -> None:
    assert compare(make(name, **options), 12, range(90 * games)) > 0


@pytest.mark.parametrize("wanted", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_positions_agree_with_colver(wanted: int) -> None:
    colver = importlib.import_module("colver")
    game = make("coinche", scoring="colver")
    luck = random.Random(5)
    positions, number = 0, 0
    while positions < (2_000 if PLAIN else wanted):
        position = Position(game, 21, number)
        number += 1
        hands = [[card for card in range(32) if int(hand) >> card & 1] for hand in position.state[HAND : HAND + 4]]
        peer = colver.Env.deal_with_hands("NESW".index(position.deal_text[0]), hands)
        while not position.is_over:
            theirs = {colver_word(colver, action, peer.phase()): action for action in peer.legal_actions()}
            assert set(position.legal()) == set(theirs), (position.deal_text, position.actions)
            assert position.turn == peer.current_player()
            word = "pass" if "pass" in theirs and luck.random() < 0.4 else luck.choice(sorted(theirs))
            position.push(word)
            peer.step(theirs[word])
            positions += 1
        assert peer.is_terminal()
        assert list(peer.get_points()) == position.game.words.breakdown(position.state).get("points", [0, 0])


def colver_word(colver: object, action: int, phase: int) -> str:
    """Our word for an action of colver."""
    name: str = colver.Env.action_name(action, phase)  # type: ignore[attr-defined]
    for sign, letter in zip("♠♥♦♣", "shdc", strict=True):
        name = name.replace(sign, letter)
    return name.lower().replace("capot", "capot-") if phase == 0 else name.replace("10", "T")
