"""Belote: the classic game with a turned-up card, two partnerships, eight tricks. Numbers are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import OVER, Option, Payoffs, State, Value
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.play import partners
from kibitz.games.tricks.tables import Contract, tables

VERSION = 1
OPTIONS = (Option("undertrump", "on", ("off", "on"), "whether who cannot overtrump must play a lower trump (3.4)"),)
PRESETS: dict[str, dict[str, int | str]] = {"belote": {}}
ABOUT = {"belote": "Belote: take the turned-up suit or name another, then win more than the other side"}

UNDERTRUMP = at.OWN
SUITS = "shdc"
DECK = Deck(suited(SUITS, "789JQKTA"))
PLAIN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
CONTRACTS = tuple(
    Contract(suit, "789JQKTA", suit, "78QKTA9J", points=PLAIN, trump_points={"J": 20, "9": 14}) for suit in SUITS
)
T = tables(DECK, SUITS, CONTRACTS)
CLASS, MASKS, ABOVE, WORTH = T.classes, T.masks, T.above, T.worth
TRUMP, PASS, SUIT = 4, 32, 33
ACES = sum(1 << 8 * suit + 7 for suit in range(4))
LAST_TRICK, EVERY_TRICK, BELOTE, ALL_POINTS = 10, 100, 20, 162


@kernel
def opening(s: State, dealer: int) -> None:
    """Rule 2.1."""
    s[at.PHASE] = at.CALLING
    s[at.TURN] = (dealer + 1) % 4
    s[at.CONTRACT] = -1


@kernel
def calls(s: State) -> int:
    """Rules 2.2 and 2.3, as bits from PASS up."""
    turned = 2 << s[at.TURNED] // 8
    return 1 | turned if s[at.MOVES] < 4 else 31 & ~turned


@kernel
def call(s: State, action: int) -> None:
    """Rules 2.2 to 2.5."""
    if action == PASS:
        s[at.TURN] = (s[at.TURN] + 1) % 4
        if s[at.MOVES] == 8:
            s[at.PHASE] = at.ENDED
            s[at.TURN] = OVER
        return
    s[at.CONTRACT] = action - SUIT
    s[at.DECLARER] = s[at.TURN]
    s[at.LAID_BY] = s[at.TURN]
    s[at.TAKEN] = s[at.DEAD]
    s[at.PHASE] = at.DEALING


@kernel
def duty(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """Rules 3.1 to 3.4."""
    contract = s[at.CONTRACT]
    if led < 0:
        return at.ANY, at.ANY
    suit, trumps = MASKS[contract, CLASS[contract, led]], MASKS[contract, TRUMP]
    if suit == trumps:
        cards = ABOVE[contract, best] if k == 0 else trumps
        return cards, cards
    if k == 0:
        return suit, suit
    if is_ours or (k == 2 and s[UNDERTRUMP] == 0):
        return at.ANY, at.ANY
    higher = ABOVE[contract, best] if CLASS[contract, best] == TRUMP else trumps
    cards = higher if k == 1 else trumps
    return cards, cards


@kernel
def after_trick(s: State, winner: int) -> None:
    """Rules 4.1 and 4.2: ten for the last trick, a hundred for all of them."""
    if s[at.DONE] == 8:
        own = s[at.TRICKS + winner] + s[at.TRICKS + (winner + 2) % 4]
        s[at.POINTS + winner] += EVERY_TRICK if own == 8 else LAST_TRICK


@kernel
def score(s: State, out: NDArray[np.float64]) -> None:
    """Rules 4.3 to 4.6."""
    out[:4] = 0.0
    if s[at.DECLARER] < 0:
        return
    taker = s[at.DECLARER] % 2
    own = s[at.POINTS + taker] + s[at.POINTS + taker + 2]
    other = s[at.POINTS + 1 - taker] + s[at.POINTS + 3 - taker]
    royals = 3 << 8 * s[at.CONTRACT] + 4
    belote = 0
    for seat in range(4):
        if s[at.PLAYED + seat] & royals == royals:
            belote = BELOTE if seat % 2 == taker else -BELOTE
    own, other = own + max(0, belote), other + max(0, -belote)
    if own < other:
        own, other = max(0, belote), max(ALL_POINTS, other - max(0, -belote)) + max(0, -belote)
    elif own == other:
        own = 0
    for seat in range(4):
        out[seat] = own - other if seat % 2 == taker else other - own


@kernel
def caller(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Takes with strong trumps and aces."""
    best, most = PASS, 40
    for suit in range(4):
        hand = view[at.HAND + view[at.TURN]] | (view[at.DEAD] if view[at.MOVES] < 4 else 0)
        trumps = hand & MASKS[suit, TRUMP]
        strong = 8 * popcount(hand & ACES & ~trumps) + 4 * popcount(trumps)
        while trumps:
            strong += WORTH[suit, lowest(trumps)]
            trumps &= trumps - 1
        if mask[SUIT + suit] and strong > most:
            best, most = SUIT + suit, strong
    return best


def seatings(values: Mapping[str, Value]) -> str:
    """Partners are of one kind in a match."""
    return "teams"


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 4: a capot with belote."""
    return Payoffs(-272.0, 272.0, 0.0)


GAME = TrickGame(
    "belote", deck=DECK, suits=SUITS, seats=4, each=8, contracts=CONTRACTS, options=OPTIONS, first_each=5, turns_up=True,
    last_trick=LAST_TRICK, every_trick=EVERY_TRICK, score=score, call_words=("pass", *(f"trumps-{s}" for s in SUITS)),
    longest_calls=8, duty=duty, rungs=3, side=partners, opening=opening, calls=calls, call=call, after_trick=after_trick,
    caller=caller, headline=lambda s: f"Belote, {DECK.names[s[at.TURNED]]} turned up",
)  # fmt: skip
