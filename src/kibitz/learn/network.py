"""Plain networks: an observation in, one number per action out.

Two forms compute the same kind of answer. `actions` has one output per action and needs one pass per decision.
`state-action`, the papers' form, reads the observation and one action together and is asked once per legal action.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

ACTIONS, STATE_ACTION = "actions", "state-action"
FORMS = (ACTIONS, STATE_ACTION)
NEVER = -1.0e9
"""The value of an action that is not allowed."""


class Network(nn.Module):
    """Layers of rectified units from `senses` inputs to one number per action."""

    def __init__(self, senses: int, actions: int, layers: Sequence[int], form: str = ACTIONS, seed: int = 0) -> None:
        super().__init__()
        self.senses, self.actions, self.sizes, self.form = senses, actions, tuple(layers), form
        first = senses + (actions if form == STATE_ACTION else 0)
        widths = [first, *layers, 1 if form == STATE_ACTION else actions]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))

    def forward(self, observation: Tensor) -> Tensor:
        """[n, senses] -> [n, outputs]: through all layers, whatever the form."""
        x = observation
        for layer in self.layers[:-1]:
            x = functional.relu(layer(x))
        out: Tensor = self.layers[-1](x)
        return out

    def values(self, observation: Tensor, allowed: Tensor) -> Tensor:
        """[n, actions]: the number of every allowed action, NEVER for the others."""
        if self.form == ACTIONS:
            return self(observation).masked_fill(~allowed, NEVER)
        rows, actions = allowed.nonzero(as_tuple=True)
        out = torch.full(allowed.shape, NEVER)
        out[rows, actions] = self._pairs(observation, rows, actions)
        return out

    def taken(self, observation: Tensor, actions: Tensor) -> Tensor:
        """[n]: the number of one action each."""
        if self.form == ACTIONS:
            return self(observation).gather(1, actions[:, None]).squeeze(1)
        return self._pairs(observation, torch.arange(len(actions)), actions)

    def _pairs(self, observation: Tensor, rows: Tensor, actions: Tensor) -> Tensor:
        """The numbers of (row, action) pairs; the observation's share of the first layer is computed once a row."""
        first = self.layers[0]
        assert isinstance(first, nn.Linear)
        seen = functional.linear(observation, first.weight[:, : self.senses], first.bias)
        x = functional.relu(seen[rows] + first.weight[:, self.senses :].t()[actions])
        for layer in self.layers[1:-1]:
            x = functional.relu(layer(x))
        out: Tensor = self.layers[-1](x).squeeze(1)
        return out
