"""kibitz plays, solves, learns, searches and measures imperfect-information card games."""

from typing import Any

__version__ = "0.1.0"


def make(name: str, **options: object) -> Any:
    """The game of that name, with options by keyword: kibitz.make("kuhn", players=3)."""
    from kibitz.core.game import make as make_game

    return make_game(name, **options)
