"""The searching player plays legally everywhere, sees a win that open cards show, and takes advice on worlds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.view import View, view_of
from kibitz.games.skat import state as skat
from kibitz.search.pimc import Pimc
from tests.search.endings import endings

GAMES = [
    ("skat-grand", {}),
    ("skat-null", {}),
    ("skat", {}),
    ("coinche", {}),
    ("coinche-paper", {}),
    ("cego-standard", {}),
    ("cego-bettel", {}),
    ("cego-raeuber", {}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_plays_whole_games(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    bot = make_bot(game, "pimc:worlds=2")
    rule = make_bot(game, bot.payoff.RULE)  # type: ignore[attr-defined]
    bots = [bot if seat == 1 else rule for seat in range(game.PLAYERS)]
    assert sum(len(chunk.returns) for chunk in play(game, bots, 2)) == 2


def test_thoughts_name_the_best_card() -> None:
    game = make("skat-suit")
    s = endings(game, 1, 12, 3)[0]
    view = view_of(game, s, int(game.turn(s)))
    thought = Pimc(game, worlds=30).think(view)
    assert thought.choice in thought.actions
    assert thought.values[list(thought.actions).index(thought.choice)] == thought.values.max()
    assert thought.weights.sum() == pytest.approx(1.0)
    assert set(thought.actions) == set(view.legal())


@dataclass
class Cheat:
    """All weight on the true hands."""

    truth: Any
    samples: int = 100_000

    def weigh(self, view: View, worlds: Any) -> Any:
        hands = slice(skat.HAND, skat.HAND + 3)
        return (worlds[:, hands] == self.truth[hands]).all(axis=1).astype(float)


def test_weights_choose_the_worlds() -> None:
    game = make("skat-suit")
    for s in endings(game, 10, 18, 5):
        view = view_of(game, s, int(game.turn(s)))
        states, weights = Pimc(game, worlds=4, weigher=Cheat(s)).imagine(view)
        seen = states[weights > 0]
        assert len(seen) == 1 and (seen[0, skat.HAND : skat.HAND + 3] == s[skat.HAND : skat.HAND + 3]).all()


@dataclass
class Zero:
    """No world is possible."""

    samples: int = 10

    def weigh(self, view: View, worlds: Any) -> Any:
        return np.zeros(len(worlds))


def test_weights_that_are_all_zero_are_refused() -> None:
    game = make("skat-suit")
    s = endings(game, 1, 3)[0]
    with pytest.raises(BadInput, match="not all zero"):
        Pimc(game, weigher=Zero()).think(view_of(game, s, int(game.turn(s))))


@pytest.mark.parametrize("spec", ["pimc:worlds=0", "pimc:world=3", "pimc:nobody", "pimc:time=-1"])
def test_bad_specs_are_refused(spec: str) -> None:
    with pytest.raises(BadInput):
        make_bot(make("skat-suit"), spec)


def test_other_games_are_refused() -> None:
    with pytest.raises(BadInput, match="cannot play kuhn"):
        make_bot(make("kuhn"), "pimc")


def test_a_time_limit_is_kept() -> None:
    game = make("skat-suit")
    s = endings(game, 1, 0, 8)[0]
    view = view_of(game, s, int(game.turn(s)))
    assert len(Pimc(game, worlds=100_000, seconds=0.05).think(view).worlds) < 5_000
