"""Coinche: actions, deals and states as text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadRecord
from kibitz.core.game import Game, State
from kibitz.games.coinche.auction import bid_level, level_value, may_coinche, may_surcoinche
from kibitz.games.coinche.cards import ABOVE, SUIT_CARDS
from kibitz.games.coinche.french import FRENCH, french_word
from kibitz.games.coinche.layout import (
    ACTIONS,
    ANNOUNCED,
    BEST,
    BIDDER,
    CALLS,
    CAPOT_LEVEL,
    CARD,
    CARDS,
    COINCHE,
    COINCHED,
    COINCHER,
    DEALER,
    HAND,
    LEVEL,
    LEVELS,
    LOG,
    MASTER,
    MOVES,
    NOBODY,
    PACK,
    PHASE,
    PLAY,
    SANS,
    SHARED,
    SHORT,
    SHORT_PACK,
    STRAINS,
    SUIT,
    SURCOINCHE,
    TABLE,
    TRICKS,
    TURN,
)  # fmt: skip
from kibitz.games.coinche.metrics import metrics
from kibitz.games.coinche.rules import legal_cards, start
from kibitz.games.coinche.table import (
    BID_WORDS,
    DECK,
    SEATS,
    Tongue,
    breakdown,
    contract,
    hand,
    last_trick,
    points,
    show,
    trick,
    unseen,
)  # fmt: skip
from kibitz.games.decks import mask_of

__all__ = [
    "ACTION_WORDS",
    "LANGUAGES",
    "breakdown",
    "contract",
    "deal_text",
    "hand",
    "last_trick",
    "points",
    "read_deal",
    "report",
    "show",
    "spell",
    "told",
    "trick",
    "unseen",
    "why_not",
]

_CALL_WORDS = ("pass", *BID_WORDS, "coinche", "surcoinche")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


def _action_words() -> tuple[str, ...]:
    if not SHARED:
        return (*_CALL_WORDS, *DECK.names)
    doubled = [f"{call}|{card}" for call, card in zip(_CALL_WORDS, DECK.names, strict=False)]
    return (*doubled, *_CALL_WORDS[CARDS:], "-")


ACTION_WORDS = _action_words()
LANGUAGES = {"fr": FRENCH | {word: french_word(word) for word in ACTION_WORDS}}
SYNONYMS = {
    "p": "pass", "passe": "pass", "double": "coinche", "contre": "coinche", "redouble": "surcoinche",
    "surcontre": "surcoinche",
}  # fmt: skip


def spell(text: str) -> str:
    """The house word for what a person typed: `10S`, `80 h` and `contre` are understood."""
    word = text.strip().lower().replace(" ", "").replace("é", "e")
    word = SYNONYMS.get(word, word)
    if re.fullmatch(r"(capot|generale)[shdcnt]", word):
        word = f"{word[:-1]}-{word[-1]}"
    if re.fullmatch(r"(10|[789tjqka])[shdc]", word):
        word = word[:-1].upper().replace("10", "T") + word[-1]
    if SHARED:
        return next((both for both in ACTION_WORDS if word in both.split("|")), word)
    return word


def deal_text(s: State) -> str:
    """The dealer and the four hands, seat 0 first: `W: As Ts ... | ... | ... | ...`."""
    hands = " | ".join(DECK.text(s[HAND + seat]) for seat in range(4))
    return f"{SEATS[s[DEALER]]}: {hands}"


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state; without a dealer before the colon, West deals and North opens."""
    name, colon, rest = text.rpartition(":")
    dealer = name.strip().upper() if colon else "W"
    if dealer not in (*SEATS, "0", "1", "2", "3"):
        raise BadRecord(f"{name.strip()!r} cannot deal: the dealer is one of {' '.join(SEATS)}, before a colon")
    hands = [DECK.cards(hand) for hand in rest.split("|")]
    if len(hands) != 4 or any(len(hand) != TRICKS for hand in hands):
        sizes = ", ".join(str(len(hand)) for hand in hands)
        raise BadRecord(f"a deal is four hands of {TRICKS} cards with | between them, not hands of {sizes}")
    cards = [card for hand in hands for card in hand]
    for card in cards:
        if cards.count(card) > 1:
            raise BadRecord(f"{DECK.names[card]} is dealt twice: every card goes to one hand")
    stray = mask_of(cards) & ~(SHORT_PACK if SHORT else PACK)
    if stray:
        raise BadRecord(f"{DECK.text(stray)} cannot be dealt from a short pack: it has {DECK.text(SHORT_PACK)}")
    s[HAND : HAND + 4] = [mask_of(hand) for hand in hands]
    start(s, SEATS.index(dealer) if dealer in SEATS else int(dealer))


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears and sees of a move: the call, or the card, with the belote that is announced with it (rule 5.6)."""
    tongue, action = Tongue(lang), after[LOG + before[MOVES]]
    if before[PHASE] != PLAY:
        return tongue.call(_CALL_WORDS[action])
    belote = f", {tongue.say('belote')}" if after[ANNOUNCED] != before[ANNOUNCED] else ""
    return tongue.card(action - CARD) + belote


def why_not(s: State, action: int) -> str:
    """Why an action is illegal here."""
    if s[PHASE] == PLAY:
        if CARD <= action < CARD + CARDS:
            return _why_not_card(s, action - CARD)
        return "the auction is over; it must play a card"
    if action >= CALLS or (SHARED and action == ACTIONS - 1):
        return "the auction is not over; it must call"
    return _why_not_call(s, action)


def _standing(s: State) -> str:
    bid = BID_WORDS[STRAINS * s[LEVEL] + (s[SUIT] if s[SUIT] < 4 or SANS else s[SUIT] - 1)]
    return f"the bid that stands is {bid} by {SEATS[s[BIDDER]]}"


def _why_not_call(s: State, action: int) -> str:
    if s[BIDDER] == NOBODY:
        return "nobody has bid yet; it may pass or bid"
    if action == COINCHE:
        if s[COINCHED]:
            return f"{SEATS[s[COINCHER]]} has coinched already"
        return "" if may_coinche(s) else f"{_standing(s)}: only the other side may coinche"
    if action == SURCOINCHE:
        if not s[COINCHED]:
            return "nobody has coinched"
        return "" if may_surcoinche(s) else f"{_standing(s)}: only its own side may surcoinche"
    if s[COINCHED]:
        return f"after a coinche nobody may bid; {_standing(s)}"
    if bid_level(action) <= s[LEVEL]:
        higher = f"a bid must be at least {level_name(s[LEVEL] + 1)}" if s[LEVEL] + 1 < LEVELS else "nothing is higher"
        return f"{_standing(s)}; {higher}"
    return ""


def level_name(level: int) -> str:
    """A bid's level as people say it."""
    if level < CAPOT_LEVEL:
        return str(level_value(level))
    return "capot" if level == CAPOT_LEVEL else "générale"


def _why_not_card(s: State, card: int) -> str:
    seat, suit = s[TURN], s[SUIT]
    hand, legal = int(s[HAND + seat]), int(legal_cards(s, seat))
    if not hand >> card & 1:
        return f"it holds {DECK.text(hand)}"
    if legal >> card & 1:
        return ""
    led = int(s[TABLE]) >> 3
    may = f"it may play {DECK.text(legal)}"
    best = DECK.names[s[BEST]]
    if hand & int(SUIT_CARDS[led]):
        if card >> 3 != led:
            return f"{SUIT_NAMES[led]} were led and it holds {DECK.text(hand & int(SUIT_CARDS[led]))}; {may}"
        return f"it must play a higher trump than {best}; {may}"
    if card >> 3 == suit:
        return f"it must overtrump {best}; {may}"
    if legal & int(ABOVE[suit, s[BEST]]) or s[BEST] >> 3 != suit:
        return f"it has no {SUIT_NAMES[led]} and {SEATS[s[MASTER]]} is winning with {best}: it must trump; {may}"
    return f"it has no {SUIT_NAMES[led]} and must undertrump; {may}"


def report(game: Game, tallies: NDArray[np.float64], games: int) -> dict[str, Any]:
    """The metrics of both sides: means by name, with counts, errors and intervals."""
    return {"metrics": [side.as_json() for side in metrics(tallies)]}
