"""The rule-based player of colver (pip install colver), another program for Coinche, as an opponent.

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
        s = sample(view, 1)[0]
        hands = [_cards(s[HAND + seat] | s[PLAYED + seat]) for seat in range(4)]
        table = colver.Env.deal_with_hands(int(s[DEALER]), hands)
        for action in s[LOG : LOG + s[MOVES]]:
            table.step(_theirs(table, self.words[action]))
        chosen = table.bid_improved() if table.phase() == 0 else table.action_heuristic_play()
        return int(self.words.index(_our_word(chosen, table.phase())))


def _cards(hand: int) -> list[int]:
    return [card for card in range(32) if int(hand) >> card & 1]


def _theirs(table: colver.Env, word: str) -> int:
    return next(action for action in table.legal_actions() if _our_word(action, table.phase()) == word)


def _our_word(action: int, phase: int) -> str:
    name = colver.Env.action_name(action, phase)
    for sign, letter in zip("♠♥♦♣", "shdc"):
        name = name.replace(sign, letter)
    return name.lower().replace("capot", "capot-") if phase == 0 else name.replace("10", "T")
