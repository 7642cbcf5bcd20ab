"""What a game offers to the rooms of kibitz besides its rules. A room asks here and knows no game by name.

A game's package says where its own part of a room is: SEARCH = "kibitz.search.skat", ARENA, LEARN, CLI likewise. That
module is data alone: what it offers stands under names that the room has in common for all games, a module by its path,
so that nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

from kibitz.core.game import Game, Value, names, package_of


def offered(game: Game, room: str, what: str, default: Any = None) -> Any:
    """What the game's own part of a room has under a name; the path of a module stands for the module."""
    return offered_by(package_of(game.name), room, what, default)


def strongest(game: Game) -> tuple[str, ...]:
    """The bots that the game's package declares as STRONGEST, by the name of the game:
    best first, all quick at a table."""
    declared: dict[str, tuple[str, ...]] = getattr(importlib.import_module(package_of(game.name)), "STRONGEST", {})
    return declared.get(game.name, ())


def for_people(name: str) -> dict[str, Value]:
    """The options with which people play a game unless they say otherwise: FOR_PEOPLE of its package, by its name."""
    declared: dict[str, dict[str, Value]] = getattr(importlib.import_module(package_of(name)), "FOR_PEOPLE", {})
    return declared.get(name, {})


def on_ladder(game: Game) -> tuple[str, ...]:
    """The bots that the game's package declares as LADDER, by the name of the game: they stand on it besides others."""
    declared: dict[str, tuple[str, ...]] = getattr(importlib.import_module(package_of(game.name)), "LADDER", {})
    return declared.get(game.name, ())


def packages() -> list[str]:
    """All packages of games, in the order of the catalogue."""
    return list(dict.fromkeys(package_of(name) for name in names()))


def offered_by(package: str, room: str, what: str, default: Any = None) -> Any:
    """The same, asked of a package of games."""
    home = getattr(importlib.import_module(package), room, "")
    found = getattr(importlib.import_module(home), what, default) if home else default
    return importlib.import_module(found) if isinstance(found, str) else found
