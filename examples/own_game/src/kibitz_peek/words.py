"""Peek: actions, deals and states as text."""

from __future__ import annotations

from kibitz.core.errors import BadRecord
from kibitz.core.game import State
from kibitz_peek.rules import CARD, CARDS, LOG, MOVES, UNKNOWN, start, turn
from kibitz_peek.senses import sees_other

ACTION_WORDS = ("peek", "check", "raise", "call", "fold")


def deal_text(s: State) -> str:
    """Both cards, seat 0 first: `5 2`."""
    return " ".join("?" if card == UNKNOWN else str(card + 1) for card in s[CARD : CARD + 2])


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    cards = [int(word) - 1 for word in text.split() if word.isdecimal()]
    if len(cards) != 2 or cards[0] == cards[1] or not all(0 <= card < CARDS for card in cards):
        raise BadRecord(f"deal {text!r} is not possible: it takes two different cards from 1 to {CARDS}")
    start(s, cards[0], cards[1])


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears of a move: all of it, but not what a peek shows."""
    return ACTION_WORDS[after[LOG + before[MOVES]]]


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    cards = deal_text(s).split()
    if seat is not None and not sees_other(s, seat):
        cards[1 - seat] = "?"
    said = " ".join(ACTION_WORDS[action] for action in s[LOG : LOG + s[MOVES]])
    player = turn(s)
    return "\n".join(
        [f"cards: {' '.join(cards)}", f"played: {said}", f"seat {player} to move" if player >= 0 else "over"]
    )
