"""How the network that calls for pimc in Coinche was learned: auctions by self-play and against other bidders.

python examples/coinche_caller.py OUT.npz [rounds] [seed]

The one that comes with kibitz (models/coinche-bidder/caller.npz) is of 6,000 rounds and seed 7000004: 12.3 million
auctions in 28 minutes on one core. One of the other bidders is that of colver (pip install colver).
"""

import sys
from pathlib import Path

import colver
import numpy as np
from colver_heuristic import THEIRS

from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.policy import OneByOne
from kibitz.core.view import View
from kibitz.games.coinche import layout as at
from kibitz.search.coinche.call_learning import Schooling, learn
from kibitz.search.network import save_network


class Bids(OneByOne):
    """colver's bidder, with any cards in the other hands."""

    name = "colver-bids"

    def act(self, view: View) -> int:
        s, words = view.state, view.game.words.ACTION_WORDS
        own = [card for card in range(32) if int(s[at.HAND + view.seat]) >> card & 1]
        rest = np.array_split([card for card in range(32) if card not in own], 3)
        hands = [part.tolist() for part in rest]
        hands.insert(view.seat, own)
        table = colver.Env.deal_with_hands(int(s[at.DEALER]), hands)
        for call in s[at.LOG : at.LOG + s[at.CALLED]]:
            table.step(THEIRS[words[call]])
        return int(table.bid_improved())  # calls have the same numbers there


if __name__ == "__main__":
    rounds, seed = (int(given or usual) for given, usual in zip([*sys.argv[2:4], "", ""], (6000, 7_000_004)))
    games = [make("coinche", scoring="colver"), make("coinche")]
    rivals = [Bids(), Bids(), make_bot(games[1], "coinche-strong")]
    save_network(
        Path(sys.argv[1]), learn(games, rivals, Schooling(rounds, seed=seed), tell=lambda *facts: print(*facts))
    )
