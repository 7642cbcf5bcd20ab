"""The rule-based player of colver (pip install colver), another program for Coinche, as an opponent.

Its card play is documented as one of perfect information: it looks at all four hands. Here it is shown the cards its
seat can see and, in the other hands, one random deal of the rest; so it plays worse than at colver's own table, where
it sees the true hands. `colver_isdd.py` has colver's stronger player, which needs no such help.

kibitz match coinche --set scoring=colver --bots pimc,python:examples/colver_heuristic.py:Heuristic --deals 500
"""

import colver

from kibitz.core.game import Game
from kibitz.core.policy import OneByOne
from kibitz.core.view import View
from kibitz.games.coinche.layout import DEALER, HAND, LOG, MOVES, PLAYED
from kibitz.search.worlds import sample


class Heuristic(OneByOne):
    """Plays the deal over again on colver's table, with any cards in the hands it cannot see, and asks its player."""

    def __init__(self, game: Game) -> None:
        self.name = "colver-heuristic"
        self.words = game.words.ACTION_WORDS

    def act(self, view: View) -> int:
        table, actions = fresh_table(view, self.words)
        for action in actions:
            table.step(action)
        chosen = table.bid_improved() if table.phase() == 0 else table.action_heuristic_play()
        return int(self.words.index(our_word(chosen, table.phase())))


def fresh_table(view: View, words: list[str]) -> tuple[colver.Env, list[int]]:
    """colver's table before the first call, with any cards in the hidden hands, and what has been done since."""
    s = sample(view, 1)[0]
    hands = [[card for card in range(32) if int(s[HAND + seat] | s[PLAYED + seat]) >> card & 1] for seat in range(4)]
    return colver.Env.deal_with_hands(int(s[DEALER]), hands), [THEIRS[words[a]] for a in s[LOG : LOG + s[MOVES]]]


def our_word(action: int, phase: int) -> str:
    name = colver.Env.action_name(action, phase).translate(str.maketrans("♠♥♦♣", "shdc"))
    return str(name.lower().replace("capot", "capot-") if phase == 0 else name.replace("10", "T"))


THEIRS = {our_word(action, phase): action for phase, actions in enumerate((43, 32)) for action in range(actions)}
