"""The searching player of colver (pip install colver), another program for Coinche: its strongest without downloads.

IS-DD samples deals that fit what its seat knows, solves each with open cards and plays what scores best on average.
`first`, `second` and `later` are how many deals it solves for a card of the first, the second and the later tricks;
`bids` names one of its bidders that need no network, `improved_v2` or `maxi`.

kibitz match coinche --set scoring=colver --bots pimc,python:examples/colver_isdd.py:IsDd --deals 450
"""

import colver
from colver_heuristic import fresh_table, our_word

from kibitz.core import rng
from kibitz.core.game import Game
from kibitz.core.policy import OneByOne
from kibitz.core.view import View

SPEC = """
[bid]
strategy = "{bids}"
[play]
method = "isdd"
dets_schedule = "{first},{second},{later}"
[worlds]
source = "uniform"
"""


class IsDd(OneByOne):
    """Seats colver's agent anew for every decision, on a table with any cards in the hands it cannot see."""

    def __init__(
        self, game: Game, first: int = 8, second: int = 20, later: int = 60, bids: str = "improved_v2"
    ) -> None:
        self.name = "colver-isdd"
        self.words = game.words.ACTION_WORDS
        self.spec = SPEC.format(bids=bids, first=first, second=second, later=later)

    def act(self, view: View) -> int:
        table, actions = fresh_table(view, self.words)
        seed = int(rng.draw(rng.forked(view.rng, rng.WEIGHTS))) & (1 << 32) - 1
        agent = colver.Agent(self.spec, view.seat, seed)
        agent.init_deal(table)
        for action in actions:
            agent.observe(table, action)
            table.step(action)
        return int(self.words.index(our_word(agent.action(table), table.phase())))
