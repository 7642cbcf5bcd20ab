"""Gradients of a plain network written out, for batches so small that autograd costs as much as the arithmetic.

All weights lie in one vector, so that an optimiser has one tensor to go through. The first layer can skip the zeros of
observations and the last those of slopes, which are 0 for actions that are not allowed: that pays where a batch is
small or nearly all senses are zero. Up to rounding the gradients are those of autograd.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.core.errors import BadOption
from kibitz.core.jit import kernel
from kibitz.learn.network import ACTIONS, Network

Floats = NDArray[np.float32]


class ByHand(nn.Module):
    """The layers of a network whose weights are moved into one vector, `weights`; an optimiser is given this module."""

    def __init__(self, network: Network, *, skips_zeros: bool = True) -> None:
        super().__init__()
        if network.form != ACTIONS:
            raise BadOption(f"by_hand=on is not possible with form={network.form}: with form={ACTIONS} it is")
        held = list(network.parameters())
        self.skips_zeros = skips_zeros
        lying = [one.detach() for one in held]
        if skips_zeros:
            lying[0] = lying[0].t()  # a row of the first layer per input
        sizes = [one.numel() for one in lying]
        self.weights = nn.Parameter(torch.cat([one.flatten() for one in lying]))
        self.weights.grad = torch.zeros_like(self.weights)
        own, slopes = (
            [part.view(one.shape) for part, one in zip(torch.split(vector, sizes), lying, strict=True)]
            for vector in (self.weights.detach(), self.weights.grad)
        )
        for one, part in zip(held, [own[0].t() if skips_zeros else own[0], *own[1:]], strict=True):
            one.data = part
        self._first, *self._layers = zip(own[::2], own[1::2], slopes[::2], slopes[1::2], strict=True)
        """Weight, bias and the slope of each: of the first layer, and of all others."""

    @torch.no_grad()
    def forward(self, observation: Tensor) -> list[Tensor]:
        """What goes into each layer, and at last the values [n, actions]."""
        weight, bias, _, _ = self._first
        if self.skips_zeros:
            entered = torch.from_numpy(weighted(observation.numpy(), weight.numpy(), bias.numpy()))
        else:
            entered = torch.addmm(bias, observation, weight.t())
        found = [observation, entered]
        for rows, more, _, _ in self._layers:
            found.append(torch.addmm(more, found[-1].relu_(), rows.t()))
        return found

    @torch.no_grad()
    def backward(self, passed: Sequence[Tensor], slope: Tensor) -> None:
        """Set the gradient of all weights, given a forward pass and the loss's slope [n, actions] in its values."""
        for number, (rows, _, of_rows, of_more) in reversed(list(enumerate(self._layers, 1))):
            torch.sum(slope, 0, out=of_more)
            if self.skips_zeros and number == len(self._layers):
                before = torch.empty_like(passed[number])
                pass_back(slope.numpy(), passed[number].numpy(), rows.numpy(), of_rows.numpy(), before.numpy())
            else:
                torch.mm(slope.t(), passed[number], out=of_rows)
                before = torch.mm(slope, rows)
            slope = torch.ops.aten.threshold_backward(before, passed[number], 0.0)
        _, _, of_weight, of_bias = self._first
        if self.skips_zeros:
            gather_slopes(passed[0].numpy(), slope.numpy(), of_weight.numpy())
        else:
            torch.mm(slope.t(), passed[0], out=of_weight)
        torch.sum(slope, 0, out=of_bias)


@kernel
def weighted(observation: Floats, weight: Floats, bias: Floats) -> Floats:
    """[n, units]: the first layer, where observations [n, senses] are not zero."""
    out = np.empty((len(observation), len(bias)), np.float32)
    for row in range(len(observation)):
        out[row] = bias
        for sense in range(len(weight)):
            seen = observation[row, sense]
            if seen != 0.0:
                for unit in range(len(bias)):
                    out[row, unit] += seen * weight[sense, unit]
    return out


@kernel
def gather_slopes(observation: Floats, slope: Floats, out: Floats) -> None:
    """Set `out` [senses, units], the slope of the first layer's weights, given that of what it puts out [n, units]."""
    out[:] = 0.0
    for row in range(len(observation)):
        for sense in range(len(out)):
            seen = observation[row, sense]
            if seen != 0.0:
                for unit in range(out.shape[1]):
                    out[sense, unit] += seen * slope[row, unit]


@kernel
def pass_back(slope: Floats, entered: Floats, weight: Floats, out: Floats, before: Floats) -> None:
    """Set `out` [actions, units], the slope of a layer's weights, and `before` [n, units], that of what entered it,
    given that of what it puts out [n, actions]."""
    out[:] = 0.0
    before[:] = 0.0
    for row in range(len(slope)):
        for action in range(len(weight)):
            known = slope[row, action]
            if known != 0.0:
                for unit in range(weight.shape[1]):
                    out[action, unit] += known * entered[row, unit]
                    before[row, unit] += known * weight[action, unit]
