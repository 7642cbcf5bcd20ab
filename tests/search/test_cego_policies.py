"""Worlds of the whole game of Cego, weighed by what a player would have done in them."""

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.games.tricks import layout as at
from kibitz.search import worlds
from kibitz.search.cego import policies
from kibitz.search.cego.policies import EFFECTIVE, Policies, dealt_again, tempered


@pytest.fixture(scope="module")
def game():
    return make("cego")


@pytest.fixture(scope="module")
def rule(game):
    return make_bot(game, "cego-rule")


def positions(game, bot, number, every=7):
    """Positions with a choice of cards in a game that a bot plays with itself."""
    p = Position(game, 4, number)
    while not p.is_over:
        view = p.view(p.turn)
        if p.state[at.PHASE] == at.PLAYING and len(view.legal()) > 1 and p.state[at.MOVES] % every == 0:
            yield p, view
        p.push(bot.act(view))


def test_a_world_gone_through_again_from_its_deal_arrives_at_itself(game, rule):
    for p, view in positions(game, rule, 0):
        found = worlds.draw(view, 5)
        tables = dealt_again(game, found)
        for number in range(int(p.state[at.MOVES])):
            for row in range(len(found)):
                game.step(tables[row], int(found[row, policies.rules.LOG + number]))
        assert (tables == found).all()


def test_the_true_world_is_among_the_likeliest_where_the_others_do_as_the_bot_does(game, rule):
    counted = 0
    for number in range(3):
        for p, view in positions(game, rule, number):
            found = np.concatenate([p.state[None], worlds.sample(view, 100)])
            weights = Policies(rule).weigh(view, found)
            assert weights[0] == weights.max() == 1.0
            counted += (weights[1:] < 1.0).any()
    assert counted > 5  # else nothing was weighed


def test_weights_are_drawn_together_until_enough_of_them_count():
    logs = -3.0 * np.arange(60.0)
    weights = tempered(logs)
    assert weights[0] == 1.0 and (np.diff(weights) < 0).all()
    assert weights.sum() ** 2 / (weights**2).sum() == pytest.approx(EFFECTIVE, rel=0.01)
    assert (tempered(np.zeros(60)) == 1.0).all()
