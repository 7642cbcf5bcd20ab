"""How the searching player speaks, keeps and lays away in the whole game of Cego: every word is tried in imagined
deals.

After a word each deal is played to its end by the rule-based player in all seats, words and cards; the word that is
paid best on average is said. That is one step better than the rules wherever the rules are worth following.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.game import Game
from kibitz.core.view import View
from kibitz.search import worlds as deals
from kibitz.search.playouts import play_out

WORLDS = 200
RULE = "cego-rule"


@dataclass(frozen=True)
class Bidder:
    """Says the word that pays best when all go on by rule."""

    game: Game

    def act(self, view: View) -> int:
        """The word, or the card kept or laid away."""
        paid = play_out(self.game, RULE, deals.sample(view, WORLDS), view.seat).mean(axis=0)
        return int(np.nanargmax(paid))


def can_bid(game: Game) -> bool:
    """Whether there are words to say."""
    return game.name == "cego"


bidder = Bidder
