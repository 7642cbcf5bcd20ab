"""What learners have in common: they count rounds and decisions, and put themselves aside part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.arrays import Arrays
from kibitz.core.errors import BadInput
from kibitz.core.policy import Bot
from kibitz.learn.checkpoint import Part, counts, packed, restore_parts, state_of_parts, unpacked
from kibitz.learn.network import Network
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, greedy
from kibitz.learn.senses import Sense


class Rounds:
    """A learner that goes from round to round."""

    networks: list[Network]
    """Per slot: what is saved as the model."""

    def __init__(self, sense: Sense, seats: Seats, config: Any, seed: int) -> None:
        self.sense, self.seats, self.config, self.seed = sense, seats, config, seed
        self.frames, self.rounds = 0, 0

    def end_round(self, frames: int) -> None:
        """Count a round of so many decisions; rivals that are earlier selves may want a copy."""
        self.frames += frames
        self.rounds += 1
        self.seats.remember(self.rounds, self.networks)

    def player(self, slot: int) -> Actor | Bot:
        """Who is measured as the player of a slot: its network, greedily."""
        return Actor(greedy(self.networks[slot]))

    def parts(self) -> Mapping[str, Part]:
        """What has to be put aside, by name."""
        raise NotImplementedError

    def state(self) -> Arrays:
        """Everything needed to go on."""
        arrays: Arrays = {"counts": np.array([self.frames, self.rounds]), **state_of_parts(self.parts())}
        return arrays | packed("snapshots", self.seats.state())

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.frames, self.rounds = counts(arrays, "counts", 2)
        restore_parts(self.parts(), arrays)
        self.seats.restore(unpacked("snapshots", arrays), self.networks)


def coach_of(seats: Seats, name: str, share: float, progress: float) -> Bot | None:
    """The bot of that name in the first `share` of a run; nobody later, or if there is no name."""
    if name and name not in seats.bots:
        raise BadInput(f"the coach {name} must be among the rivals or baselines: --baselines {name}")
    return seats.bots[name] if name and progress < share else None
