"""Coinche's searching bidder: reads calls, knows a strong hand, learns from solved deals."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.coinche.layout import COINCHE, HAND, PASS
from kibitz.search import worlds
from kibitz.search.coinche import bidder as coinche
from kibitz.search.coinche import calls, distil, network
from kibitz.search.network import random_network, save_network

STRONG = "N: 7h 8h 9h Qh 7d 8d 9d Qd | Js 9s As Ts Ks Ah Ad Ac | 7c 8c 9c Qc Jc Kc Tc Td | 7s 8s Qs Jh Kh Th Jd Kd"


def position(words: str = "") -> Position:
    found = Position(make("coinche", scoring="colver"), deal=STRONG)
    for word in words.split():
        found.push(word)
    return found


def test_calls_are_read_with_their_kinds() -> None:
    s = position("80s pass 100s pass pass coinche").state
    assert calls.readings(s) == {
        (1, calls.NAMES, 0),
        (2, calls.YIELDS, 0),
        (3, calls.RAISES + 1, 0),
        (0, calls.YIELDS, 0),
        (2, calls.DOUBLES, 0),
    }


def test_who_names_a_suit_is_given_its_jack() -> None:
    place = position("80s")
    view = view_of(place.game, place.state, 2)
    states = worlds.sample(view, 4000)
    weights = calls.Calls(calls.load()).weigh(view, states)
    assert (weights > 0).all()
    has_jack = (states[:, HAND + 1] >> 3 & 1) == 1
    assert weights[has_jack].mean() > 1.5 * weights[~has_jack].mean()


def test_a_strong_hand_bids_its_suit_and_a_weak_one_passes() -> None:
    place = position()
    bidder = coinche.bidder(place.game)
    assert place.game.words.ACTION_WORDS[bidder.act(view_of(place.game, place.state, 1))].endswith("s")
    place = position("pass pass pass")
    assert bidder.act(view_of(place.game, place.state, 0)) == PASS


def test_a_hopeless_contract_is_coinched() -> None:
    place = position("100s 130d pass pass")
    assert coinche.bidder(place.game).act(view_of(place.game, place.state, 1)) == COINCHE


def test_expected_scores_follow_the_rules() -> None:
    s = make("coinche", scoring="colver").blank()
    sure, never = np.full(3, 1000.0), np.full(3, -1000.0)
    none = np.zeros(3)
    assert coinche.expected(s, sure, 100, none, 0.0, 0) == 262.0  # 7.8: 162 + 100 against 0
    assert coinche.expected(s, never, 100, none, 0.0, 0) == -262.0
    assert coinche.expected(s, never, 100, none, 0.0, 1) == -362.0


@pytest.mark.slow
def test_learning_comes_closer_than_the_mean() -> None:
    states, points = distil.solved_deals(60)
    rows, targets = distil.examples(states, points)
    assert rows.shape == (60 * 24, network.INPUTS)
    trained = distil.train(rows, targets, passes=60)
    assert np.sqrt(np.mean((network.points(trained, rows) - targets) ** 2)) < 0.7 * targets.std()


@pytest.mark.slow
def test_the_shipped_network_is_close_on_new_deals() -> None:
    states, points = distil.solved_deals(40, seed=990)
    rows, targets = distil.examples(states, points)
    assert np.sqrt(np.mean((network.points(network.load(), rows) - targets) ** 2)) < 22


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no network"):
        network.load(tmp_path / "nothing.npz")
    with pytest.raises(BadInput, match="no table of calls"):
        calls.load(tmp_path / "nothing.npz")
    save_network(tmp_path / "net.npz", random_network(network.SIZES, 0), network.NAMES)
    assert len(network.load(tmp_path / "net.npz").weights) == 3
