"""Coinche: the table as people see it, in English or French, and the score of a deal item by item."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import OVER, State
from kibitz.games.coinche.cards import RANKS, STRENGTH
from kibitz.games.coinche.french import FRENCH, french_call, french_card
from kibitz.games.coinche.layout import (
    ANNOUNCED,
    AUCTION,
    BELOTES,
    BIDDER,
    CALLED,
    CAPOT,
    CARD,
    CARDS,
    COINCHED,
    COUNT,
    DEAD,
    DEALER,
    DONE,
    GENERALE,
    GENERALE_VALUE,
    HAND,
    HIGH,
    LEADER,
    LOG,
    MOVES,
    NOBODY,
    PACK,
    PHASE,
    PLAYED,
    POINTS,
    SANS,
    SUIT,
    TABLE,
    TOUT,
    TRICKS,
    TURN,
    VALUE,
    WON,
)  # fmt: skip
from kibitz.games.coinche.rules import turn
from kibitz.games.coinche.scoring import (
    hand_size,
    is_made,
    is_void,
    multiplier,
    score_of,
    taker,
    tricks_of,
)  # fmt: skip
from kibitz.games.decks import UNKNOWN, Deck, suited

DECK = Deck(suited("shdc", RANKS))
SEATS = ("N", "E", "S", "W")
STRAIN_LETTERS = "shdc" + "n" * SANS + "t" * TOUT
LEVEL_NAMES = [*map(str, range(80, 170 + 20 * HIGH, 10)), "capot-"] + ["generale-"] * GENERALE
BID_WORDS = tuple(level + letter for level in LEVEL_NAMES for letter in STRAIN_LETTERS)
CALL_WORDS = ("pass", *BID_WORDS, "coinche", "surcoinche")
SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs", "sans-atout", "tout-atout")


def contract_word(s: State) -> str:
    """The contract, or the bid that stands, as a bid."""
    level = {CAPOT: "capot-", GENERALE_VALUE: "generale-"}.get(int(s[VALUE]), str(s[VALUE]))
    return level + "shdcnt"[s[SUIT]]


def breakdown(s: State) -> dict[str, Any]:
    """Everything that went into the score of a deal that is over, side by side."""
    if is_void(s):
        return {"void": True, "score": [0, 0]}
    sides = range(2)
    return {
        "void": False,
        "contract": contract_word(s),
        "taker": int(taker(s)),
        "attackers": int(taker(s) % 2),
        "value": int(s[VALUE]),
        "coinched": int(s[COINCHED]),
        "multiplier": int(multiplier(s)),
        "tricks": [int(tricks_of(s, side)) for side in sides],
        "points": [int(s[POINTS + side]) for side in sides],
        "belotes": [int(s[BELOTES + side]) for side in sides],
        "made": bool(is_made(s)),
        "score": [int(score_of(s, side)) for side in sides],
    }


class Tongue:
    """One language: words of the table, cards and calls."""

    def __init__(self, lang: str) -> None:
        self.is_french = lang == "fr"

    def say(self, word: str) -> str:
        """A word of the table."""
        return FRENCH[word] if self.is_french else word

    def card(self, card: int) -> str:
        """A card."""
        return french_card(DECK.names[card]) if self.is_french else DECK.names[card]

    def call(self, word: str) -> str:
        """A call."""
        return french_call(word) if self.is_french else word

    def cards(self, mask: int, suit: int) -> str:
        """Cards by suits, the strongest first in each."""
        order = sorted(
            range(CARDS), key=lambda card: (card // 8, -STRENGTH[max(suit, 0), card] if suit >= 0 else -card)
        )
        held = [card for card in order if int(mask) >> card & 1]
        groups = [" ".join(self.card(card) for card in held if card // 8 == k) for k in range(4)]
        return "  ".join(group for group in groups if group)


def show(s: State, seat: int | None = None, lang: str = "en") -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    tongue = Tongue(lang)
    lines = [f"{tongue.say('dealer')} {tongue.say(SEATS[s[DEALER]])}   {_contract_text(s, tongue)}"]
    if s[CALLED]:
        lines.append(f"{tongue.say('auction')}: {_calls_text(s, tongue)}")
    if s[DEAD] and TRICKS < 8:
        lines.append(f"{tongue.say('face up')}: {tongue.cards(s[DEAD], s[SUIT])}")
    lines += [_seat_text(s, player, seat, tongue) for player in range(4)]
    if s[PHASE] != AUCTION and not (s[PHASE] == DONE and is_void(s)):
        lines.append(f"{tongue.say('points')}: {_sides(s[POINTS], s[POINTS + 1], tongue)}")
    if turn(s) == OVER:
        return "\n".join([*lines, *_score_lines(s, tongue)])
    if s[COUNT]:
        on_table = "  ".join(
            f"{tongue.say(SEATS[(s[LEADER] + k) % 4])} {tongue.card(s[TABLE + k])}" for k in range(s[COUNT])
        )
        lines.append(f"{tongue.say('trick')}: {on_table}")
    doing = tongue.say("to call" if s[PHASE] == AUCTION else "to play")
    return "\n".join([*lines, f"{tongue.say(SEATS[s[TURN]])} {doing}"])


def hand(s: State, seat: int) -> list[str]:
    """The cards of a seat by suits, the strongest first in each."""
    return Tongue("en").cards(s[HAND + seat], s[SUIT]).split()


def unseen(s: State, seat: int) -> list[str]:
    """The cards that are neither in the seat's hand nor played nor face up from the start."""
    seen = int(s[HAND + seat] | s[DEAD]) | int(s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2] | s[PLAYED + 3])
    return Tongue("en").cards(PACK & ~seen, s[SUIT]).split()


def trick(s: State) -> dict[int, str]:
    """The cards on the table by seat, in the order played."""
    played = int(s[MOVES] - s[CALLED])
    return {(int(s[LEADER]) + k) % 4: DECK.names[s[TABLE + k]] for k in range(played % 4)}


def last_trick(s: State) -> dict[int, str]:
    """The last complete trick, in the order played."""
    played = int(s[MOVES] - s[CALLED])
    end = int(LOG + s[CALLED]) + played - played % 4
    cards = [int(action) - CARD for action in s[max(end - 4, LOG + s[CALLED]) : end]]
    return {seat: DECK.names[card] for card in cards for seat in range(4) if int(s[PLAYED + seat]) >> card & 1}


def contract(s: State) -> str:
    """The contract, or the bid that stands: `100h by S, coinched`."""
    return "" if s[BIDDER] == NOBODY else _contract_text(s, Tongue("en")).removeprefix("contract ")


def points(s: State) -> list[float]:
    """For each seat the points in its side's tricks."""
    return [float(s[POINTS + seat % 2]) for seat in range(4)]


def _contract_text(s: State, tongue: Tongue) -> str:
    if s[BIDDER] == NOBODY:
        return tongue.say("no bid yet")
    doubled = ("", ", " + tongue.say("coinched"), ", " + tongue.say("surcoinched"))[s[COINCHED]]
    bid = tongue.call(contract_word(s))
    return f"{tongue.say('contract')} {bid} {tongue.say('by')} {tongue.say(SEATS[taker(s)])}{doubled}"


def _calls_text(s: State, tongue: Tongue) -> str:
    opener = s[DEALER] + 1
    calls = [(SEATS[(opener + k) % 4], CALL_WORDS[s[LOG + k]]) for k in range(s[CALLED])]
    return "  ".join(f"{tongue.say(name)} {tongue.call(word)}" for name, word in calls)


def _seat_text(s: State, player: int, seat: int | None, tongue: Tongue) -> str:
    you = f" ({tongue.say('you')})" if player == seat else ""
    known = seat is None or seat == player
    hand = tongue.cards(s[HAND + player], s[SUIT]) if known else " ".join([UNKNOWN] * hand_size(s, player))
    tricks = f"   {tongue.say('tricks')} {s[WON + player]}" if s[PHASE] != AUCTION else ""
    announced = any(s[ANNOUNCED] >> (4 * suit + player) & 1 for suit in range(4))
    belote = f"   {tongue.say('belote')}" if announced else ""
    return f"{tongue.say(SEATS[player])}{you}: {hand}{tricks}{belote}"


def _sides(first: object, second: object, tongue: Tongue) -> str:
    return f"N+S {first}   E+{tongue.say('W')} {second}"


def _score_lines(s: State, tongue: Tongue) -> list[str]:
    """The score item by item."""
    if is_void(s):
        return [tongue.say("void deal")]
    facts = breakdown(s)
    outcome = tongue.say("made" if facts["made"] else "failed")
    lines = [f"{tongue.call(facts['contract'])} {outcome}   {tongue.say('multiplier')} {facts['multiplier']}"]
    for item in ("tricks", "belotes", "score"):
        name = tongue.say(item.removesuffix("s")) if item == "belotes" else tongue.say(item)
        lines.append(f"{name}: {_sides(facts[item][0], facts[item][1], tongue)}")
    return lines
