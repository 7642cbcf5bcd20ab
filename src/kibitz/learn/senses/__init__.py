"""What a learner sees: an observation, the numbers of the actions in it, and the points a seat already has.

A sense pairs a game's observation with the order its actions are numbered in (suits in a canonical order) and with what
is banked: the part of the final return that can no longer change, so that a learner need only guess the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kibitz.core.action_order import is_renamed
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.offers import offered


@dataclass(frozen=True)
class Calls:
    """Where an observation has an auction: one row per call, the first call first, and who opened."""

    start: int
    longest: int
    width: int
    opener: int

    @property
    def stop(self) -> int:
        """Where the auction ends."""
        return self.start + self.longest * self.width


@dataclass(frozen=True, eq=False)
class Sense:
    """One way for a network to look at a game; kernels are None where the game has nothing to add."""

    game: Game
    kind: str
    size: int
    observe: Callable[..., None]
    canonical: Callable[..., None] | None = None
    banked: Callable[..., float] | None = None
    calls: Calls | None = None
    """The auction, call by call, if the observation has it."""


@cache
def sense(game: Game, kind: str = "") -> Sense:
    """The sense of that name; without a name the one that learners do best with."""
    extra = _extra(game)
    wanted = kind or ("compact" if "compact" in extra else "default")
    banked = extra.get("banked")
    if wanted in extra and wanted != "banked":
        size, observe, canonical = extra[wanted]
        return Sense(game, wanted, size, observe, canonical, banked)
    if wanted not in game.observations:
        known = dict.fromkeys([*game.observations, *(name for name in extra if name != "banked")])
        raise BadOption(f"{game.name} has no observation {wanted}: learners can use {', '.join(known)}")
    seen = game.observation(wanted)
    canonical = game.canonical if is_renamed(game, wanted) else None
    return Sense(game, wanted, seen.senses, seen.observe, canonical, banked, _calls(game, wanted))


def _calls(game: Game, kind: str) -> Calls | None:
    if kind not in offered(game, "LEARN", "CALL_BY_CALL", ()):
        return None
    slices, width = game.observation(kind).slices, game.parts["rules"].CALLS
    said = slices["calls"]
    return Calls(said.start, (said.stop - said.start) // width, width, slices["opener"].start)


def _extra(game: Game) -> dict[str, Any]:
    """What this room adds to a game."""
    own = offered(game, "LEARN", "own_senses")
    if own is not None:
        found: dict[str, Any] = own(game)
        return found
    return {}
