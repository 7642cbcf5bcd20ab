"""Trained players that come with kibitz: in `models/` of a checkout, in `kibitz/models` of an installed package."""

from __future__ import annotations

import importlib
from pathlib import Path

from kibitz.core.game import Game, make, package_of
from kibitz.core.schema import read_json_file

INSTALLED = Path(__file__).resolve().parent.parent / "models"
CHECKOUT = Path(__file__).resolve().parents[3] / "models"

_lent: dict[str, Path] = {}
"""Files and folders of another machine, by the name they have there."""


def shipped_folder() -> Path:
    """Where the shipped models are."""
    return INSTALLED if INSTALLED.is_dir() else CHECKOUT


def shipped_names() -> list[str]:
    """The names of all shipped models: folders of networks and files of tables."""
    folder = shipped_folder()
    networks = {path.parent.name for path in folder.glob("*/card.json")}
    return sorted(networks | {path.stem for path in folder.glob("*.npz")})


def models_for(game: Game) -> list[str]:
    """The shipped models that can sit in any seat of a game as it was made, as bots: net:NAME or table:NAME."""
    found = []
    for name in shipped_names():
        path = shipped_folder() / name / "card.json"
        is_network = path.exists()
        try:
            card = read_json_file(path if is_network else shipped_folder() / f"{name}.json", halves=True)
            is_whole = not is_network or all(net >= 0 for net in card["seats"])
            if card["game"] != game.name or not is_whole:
                continue
            if dict(card.get("options") or make(game.name).options) == dict(game.options):
                found.append(f"{'net' if is_network else 'table'}:{name}")
        except (OSError, ValueError, KeyError, TypeError):  # `kibitz models` tells what is wrong with it
            continue
    return found


def strangers_for(game: Game) -> dict[str, str]:
    """The shipped networks that learned the game with other options but see and do the same, each with a note."""
    names = [f"net:{path.parent.name}" for path in sorted(shipped_folder().glob("*/card.json"))]
    notes = {spec: note_on(game, spec) for spec in names}
    return {spec: note for spec, note in notes.items() if note.startswith(f"{spec} learned {game.name} with")}


def note_on(game: Game, spec: str) -> str:
    """What to know of a network that is to play a game with other options than it learned; empty if there is nothing,
    or if it cannot play the game at all."""
    kind, _, rest = spec.partition(":")
    path = found_model(rest.partition(":")[0]) / "card.json"
    if kind != "net" or not path.is_file():
        return ""
    try:
        card = read_json_file(path, halves=True)
        learned, is_whole = dict(card["options"]), all(net >= 0 for net in card["seats"])
        if package_of(card["game"]) != package_of(game.name) or not is_whole:
            return ""
    except (OSError, ValueError, KeyError, TypeError):  # who loads it is told what is wrong with it
        return ""
    sizes = [option.name for option in importlib.import_module(package_of(game.name)).OPTIONS if option.size]
    if learned.keys() != game.options.keys() or any(learned[name] != game.options[name] for name in sizes):
        return ""
    others = [f"{name}={value}" for name, value in learned.items() if value != game.options[name]]
    return f"{spec} learned {card['game']} with {', '.join(others)}: it plays on as it learned" if others else ""


def lend(name: str, path: Path) -> bool:
    """Let a name mean a copy that lies here; gives whether it meant something else before."""
    before = _lent.get(name)
    _lent[name] = path
    return before not in (None, path)


def lent(name: str) -> Path:
    """What a name of a file or folder means here."""
    return _lent.get(name, Path(name))


def found_model(argument: str, ending: str = "") -> Path:
    """A path as it was given, or the shipped model of that name if there is no such path."""
    given = lent(argument)
    shipped = shipped_folder() / f"{argument}{ending}"
    return shipped if not given.exists() and argument and given.name == argument and shipped.exists() else given


def files_named(spec: str) -> list[str]:
    """The words of a bot's spec that name a file or folder here."""
    words = [word.partition("=")[2] or word for word in spec.split(":")[1:]]
    return [word for word in words if word and Path(word).exists()]
