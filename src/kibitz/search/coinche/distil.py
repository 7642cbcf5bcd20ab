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
from kibitz.search.coinche.network import SCALE, Network, inputs, save, shuffled, untrained
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
    return every, kit_payoff(game).values(every, None, 1, each=False)[:, 0]


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
    network = untrained(seed=seed)
    luck = rng.generator(seed, "distillation")
    parameters = [*network.weights, *network.biases]
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    step, total = 0, passes * (len(rows) // BATCH)
    for _ in range(passes):
        order = luck.permutation(len(rows))
        for start in range(0, len(rows) - BATCH + 1, BATCH):
            pick = order[start : start + BATCH]
            slopes = _slopes(network, rows[pick], targets[pick] / SCALE)
            step += 1
            rate = RATE * (1.0 - 0.95 * step / total)
            for k, slope in enumerate(slopes):
                first[k] += 0.1 * (slope - first[k])
                second[k] += 0.001 * (slope * slope - second[k])
                away = first[k] / (1.0 - 0.9**step)
                parameters[k] -= rate * away / (np.sqrt(second[k] / (1.0 - 0.999**step)) + 1e-8)
    return network


def _slopes(network: Network, rows: Singles, targets: Singles) -> list[Singles]:
    """The gradient of the squared error, weights first."""
    layers = [rows]
    for k, (weights, biases) in enumerate(zip(network.weights, network.biases)):
        x = layers[-1] @ weights + biases
        layers.append(np.maximum(x, 0) if k + 1 < len(network.weights) else x)
    error = (layers[-1] - targets[:, None]) * np.float32(2.0 / len(rows))
    of_weights: list[Singles] = []
    of_biases: list[Singles] = []
    for k in reversed(range(len(network.weights))):
        of_weights.insert(0, layers[k].T @ error)
        of_biases.insert(0, error.sum(axis=0))
        error = (error @ network.weights[k].T) * (layers[k] > 0)
    return [*of_weights, *of_biases]


def main(out: str) -> None:
    """Solve deals, train, and say how far the network is off on deals it has not seen."""
    states, points = solved_deals(DEALS)
    kept = rng.generator(1, "distillation", 1).permutation(len(states))
    seen, unseen = kept[: -len(kept) // 10], kept[-len(kept) // 10 :]
    network = train(*examples(states[seen], points[seen]))
    rows, targets = examples(states[unseen], points[unseen])
    error = float(np.sqrt(np.mean((network.points(rows) - targets) ** 2)))
    save(network, Path(out))
    print(f"{len(states)} deals; {error:.1f} points off on unseen deals, which spread by {targets.std():.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
