"""Kuhn poker: actions, deals and states as text."""

from __future__ import annotations

from kibitz.core.errors import BadRecord
from kibitz.core.game import State
from kibitz.games.betting import OneCardEach
from kibitz.games.kuhn.rules import BETTOR, CARD, CARDS, LOG, MOVES, NOBODY, PLAYERS, UNKNOWN, paid, turn

ACTION_WORDS = ("pass", "bet")
NAMES = "9TJQK"[-CARDS:]
SYNONYMS = {"check": "pass", "fold": "pass", "call": "bet"}
_CARDS = OneCardEach(NAMES, CARD, PLAYERS)
card_text, deal_text, hand = _CARDS.card_text, _CARDS.deal_text, _CARDS.hand


def spell(text: str) -> str:
    """The house word for what a person typed."""
    return SYNONYMS.get(text.lower(), text.lower())


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    cards = text.split()
    if len(cards) != PLAYERS or len(set(cards)) != PLAYERS or not all(card in NAMES for card in cards):
        raise BadRecord(f"deal {text!r} is not possible: it takes {PLAYERS} different cards out of {' '.join(NAMES)}")
    s[MOVES], s[BETTOR] = 0, NOBODY
    s[CARD : CARD + PLAYERS] = [NAMES.index(card) for card in cards]
    s[LOG:] = UNKNOWN


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears of a move: all of it."""
    return ACTION_WORDS[after[LOG + before[MOVES]]]


def chips(s: State) -> list[int]:
    """What each seat has put in."""
    return [int(paid(s, seat)) for seat in range(PLAYERS)]


def move_text(s: State, action: int, lang: str) -> str:
    """A move as people say it: an answer to a bet has names of its own."""
    return _said(s[BETTOR] != NOBODY, action)


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    lines = []
    for k in range(PLAYERS):
        card = card_text(s[CARD + k]) if seat is None or seat == k else "?"
        said = " ".join(_said(0 <= s[BETTOR] < move, s[LOG + move]) for move in range(k, s[MOVES], PLAYERS))
        you = " (you)" if k == seat else ""
        lines.append(f"seat {k}{you}: {card}  chips in: {paid(s, k)}  {said}".rstrip())
    player = turn(s)
    return "\n".join([*lines, f"seat {player} to move" if player >= 0 else "over"])


def unseen(s: State, seat: int) -> list[str]:
    """Every card but the seat's own."""
    return [name for name in NAMES if name not in hand(s, seat)]


def _said(is_answer: bool, action: int) -> str:
    return (("fold", "call") if is_answer else ("check", "bet"))[action]
