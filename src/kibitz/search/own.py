"""What a game brings to search: the modules of the package that its declaration names in SEARCH.

`payoff` has a class Payoff, a kind of TrickPayoff; `hidden_cards` says where the cards can lie that a seat has not seen; `bidding` has
`can_bid(game)`, `bidder(game)` and, where calls by search are known to be better than calls by rule, IS_BETTER.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from types import ModuleType

from kibitz.core.game import Game, package_of


@cache
def own_part(game: Game, part: str) -> ModuleType | None:
    """A part of a game's own search, None where it brings none."""
    home = getattr(importlib.import_module(package_of(game.name)), "SEARCH", "")
    place = f"{home}.{part}"
    return importlib.import_module(place) if home and importlib.util.find_spec(place) else None
