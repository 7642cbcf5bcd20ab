"""Gradient descent: optimisers, how their rate falls, one step downhill."""

from __future__ import annotations

import math

import torch

from kibitz.core.errors import BadOption


def make_optimiser(name: str, network: torch.nn.Module, rate: float) -> torch.optim.Optimizer:
    """Adam, or RMSprop with the paper's numbers."""
    if name == "adam":
        return torch.optim.Adam(network.parameters(), rate, fused=True)
    if name == "rmsprop":
        return torch.optim.RMSprop(network.parameters(), rate, alpha=0.99, eps=1e-5)
    raise BadOption(f"optimiser={name} is not possible: it is adam or rmsprop")


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
