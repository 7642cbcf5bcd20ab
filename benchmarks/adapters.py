"""Speed of the adapters: the vector environment beside RLCard's bridge, and PettingZoo's own benchmark for every game.

    python benchmarks/adapters.py [seconds]

All figures are of one core. A game move is a move of any seat; a step is a move of the learner. Seconds are those of
the processor, so that other work on the machine does not count.
"""

import contextlib
import io
import sys
import time
from collections.abc import Callable, Iterator
from unittest import mock

import gymnasium

import kibitz.adapters.gymnasium as adapter
from kibitz.adapters.pettingzoo import env as table_env
from kibitz.core.game import names

TABLES = 1024
RUNS = [
    ("coinche", "default"), ("coinche", "paper"), ("cego-solo", "default"), ("cego-solo", "paper"),
    ("cego-standard", "default"), ("skat", "default"),
]  # fmt: skip


def measure(step: Callable[[], int], seconds: float) -> float:
    """What `step` counts, per second: the best of five runs, after a few calls that do not count."""
    for _ in range(5):
        step()
    best = 0.0
    for _ in range(5):
        start, count = time.process_time(), 0
        while time.process_time() - start < seconds / 5:
            count += step()
        best = max(best, count / (time.process_time() - start))
    return best


def bridge(seconds: float) -> float:
    """Steps per second of RLCard's bridge with its own random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("bridge")
    env.set_agents([RandomAgent(env.num_actions)] * 4)

    def run() -> int:
        before = env.timestep
        env.run()
        return env.timestep - before

    return measure(run, seconds)


def vector(name: str, observation: str, seconds: float) -> tuple[float, float]:
    """Game moves and learner's steps per second, random legal actions against random players."""
    env_id = next(env_id for env_id, game in adapter.env_ids().items() if game == name)
    env = gymnasium.make_vec(env_id, TABLES, vectorization_mode="vector_entry_point", observation=observation)
    env.reset(seed=0)
    env.action_space.seed(0)
    tables, steps = env.unwrapped.tables, 0

    def run() -> int:
        nonlocal steps
        before = tables.played
        env.step(env.action_space.sample())
        steps += TABLES
        return tables.played - before

    moves = measure(run, seconds)
    return moves, moves * steps / tables.played


def cycles(name: str) -> float:
    """PettingZoo's performance_benchmark, which counts for five seconds."""
    from pettingzoo.test import performance_benchmark

    table = table_env(name)
    table.reset(seed=0)
    while table.agents and not any(table.terminations.values()):  # compiles what the benchmark must not wait for
        table.last()
        table.step(table.action_space(table.agent_selection).sample())
    said = io.StringIO()
    with contextlib.redirect_stdout(said), mock.patch("time.time", time.process_time):
        performance_benchmark(table)
    return float(next(line for line in said.getvalue().splitlines() if "cycles per second" in line).split()[0])


def vector_rates(seconds: float = 2.0) -> Iterator[tuple[str, float]]:
    """Game moves and learner's steps a second of the vector environment."""
    for name, observation in RUNS:
        moves, steps = vector(name, observation, seconds)
        yield f"vector {name} ({observation}), game moves", moves
        yield f"vector {name} ({observation}), learner steps", steps


def cycle_rates() -> Iterator[tuple[str, float]]:
    """Cycles a second of PettingZoo's benchmark."""
    for name in dict.fromkeys(name for name, _ in RUNS):
        yield f"PettingZoo {name}, cycles", cycles(name)


PARTS = {"vector": vector_rates, "pettingzoo": cycle_rates}


def rates(seconds: float = 2.0) -> Iterator[tuple[str, float]]:
    """Both."""
    yield from vector_rates(seconds)
    yield from cycle_rates()


def main(seconds: float = 3.0) -> None:
    slow = bridge(seconds)
    print(f"RLCard bridge: {slow:,.0f} steps/s")
    print(f"vector environments of {TABLES} tables")
    for name, rate in rates(seconds):
        print(f"{name}: {rate:,.0f}/s, {rate / slow:,.1f} x bridge", flush=True)
    for name in names():
        if name not in ("cheat-half", "cheat-whole", "cheat-party", *(name for name, _ in RUNS)):
            print(f"PettingZoo {name}: {cycles(name):,.0f} cycles/s")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
