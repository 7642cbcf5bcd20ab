"""Memories: rewards add up to returns, what follows belongs to the same game, reservoirs are fair."""

import numpy as np

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.learn.memory import Replay, Reservoir
from kibitz.learn.selfplay import Actor, Frames, SelfPlay, exploring
from kibitz.learn.senses import sense
from tests.learn.test_selfplay import network

GAMES = 50


def frames_of(name: str) -> Frames:
    game = make(name)
    random = make_bot(game, "random")
    seats = [Actor(exploring(network(game), 0.5), 0), *[random] * (game.PLAYERS - 1)]
    return SelfPlay(sense(game), GAMES).play(seats, seed=3).frames[0]


def test_rewards_add_up_to_what_was_still_to_come() -> None:
    frames = frames_of("cego-standard")
    replay = Replay(2000, frames.observation.shape[1], 54)
    replay.add(frames, spread=2.0)
    assert replay.size == len(frames) == 11 * GAMES
    rewards = replay.reward[: replay.size].numpy().reshape(GAMES, 11)
    order = frames.history()
    wanted = (frames.returns - frames.banked)[order].reshape(GAMES, 11)[:, 0] / 2.0
    assert np.allclose(rewards.sum(axis=1), wanted, atol=1e-4)
    assert replay.is_last[: replay.size].numpy().reshape(GAMES, 11).sum() == GAMES


def test_the_ring_forgets_the_oldest_and_keeps_games_together() -> None:
    frames = frames_of("cego-standard")
    replay = Replay(11 * GAMES + 30, frames.observation.shape[1], 54)
    for _ in range(3):
        replay.add(frames, 1.0)
    step = replay.draw(np.random.default_rng(1), 4000)
    hands, later = step.observation[:, :54].sum(dim=1), step.following[:, :54].sum(dim=1)
    assert (later[~step.is_last] == hands[~step.is_last] - 1).all()


def test_a_reservoir_holds_early_and_late_decisions_alike() -> None:
    frames = frames_of("leduc")
    n = len(frames)
    counts = np.zeros(4)
    for seed in range(300):
        reservoir, luck = Reservoir(40, frames.observation.shape[1], 3), np.random.default_rng(seed)
        for part in range(4):
            marked = Frames(**{**vars(frames), "action": np.full(n, part)})
            reservoir.add(marked, np.arange(25), luck)
        assert len(reservoir) == 40 and reservoir.seen == 100
        counts += np.bincount(reservoir.action.numpy(), minlength=4)
    assert np.allclose(counts / counts.sum(), 0.25, atol=0.02)


def test_memories_are_put_aside_and_taken_up() -> None:
    frames = frames_of("leduc")
    size = frames.observation.shape[1]
    replay, reservoir = Replay(70, size, 3), Reservoir(30, size, 3)
    replay.add(frames, 1.0)
    reservoir.add(frames, np.arange(len(frames)), np.random.default_rng(1))
    other, another = Replay(70, size, 3), Reservoir(30, size, 3)
    other.restore(replay.state())
    another.restore(reservoir.state())
    for old, new in ((replay, other), (reservoir, another)):
        assert all((new.state()[key] == value).all() for key, value in old.state().items())
