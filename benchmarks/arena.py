"""What the arena costs: a match of random players beside bare games, and a million games with full statistics.

`fused` plays the same games in one compiled loop and keeps nothing; `batch` steps them by hand through `Batch`, the way
a program of one's own would. The overhead is that of a match over the slower door it replaces.
"""

import os
import time
from collections.abc import Iterator

import numpy as np

from kibitz.arena.match import match
from kibitz.arena.play import play, warm
from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot, seat_bots
from kibitz.bots.compiled import choose_rows
from kibitz.core import uniform
from kibitz.core.batch import Batch
from kibitz.core.game import make

GAMES = ("kuhn", "leduc", "coinche", "skat", "cego-standard", "cheat-paper")
MILLION = ("cego-standard", "cego-raeuber", "cego-solo")


def fused(name: str, games: int) -> float:
    """Seconds for the games alone, in one loop."""
    game = make(name)
    seats = [make_bot(game, "random")] * game.PLAYERS
    warm(game, seats)
    start = time.perf_counter()
    for _ in play(game, seats, games):
        pass
    return time.perf_counter() - start


def batched(name: str, games: int) -> float:
    """Seconds for the games alone, stepped through a batch with compiled random players."""
    game = make(name)
    choose = choose_rows(game, uniform.choose)
    knobs, actions = np.zeros(0), np.zeros(1024, np.int64)
    for warming in (True, False):
        batch = Batch(game, 1024, 1, games=1024 if warming else games)
        start = time.perf_counter()
        while (batch.turn >= 0).any():
            choose(batch.state, batch.mask, batch.rng, knobs, actions)
            batch.step_unchecked(actions)
    return time.perf_counter() - start


def matched(name: str) -> tuple[int, float]:
    """How many games a match of random players has, and its seconds: the quickest of five."""
    game = make(name)
    match(game, ["random", "random"], 100)
    rounds = [match(game, ["random", "random"], 50_000) for _ in range(5)]
    return rounds[0].games, min(found.seconds for found in rounds)


def rates() -> Iterator[tuple[str, float]]:
    """Games a second of matches."""
    for name in GAMES:
        games, seconds = matched(name)
        yield f"match {name}", games / seconds


def main() -> None:
    print(f"{'seconds':<20}{'games':>10}{'fused':>9}{'batch':>9}{'match':>9}{'over fused':>12}{'over batch':>12}")
    for name in GAMES:
        games, quickest = matched(name)
        loop = min(fused(name, games) for _ in range(5))
        steps = min(batched(name, games) for _ in range(2))
        print(
            f"{name:<20}{games:>10,}{loop:>9.3f}{steps:>9.3f}{quickest:>9.3f}"
            f"{quickest / loop - 1:>12.1%}{quickest / steps - 1:>12.1%}",
            flush=True,
        )
    threads = os.cpu_count() or 1
    print(f"\na million games with full statistics, {threads} threads")
    for name in MILLION:
        game = make(name)
        seats = seat_bots(game, "random")
        simulate(game, seats, 1_000, 0)
        print(f"{name:<20}{simulate(game, seats, 1_000_000, 1, threads=threads).seconds:>10.2f} s", flush=True)


if __name__ == "__main__":
    main()
