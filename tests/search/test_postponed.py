"""Postponed search does not believe that it will know later what it cannot know."""

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat import state as skat
from kibitz.games.skat.cards import DECK, NULL
from kibitz.search.pimc import Pimc
from tests.search.endings import endings

Ints = NDArray[np.int64]

LEADER, PARTNER = "7s 7h Ad", "Ac Kc Qc"
WORLDS = {("7d 8s 7c", "8h 8c"): 0.4, ("7d 8h 7c", "8s 8c"): 0.4, ("8s 7c 8c", "7d 8h"): 0.2}
"""Hand and skat of a null's declarer, with their chances."""


def cards(words: str) -> int:
    return sum(1 << DECK.card(word) for word in words.split())


def null_ending() -> tuple[Ints, NDArray[np.float64]]:
    """Three tricks before the end of a null seat 1, a defender, leads; the partner has nothing but clubs."""
    game = make("skat-null")
    states = np.repeat(Position(game).state[None], len(WORLDS), axis=0)
    for s, (hand, laid) in zip(states, WORLDS, strict=True):
        s[skat.HAND : skat.HAND + 3] = cards(hand), cards(LEADER), cards(PARTNER)
        s[skat.ASIDE] = cards(laid)
        s[skat.PHASE], s[skat.TURN], s[skat.DECLARER] = skat.PLAYING, 1, 0
        s[skat.CONTRACT] = s[skat.DECLARED] = NULL
        s[skat.DONE], s[skat.TRICKS + 1] = 7, 7
    return states, np.array(list(WORLDS.values()))


@pytest.mark.parametrize(("depth", "choice", "chances"), [(0, "Ad", (0.6, 0.4, 0.8)), (3, "7s", (0.6, 0.4, 0.4))])
def test_a_guess_put_off_is_still_a_guess(depth: int, choice: str, chances: tuple[float, ...]) -> None:
    """The seven of spades beats the declarer in two worlds; the ace of diamonds leaves the leader to guess a suit."""
    game = make("skat-null")
    states, weights = null_ending()
    bot = Pimc(game, depth=depth)
    bot.imagine = lambda view: (states, weights)  # type: ignore[method-assign]
    thought = bot.think(view_of(game, states[0], 1))
    won, lost = (2 * 23 + 130) / 2, -(23 + 50) / 2
    found = dict(zip(thought.actions.tolist(), (thought.values - lost) / (won - lost), strict=True))
    assert [found[DECK.card(word)] for word in LEADER.split()] == pytest.approx(chances)
    assert thought.choice == DECK.card(choice)


@pytest.mark.parametrize("name", ["skat-grand", "coinche", "cego-standard"])
def test_plays_endings_of_every_game(name: str) -> None:
    game = make(name, **({"auction": "none"} if name == "coinche" else {}))
    s = endings(game, 1, game.PLAYERS * 5 if name != "cego-standard" else 34, 4)[0]
    view = view_of(game, s, int(game.turn(s)))
    assert Pimc(game, worlds=4, depth=1).think(view).choice in view.legal()


def test_depth_and_time_do_not_go_together() -> None:
    with pytest.raises(BadInput, match="only without time"):
        make_bot(make("skat-null"), "pimc:depth=2:time=1")
    with pytest.raises(BadInput, match="depth=-1"):
        make_bot(make("skat-null"), "pimc:depth=-1")
