"""Euchre: two partnerships, 24 cards, a turned card to order up, five tricks. Numbers are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.game import OVER, Option, Payoffs, State, Value
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.exchange import start_laying
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.play import first_call_after_dealer, partners
from kibitz.games.tricks.tables import Contract

VERSION = 1
SEATINGS = "teams"
OPTIONS = (
    Option("stick", "on", ("off", "on"), "whether the dealer must name trumps when all others have passed (2.4)"),
)
PRESETS: dict[str, dict[str, int | str]] = {"euchre": {}}
ABOUT = {"euchre": "Euchre: order the turned card up or name trumps, alone or with your partner"}

STICK = at.OWN
CHOOSING = at.FURTHER
SUITS = "cdhs"
DECK = Deck(suited(SUITS, "9TJQKA"))
OTHER_BOWER = {"c": "Js", "s": "Jc", "d": "Jh", "h": "Jd"}
CONTRACTS = tuple(Contract(suit, "9TJQKA", suit, tops=f"{OTHER_BOWER[suit]} J{suit}") for suit in SUITS)
CALLS = ("pass", *(f"trumps-{suit}" for suit in SUITS), "alone", "together")
PASS, SUIT, ALONE, TOGETHER = 24, 25, 29, 30
ACES = sum(1 << 6 * suit + 5 for suit in range(4))


@kernel
def calls(s: State) -> int:
    """Rules 2.2 to 2.6, as bits from PASS up."""
    if s[at.PHASE] == CHOOSING:
        return 1 << (ALONE - PASS) | 1 << (TOGETHER - PASS)
    turned = 2 << s[at.TURNED] // 6
    if s[at.MOVES] < 4:
        return 1 | turned
    return 30 & ~turned if s[at.MOVES] == 7 and s[STICK] else 31 & ~turned


@kernel
def call(s: State, action: int) -> None:
    """Rules 2.2 to 2.6."""
    if s[at.PHASE] == CHOOSING:
        s[at.PHASE] = at.PLAYING
        if action == ALONE:
            s[at.OUT] = (s[at.DECLARER] + 2) % 4
        s[at.TURN] = (s[at.DEALER] + 1) % 4
        if s[at.TURN] == s[at.OUT]:
            s[at.TURN] = (s[at.TURN] + 1) % 4
    elif action == PASS:
        s[at.TURN] = (s[at.TURN] + 1) % 4
        if s[at.MOVES] == 8:
            s[at.PHASE] = at.ENDED
            s[at.TURN] = OVER
    else:
        s[at.CONTRACT] = action - SUIT
        s[at.DECLARER] = s[at.TURN]
        s[at.PHASE] = CHOOSING
        if s[at.MOVES] <= 4:  # ordered up: the dealer takes the card and lays another away
            start_laying(s, s[at.DEALER])


@kernel
def after_laying(s: State) -> None:
    """Rule 2.5: then the maker says whether he plays alone."""
    s[at.PHASE] = CHOOSING
    s[at.TURN] = s[at.DECLARER]


@kernel
def score(s: State, out: Floats) -> None:
    """Rule 4."""
    maker = max(0, s[at.DECLARER])
    tricks = s[at.TRICKS + maker] + s[at.TRICKS + (maker + 2) % 4]
    worth = -2.0 if tricks < 3 else 1.0 if tricks < 5 else 2.0 if s[at.OUT] < 0 else 4.0
    for seat in range(4):
        out[seat] = 0.0 if s[at.DECLARER] < 0 else worth if (seat - maker) % 2 == 0 else -worth


@kernel
def caller(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Makes trumps with three good ones; never alone."""
    if mask[TOGETHER]:
        return TOGETHER
    hand, best, most = view[at.HAND + view[at.TURN]], PASS, 7 if mask[PASS] else 0
    for suit in range(4):
        trumps = hand & MASKS[suit, 4]
        strong = 2 * popcount(trumps) + popcount(hand & ACES & ~trumps) + 2 * (hand >> (6 * suit + 2) & 1)
        if mask[SUIT + suit] and strong > most:
            best, most = SUIT + suit, strong
    return best


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 4: a march alone counts four."""
    return Payoffs(-4.0, 4.0, 0.0)


GAME = TrickGame(
    "euchre", deck=DECK, suits=SUITS, seats=4, each=5, contracts=CONTRACTS, options=OPTIONS, turns_up=True,
    call_words=CALLS, longest_calls=9, by_tricks=True, sits_out=True, lays=1, score=score, side=partners,
    opening=first_call_after_dealer, calls=calls, call=call, after_laying=after_laying, caller=caller,
    headline=lambda s: f"Euchre, {DECK.names[s[at.TURNED]]} turned up",
)  # fmt: skip
MASKS = GAME.tables.masks
