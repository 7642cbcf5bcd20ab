"""Plain networks: an observation in, one number per action out.

Three forms compute the same kind of answer. `actions` has one output per action and needs one pass per decision.
`state-action`, the papers' form, reads the observation and one action together and is asked once per legal action.
`recurrent` is `actions` behind a recurrent layer that hears an auction call by call.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from kibitz.core import rng
from kibitz.core.errors import BadOption
from kibitz.learn.senses import Calls

ACTIONS, STATE_ACTION, RECURRENT = "actions", "state-action", "recurrent"
FORMS = (ACTIONS, STATE_ACTION, RECURRENT)
NEVER = -1.0e9
"""The value of an action that is not allowed."""
SEATS = 4
HEARD = 32
"""What a listener remembers of an auction, in numbers."""


class Listener(nn.Module):
    """A gated recurrent layer over the calls of an auction; what it heard takes the calls' place in the observation."""

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.calls = calls
        self.memory = nn.GRU(calls.width + SEATS, HEARD, batch_first=True)

    def forward(self, observation: Tensor) -> Tensor:
        """[n, senses] -> [n, senses without the calls + HEARD]."""
        calls = self.calls
        said = observation[:, calls.start : calls.stop].reshape(-1, calls.longest, calls.width)
        count = said.sum(dim=(1, 2)).long()
        most = max(1, int(count.max())) if len(count) else 1
        opener = observation[:, calls.opener : calls.opener + SEATS]
        speaker = torch.stack([opener.roll(turn, 1) for turn in range(most)], dim=1)
        heard, _ = self.memory(torch.cat([said[:, :most], speaker], dim=2))
        last = heard[torch.arange(len(count)), (count - 1).clamp_min(0)]
        last = last * (count > 0)[:, None]
        return torch.cat([observation[:, : calls.start], observation[:, calls.stop :], last], dim=1)

    def width(self, senses: int) -> int:
        """How many numbers come out."""
        return senses - (self.calls.stop - self.calls.start) + HEARD


class Network(nn.Module):
    """Layers of rectified units from `senses` inputs to one number per action."""

    def __init__(
        self,
        senses: int,
        actions: int,
        layers: Sequence[int],
        form: str = ACTIONS,
        seed: int = 0,
        calls: Calls | None = None,
    ) -> None:
        super().__init__()
        if form not in FORMS:
            raise BadOption(f"form={form} is not possible: it is {', '.join(FORMS)}")
        if form == RECURRENT and calls is None:
            raise BadOption("form=recurrent needs an observation with every call of an auction")
        self.senses, self.actions, self.sizes, self.form = senses, actions, tuple(layers), form
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(rng.derived(seed, "network"))
            self.listener = Listener(calls) if form == RECURRENT and calls is not None else None
            first = self.listener.width(senses) if self.listener else senses + (actions if form == STATE_ACTION else 0)
            widths = [first, *layers, 1 if form == STATE_ACTION else actions]
            self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))

    def forward(self, observation: Tensor) -> Tensor:
        """[n, senses] -> [n, outputs]: through all layers, whatever the form."""
        x = self.listener(observation) if self.listener is not None else observation
        for layer in self.layers[:-1]:
            x = functional.relu(layer(x))
        out: Tensor = self.layers[-1](x)
        return out

    def values(self, observation: Tensor, allowed: Tensor) -> Tensor:
        """[n, actions]: the number of every allowed action, NEVER for the others."""
        if self.form != STATE_ACTION:
            return self(observation).masked_fill(~allowed, NEVER)
        rows, actions = allowed.nonzero(as_tuple=True)
        out = torch.full(allowed.shape, NEVER)
        out[rows, actions] = self._pairs(observation, rows, actions)
        return out

    def taken(self, observation: Tensor, actions: Tensor) -> Tensor:
        """[n]: the number of one action each."""
        if self.form != STATE_ACTION:
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
