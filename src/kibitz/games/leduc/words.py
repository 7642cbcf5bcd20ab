"""Leduc poker: actions, deals and states as text."""

from __future__ import annotations

from kibitz.core.errors import BadRecord
from kibitz.core.game import CHANCE, State
from kibitz.games.leduc.rules import (
    BOARD,
    CARD,
    FOLD,
    LOG,
    MOST_RAISES,
    MOVES,
    PAID,
    RAISE,
    RAISES,
    TURNED_UP,
    UNKNOWN,
    start,
    turn,
)  # fmt: skip

ACTION_WORDS = ("fold", "call", "raise")
CARD_NAMES = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
SYNONYMS = {"check": "call", "bet": "raise"}


def spell(text: str) -> str:
    """The house word for what a person typed."""
    return SYNONYMS.get(text.lower(), text.lower())


def card_text(card: int) -> str:
    """The name of a card, `??` for one that is not known."""
    return "??" if card == UNKNOWN else CARD_NAMES[card]


def chance_word(s: State, outcome: int) -> str:
    """The board card that is turned up."""
    return CARD_NAMES[outcome]


def deal_text(s: State) -> str:
    """Both cards, seat 0 first: `Ks Jh`."""
    return f"{card_text(s[CARD])} {card_text(s[CARD + 1])}"


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    cards = text.split()
    if len(cards) != 2 or len(set(cards)) != 2 or not all(card in CARD_NAMES for card in cards):
        raise BadRecord(f"deal {text!r} is not possible: it takes two different cards out of {' '.join(CARD_NAMES)}")
    start(s)
    s[CARD : CARD + 2] = [CARD_NAMES.index(card) for card in cards]


def why_not(s: State, action: int) -> str:
    """Why an action is illegal here."""
    if action == FOLD and s[PAID] == s[PAID + 1]:
        return "there is no bet to answer; it may call or raise"
    if action == RAISE and s[RAISES] == MOST_RAISES:
        return "there were two raises in this round; it may fold or call"
    return ""


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears of a move, or sees turned up: all of it."""
    heard = after[LOG + before[MOVES]]
    return f"{CARD_NAMES[heard - TURNED_UP]} is turned up" if heard >= TURNED_UP else ACTION_WORDS[heard]


def hand(s: State, seat: int) -> list[str]:
    """The seat's card."""
    return [card_text(s[CARD + seat])]


def unseen(s: State, seat: int) -> list[str]:
    """Every card but the seat's own and the board's."""
    return [name for name in CARD_NAMES if name not in (*hand(s, seat), card_text(s[BOARD]))]


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    said = [CARD_NAMES[x - TURNED_UP] if x >= TURNED_UP else ACTION_WORDS[x] for x in s[LOG : LOG + s[MOVES]]]
    lines = [f"board: {card_text(s[BOARD])}   {' '.join(said)}".rstrip()]
    for k in range(2):
        card = card_text(s[CARD + k]) if seat is None or seat == k else "??"
        lines.append(f"seat {k}{' (you)' if k == seat else ''}: {card}  chips in: {s[PAID + k]}")
    player = turn(s)
    return "\n".join([*lines, f"seat {player} to move" if player >= 0 else "board due" if player == CHANCE else "over"])
