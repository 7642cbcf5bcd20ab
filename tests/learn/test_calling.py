"""The whole game of Cego with networks: they call, those of the sub-games play the cards."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.games.cego import rules
from kibitz.learn.cego.player import CegoPlayer
from kibitz.learn.run import Plan, configured, train
from kibitz.learn.seats import Seating
from kibitz.learn.senses import sense

pytestmark = pytest.mark.slow


def test_what_was_said_is_seen() -> None:
    game = make("cego")
    seen = sense(game)
    s = game.blank()
    game.deal(s, np.array([1, 2, 3, 4], np.int64))
    before = np.zeros(seen.size, np.float32)
    seen.observe(s, 1, before)
    game.step(s, rules.PASS)
    game.step(s, rules.SAY_BETTEL)
    after = np.zeros(seen.size, np.float32)
    seen.observe(s, 1, after)
    assert before[:54].sum() == 11 and np.flatnonzero(before != after).size > 0


def test_a_network_that_calls_plays_whole_games_with_those_of_the_sub_games(tmp_path: Path) -> None:
    game = make("cego")
    config = configured("calling", "default", {"games": "32", "batch": "32", "layers": "16"})
    seating = Seating((0, 1, 2, 3), "all", ("cego-rule",), 0.3)
    card = train(Plan(game, "calling", config, seating, frames=600, evaluation_games=16), tmp_path, make_bot)
    assert list(card.seats) == [0, 0, 0, 0] and card.frames >= 600
    bot = make_bot(game, f"net:{tmp_path}")
    assert isinstance(bot, CegoPlayer)
    played = [chunk.returns for chunk in play(game, [bot, *[make_bot(game, "cego-rule")] * 3], 40, 7)]
    assert np.abs(np.concatenate(played).sum(axis=1)).max() < 1e-6
