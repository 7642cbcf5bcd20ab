"""What learners remember: the latest decisions in a ring, or a fair sample of all decisions in a reservoir.

Observations are kept at half precision: they are bits and small fractions, and memory is what limits how many fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kibitz.core.arrays import Arrays, Column
from kibitz.core.shapes import Ints
from kibitz.learn.checkpoint import count, counts, refill, taken
from kibitz.learn.selfplay import Frames


@dataclass(frozen=True)
class Step:
    """Some remembered decisions and what followed; rows are independent draws."""

    seen: Tensor
    """[2n, senses]: the observations, then the next one of the same seat, of some other game where there was none."""
    action: Tensor
    reward: Tensor
    is_last: Tensor
    """Whether the seat did not decide again in that game."""
    allowed: Tensor
    """What was allowed at the next decision."""
    ahead: Tensor | None = None
    """What a network said of the next decision, where that is remembered too."""

    @property
    def observation(self) -> Tensor:
        """At the decision."""
        return self.seen[: len(self.action)]

    @property
    def following(self) -> Tensor:
        """At the next one."""
        return self.seen[len(self.action) :]


class Replay:
    """The latest decisions of a slot with their rewards, each followed by the seat's next decision."""

    def __init__(self, capacity: int, senses: int, actions: int, *, has_values: bool = False) -> None:
        self.capacity, self.size, self.head = capacity, 0, 0
        self.observation = torch.zeros((capacity, senses), dtype=torch.float16)
        self.allowed = torch.zeros((capacity, actions), dtype=torch.bool)
        self.action = torch.zeros(capacity, dtype=torch.int64)
        self.reward = torch.zeros(capacity)
        self.is_last = torch.zeros(capacity, dtype=torch.bool)
        self.values = torch.zeros((capacity, actions)) if has_values else None
        """What a network says of each observation, if that is remembered: whoever has the network writes it."""

    def add(self, frames: Frames, spread: float) -> Tensor:
        """Remember a round and give its places; a reward is what was banked until the next decision, in units of
        `spread`."""
        order = frames.history()[-self.capacity :]
        row, seat, banked = frames.row[order], frames.seat[order], frames.banked[order]
        last = np.ones(len(order), np.bool_)
        last[:-1] = (row[1:] != row[:-1]) | (seat[1:] != seat[:-1])
        following = np.append(banked[1:], 0.0)
        reward = np.where(last, frames.returns[order], following) - banked
        place = torch.from_numpy((self.head + np.arange(len(order))) % self.capacity)
        self.observation[place] = torch.from_numpy(frames.observation[order]).half()
        self.allowed[place] = torch.from_numpy(frames.allowed[order])
        self.action[place] = torch.from_numpy(frames.action[order])
        self.reward[place] = torch.from_numpy((reward / spread).astype(np.float32))
        self.is_last[place] = torch.from_numpy(last)
        self.head = (self.head + len(order)) % self.capacity
        self.size = min(self.capacity, self.size + len(order))
        return place

    def draw(self, luck: np.random.Generator, n: int) -> Step:
        """n decisions, all equally likely."""
        pick = torch.from_numpy(luck.integers(0, self.size, n))
        after = (pick + 1) % self.capacity
        seen = self.observation.index_select(0, torch.cat([pick, after])).float()
        ahead = None if self.values is None else self.values.index_select(0, after)
        return Step(seen, self.action[pick], self.reward[pick], self.is_last[pick], self.allowed[after], ahead)

    def state(self) -> Arrays:
        """Everything that is remembered."""
        arrays: Arrays = {name: getattr(self, name)[: self.size].numpy().copy() for name in self._names()}
        return arrays | {"place": np.array([self.size, self.head])}

    def restore(self, arrays: Arrays) -> None:
        """Remember what was put aside."""
        self.size, self.head = counts(arrays, "place", 2, self.capacity)
        self.head %= self.capacity
        actions = self.allowed.shape[1]
        taken(arrays, "action", Column("i8", (self.size,), 0, actions - 1))
        for name in self._names():
            refill(getattr(self, name), self.size, arrays, name)

    def _names(self) -> tuple[str, ...]:
        names = ("observation", "allowed", "action", "reward", "is_last")
        return names if self.values is None else (*names, "values")


class Reservoir:
    """A fair sample of all decisions a slot ever made: each of them is in it with the same probability."""

    def __init__(self, capacity: int, senses: int, actions: int) -> None:
        self.capacity, self.seen = capacity, 0
        self.observation = torch.zeros((capacity, senses), dtype=torch.float16)
        self.allowed = torch.zeros((capacity, actions), dtype=torch.bool)
        self.action = torch.zeros(capacity, dtype=torch.int64)

    def __len__(self) -> int:
        return min(self.capacity, self.seen)

    def add(self, frames: Frames, which: Ints, luck: np.random.Generator) -> None:
        """Remember some of a round's decisions."""
        number = self.seen + np.arange(len(which))
        place = np.where(number < self.capacity, number, (luck.random(len(which)) * (number + 1)).astype(np.int64))
        kept = place < self.capacity
        where, source = _last_of_each(place[kept], which[kept])
        self.observation[where] = torch.from_numpy(frames.observation[source]).half()
        self.allowed[where] = torch.from_numpy(frames.allowed[source])
        self.action[where] = torch.from_numpy(frames.action[source])
        self.seen += len(which)

    def draw(self, luck: np.random.Generator, n: int) -> tuple[Tensor, Tensor, Tensor]:
        """n decisions: observation, allowed actions, action taken."""
        pick = torch.from_numpy(luck.integers(0, len(self), n))
        return self.observation.index_select(0, pick).float(), self.allowed[pick], self.action[pick]

    def state(self) -> Arrays:
        """Everything that is remembered."""
        used = slice(0, len(self))
        return {
            "observation": self.observation[used].numpy().copy(), "allowed": self.allowed[used].numpy().copy(),
            "action": self.action[used].numpy().copy(), "seen": np.array(self.seen),
        }  # fmt: skip

    def restore(self, arrays: Arrays) -> None:
        """Remember what was put aside."""
        self.seen = count(arrays, "seen")
        actions = self.allowed.shape[1]
        taken(arrays, "action", Column("i8", (len(self),), 0, actions - 1))
        for name in ("observation", "allowed", "action"):
            refill(getattr(self, name), len(self), arrays, name)


def _last_of_each(place: NDArray[np.int64], source: Ints) -> tuple[Tensor, Ints]:
    """Places once each, with the source that came last: what writing one after the other would leave."""
    unique, first_from_behind = np.unique(place[::-1], return_index=True)
    return torch.from_numpy(unique), source[::-1][first_from_behind]
