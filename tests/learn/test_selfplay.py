"""Self-play: the arena's games exactly, whoever sits where, and frames that tell the whole story."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, make
from kibitz.learn.network import Network
from kibitz.learn.seats import SNAPSHOT, Seating, Seats, slots
from kibitz.learn.selfplay import Actor, SelfPlay, any_allowed, exploring, greedy
from kibitz.learn.senses import sense
from tests.learn.test_model import saved

GAMES = 60


def network(game: Game, seed: int = 4) -> Network:
    return Network(sense(game).size, game.ACTIONS, (8,), seed=seed)


@pytest.mark.parametrize("name", ["leduc", "cego-standard"])
def test_games_are_those_of_the_arena(tmp_path: Path, name: str) -> None:
    game = make(name)
    seats = (0,) + (-1,) * (game.PLAYERS - 1)
    saved(tmp_path, name, seats=seats)
    random = make_bot(game, "random")
    bots = [make_bot(game, f"net:{tmp_path}"), *[random] * (game.PLAYERS - 1)]
    known = np.concatenate([chunk.returns for chunk in play(game, bots, GAMES, seed=3)])
    played = SelfPlay(sense(game), GAMES).play([Actor(greedy(network(game))), *bots[1:]], seed=3)
    assert (played.returns == known).all()


def test_bots_that_are_not_fused_play_the_same_games() -> None:
    game = make("leduc")
    rule, random = make_bot(game, "leduc-rule"), make_bot(game, "random")
    known = np.concatenate([chunk.returns for chunk in play(game, [rule, random], GAMES, seed=3)])
    assert (SelfPlay(sense(game), GAMES).play([rule, random], seed=3).returns == known).all()


def test_rounds_do_not_depend_on_how_many_games_they_have() -> None:
    game = make("leduc")
    actor = Actor(exploring(network(game), 0.3), 0)
    whole = SelfPlay(sense(game), GAMES).play([actor, actor], seed=3)
    tables = SelfPlay(sense(game), GAMES // 2)
    parts = [tables.play([actor, actor], 3, first).returns.copy() for first in (0, GAMES // 2)]
    assert (np.concatenate(parts) == whole.returns).all()


def test_frames_tell_each_game_in_order() -> None:
    game = make("cego-standard")
    played = SelfPlay(sense(game), GAMES).play([Actor(greedy(network(game)), slot % 2) for slot in range(4)], seed=3)
    assert sorted(played.frames) == [0, 1]
    assert sum(len(frames) for frames in played.frames.values()) == 44 * GAMES
    for slot, frames in played.frames.items():
        order = frames.history()
        assert set(frames.seat) == {slot, slot + 2}
        assert (frames.seat[order].reshape(GAMES, 2, 11) == [[[slot], [slot + 2]]]).all()
        assert (np.diff(frames.banked[order].reshape(GAMES, 2, 11)) >= 0).all()
        assert frames.allowed[np.arange(len(frames)), frames.action].all()
        assert (frames.returns == played.returns[frames.row, frames.seat].astype(np.float32)).all()


def test_strays_are_uniform_over_what_is_allowed() -> None:
    luck = np.random.default_rng(1).random(30_000)
    allowed = np.tile([False, True, True, False, True], (len(luck), 1))
    counts = np.bincount(any_allowed(allowed, luck), minlength=5) / len(luck)
    assert np.allclose(counts, [0, 1 / 3, 1 / 3, 0, 1 / 3], atol=0.01)


def test_networks_are_shared_by_seat_side_or_all() -> None:
    game = make("cego-standard")
    assert slots(game, Seating((0,))) == (0, -1, -1, -1)
    assert slots(game, Seating((0, 1, 2, 3))) == (0, 1, 2, 3)
    assert slots(game, Seating((0, 1, 2, 3), "side")) == (0, 1, 1, 1)
    assert slots(game, Seating((1, 3), "side")) == (-1, 0, -1, 0)
    assert slots(game, Seating((0, 1, 2, 3), "all")) == (0, 0, 0, 0)
    wrong_ones = (
        (Seating((4,)), "seats 0 to 3"),
        (Seating((0,), "twos"), "by seat, side or all"),
        (Seating((0,), rivals_take="hand"), "a seat or a side"),
    )
    for wrong, message in wrong_ones:
        with pytest.raises(BadInput, match=message):
            slots(game, wrong)


def test_rivals_are_drawn_from_the_pool() -> None:
    game = make("leduc")
    bots = {name: make_bot(game, name) for name in ("random", "leduc-rule")}
    seats = Seats(
        game, Seating((0, 1), rivals=("random", "leduc-rule", SNAPSHOT), rival_share=0.5, snapshot_rounds=1), bots, 1
    )
    nets = [network(game), network(game, 5)]
    for number in range(1, 4):
        seats.remember(number, nets)
    actors = [Actor(greedy(net), slot) for slot, net in enumerate(nets)]
    players = [player for number in range(400) for player in seats.fill(number, actors)]
    shares = {
        "own": sum(player in actors for player in players),
        "bots": sum(player in bots.values() for player in players),
        "snapshots": sum(isinstance(player, Actor) and player not in actors for player in players),
    }
    assert sum(shares.values()) == 800
    assert np.allclose([shares[key] / 800 for key in ("own", "bots", "snapshots")], [1 / 2, 1 / 3, 1 / 6], atol=0.06)
    again = Seats(game, seats.seating, bots, 1)
    again.restore(seats.state(), nets)
    assert len(again.snapshots) == 3 and seats.state().keys() == again.state().keys()


def test_a_rival_takes_one_side_whole() -> None:
    game = make("cego-standard")
    bots = {name: make_bot(game, name) for name in ("random", "cego-rule")}
    seating = Seating((0, 1, 2, 3), "all", ("random", "cego-rule"), 0.75, rivals_take="side")
    own = Actor(greedy(network(game)), 0)
    tables = [Seats(game, seating, bots, 1).fill(number, [own]) for number in range(200)]
    taken = [tuple(player is not own for player in players) for players in tables]
    soloist, defence = (True, False, False, False), (False, True, True, True)
    assert set(taken) == {soloist, defence, (False, False, False, False)}
    assert np.allclose([taken.count(soloist) / 200, taken.count(defence) / 200], 0.375, atol=0.1)
    assert all(len(set(map(id, players[1:]))) == 1 for players in tables)
