"""Small networks with NumPy alone: what was learned elsewhere is read from a file and used without other libraries."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.arrays import Arrays, Column, check_column, read_arrays
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.files import whole_file
from kibitz.core.shapes import Bools, Singles

HOPELESS = np.float32(-1e9)
MOST_LAYERS = 64
NAMES = ("w", "b")


@dataclass(frozen=True)
class Network:
    """Layers with rectifiers between them."""

    weights: tuple[Singles, ...]
    """[inputs, outputs] of each layer."""
    biases: tuple[Singles, ...]

    def __call__(self, inputs: Singles) -> Singles:
        """[n, outputs] for [n, inputs]."""
        return self.onward(inputs @ self.weights[0] + self.biases[0])

    def onward(self, first: Singles) -> Singles:
        """The outputs from the sums of the first layer, which are overwritten."""
        values = first
        for weights, biases in zip(self.weights[1:], self.biases[1:]):
            np.maximum(values, 0.0, out=values)
            values = values @ weights
            values += biases
        return values

    def layers(self, inputs: Singles) -> list[Singles]:
        """The inputs and the values of every layer."""
        found = [inputs]
        for k, (weights, biases) in enumerate(zip(self.weights, self.biases)):
            x = found[-1] @ weights + biases
            found.append(np.maximum(x, 0.0) if k + 1 < len(self.weights) else x)
        return found


class Adam:
    """Gradient descent with a memory, for the weights of a network."""

    def __init__(self, net: Network) -> None:
        self.net, self.parameters = net, [*net.weights, *net.biases]
        self.first = [np.zeros_like(p) for p in self.parameters]
        self.second = [np.zeros_like(p) for p in self.parameters]
        self.steps = 0

    def step(self, layers: list[Singles], error: Singles, rate: float) -> None:
        """Go down a little; `error` [n, outputs] is how the loss grows with what the last of the layers gave."""
        of_weights: list[Singles] = []
        of_biases: list[Singles] = []
        for k in reversed(range(len(self.net.weights))):
            of_weights.insert(0, layers[k].T @ error)
            of_biases.insert(0, error.sum(axis=0))
            error = (error @ self.net.weights[k].T) * (layers[k] > 0)
        self.steps += 1
        short, long = 1.0 - 0.9**self.steps, 1.0 - 0.999**self.steps
        for k, slope in enumerate([*of_weights, *of_biases]):
            self.first[k] += 0.1 * (slope - self.first[k])
            self.second[k] += 0.001 * (slope * slope - self.second[k])
            self.parameters[k] -= np.float32(rate / short) * self.first[k] / (np.sqrt(self.second[k] / long) + 1e-8)


def softmax(values: Singles, allowed: Bools | None = None) -> Singles:
    """[n, outputs]: probabilities, zero where not allowed."""
    if allowed is not None:
        values = np.where(allowed, values, HOPELESS)
    chances = np.exp(values - values.max(axis=-1, keepdims=True))
    chances /= chances.sum(axis=-1, keepdims=True)
    return chances


def random_network(sizes: tuple[int, ...], seed: int, spread: float = 1.0) -> Network:
    """A network that has learned nothing; a large spread makes it decided all the same."""
    luck = rng.generator(seed, "network")
    weights = [luck.normal(0.0, spread / np.sqrt(a), (a, b)).astype(np.float32) for a, b in itertools.pairwise(sizes)]
    return Network(tuple(weights), tuple(np.zeros(b, np.float32) for b in sizes[1:]))


def save_network(path: Path, network: Network, names: tuple[str, str] = NAMES) -> None:
    """Write a network as .npz, its weights and biases under these names with their numbers."""
    layers = zip(names, (network.weights, network.biases), strict=True)
    arrays: dict[str, Any] = {f"{name}{k}": values for name, part in layers for k, values in enumerate(part)}
    with whole_file(path) as file:
        np.savez_compressed(file, **arrays)


def load_network(path: Path, inputs: int, outputs: int, names: tuple[str, str] = NAMES) -> Network:
    """Read a network and check that it fits what will be asked of it."""
    w, b = names
    arrays = load_arrays(path, rest=Column("f4|f2|f8"))
    layers = len(arrays) // 2
    if not 1 <= layers <= MOST_LAYERS or set(arrays) != {f"{part}{k}" for part in names for k in range(layers)}:
        raise BadInput(f"{path} holds no network")
    sizes: dict[str, int] = {"in": inputs, f"out{layers - 1}": outputs}
    try:
        for k in range(layers):
            shape = ("in" if k == 0 else f"out{k - 1}", f"out{k}")
            check_column(f"{w}{k}", Column("f4", shape), arrays[f"{w}{k}"], sizes)
            check_column(f"{b}{k}", Column("f4", shape[1:]), arrays[f"{b}{k}"], sizes)
    except BadRecord as problem:
        raise BadInput(
            f"{path} holds a network of another shape: {inputs} inputs and {outputs} outputs are needed; {problem}"
        ) from None
    return Network(*(tuple(arrays[f"{name}{k}"] for k in range(layers)) for name in names))


def load_arrays(path: Path, columns: Mapping[str, Column] | None = None, rest: Column | None = None) -> Arrays:
    """The arrays of an .npz file, checked."""
    try:
        return read_arrays(path, columns or {}, rest=rest)
    except FileNotFoundError:
        raise BadInput(
            f"there is no {path.name} in {path.parent}: `kibitz train GAME --method imitation` writes one"
        ) from None
    except BadRecord as problem:
        raise BadInput(f"{path} cannot be read as a network: {problem}") from None
