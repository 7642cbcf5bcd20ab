"""Where the bidding network comes from: random deals, solved, and a few passes of gradient descent in plain arrays.

`python -m kibitz.search.coinche.distil OUT.npz` makes it anew in a few minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import make
from kibitz.core.shapes import Ints, Singles
from kibitz.games.coinche import layout as at
from kibitz.search.coinche.network import NAMES, SCALE, SIZES, inputs, shuffled
from kibitz.search.coinche.network import points as predicted
from kibitz.search.network import Adam, Network, random_network, save_network
from kibitz.search.solver.payoff import kit_payoff

DEALS = 12_000
PASSES = 8
BATCH = 1024
RATE = 0.002


def solved_deals(n: int, seed: int = 0) -> tuple[Ints, Ints]:
    """[n, SIZE] states before the first card with random trumps, and [n] the points of the side of seat 0."""
    states = []
    for suit, letter in enumerate("shdc"):
        game = make("coinche", auction="none", contract=f"80{letter}")
        count = n // 4 + (suit < n % 4)
        states.append(Batch(game, count, seed=seed + suit, games=count).state)
    every = np.concatenate(states)
    return every, kit_payoff(game).values(every, None, 1, only=0)[:, 0]


def examples(states: Ints, points: Ints) -> tuple[Singles, Singles]:
    """Each deal seen from four seats and in six orders of the plain suits."""
    rows, targets = [], []
    for suit in range(4):
        mine = states[:, at.CONTRACT] == suit
        for seat in range(4):
            leader = (states[mine, at.TURN] - seat) % 4
            seen = inputs(states[mine, at.HAND + seat], states[mine, at.HAND + (seat + 2) % 4], suit, leader)
            got = points[mine] if seat % 2 == 0 else 162 - points[mine]
            for row in shuffled(seen):
                rows.append(row)
                targets.append(got.astype(np.float32))
    return np.concatenate(rows), np.concatenate(targets)


def train(rows: Singles, targets: Singles, passes: int = PASSES, seed: int = 0) -> Network:
    """Least squares by Adam."""
    network = random_network(SIZES, seed, float(np.sqrt(2.0)))
    luck, adam = rng.generator(seed, "distillation"), Adam(network)
    total = passes * (len(rows) // BATCH)
    for _ in range(passes):
        order = luck.permutation(len(rows))
        for start in range(0, len(rows) - BATCH + 1, BATCH):
            pick = order[start : start + BATCH]
            layers = network.layers(rows[pick])
            error = (layers[-1] - targets[pick, None] / SCALE) * np.float32(2.0 / BATCH)
            adam.step(layers, error, RATE * (1.0 - 0.95 * (adam.steps + 1) / total))
    return network


def main(out: str) -> None:
    """Solve deals, train, and say how far the network is off on deals it has not seen."""
    states, points = solved_deals(DEALS)
    kept = rng.generator(1, "distillation", 1).permutation(len(states))
    seen, unseen = kept[: -len(kept) // 10], kept[-len(kept) // 10 :]
    network = train(*examples(states[seen], points[seen]))
    rows, targets = examples(states[unseen], points[unseen])
    error = float(np.sqrt(np.mean((predicted(network, rows) - targets) ** 2)))
    save_network(Path(out), network, NAMES)
    print(f"{len(states)} deals; {error:.1f} points off on unseen deals, which spread by {targets.std():.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
