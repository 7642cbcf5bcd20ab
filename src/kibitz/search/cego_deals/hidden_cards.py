"""Where the hidden cards of Cego's sub-games can lie, and worlds drawn many at a time.

What the others know of the single player's hand (that it fits the sub-game, that it came out of the exchange) does
not sort cards into places, so only views without such knowledge are counted.
"""

from __future__ import annotations

from collections.abc import Callable

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.shapes import Ints
from kibitz.core.view import View
from kibitz.games.cego.table import BLIND, RAEUBER, STANDARD, ULTIMO, knows_aside
from kibitz.games.cego_deals.rules import RESTRICT, SUBGAME
from kibitz.games.tricks import layout as at
from kibitz.search import hidden_cards
from kibitz.search.cego_deals import exchange
from kibitz.search.hidden_cards import places as places
from kibitz.search.hidden_cards import shown as shown
from kibitz.search.worlds import Facts


def facts(view: View) -> Facts:
    """Voids are all that binds the cards of a seat that knows of no restriction."""
    s = view.state
    is_bound = s[RESTRICT] == 1 or s[SUBGAME] in (STANDARD, ULTIMO)
    if view.seat != s[at.DECLARER] and s[SUBGAME] != RAEUBER and is_bound:
        raise BadInput(f"the worlds of {view.game.name} are counted for the single player only")
    return hidden_cards.facts(view)


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view."""
    hidden_cards.fill(view, states, places)
    if not knows_aside(view.state, view.seat):
        states[:, BLIND] = states[:, at.ASIDE]


def redealer(game: Game) -> Callable[..., None]:
    """`redeal` for many worlds of one view: what is the same for all of them is found once."""
    usual = game.parts["senses"].redeal_rows

    def redeal(view: Ints, seat: int, r: Ints, states: Ints) -> None:
        is_behind = view[SUBGAME] == STANDARD and seat != view[at.DECLARER]
        (exchange.redeal_rows if is_behind else usual)(view, seat, r, states)

    return redeal
