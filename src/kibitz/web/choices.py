"""What can be chosen in the lobby: games with their options and languages, and bots that can play them."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from kibitz.bots import rules
from kibitz.core.catalogue import names, origin_of, package_of
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game, make
from kibitz.core.scene import seat_names
from kibitz.core.schema import read_json_file
from kibitz.core.shipped import shipped_folder, shipped_names
from kibitz.search.pimc import can_play


def listed() -> list[dict[str, Any]]:
    """Every game with a line about it; nothing is made for that."""
    rows = []
    for name in names():
        package = importlib.import_module(package_of(name))
        about = getattr(package, "ABOUT", {}).get(name) or (package.__doc__ or name).strip().splitlines()[0]
        family = package.__name__.rsplit(".", 1)[-1]
        rows.append({"name": name, "about": about, "family": family, "origin": origin_of(name)})
    return rows


def details(name: str) -> dict[str, Any]:
    """A game with its seats, options, languages and bots."""
    game = make(name)
    package = importlib.import_module(package_of(name))
    options = [
        {
            "name": option.name, "about": option.about, "value": game.options[option.name],
            "possible": option.range_text(), "values": list(option.values) if not isinstance(option.values,
                range) else None,
        }
        for option in package.OPTIONS
    ]  # fmt: skip
    return {
        "name": name, "title": game.title, "players": game.PLAYERS, "seats": seat_names(game), "options": options,
        "languages": ["en", *getattr(game.words, "LANGUAGES", {})], "bots": list(known_bots(game)),
        "usual": usual(game),
    }  # fmt: skip


def usual(game: Game) -> str:
    """The bot that sits down unless another is asked for."""
    return next(reversed([*rules(game)]), "random")


def reviewer(game: Game) -> str:
    """The bot that looks at deals again unless another is asked for."""
    return "pimc" if can_play(game) else usual(game)


@lru_cache(maxsize=64)
def known_bots(game: Game) -> tuple[str, ...]:
    """Bots that anybody at a table may ask: those of the game, search where it can play, and shipped models."""
    searching = ("pimc",) if can_play(game) else ()
    return (*reversed([*rules(game)]), *searching, *_models(game), "random")


def _models(game: Game) -> tuple[str, ...]:
    found = []
    for name in shipped_names():
        path = shipped_folder() / name / "card.json"
        kind = "net" if path.exists() else "table"
        try:
            card = read_json_file(path if path.exists() else shipped_folder() / f"{name}.json", halves=True)
        except (OSError, KibitzError):
            continue
        is_whole = kind == "table" or all(net >= 0 for net in card.get("seats", [-1]))
        same = dict(card.get("options", game.options)) == dict(game.options)
        if card.get("game") == game.name and is_whole and same:
            found.append(f"{kind}:{name}")
    return tuple(found)
