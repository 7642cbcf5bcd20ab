"""The network that calls in Coinche: what it sees, how it learns, and how hands are guessed from calls."""

import numpy as np

from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.games.coinche import layout as at
from kibitz.search.coinche import bidder, call_learning, caller, reading
from kibitz.search.coinche import network as distilled
from kibitz.search.network import random_network
from kibitz.search.worlds import sample

GAME = make("coinche", scoring="colver")


def position(calls: str, number: int = 0) -> Position:
    found = Position(GAME, 1, number)
    for word in calls.split():
        found.push(word)
    return found


def test_what_is_seen_does_not_depend_on_the_names_of_the_suits():
    place = position("80h pass 90s")
    s, seat = place.state, place.turn
    swapped = s.copy()
    for slot in [at.HAND + k for k in range(4)]:
        hand = int(s[slot])
        swapped[slot] = hand & ~0xFFFF | (hand & 0xFF) << 8 | hand >> 8 & 0xFF
    swapped[at.LOG], swapped[at.LOG + 2] = s[at.LOG] - 1, s[at.LOG + 2] + 1
    rows, order = caller.seen(np.array([s, swapped]), np.array([seat, seat]))
    assert (rows[0] == rows[1]).all()
    assert order[0, 1] == order[1, 2] and order[0, 2] == order[1, 1] and order[0, 41] == 41


def test_legal_calls_of_the_past_are_those_of_the_rules():
    place = position("80h pass 90s coinche surcoinche")
    s = place.state
    for number in range(5):
        before = position(" ".join(["80h", "pass", "90s", "coinche", "surcoinche"][:number]))
        legal = before.view(before.turn).mask[: caller.CALLS].copy()
        legal[caller.TOO_HIGH : caller.COINCHE] = False
        assert (reading.possible(s, number) == legal).all()


def test_worlds_go_with_the_calls():
    place = position("pass 110h pass pass pass")
    view = place.view(place.turn)
    worlds = sample(view, 300)
    weights = reading.weigher(GAME).weigh(view, worlds)
    assert weights.shape == (300,) and (weights > 0).all() and weights.max() == 1.0
    strength = [int(hand) >> 8 & 0b1100 != 0 for hand in worlds[:, at.HAND + (view.seat + 1) % 4]]
    assert np.average(strength, weights=weights) > np.mean(strength)


def test_what_a_contract_brings_is_the_score_of_the_rules():
    s = GAME.blank()
    points, none, one = np.array([162.0, 0.0]), np.zeros(2), np.array([100, 100])
    score, chance = bidder.outcome(s, np.array([400.0, -400.0]), one, none, none, np.array([0, 1]))
    assert list(score) == [262.0, -362.0] and list(chance) == [1.0, 0.0]
    assert bidder.played(points)[0] < 162 and bidder.played(points)[1] > 0


def test_auctions_are_called_out_and_learned_from():
    plan = call_learning.Schooling(rounds=3, deals=64, batch=128, seed=5)
    told = []
    net = call_learning.learn(
        [GAME], [make_bot(GAME, "coinche-strong")], plan, tell=lambda n, facts: told.append(facts)
    )
    again = call_learning.learn([GAME], [make_bot(GAME, "coinche-strong")], plan)
    assert len(told) == 3 and all(0 <= facts["made"] <= 1 for facts in told)
    assert all((a == b).all() for a, b in zip(net.weights, again.weights))
    assert net(np.zeros((1, caller.INPUTS), np.float32)).shape == (1, caller.CALLS)


def test_both_sides_agree_on_points():
    tables = Batch(GAME, 4, seed=2, games=4)
    hands = [tables.state[:, at.HAND + seat] for seat in range(4)]
    leader = (tables.state[:, at.DEALER] + 1) % 4
    ours = call_learning.both_sides(distilled.load(), hands, 1, 0, leader)
    theirs = call_learning.both_sides(distilled.load(), hands, 1, 1, leader)
    assert np.allclose(ours + theirs, 162.0)


def test_only_taught_calls_are_made():
    bot = caller.Caller(random_network((caller.INPUTS, 8, caller.CALLS), 1))
    for number in range(20):
        place = position("", number)
        call = bot.act(place.view(place.turn))
        assert call < caller.TOO_HIGH
