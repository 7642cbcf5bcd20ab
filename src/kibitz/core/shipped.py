"""Trained players that come with kibitz: in `models/` of a checkout, in `kibitz/models` of an installed package."""

from __future__ import annotations

from pathlib import Path

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
