"""A bot of your own in a tournament: it never bids, and plays its highest legal card.

python examples/own_bot.py [deals]
kibitz tournament coinche --bots python:examples/own_bot.py:HighCard,random,coinche-simple --deals 200
"""

import sys

import kibitz
from kibitz.arena.tournament import tournament

RANKS = "789JQKTA"


class HighCard(kibitz.OneByOne):
    """All it knows is the view: its own cards, the table and what is legal."""

    name = "high-card"

    def act(self, view: kibitz.View) -> int:
        if "pass" in view.legal_words():
            return view.read("pass")
        return view.read(max(view.playable, key=lambda card: RANKS.index(card.rank)))


def main(deals: int = 200) -> list[str]:
    game = kibitz.make("coinche")
    result = tournament(game, [HighCard(), "random", "coinche-simple"], deals, seed=1)
    for rank in result.ranking:
        print(f"{rank.bot:15} leads by {rank.lead}")
    return [rank.bot for rank in result.ranking]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
