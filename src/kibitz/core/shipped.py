"""Trained players that come with kibitz: in `models/` of a checkout, in `kibitz/models` of an installed package."""

from __future__ import annotations

from pathlib import Path

INSTALLED = Path(__file__).resolve().parent.parent / "models"
CHECKOUT = Path(__file__).resolve().parents[3] / "models"


def shipped_folder() -> Path:
    """Where the shipped models are."""
    return INSTALLED if INSTALLED.is_dir() else CHECKOUT


def shipped_names() -> list[str]:
    """The names of all shipped models: folders of networks and files of tables."""
    folder = shipped_folder()
    networks = {path.parent.name for path in folder.glob("*/card.json")}
    return sorted(networks | {path.stem for path in folder.glob("*.npz")})


def found_model(argument: str, ending: str = "") -> Path:
    """A path as it was given, or the shipped model of that name if there is no such path."""
    given = Path(argument)
    shipped = shipped_folder() / f"{argument}{ending}"
    return shipped if not given.exists() and argument and given.name == argument and shipped.exists() else given
