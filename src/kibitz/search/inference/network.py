"""Small networks with NumPy alone: what was learned elsewhere is read from a file and used without further libraries."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file

Bits = NDArray[np.float32]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

HOPELESS = np.float32(-1e9)


@dataclass(frozen=True)
class Network:
    """Layers with rectifiers between them."""

    weights: tuple[Bits, ...]
    """[inputs, outputs] of each layer."""
    biases: tuple[Bits, ...]

    def __call__(self, inputs: Bits) -> Bits:
        """[n, outputs] for [n, inputs]."""
        return self.onward(inputs @ self.weights[0] + self.biases[0])

    def onward(self, first: Bits) -> Bits:
        """The outputs from the sums of the first layer, which are overwritten."""
        values = first
        for weights, biases in zip(self.weights[1:], self.biases[1:]):
            np.maximum(values, 0.0, out=values)
            values = values @ weights
            values += biases
        return values


def softmax(values: Bits, allowed: Bools | None = None) -> Bits:
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


def save_network(path: Path, network: Network) -> None:
    """Write a network as .npz."""
    arrays: dict[str, Any] = {f"w{k}": weights for k, weights in enumerate(network.weights)}
    arrays |= {f"b{k}": biases for k, biases in enumerate(network.biases)}
    with whole_file(path) as file:
        np.savez_compressed(file, **arrays)


def load_network(path: Path, inputs: int, outputs: int) -> Network:
    """Read a network and check that it fits what will be asked of it."""
    arrays = load_arrays(path)
    layers = len(arrays) // 2
    try:
        network = Network(
            tuple(arrays[f"w{k}"].astype(np.float32) for k in range(layers)),
            tuple(arrays[f"b{k}"].astype(np.float32) for k in range(layers)),
        )
        shapes = [weights.shape for weights in network.weights]
        fits = shapes[0][0] == inputs and shapes[-1][1] == outputs
        fits &= all(a[1] == b[0] for a, b in itertools.pairwise(shapes))
        fits &= all(len(biases) == shape[1] for biases, shape in zip(network.biases, shapes))
    except (KeyError, IndexError):
        raise BadInput(f"{path} holds no network") from None
    if not fits:
        raise BadInput(f"{path} holds a network of another shape: {inputs} inputs and {outputs} outputs are needed")
    return network


def load_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """The arrays of an .npz file."""
    try:
        with np.load(path, allow_pickle=False) as data:
            return {name: data[name] for name in data.files}
    except FileNotFoundError:
        raise BadInput(
            f"there is no {path.name} in {path.parent}: `kibitz train skat --method imitation` writes one"
        ) from None
    except (OSError, ValueError, EOFError, KeyError) as problem:
        raise BadInput(f"{path} cannot be read as a network: {problem}") from None
    except Exception as problem:  # a damaged archive raises whatever its part raises
        raise BadInput(f"{path} is damaged: {problem}") from None
