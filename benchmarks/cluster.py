"""A Ray cluster of one node beside `Processes`, what a shard costs its driver,
and the schedule on more cores than are here.

`python benchmarks/cluster.py` plays the same shards of a second or more both ways, turn about, and prints the ratio of
the best times; then it measures the driver's own CPU time a shard,
and simulates the schedule on 100 and 1,000 cores with it.
"""

import heapq
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kibitz.arena.cost import seconds_a_deal
from kibitz.arena.executor import WAITING, Processes
from kibitz.arena.executor_ray import Cluster
from kibitz.arena.shards import Shard, cut, play_shard, sheet_shelf
from kibitz.arena.tournament import programme
from kibitz.core.game import make

GAME, BOTS = "leduc", ["leduc-rule", "random"]
SHARDS, TURNS = 12, 3
SECOND = 1.2
"""What a shard lasts about."""
COMPILING = 30.0
"""Seconds until a node's kernels are compiled, once a node."""


def shards() -> list[Shard]:
    """Shards that last a second or more."""
    (whole,) = programme(make(GAME), BOTS, 10**7, 1)[2]
    deals = max(1, round(SECOND / seconds_a_deal(whole)))
    return cut(replace(whole, count=deals * SHARDS), deals)


def rate(executor: Processes | Cluster, pieces: list[Shard]) -> float:
    """Shards a second."""
    begun = time.perf_counter()
    for _ in executor.run(play_shard, pieces):
        pass
    return len(pieces) / (time.perf_counter() - begun)


def driver_seconds(cluster: Cluster, pieces: list[Shard]) -> float:
    """CPU time of this process for a shard: handed out, received, kept."""
    with tempfile.TemporaryDirectory() as folder:
        shelf = sheet_shelf(Path(folder))
        begun = time.process_time()
        for _ in cluster.run(play_shard, pieces, shelf.keep):
            pass
        return (time.process_time() - begun) / len(pieces)


def makespan(seconds: list[float], cores: int, driver: float, compiling: float = COMPILING) -> float:
    """How long shards of these lengths take when one driver hands out and takes in, and each node compiles first."""
    free = [(compiling, core) for core in range(cores)]  # the cores of all nodes, once theirs has compiled
    heapq.heapify(free)
    busy_driver, ends, running = 0.0, 0.0, list[float]()
    for length in seconds:
        at, core = heapq.heappop(free)
        if len(running) >= WAITING * cores:
            at = max(at, heapq.heappop(running))
        busy_driver += driver  # one process does this for all of them
        end = max(at, busy_driver) + length
        heapq.heappush(free, (end, core))
        heapq.heappush(running, end)
        ends = max(ends, end)
    return max(ends, busy_driver)


def schedule(driver: float) -> Iterator[str]:
    """Efficiency on many cores: the time that all shards take on one core,
    by cores times the time that they take there."""
    luck = random.Random(1)
    for count in (10_000, 100_000):
        for length in (1.0, 10.0):
            lengths = [length * luck.lognormvariate(-0.08, 0.4) for _ in range(count)]
            for cores in (2, 100, 1000):
                took = makespan(lengths, cores, driver)
                yield (
                    f"{count:>7,} shards of {length:4.0f} s on {cores:>5,} cores: {took:>10,.0f} s, "
                    f"efficiency {100 * sum(lengths) / cores / took:5.1f} %"
                )


def rates() -> Iterator[tuple[str, float]]:
    """Shards a second on two processes and on Ray with as many cores."""
    pieces, cluster = shards(), Cluster("local")
    cores = len(os.sched_getaffinity(0))
    rate(cluster, pieces[:cores])
    yield "shards on processes", rate(Processes(cores), pieces)
    yield "shards on Ray", rate(cluster, pieces)


def main() -> None:
    """All of it."""
    pieces = shards()
    cores = len(os.sched_getaffinity(0))
    cluster, processes = Cluster("local"), Processes(cores)
    print(f"{SHARDS} shards of {pieces[0].count:,} deals of {GAME}, {cores} cores, {TURNS} turns each")
    rate(cluster, pieces[:cores])  # workers are there from now on, as they are in a long run
    best = {"processes": 0.0, "ray": 0.0}
    for _ in range(TURNS):
        best["processes"] = max(best["processes"], rate(processes, pieces))
        best["ray"] = max(best["ray"], rate(cluster, pieces))
    print(
        f"Processes {best['processes']:.3f} shards/s, Ray {best['ray']:.3f} shards/s: "
        f"{best['ray'] / best['processes']:.2f}"
    )
    driver = driver_seconds(cluster, [replace(piece, count=2048) for piece in pieces] * 4)
    print(f"the driver's CPU time a shard: {1000 * driver:.1f} ms")
    for line in schedule(driver):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
