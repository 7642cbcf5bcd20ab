"""Leduc poker: actions, deals and states as text."""

from __future__ import annotations

from typing import Any

from kibitz.core.errors import BadRecord
from kibitz.core.game import CHANCE, State
from kibitz.games.betting import ACTION_WORDS, OneCardEach
from kibitz.games.betting import spell as spell
from kibitz.games.leduc import rules

CARD_NAMES = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARDS = OneCardEach(CARD_NAMES, rules.CARD, rules.PLAYERS)
card_text, deal_text, hand = _CARDS.card_text, _CARDS.deal_text, _CARDS.hand


def chance_word(s: State, outcome: int) -> str:
    """The board card that is turned up."""
    return CARD_NAMES[outcome]


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    cards = text.split()
    if len(cards) != 2 or len(set(cards)) != 2 or not all(card in CARD_NAMES for card in cards):
        raise BadRecord(f"deal {text!r} is not possible: it takes two different cards out of {' '.join(CARD_NAMES)}")
    rules.start(s)
    s[rules.CARD : rules.CARD + 2] = [CARD_NAMES.index(card) for card in cards]


def why_not(s: State, action: int) -> str:
    """Why an action is illegal here."""
    if action == rules.FOLD and s[rules.PAID] == s[rules.PAID + 1]:
        return "there is no bet to answer; it may call or raise"
    if action == rules.RAISE and s[rules.RAISES] == rules.MOST_RAISES:
        return "there were two raises in this round; it may fold or call"
    return ""


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears of a move, or sees turned up: all of it."""
    heard = after[rules.LOG + before[rules.MOVES]]
    return f"{CARD_NAMES[heard - rules.TURNED_UP]} is turned up" if heard >= rules.TURNED_UP else ACTION_WORDS[heard]


def unseen(s: State, seat: int) -> list[str]:
    """Every card but the seat's own and the board's."""
    return [name for name in CARD_NAMES if name not in (*hand(s, seat), card_text(s[rules.BOARD]))]


def chips(s: State) -> list[int]:
    """What each seat has put in."""
    return [int(s[rules.PAID]), int(s[rules.PAID + 1])]


def beside(s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The board."""
    board = s[rules.BOARD]
    return [] if board == rules.UNKNOWN else [{"name": "board", "cards": [CARD_NAMES[board]], "count": 1}]


def move_text(s: State, action: int, lang: str) -> str:
    """A move as people say it: where nothing is owed, one checks or bets."""
    is_answer = s[rules.PAID] != s[rules.PAID + 1]
    return "" if is_answer else {rules.CALL: "check", rules.RAISE: "bet"}.get(action, "")


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    said = [
        CARD_NAMES[x - rules.TURNED_UP] if x >= rules.TURNED_UP else ACTION_WORDS[x]
        for x in s[rules.LOG : rules.LOG + s[rules.MOVES]]
    ]
    lines = [f"board: {card_text(s[rules.BOARD])}   {' '.join(said)}".rstrip()]
    for k in range(2):
        card = card_text(s[rules.CARD + k]) if seat is None or seat == k else "??"
        lines.append(f"seat {k}{' (you)' if k == seat else ''}: {card}  chips in: {s[rules.PAID + k]}")
    player = rules.turn(s)
    return "\n".join([*lines, f"seat {player} to move" if player >= 0 else "board due" if player == CHANCE else "over"])
