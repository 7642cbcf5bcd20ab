"""What Deep CFR remembers: a fair sample of everything ever noted, each entry with the iteration it is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kibitz.core.arrays import Arrays
from kibitz.learn.checkpoint import count, packed, refill, unpacked

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

    def pick(self, which: NDArray[np.int64]) -> Notes:
        """Some of the notes."""
        return Notes(self.observation[which], self.allowed[which], self.numbers[which])


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
        # A third of the time that indexing takes.
        seen, allowed, numbers, when = (getattr(self, name).index_select(0, pick) for name in _PARTS)
        return seen.float(), allowed, numbers, when

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


class Ledgers:
    """One ledger for every kind of decision, so that many decisions of one kind do not crowd out the few of another.

    A kind is a block of actions: with the firsts (43,) actions 0 to 42 are of kind 0 and the rest of kind 1.
    """

    def __init__(self, firsts: Sequence[int], capacity: int, senses: int, actions: int) -> None:
        self.firsts = np.array(firsts, np.int64)
        self.parts = [Ledger(capacity, senses, actions) for _ in range(len(firsts) + 1)]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def kinds(self, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[n]: of what kind some decisions are, by the first action that is allowed."""
        found: NDArray[np.int64] = np.searchsorted(self.firsts, allowed.argmax(axis=1), side="right")
        return found

    def add(self, notes: Notes, iteration: int, luck: np.random.Generator) -> None:
        """Remember each note with its kind."""
        if len(self.parts) == 1:
            self.parts[0].add(notes, iteration, luck)
            return
        kinds = self.kinds(notes.allowed)
        for kind, part in enumerate(self.parts):
            part.add(notes.pick(np.flatnonzero(kinds == kind)), iteration, luck)

    def draw(self, luck: np.random.Generator, n: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """n notes, as many of each kind that there is."""
        filled = [part for part in self.parts if len(part)]
        if len(filled) == 1:
            return filled[0].draw(luck, n)
        drawn = [part.draw(luck, max(1, n // len(filled))) for part in filled]
        seen, allowed, numbers, when = (torch.cat(column) for column in zip(*drawn, strict=True))
        return seen, allowed, numbers, when

    def state(self) -> Arrays:
        """Everything that is remembered."""
        if len(self.parts) == 1:
            return self.parts[0].state()
        return {
            name: array for k, part in enumerate(self.parts) for name, array in packed(str(k), part.state()).items()
        }

    def restore(self, arrays: Arrays) -> None:
        """Remember what was put aside."""
        if len(self.parts) == 1:
            self.parts[0].restore(arrays)
            return
        for k, part in enumerate(self.parts):
            part.restore(unpacked(str(k), arrays))
