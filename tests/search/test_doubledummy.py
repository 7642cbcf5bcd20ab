"""The solvers agree with minimax over every line of play, in every game, also in the middle of a trick."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, make
from kibitz.games.skat import contracts
from kibitz.games.skat import state as skat
from kibitz.games.skat.cards import DECK
from kibitz.search.doubledummy import reach, solve
from tests.search.brute import cego_value, coinche_value, skat_value
from tests.search.endings import endings

COINCHE = [
    {"contract": "100h", "taker": 1},
    {"contract": "100c", "rules": "picot"},
    pytest.param({"contract": "100n", "sans_atout": 1, "taker": 2}, marks=pytest.mark.slow),
    pytest.param({"contract": "90t", "tout_atout": 1}, marks=pytest.mark.slow),
]
SUBGAMES = ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")


def compare(game: Game, states: Any, judge: Callable[[Any], dict[int, int]], first: int = 0) -> int:
    values = solve(game, states)
    for s, row in zip(states, values, strict=True):
        found = {int(action) - first: int(row[action]) for action in np.flatnonzero(row >= 0)}
        assert found == judge(s)
    return len(states)


def many(cards: int) -> object:
    """So many cards take the brute-force search long."""
    return pytest.param(cards, marks=pytest.mark.slow)


@pytest.mark.parametrize("name", ["skat-suit", "skat-grand", "skat-null"])
@pytest.mark.parametrize("left", [many(12), many(11), many(10), many(9), 8, 7, 5, 3, 2])
def test_skat_endings_agree_with_brute_force(name: str, left: int) -> None:
    game = make(name)
    spared = 12 if name == "skat-null" else 1
    assert compare(game, endings(game, 8, 30 - left, left, spared), skat_value) > 0


@pytest.mark.parametrize("options", COINCHE, ids=lambda options: options["contract"])
@pytest.mark.parametrize("left", [many(13), many(12), many(11), many(10), many(9), 8, 7, 4])
def test_coinche_endings_agree_with_brute_force(options: dict[str, object], left: int) -> None:
    game = make("coinche", auction="none", **options)
    assert compare(game, endings(game, 3, 32 - left, left), coinche_value, game.parts["rules"].CARD) > 0


@pytest.mark.parametrize("subgame", SUBGAMES)
@pytest.mark.parametrize("left", [many(13), many(12), many(11), many(10), many(9), 8, 7, 4])
def test_cego_endings_agree_with_brute_force(subgame: str, left: int) -> None:
    game = make(f"cego-{subgame}")
    spared = 60 if subgame in ("bettel", "piccolo", "ultimo") else 1
    assert compare(game, endings(game, 3, 44 - left, left, spared), cego_value) > 0


@pytest.mark.parametrize(
    ("name", "options", "cards", "needs"),
    [
        ("skat-suit", {}, 30, (31, 61, 90)),
        ("coinche", {"auction": "none"}, 32, (60, 82, 110)),
        ("cego-solo", {}, 44, (60, 80, 100)),
    ],
)
def test_questions_agree_with_values(name: str, options: dict[str, Any], cards: int, needs: tuple[int, ...]) -> None:
    game = make(name, **options)
    states = endings(game, 30, cards - 19, 4)
    values = solve(game, states)
    for need in needs:
        assert (reach(game, states, need) == np.where(values >= 0, values >= need, -1)).all()


def test_threads_and_batches_do_not_change_answers() -> None:
    game = make("skat-suit")
    states = endings(game, 300, 14, 9)  # more deals than generations of table entries
    together = solve(game, states, threads=2)
    assert (together == solve(game, states)).all()
    for row in range(0, 300, 50):
        assert (solve(game, states[row : row + 1])[0] == together[row]).all()


def test_old_table_entries_never_answer() -> None:
    game = make("skat-suit")
    states = endings(game, 2, 12, 5)
    answers, needs = solve(game, states), np.array([61, 90])
    enough = reach(game, states, needs)
    for _ in range(300):
        assert (solve(game, states) == answers).all() and (reach(game, states, needs) == enough).all()


def test_every_trick_is_asked_for_with_a_need_above_all_points() -> None:
    game = make("skat")
    states = np.array([game.blank(), game.blank()])
    for s, low in zip(states, ("Kh", "7h"), strict=True):
        game.parts["rules"].start(s)
        mine = DECK.cards(f"Jc Js Jh Jd As Ts Ks Ah Th {low}")
        others = [card for card in range(32) if card not in mine]
        for seat, cards in enumerate((mine, others[::2][:10], others[1::2][:10])):
            s[skat.HAND + seat] = sum(1 << card for card in cards)
        s[skat.ASIDE] = sum(1 << card for card in others) & ~int(s[skat.HAND + 1] | s[skat.HAND + 2])
        contracts.set_up(s, 0, 4, 0, 0)
    every = reach(game, states, 121)
    assert (every[0][every[0] >= 0] == 1).all()
    assert np.flatnonzero(every[1] == 0).tolist() == DECK.cards(
        "7h"
    )  # good once ace and ten have drawn the others' hearts


def test_only_cards_can_be_solved() -> None:
    game = make("skat")
    with pytest.raises(BadInput, match="a card is to be played"):
        solve(game, np.array([game.blank()]))
    with pytest.raises(BadInput, match="kuhn cannot be solved"):
        solve(make("kuhn"), np.zeros((1, 20), np.int64))


def test_whole_coinche_deals_agree_with_colver() -> None:
    colver = importlib.import_module("colver")
    from kibitz.games.coinche import layout

    game = make("coinche", auction="none", dealer=0)
    for seed in range(3):
        peer = colver.Env.deal(dealer=0, seed=seed)
        hands = [sum(1 << card for card in hand) for hand in peer.get_hands()]
        for suit, (north, _) in enumerate(peer.solve_all_suits()["suits"]):
            s = game.blank()
            s[layout.SET_CONTRACT] = suit
            s[layout.HAND : layout.HAND + 4] = hands
            game.parts["rules"].start(s, 0)
            values = solve(game, s[None])[0]
            best = values[values >= 0].min()  # East leads, North and South attack
            assert best == min(north, 162)


@pytest.mark.slow
def test_ten_thousand_skat_endings_agree_with_brute_force() -> None:
    done = 0
    for name in ("skat-suit", "skat-grand", "skat-null"):
        game = make(name)
        spared = 12 if name == "skat-null" else 1
        for left, n in ((15, 250), (14, 250), (13, 400), (12, 500), (11, 500), (10, 500), (9, 500), (6, 600)):
            done += compare(game, endings(game, n, 30 - left, left + 50, spared), skat_value)
    assert done > 10_000
