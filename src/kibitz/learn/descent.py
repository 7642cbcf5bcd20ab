"""Gradient descent: optimisers, how their rate falls, one step downhill."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.core.errors import BadOption
from kibitz.core.jit import kernel
from kibitz.learn.by_hand import ByHand

Floats = NDArray[np.float32]
LEAST = np.float32(1e-30)
"""Means of slopes below it, which move no weight, are 0: of weights without slopes they would fall for ever, and a
processor takes many times longer over numbers near the least there are."""


def make_optimiser(name: str, network: torch.nn.Module, rate: float) -> torch.optim.Optimizer:
    """Adam, or RMSprop with the paper's numbers."""
    if name == "adam":
        if isinstance(network, ByHand):
            return OneVectorAdam(network.parameters(), rate)
        return torch.optim.Adam(network.parameters(), rate, fused=True)
    if name == "rmsprop":
        return torch.optim.RMSprop(network.parameters(), rate, alpha=0.99, eps=1e-5)
    raise BadOption(f"optimiser={name} is not possible: it is adam or rmsprop")


class OneVectorAdam(torch.optim.Adam):
    """Adam for weights that lie in one vector: the same but for rounding, in half the time."""

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Go one step along the gradient."""
        (group,) = self.param_groups
        (weights,) = group["params"]
        state = self.state[weights]
        if not state:
            state.update(
                step=torch.tensor(0.0), exp_avg=torch.zeros_like(weights), exp_avg_sq=torch.zeros_like(weights)
            )
        times = int(state["step"].add_(1))
        first, second = group["betas"]
        held = (weights, weights.grad, state["exp_avg"], state["exp_avg_sq"])
        rate, spread = group["lr"] / (1.0 - first**times), 1.0 / math.sqrt(1.0 - second**times)
        numbers = (rate, spread, 1.0 - first, second, 1.0 - second, group["eps"])
        adam(*(one.detach().numpy() for one in held), *map(np.float32, numbers))

    step.hooked = True  # type: ignore[attr-defined]  # else torch wraps it in an event for profilers, as long as itself


@kernel
def adam(
    weights: Floats, slope: Floats, mean: Floats, square: Floats, rate: float, spread: float, new: float,
    old_square: float, new_square: float, least: float,
) -> None:  # fmt: skip
    """One step, given the running means of the slope and of its square; all numbers are of single precision."""
    none = np.float32(0.0)
    for k in range(len(weights)):
        first = mean[k] + new * (slope[k] - mean[k])
        second = old_square * square[k] + new_square * slope[k] * slope[k]
        mean[k] = first if abs(first) > LEAST else none
        square[k] = second if second > LEAST else none
        weights[k] -= rate * mean[k] / (np.sqrt(square[k]) * spread + least)


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    """Change the learning rate."""
    for group in optimiser.param_groups:
        group["lr"] = rate


def descend(optimiser: torch.optim.Optimizer, loss: torch.Tensor, most: float = 0.0) -> float:
    """One step downhill, no longer than that of a gradient of norm `most` if there is one; gives the loss."""
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    take_step(optimiser, most)
    return float(loss.detach())


def take_step(optimiser: torch.optim.Optimizer, most: float = 0.0) -> None:
    """One step along gradients that are known, no longer than that of a gradient of norm `most` if there is one."""
    if most:
        weights = [weight for group in optimiser.param_groups for weight in group["params"]]
        torch.nn.utils.clip_grad_norm_(weights, most)
    optimiser.step()


def cosine(progress: float, last: float) -> float:
    """From 1 down to `last` as progress goes from 0 to 1."""
    return last + (1.0 - last) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))
