"""PI100: policy inference over a hundred thousand worlds."""

from __future__ import annotations

from kibitz.core.game import Game
from kibitz.search.inference.module import check_game
from kibitz.search.inference.pi import PI100, PolicyInference


def weigher(game: Game) -> PolicyInference:
    """PI100 with the policies that come with kibitz."""
    check_game(game)
    return PolicyInference(PI100)
