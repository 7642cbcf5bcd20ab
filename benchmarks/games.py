"""Games a second of every card game with random and rule players, beside RLCard, OpenSpiel and colver in the same run.

One core each; the best of three runs. A peer that is not installed is left out. RLCard has none of these games: its
bridge stands for what an environment written in Python does.
"""

import importlib.util
import time
from collections.abc import Callable, Iterator

from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.game import make

RANDOM = {
    "cego-raeuber": 500_000, "cego-standard": 300_000, "cego-bettel": 200_000, "cego-piccolo": 200_000,
    "cego-solo": 100_000, "cego-ultimo": 100_000, "cego": 0, "coinche": 300_000, "skat": 300_000, "skat-suit": 500_000,
    "skat-grand": 500_000, "skat-null": 500_000, "cheat-paper": 300_000,
}  # fmt: skip
"""Games and the rate each should reach (0: none was set)."""

RULES = {
    "coinche": "coinche-simple,coinche-strong,coinche-simple,coinche-strong",
    "skat": "skat-rule",
    "cheat-paper": "cheat-heuristic,cheat-naive",
    "cego-standard": "cego-rule",
}


def ours(name: str, bots: str = "random", games: int = 200_000) -> float:
    game = make(name)
    seats = seat_bots(game, bots)
    simulate(game, seats, 100, 0)
    return max(simulate(game, seats, games, seed).as_json()["games_per_second"] for seed in (1, 2, 3))


def per_second(play: Callable[[], None], games: int) -> float:
    play()
    start = time.perf_counter()
    for _ in range(games):
        play()
    return games / (time.perf_counter() - start)


def rlcard_bridge() -> float:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("bridge")
    env.set_agents([RandomAgent(env.num_actions)] * 4)
    return per_second(lambda: env.run(), 100)


def openspiel_skat() -> float:
    import pyspiel

    game = pyspiel.load_game("skat")
    bots = [pyspiel.make_uniform_random_bot(seat, 7) for seat in range(3)]
    return per_second(lambda: pyspiel.evaluate_bots(game.new_initial_state(), bots, 1), 3_000)


def colver_coinche(games: int = 100_000) -> float:
    """Its roll-outs from one deal, auction included: unlike ours they never shuffle."""
    import colver

    env = colver.Env.deal(dealer=0, seed=1)
    env.rollout(100)
    start = time.perf_counter()
    env.rollout(games)
    return games / (time.perf_counter() - start)


PEERS = {
    "RLCard bridge (Python)": ("rlcard", rlcard_bridge, "cego-raeuber"),
    "OpenSpiel skat, simplified (C++)": ("pyspiel", openspiel_skat, "skat"),
    "colver coinche (Rust)": ("colver", colver_coinche, "coinche"),
}


def random_rates() -> Iterator[tuple[str, float]]:
    """Games a second with random players."""
    for name in RANDOM:
        yield name, ours(name)


def rule_rates() -> Iterator[tuple[str, float]]:
    """Games a second with rule players."""
    for name, bots in RULES.items():
        yield f"{name}, rule players", ours(name, bots, 50_000)


PARTS = {"random": random_rates, "rule": rule_rates}


def rates() -> Iterator[tuple[str, float]]:
    """Games a second of kibitz alone."""
    for part in PARTS.values():
        yield from part()


def main() -> None:
    found = {}
    print(f"{'games a second':<38}{'kibitz':>12}{'asked':>12}")
    for name, rate in rates():
        found[name] = rate
        print(f"{name:<38}{rate:>12,.0f}{RANDOM.get(name) or '':>12}", flush=True)
    print(f"\n{'peers, random games':<38}{'a second':>12}{'ratio':>12}")
    for title, (module, play, name) in PEERS.items():
        if importlib.util.find_spec(module) is None:
            print(f"{title:<38}{'not installed':>24}")
            continue
        theirs = play()
        print(f"{title:<38}{theirs:>12,.0f}{found[name] / theirs:>11,.1f}x  ({name})", flush=True)


if __name__ == "__main__":
    main()
