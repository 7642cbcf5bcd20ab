"""PIF, full policy inference: states with what the declarer picked up, so that his bids and his pick-up count too."""

from __future__ import annotations

from kibitz.core.game import Game
from kibitz.search.inference.module import check_game
from kibitz.search.inference.pi import PI20, PolicyInference


def weigher(game: Game) -> PolicyInference:
    """PIF20 with the policies that come with kibitz."""
    check_game(game)
    return PolicyInference(PI20, has_history=True)
