"""Search on top of a player: worlds played out by it, cards that race, and the bot `pimc:net`."""

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.search import improved
from kibitz.search.improved import Improved, Race
from kibitz.search.playouts import play_on
from kibitz.search.worlds import draw
from tests.search.endings import endings

GAME = make("cego-standard")


def test_deals_played_side_by_side_end_as_if_played_alone() -> None:
    bot = make_bot(GAME, "cego-rule")
    s = endings(GAME, 1, 18, 3)[0]
    seat = int(GAME.turn(s))
    view = view_of(GAME, s, seat)
    worlds, actions = draw(view, 3), np.array(view.legal())
    numbers = np.repeat(np.arange(3), len(actions))
    cards = np.tile(actions, 3)
    before = worlds.copy()
    gains = play_on(GAME, bot, worlds[numbers], cards, np.full(len(cards), seat), numbers)
    assert (worlds == before).all()
    for world, card, gain in zip(worlds[numbers], cards, gains, strict=True):
        position = Position.at(GAME, world.copy())
        position.push(int(card))
        while not position.is_over:
            position.push(bot.act(position.view(position.turn)))
        assert position.returns()[seat] == gain


def test_a_race_is_won_by_the_best_card_and_left_by_the_worst() -> None:
    s = endings(GAME, 1, 0, 3)[0]
    view = view_of(GAME, s, int(GAME.turn(s)))
    race = Race(view, draw(view, 60), np.full(60, 1 / 60))
    luck = np.random.default_rng(1)
    while not race.is_over:
        _, cards, _ = race.rows()
        race.note(np.where(cards == race.actions[2], 3.0, 0.0) + luck.normal(size=len(cards)))
    assert race.best().tolist() == [race.actions[2]]
    assert race.done == improved.PIECE
    assert race.means().argmax() == 2


def test_decisions_side_by_side_are_those_made_one_by_one() -> None:
    bot = Improved(GAME, "improved", make_bot(GAME, "cego-rule"), worlds=5)
    tables = Batch(GAME, 3, seed=4)
    for _ in range(6):
        views = tables.views()
        alone = [bot.act(view) for view in tables.views()]
        actions = bot.act_batch(views)
        assert actions.tolist() == alone
        tables.step(actions)


def test_thoughts_cover_all_cards() -> None:
    s = endings(GAME, 1, 30, 3)[0]
    view = view_of(GAME, s, int(GAME.turn(s)))
    thought = Improved(GAME, "improved", make_bot(GAME, "cego-rule"), worlds=30).think(view)
    assert thought.actions.tolist() == view.legal()
    assert np.isfinite(thought.values).all()
    assert thought.weights.sum() == pytest.approx(1.0)
    assert thought.values[thought.actions.tolist().index(thought.choice)] == thought.values.max()


def test_the_network_is_the_one_that_the_game_declares() -> None:
    pytest.importorskip("torch")
    bot = make_bot(GAME, "pimc:net:worlds=2")
    assert isinstance(bot, Improved)
    assert (bot.worlds, bot.bot.name) == (2, "net:cego-standard")
    assert make_bot(GAME, "pimc:net:cego-standard-dqn").bot.name == "net:cego-standard-dqn"  # type: ignore[attr-defined]
    s = endings(GAME, 1, 30, 3)[0]
    view = view_of(GAME, s, int(GAME.turn(s)))
    assert bot.act(view) in view.legal()


@pytest.mark.parametrize(
    ("game", "spec", "reason"),
    [
        ("hearts", "pimc:net", "no network is known to be good at hearts"),
        ("cego-standard", "pimc:net:depth=1", "depth is for open cards"),
        ("cego-standard", "pimc:net:nobody", "no folder nobody"),
        ("kuhn", "pimc:net", "cannot play kuhn"),
    ],
)
def test_what_cannot_be_is_refused(game: str, spec: str, reason: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(BadInput, match=reason):
        make_bot(make(game), spec)
