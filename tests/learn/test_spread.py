"""Rounds that are played in pieces by others are the rounds that one process plays, to the last bit."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.work import Serial
from kibitz.learn import selfplay, spread
from kibitz.learn.run import Plan, configured, make_learner
from kibitz.learn.seats import Seating

DEEP = {"traversals": "24", "at_once": "10", "steps": "2", "policy_steps": "2", "layers": "8"}
SMALL = {"games": "24", "batch": "16", "layers": "8"}


class Elsewhere(Serial):
    """Does what travels: everything is pickled on its way, and a later piece overwrites nothing."""

    def run(self, work, pieces, keep=None):
        import cloudpickle

        def far(piece):
            return pickle.loads(pickle.dumps(pickle.loads(cloudpickle.dumps(work))(piece)))

        return iter(list(super().run(far, pieces, keep)))


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(selfplay, "PIECE", 10)
    monkeypatch.setattr(spread, "PIECE", 10)


def learner(method, rivals=("leduc-rule",), **changes):
    sizes = {**(DEEP if method == "deep-cfr" else SMALL), **changes}
    plan = Plan(make("leduc"), method, configured(method, "default", sizes), Seating((0,), rivals=rivals), 3, 1000)
    bots = {name: make_bot(plan.game, name) for name in ("random", "leduc-rule")}
    return make_learner(plan, bots)[1]


def after(one, rounds=4):
    said = [one.round(k / rounds) for k in range(rounds)]
    return said, one.state()


@pytest.mark.parametrize("method", ["dmc", "dqn", "nfsp", "deep-cfr"])
def test_a_round_played_in_pieces_elsewhere_teaches_the_same(method):
    here, there = learner(method), learner(method)
    spread.spread(there, Elsewhere)
    (said, known), (also, found) = after(here), after(there)
    assert said == also
    assert known.keys() == found.keys() and all(np.array_equal(known[name], found[name]) for name in known)


@pytest.mark.parametrize("method", ["dmc", "nfsp"])
def test_stale_rounds_are_other_rounds_but_learn_from_every_game_once(method):
    here, there = learner(method), learner(method)
    spread.spread(there, Elsewhere, staleness=2)
    after(here), after(there)
    assert there.rounds == here.rounds and there.frames > 0
    assert sorted(there.selfplay._ahead) == [4 * 24, 5 * 24]  # under way, with weights at most two rounds old


def test_who_cannot_be_spread_says_who_can():
    one = learner("dmc")
    one.selfplay = None
    with pytest.raises(BadInput, match="dmc, dqn, nfsp and deep-cfr can"):
        spread.spread(one, Serial)
    with pytest.raises(BadInput, match="from 0 to 16"):
        spread.spread(learner("dmc"), Serial, staleness=17)


def test_traversals_have_no_stale_rounds():
    with pytest.raises(BadInput, match="leave out --staleness"):
        spread.spread(learner("deep-cfr"), Serial, staleness=1)


def test_a_tiny_piece_is_of_the_same_kin():
    piece = spread.Games(10, 10, "x")
    assert piece.tiny == replace(piece, count=1)
