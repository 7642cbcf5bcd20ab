"""CLI as the paper has it: half a million worlds are weighed for every card. It takes about a gigabyte."""

from __future__ import annotations

from kibitz.core.game import Game
from kibitz.search.inference.cli import CLI500, CardLocations
from kibitz.search.inference.module import check_game


def weigher(game: Game) -> CardLocations:
    """CLI over the paper's number of worlds."""
    check_game(game)
    return CardLocations(CLI500)
