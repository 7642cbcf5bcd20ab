"""What Deep CFR remembers: a fair sample of everything ever noted, each entry with the iteration it is from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kibitz.core.arrays import Arrays
from kibitz.learn.stow import count, refill

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Notes:
    """Decisions with a number for each action: regrets, or probabilities."""

    observation: Floats
    """[n, senses]"""
    allowed: NDArray[np.bool_]
    """[n, ACTIONS]"""
    numbers: Floats
    """[n, ACTIONS]"""

    def __len__(self) -> int:
        return len(self.observation)


def joined(parts: list[Notes], senses: int, actions: int) -> Notes:
    """Notes one behind the other; none at all if there are no parts."""
    if not parts:
        return Notes(
            np.zeros((0, senses), np.float32), np.zeros((0, actions), np.bool_), np.zeros((0, actions), np.float32)
        )
    return Notes(
        np.concatenate([part.observation for part in parts]),
        np.concatenate([part.allowed for part in parts]),
        np.concatenate([part.numbers for part in parts]),
    )


class Ledger:
    """A reservoir: every note is in it with the same probability. Observations are kept at half precision."""

    def __init__(self, capacity: int, senses: int, actions: int) -> None:
        self.capacity, self.seen = capacity, 0
        self.observation = torch.zeros((capacity, senses), dtype=torch.float16)
        self.allowed = torch.zeros((capacity, actions), dtype=torch.bool)
        self.numbers = torch.zeros((capacity, actions))
        self.iteration = torch.zeros(capacity)

    def __len__(self) -> int:
        return min(self.capacity, self.seen)

    def add(self, notes: Notes, iteration: int, luck: np.random.Generator) -> None:
        """Remember the notes of an iteration, as if they came one by one."""
        number = self.seen + np.arange(len(notes))
        place = np.where(number < self.capacity, number, (luck.random(len(notes)) * (number + 1)).astype(np.int64))
        kept = np.flatnonzero(place < self.capacity)
        # Where two notes fall on one place the later one stays.
        places, from_behind = np.unique(place[kept][::-1], return_index=True)
        source = kept[::-1][from_behind]
        where = torch.from_numpy(places)
        self.observation[where] = torch.from_numpy(notes.observation[source]).half()
        self.allowed[where] = torch.from_numpy(notes.allowed[source])
        self.numbers[where] = torch.from_numpy(notes.numbers[source])
        self.iteration[where] = float(iteration)
        self.seen += len(notes)

    def draw(self, luck: np.random.Generator, n: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """n notes, all equally likely: observation, allowed actions, numbers, iteration."""
        pick = torch.from_numpy(luck.integers(0, len(self), n))
        return self.observation[pick].float(), self.allowed[pick], self.numbers[pick], self.iteration[pick]

    def state(self) -> Arrays:
        """Everything that is remembered."""
        arrays: Arrays = {name: getattr(self, name)[: len(self)].numpy().copy() for name in _PARTS}
        return arrays | {"seen": np.array(self.seen)}

    def restore(self, arrays: Arrays) -> None:
        """Remember what was put aside."""
        self.seen = count(arrays, "seen")
        for name in _PARTS:
            refill(getattr(self, name), len(self), arrays, name)


_PARTS = ("observation", "allowed", "numbers", "iteration")
