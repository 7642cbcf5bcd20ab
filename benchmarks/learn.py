"""Learners' speed: decisions per second of the whole loop, and how close self-play comes to the network alone.

python benchmarks/learn.py [--threads 2] [--seconds 10]

Rates are per second of the clock and, for machines that others use too, per second of processor time.
"""

import argparse
import json
import time
from collections.abc import Iterator

import torch

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.learn.dmc import Dmc, DmcConfig
from kibitz.learn.network import STATE_ACTION, Network
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.selfplay import Actor, SelfPlay, greedy
from kibitz.learn.senses import sense

NETWORKS = {"128x2": (128, 128), "256x3": (256,) * 3, "5x512": (512,) * 5}
LEAST = {"128x2": 80_000, "256x3": 25_000, "5x512": 6_000}
LEAST_SHARE = 0.6
BATCH = 2048


def learning(layers: tuple[int, ...], seconds: float, **other: str) -> tuple[float, float]:
    """Decisions a second, acting and learning together: by the clock, and by processor time."""
    game = make("cego-standard")
    seats = Seats(game, Seating(), {"random": make_bot(game, "random")}, 1)
    learner = Dmc(sense(game, other.get("observation", "")), seats, DmcConfig(layers=layers, games=BATCH, **other), 1)
    learner.round(0.0)
    begun, worked, before = time.perf_counter(), time.process_time(), learner.frames
    while time.perf_counter() - begun < seconds:
        learner.round(0.5)
    done = learner.frames - before
    return done / (time.perf_counter() - begun), done / (time.process_time() - worked)


def share_of_forward(layers: tuple[int, ...], seconds: float, seats_learning: int) -> tuple[float, float]:
    """Decisions per processor second of self-play, random players in the other seats,
    and of the network alone on batches of the same size."""
    game = make("cego-standard")
    seen, random = sense(game), make_bot(game, "random")
    network = Network(seen.size, game.ACTIONS, layers, seed=1)
    actor = Actor(greedy(network), 0)
    tables, seats = SelfPlay(seen, BATCH), [actor] * seats_learning + [random] * (game.PLAYERS - seats_learning)
    frames = tables.play(seats, 1).frames[0]
    observation = torch.from_numpy(frames.observation[:BATCH].copy())
    played = forward = 0
    spent = [0.0, 0.0]
    while sum(spent) < seconds:
        begun = time.process_time()
        played += len(tables.play(seats, 1, played).frames[0])
        spent[0] += time.process_time() - begun
        begun = time.process_time()
        with torch.inference_mode():
            for _ in range(11):
                network(observation)
        forward += 11 * BATCH
        spent[1] += time.process_time() - begun
    return played / spent[0], forward / spent[1]


def rates(seconds: float = 5.0) -> Iterator[tuple[str, float]]:
    """Decisions per second of processor time on one thread: learning, and self-play alone."""
    torch.set_num_threads(1)
    for name, layers in NETWORKS.items():
        yield f"learning {name}", learning(layers, seconds)[1]
        yield f"self-play {name}", share_of_forward(layers, seconds, seats_learning=4)[0]


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--threads", type=int, default=torch.get_num_threads())
    asked.add_argument("--seconds", type=float, default=10.0)
    options = asked.parse_args()
    torch.set_num_threads(options.threads)
    for name, layers in NETWORKS.items():
        rate, by_processor = learning(layers, options.seconds)
        played, forward = share_of_forward(layers, options.seconds, seats_learning=4)
        with_random, forward_then = share_of_forward(layers, options.seconds, seats_learning=1)
        told = {
            "network": name, "threads": options.threads, "decisions_per_second": round(rate), "wanted": LEAST[name],
            "per_processor_second": round(by_processor), "selfplay": round(played), "forward": round(forward),
            "share": round(played / forward, 3), "wanted_share": LEAST_SHARE,
            "share_one_seat_of_four": round(with_random / forward_then, 3),
        }  # fmt: skip
        print(json.dumps(told), flush=True)
    rate, by_processor = learning(NETWORKS["5x512"], options.seconds, form=STATE_ACTION, observation="paper")
    told = {
        "network": "5x512 state-action, paper's observation", "threads": options.threads,
        "decisions_per_second": round(rate), "per_processor_second": round(by_processor),
    }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main()
