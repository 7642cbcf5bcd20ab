"""A bot of your own in a tournament: it never bids, and plays its highest legal card.

python examples/own_bot.py [deals]
kibitz tournament coinche --bots python:examples/own_bot.py:HighCard,random,coinche-simple --deals 200
"""

import sys

from kibitz.arena.tournament import tournament
from kibitz.core.game import make
from kibitz.core.policy import OneByOne
from kibitz.core.view import View


class HighCard(OneByOne):
    """All it knows is the view: its own cards, the table and what is legal."""

    name = "high-card"

    def act(self, view: View) -> int:
        words = {view.game.words.ACTION_WORDS[action]: action for action in view.legal()}
        if "pass" in words:
            return words["pass"]
        order = "789JQKTA"
        return words[max(words, key=lambda word: order.index(word[0]))]


def main(deals: int = 200) -> list[str]:
    game = make("coinche")
    result = tournament(game, [HighCard(), "random", "coinche-simple"], deals, seed=1)
    for rank in result.ranking:
        print(f"{rank.bot:15} leads by {rank.lead}")
    return [rank.bot for rank in result.ranking]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
