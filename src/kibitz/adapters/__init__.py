"""Our games in everybody's tools: Gymnasium, PettingZoo, RLCard and OpenSpiel, each in a module of its own.

Whatever a seat is given comes from `observe` and `legal` of its game, so nothing leaks that a bot could not know.
"""

from __future__ import annotations

from kibitz.core.errors import MissingExtra
from kibitz.core.game import names

VERSION = 0
"""The number behind the -v of every environment; it rises when what an environment does changes."""


def missing(library: str, extra: str) -> MissingExtra:
    """The error for a library that is not installed."""
    return MissingExtra(library, extra)


def env_title(name: str) -> str:
    """A game's name as environments spell it: cego-solo is CegoSolo."""
    return "".join(part.capitalize() for part in name.split("-"))


def env_ids() -> dict[str, str]:
    """The id of every game's environment in registries: kibitz/CegoSolo-v0 -> cego-solo."""
    return {f"kibitz/{env_title(name)}-v{VERSION}": name for name in names()}
