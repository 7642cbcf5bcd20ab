"""Settings of learners: the fields of their configurations, with the bounds of those that are numbers.

A number is from 1 on if it is whole and from 0 on if not, unless its field says otherwise.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeVar

BOUNDS = "bounds"
MOST = 1e12
LEAST = 1e-12
"""Of what must not be 0."""
T = TypeVar("T")


def share(default: float) -> float:
    """A setting from 0 to 1."""
    return _bounded(default, 0.0, 1.0)


def positive(default: float) -> float:
    """A setting that must not be 0."""
    return _bounded(default, LEAST, MOST)


def from_zero(default: T) -> T:
    """Whole numbers that may be 0."""
    return _bounded(default, 0.0, MOST)


def whole(default: int, most: int) -> int:
    """Whole numbers from 0 to the greatest."""
    return _bounded(default, 0.0, most)


def _bounded(default: T, least: float, most: float) -> T:
    found: T = dataclasses.field(default=default, metadata={BOUNDS: (least, most)})
    return found


@dataclass(frozen=True)
class Settings:
    """What every learner is told."""

    observation: str = ""
    """Which observation; the best one for the game if empty."""
    layers: tuple[int, ...] = (128, 128)
    """Of every network that has no setting of its own for it."""
    batch: int = 512
    rate: float = positive(1e-3)
    """Learning rate at the start."""


@dataclass(frozen=True)
class CoachSettings:
    """What learners are told that a bot shows the game first."""

    coach: str = ""
    """A bot named among the rivals or baselines that decides or is imitated at first; nobody if empty."""
    coached: float = share(0.1)
    """The share of the run in which it does."""


def bounds(config: Any, key: str) -> tuple[float, float]:
    """The least and the greatest value of a setting that is a number, or of each of several."""
    field = next(one for one in dataclasses.fields(config) if one.name == key)
    usual = (0.0 if isinstance(getattr(config, key), float) else 1.0, MOST)
    found: tuple[float, float] = field.metadata.get(BOUNDS, usual)
    return found
