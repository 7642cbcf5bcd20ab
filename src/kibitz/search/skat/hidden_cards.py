"""Where the hidden cards of Skat can lie: the hands of the two others and the two cards face down."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.jit import loop
from kibitz.core.shapes import Ints
from kibitz.core.view import View
from kibitz.games.skat import state as at
from kibitz.games.skat.knowledge import has_picked_up, imagine_pickup, is_pushed
from kibitz.search import hidden_cards
from kibitz.search.hidden_cards import places as places
from kibitz.search.hidden_cards import shown as shown
from kibitz.search.worlds import Facts


def facts(view: View) -> Facts:
    """The places are the next seat's hand, the one after's, and the skat."""
    if is_pushed(view.state) or view.state[at.PHASE] in (at.DISCARDING, at.PUSHING):
        raise BadInput("worlds cannot be counted while cards are laid away, nor in a Schieberamsch")
    return hidden_cards.facts(view)


def fill(view: View, states: Ints, places: Ints) -> None:
    """Write the hidden cards into copies of a view; what the declarer picked up is drawn: nobody else can know it."""
    hidden_cards.fill(view, states, places)
    if has_picked_up(view.state) and view.seat != view.state[at.DECLARER]:
        draw_pickups(states, rng.forked(view.rng, rng.WORLDS, 1))


@loop
def draw_pickups(states: Ints, luck: Ints) -> None:
    """What the declarer picked up, in every row."""
    for row in range(len(states)):
        imagine_pickup(states[row], luck)
