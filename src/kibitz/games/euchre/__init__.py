"""Euchre: four players in two partnerships, 24 cards, trumps made by ordering up a turned card, five tricks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import nth, popcount
from kibitz.core.game import OVER, Option, State
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import play
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.layout import (
    ASIDE, CALLING, CONTRACT, DEALER, DECLARER, ENDED, HAND, MOVES, OUT, OWN, PHASE, PLAYED, PLAYING, TRICKS, TURN,
)  # fmt: skip
from kibitz.games.tricks.tables import Contract
from kibitz.games.tricks.worlds import some

VERSION = 1
OPTIONS = (
    Option("stick", "on", ("off", "on"), "whether the dealer must name trumps when all others have passed (3.4)"),
)
PRESETS: dict[str, dict[str, int | str]] = {"euchre": {}}
ABOUT = {"euchre": "Euchre: order the turned card up or name trumps, alone or with your partner"}

STICK = OWN
TURNED, LAID = OWN + 1, OWN + 2
"""The card turned up; the card the dealer has laid away for it, as a mask."""
LOG = LAID + 1
CARDS = 24
PASS, SUIT, ALONE, TOGETHER = 24, 25, 29, 30
CHOOSING, DISCARDING = 3, 4
SUITS = "cdhs"
DECK = Deck(suited(SUITS, "9TJQKA"))
LEFT_BOWER = {"c": "Js", "s": "Jc", "d": "Jh", "h": "Jd"}
CONTRACTS = tuple(Contract(suit, "9TJQKA", suit, tops=f"{LEFT_BOWER[suit]} J{suit}") for suit in SUITS)


@kernel
def opening(s: State, dealer: int) -> None:
    """Rules 2.2 and 3.1: a card is turned up, the seat after the dealer speaks first."""
    s[DEALER] = dealer
    s[PHASE] = CALLING
    s[TURN] = (dealer + 1) % 4
    s[CONTRACT] = -1


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2: five cards each, the next one is turned up."""
    s[:OWN] = 0
    s[TURNED:LOG] = 0
    s[LOG:] = -1
    s[DECLARER] = s[OUT] = -1
    pack = np.arange(CARDS)
    rng.shuffle(r, pack, 21)
    for k in range(20):
        s[HAND + k // 5] |= 1 << pack[k]
    s[TURNED] = pack[20]
    for k in range(20, CARDS):
        s[ASIDE] |= 1 << pack[k]
    opening(s, rng.below(r, 4))


@kernel
def is_first_round(s: State) -> bool:
    """Whether the turned card is still offered."""
    return s[MOVES] < 4


@kernel
def calls(s: State) -> int:
    """Rules 3.1 to 3.5 and 4: bits above PASS, but above card 0 while the dealer lays a card away."""
    if s[PHASE] == DISCARDING:
        return s[HAND + s[DEALER]]
    if s[PHASE] == CHOOSING:
        return 1 << (ALONE - PASS) | 1 << (TOGETHER - PASS)
    turned = s[TURNED] // 6
    if is_first_round(s):
        return 1 | 2 << turned
    others = 30 & ~(2 << turned)
    return others if s[MOVES] == 7 and s[STICK] else others | 1


@kernel
def call_block(s: State) -> int:
    """Calls are counted from PASS, cards that the dealer lays away from 0."""
    return 0 if s[PHASE] == DISCARDING else PASS


@kernel
def call(s: State, action: int) -> None:
    """Rules 3 and 4."""
    if s[PHASE] == DISCARDING:
        s[LAID] = 1 << action
        s[HAND + s[DEALER]] &= ~s[LAID]
        s[ASIDE] |= s[LAID]
        s[PHASE] = CHOOSING
        s[TURN] = s[DECLARER]
    elif s[PHASE] == CHOOSING:
        s[PHASE] = PLAYING
        if action == ALONE:
            s[OUT] = (s[DECLARER] + 2) % 4
        s[TURN] = (s[DEALER] + 1) % 4
        if s[TURN] == s[OUT]:
            s[TURN] = (s[TURN] + 1) % 4
    elif action == PASS:
        s[TURN] = (s[TURN] + 1) % 4
        if s[MOVES] == 8:
            s[PHASE] = ENDED
            s[TURN] = OVER
    else:
        s[CONTRACT] = action - SUIT
        s[DECLARER] = s[TURN]
        s[PHASE] = CHOOSING
        if s[MOVES] <= 4:
            s[HAND + s[DEALER]] |= 1 << s[TURNED]
            s[ASIDE] &= ~(1 << s[TURNED])
            s[PHASE] = DISCARDING
            s[TURN] = s[DEALER]
