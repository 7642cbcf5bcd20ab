"""Gradients of a plain network written out, for batches so small that autograd costs as much as the arithmetic.

All weights lie in one vector, so that an optimiser has one tensor to go through. Up to rounding the gradients are those
of autograd.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kibitz.core.errors import BadOption
from kibitz.learn.network import ACTIONS, Network


class ByHand(nn.Module):
    """The layers of a network whose weights are moved into one vector, `weights`; an optimiser is given this module."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        if network.form != ACTIONS:
            raise BadOption(f"by_hand=on is not possible with form={network.form}: with form={ACTIONS} it is")
        held = list(network.parameters())
        self.weights = nn.Parameter(torch.cat([one.detach().flatten() for one in held]))
        self.weights.grad = torch.zeros_like(self.weights)
        sizes = [one.numel() for one in held]
        for one, own in zip(held, torch.split(self.weights.detach(), sizes), strict=True):
            one.data = own.view_as(one)
        slopes = [own.view_as(one) for one, own in zip(held, torch.split(self.weights.grad, sizes), strict=True)]
        self._layers = list(zip(held[::2], held[1::2], slopes[::2], slopes[1::2], strict=True))
        """Weight, bias and the slope of each."""

    @torch.no_grad()
    def forward(self, observation: Tensor) -> list[Tensor]:
        """What goes into each layer, and at last the values [n, actions]."""
        found = [observation]
        for weight, bias, _, _ in self._layers[:-1]:
            found.append(torch.addmm(bias, found[-1], weight.t()).relu_())
        weight, bias, _, _ = self._layers[-1]
        return [*found, torch.addmm(bias, found[-1], weight.t())]

    @torch.no_grad()
    def backward(self, passed: Sequence[Tensor], slope: Tensor) -> None:
        """Set the gradient of all weights, given a forward pass and the loss's slope [n, actions] in its values."""
        for number, (weight, _, of_weight, of_bias) in reversed(list(enumerate(self._layers))):
            torch.mm(slope.t(), passed[number], out=of_weight)
            torch.sum(slope, 0, out=of_bias)
            if number:
                slope = torch.mm(slope, weight).masked_fill_(passed[number] <= 0.0, 0.0)
