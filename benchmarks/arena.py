"""What the arena costs: a match of random players beside the same number of games bare, and a million games with statistics."""

import os
import time

from kibitz.arena.match import match
from kibitz.arena.play import play, warm
from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot, seat_bots
from kibitz.core.game import make

MILLION = ("cego-standard", "cego-raeuber", "cego-solo")


def bare(name: str, games: int) -> float:
    """Seconds for the games alone."""
    game = make(name)
    seats = [make_bot(game, "random")] * game.PLAYERS
    warm(game, seats)
    start = time.perf_counter()
    for _ in play(game, seats, games):
        pass
    return time.perf_counter() - start


def main() -> None:
    print(f"{'seconds':<24}{'games':>10}{'bare':>9}{'match':>9}{'overhead':>10}")
    for name in ("kuhn", "leduc", "coinche", "skat", "cego-standard", "cheat-paper"):
        game = make(name)
        match(game, ["random", "random"], 100)
        rounds = [match(game, ["random", "random"], 50_000) for _ in range(5)]
        quickest = min(found.seconds for found in rounds)
        alone = min(bare(name, rounds[0].games) for _ in range(5))
        print(f"{name:<24}{rounds[0].games:>10,}{alone:>9.3f}{quickest:>9.3f}{quickest / alone - 1:>10.1%}", flush=True)
    threads = os.cpu_count() or 1
    print(f"\na million games with full statistics, {threads} threads")
    for name in MILLION:
        game = make(name)
        seats = seat_bots(game, "random")
        simulate(game, seats, 1_000, 0)
        print(f"{name:<24}{simulate(game, seats, 1_000_000, 1, threads=threads).seconds:>9.2f} s", flush=True)


if __name__ == "__main__":
    main()
