"""Traversals per second of Deep CFR: batched as kibitz does them, and one by one as the textbook writes them.

    python benchmarks/deep_cfr.py [seconds]

Both follow the same strategies from the same networks and collect the same notes. All figures are of one core; seconds
are those of the processor, so that other work on the machine does not count.
"""

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import torch

from kibitz.core import rng
from kibitz.core.game import CHANCE, OVER, Game, make
from kibitz.learn.deep_cfr import PRESETS, DeepCfr, DeepCfrConfig
from kibitz.learn.model import drawn
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.senses import Sense, sense
from kibitz.learn.senses.rows import look
from kibitz.learn.traversal import matched, picked

RUNS = [
    ("kuhn", DeepCfrConfig(traversals=4096)),
    ("leduc", DeepCfrConfig(traversals=2048)),
    ("coinche", DeepCfrConfig(samples=(4, 4, 1), layers=PRESETS["sampled"].layers, traversals=256)),
]

LEAST = 20
"""Times that batched traversals shall be faster."""


class OneByOne:
    """The recursive traversal: one state, one look, one pass through the network per decision."""

    def __init__(self, seen: Sense, learner: DeepCfr) -> None:
        self.seen, self.game, self.learner = seen, seen.game, learner
        self.p = np.zeros(max(1, self.game.CHANCES))
        self.regrets: list[tuple[np.ndarray, np.ndarray]] = []
        self.strategies: list[tuple[np.ndarray, np.ndarray]] = []

    def run(self, number: int, seat: int) -> float:
        """One traversal of one deal for one seat."""
        s = self.game.blank()
        self.game.deal(s, rng.fresh(0, number))
        return self.value(s, number, 0, seat, 0)

    def value(self, s: np.ndarray, deal: int, moves: int, seat: int, depth: int) -> float:
        """What a position is worth to the traverser."""
        game, turn = self.game, self.game.turn(s)
        if turn == OVER:
            out = np.zeros(game.PLAYERS)
            game.returns(s, out)
            return float(out[seat])
        if turn == CHANCE:
            n = game.chances(s, self.p)
            game.step(s, rng.sample(rng.fresh(0, deal, rng.DEALER, moves, rng.CHANCE), self.p, n))
            return self.value(s, deal, moves + 1, seat, depth)
        mask = np.zeros((1, game.ACTIONS), np.bool_)
        game.legal(s, mask[0])
        r = rng.fresh(0, deal, turn, moves)
        observed = look(self.seen, s[None], mask, r[None], np.array([0]), np.array([turn]))
        with torch.inference_mode():
            advantages = self.learner.slots[self.learner.seats.slots[turn]].advantage(
                torch.from_numpy(observed.observation)
            )
        strategy = matched(advantages.numpy(), observed.allowed, False)
        if turn != seat:
            self.strategies.append((observed.observation, strategy))
            game.step(s, int(observed.played(drawn(strategy, observed.luck[:, 0]))[0]))
            return self.value(s, deal, moves + 1, seat, depth)
        wanted = self.learner.sampling.at(np.array([depth]), game.ACTIONS)
        followed, likelihood = picked(
            strategy, observed.allowed, wanted, self.learner.config.explore, observed.luck[:, 0]
        )
        worth = np.zeros(game.ACTIONS)
        for number in np.flatnonzero(followed[0]):
            after = s.copy()
            game.step(after, int(observed.real[0, number]))
            worth[number] = self.value(after, deal, moves + 1, seat, depth + 1) / likelihood[0, number]
        own = float((strategy[0] * worth).sum())
        self.regrets.append((observed.observation, np.where(observed.allowed[0], worth - own, 0.0)))
        return own


def rate(run: Callable[[], int], seconds: float) -> float:
    """What `run` counts, per second of the processor, after one call that does not count."""
    run()
    start, count = time.process_time(), 0
    while time.process_time() - start < seconds:
        count += run()
    return count / (time.process_time() - start)


def learner_of(game: Game, config: DeepCfrConfig) -> tuple[Sense, DeepCfr]:
    """A learner after one iteration, so that its strategies are not uniform."""
    seen = sense(game)
    seats = Seats(game, Seating(tuple(range(game.PLAYERS)), "all"), {}, 1)
    learner = DeepCfr(seen, seats, config, 1)
    learner.round(0.0)
    return seen, learner


def batched(learner: DeepCfr) -> Callable[[], int]:
    """One call: a batch of traversals, counted."""
    players = learner._players()

    def run() -> int:
        learner._traverse(0, players, np.random.default_rng(1))
        return learner.config.traversals

    return run


def rates(seconds: float = 3.0) -> Iterator[tuple[str, float]]:
    """Traversals a second as kibitz does them."""
    torch.set_num_threads(1)
    for name, config in RUNS:
        yield f"{name} traversals", rate(batched(learner_of(make(name), config)[1]), seconds)


def main(seconds: float) -> None:
    """Print a line per game."""
    torch.set_num_threads(1)
    print(f"{'game':10} {'samples':>10} {'batched/s':>12} {'one by one/s':>13} {'times':>7} {'wanted':>7}")
    for name, config in RUNS:
        game = make(name)
        seen, learner = learner_of(game, config)
        count = iter(range(10**9))
        recursive = OneByOne(seen, learner)

        def single(recursive: OneByOne = recursive, game: Game = game, count: object = count) -> int:
            number = next(count)
            recursive.run(number, number % game.PLAYERS)
            return 1

        fast, slow = rate(batched(learner), seconds), rate(single, seconds)
        samples = ",".join(map(str, config.samples)).replace("0", "all")
        print(f"{name:10} {samples:>10} {fast:12,.0f} {slow:13,.1f} {fast / slow:7.1f} {LEAST:7}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
