"""Collaborative Kuhn poker: actions, deals and states as text."""

from __future__ import annotations

from kibitz.core.errors import BadRecord
from kibitz.core.game import CHANCE, State
from kibitz.games.betting import ACTION_WORDS, OneCardEach
from kibitz.games.betting import spell as spell
from kibitz.games.collaborative_kuhn import rules
from kibitz.games.collaborative_kuhn.senses import hears, sees_partner

RANK_NAMES = "QKA"
SEAT_NAMES = ("North", "East", "South", "West")
_CARDS = OneCardEach(RANK_NAMES, rules.CARD, rules.PLAYERS)
card_text, deal_text, hand = _CARDS.card_text, _CARDS.deal_text, _CARDS.hand


def chance_word(s: State, outcome: int) -> str:
    """What the oracle says."""
    return "nothing" if outcome == rules.BLANK else RANK_NAMES[outcome]


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    cards = text.split()
    if len(cards) != rules.PLAYERS or not all(card in RANK_NAMES for card in cards):
        raise BadRecord(f"deal {text!r} is not possible: it takes four cards out of Q K A, for N, E, S and W")
    often = [card for card in RANK_NAMES if cards.count(card) > 2]
    if often:
        raise BadRecord(f"deal {text!r} is not possible: there are only two cards {often[0]}")
    rules.start(s)
    s[rules.CARD : rules.CARD + rules.PLAYERS] = [RANK_NAMES.index(card) for card in cards]


def why_not(s: State, action: int) -> str:
    """Why an action is illegal here."""
    if action == rules.FOLD and s[rules.LEVEL] == 1:
        return "there is no bet to answer; it may check or bet"
    if action == rules.RAISE and s[rules.LEVEL] == rules.MOST_CHIPS:
        return "all three chips are in; it may fold or call"
    return ""


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears of a move: all of it; of the oracle only what it says to the seat itself (rule 8.3)."""
    k = before[rules.MOVES]
    if mover != CHANCE:
        return ACTION_WORDS[after[rules.LOG + k]]
    to_whom = SEAT_NAMES[k % rules.PLAYERS]
    return f"the oracle tells {to_whom}" + (
        f": {chance_word(after, after[rules.TOLD + k])}" if hears(after, seat, k) else ""
    )


def unseen(s: State, seat: int) -> list[str]:
    """The pack without the seat's own card, and its partner's where it sees that (rule 8)."""
    seen = hand(s, seat) + (hand(s, (seat + 2) % rules.PLAYERS) if sees_partner(s, seat) else [])
    pack = [name for name in RANK_NAMES for _ in range(2)]
    for card in seen:
        pack.remove(card)
    return pack


def seat_names(lang: str) -> list[str]:
    """North, East, South and West."""
    return list(SEAT_NAMES)


def chips(s: State) -> list[int]:
    """What each seat has put in."""
    return [int(s[rules.PAID + seat]) for seat in range(rules.PLAYERS)]


def lines(s: State, lang: str) -> list[str]:
    """What the oracle tells the seat to move, as far as it is seen (rule 8.3)."""
    mover, said = int(rules.turn(s)), int(s[rules.TOLD + s[rules.MOVES]])
    if mover < 0 or said == rules.UNKNOWN:
        return []
    return [f"the oracle tells {SEAT_NAMES[mover]}: {chance_word(s, said)}"]


def move_text(s: State, action: int, lang: str) -> str:
    """A move as people say it: before the first bet one checks or bets."""
    said = _named(s, int(s[rules.MOVES]), action)
    return "" if said == ACTION_WORDS[action] else said


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    shown = []
    for k in range(rules.PLAYERS):
        is_open = seat is None or k == seat or (k % 2 == seat % 2 and sees_partner(s, seat))
        said = " ".join(_named(s, move, s[rules.LOG + move]) for move in range(k, s[rules.MOVES], rules.PLAYERS))
        you = " (you)" if k == seat else ""
        card = card_text(s[rules.CARD + k]) if is_open else "?"
        shown.append(f"{SEAT_NAMES[k]}{you}: {card}  chips in: {s[rules.PAID + k]}  {said}".rstrip())
    player = rules.turn(s)
    if seat is None or hears(s, seat, s[rules.MOVES]):
        shown += lines(s, "en")
    ending = "the oracle speaks" if player == CHANCE else "over"
    return "\n".join([*shown, f"{SEAT_NAMES[player]} to move" if player >= 0 else ending])


def _named(s: State, move: int, action: int) -> str:
    is_answer = rules.RAISE in s[rules.LOG : rules.LOG + move]
    return (ACTION_WORDS if is_answer else ("fold", "check", "bet"))[action]
