"""Tarock cards, deals and tables as text, for the sub-games and for the whole game of Cego."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.core.errors import BadRecord
from kibitz.core.game import State
from kibitz.games.decks import mask_of
from kibitz.games.tarock import (
    ALL,
    BEST,
    BLIND_CARDS,
    CLASS,
    CLASSES,
    COUNT,
    HAND,
    HAND_CARDS,
    LEADER,
    PLAYED,
    SEATS,
    SUITS,
    TAKEN,
    TAROCK,
    TRICK,
    TRICKS,
    TRUMPS,
    TURN,
    WON,
    worth,
)

SUIT_NAMES = ("clubs", "spades", "hearts", "diamonds", "trumps")
SHOWN = [card for suit in (4, 0, 1, 2, 3) for card in range(53, -1, -1) if CLASS[card] == suit]
"""The order of a hand held in the fingers: trumps first, high cards first."""
NICKNAMES = {"gstiess": "Gt", "mond": "21t", "mund": "21t", "geiss": "1t"}
PILES = ("seat 0", "seat 1", "seat 2", "seat 3", "the blind")


def spell_card(text: str) -> str:
    """The card word for what a person typed; anything else is given back in lower case."""
    low = text.strip().lower()
    if low in NICKNAMES:
        return NICKNAMES[low]
    try:
        return TAROCK.names[TAROCK.card(text)]
    except BadRecord:
        return low


def cards_text(cards: int) -> str:
    """Cards sorted as in a hand, suits apart."""
    groups = [TAROCK.text(cards & int(SUITS[suit]), SHOWN) for suit in (4, 0, 1, 2, 3)]
    return "  ".join(group for group in groups if group)


def piles_text(piles: Sequence[int]) -> str:
    """Four hands and the blind, in card order."""
    return " | ".join(TAROCK.text(cards) for cards in piles)


def read_piles(text: str) -> list[int]:
    """Four hands and the blind from a text, every card of the deck in its place."""
    parts = text.split("|")
    if len(parts) != len(PILES):
        raise BadRecord(f"a deal is four hands and the blind, separated by |; this one has {len(parts)} parts")
    piles = [TAROCK.cards(part) for part in parts]
    seen: dict[int, str] = {}
    for pile, cards in zip(PILES, piles, strict=True):
        for card in cards:
            if card in seen:
                raise BadRecord(f"{TAROCK.names[card]} is dealt twice, to {seen[card]} and to {pile}")
            seen[card] = pile
    missing = ALL & ~mask_of(seen)
    for pile, cards in zip(PILES, piles, strict=True):
        wanted = BLIND_CARDS if pile == PILES[-1] else HAND_CARDS
        if len(cards) != wanted:
            lost = f"; nobody has {TAROCK.text(missing)}" if missing else ""
            raise BadRecord(f"{pile} has {len(cards)} cards instead of {wanted}{lost}")
    return [mask_of(cards) for cards in piles]


def why_not_play(s: State, card: int, forced: int = ALL) -> str:
    """Why a card may not be played: `forced` are the cards that may be led."""
    hand = int(s[HAND + s[TURN]])
    if not hand >> card & 1:
        return f"it does not hold {TAROCK.names[card]}"
    if s[COUNT] == 0:
        return f"the first leads are bound by the exposed cards: it may lead {cards_text(hand & forced)}"
    led = int(CLASS[s[TRICK]])
    if hand & int(SUITS[led]):
        return f"{SUIT_NAMES[led]} were led and it holds {cards_text(hand & int(SUITS[led]))}"
    return f"it has no {SUIT_NAMES[led]} and must trump with {cards_text(hand & TRUMPS)}"


def hand_text(s: State, holder: int, seat: int | None) -> str:
    """A hand as the seat sees it (None sees all): `??` for what it cannot."""
    if seat is None or seat == holder:
        return cards_text(int(s[HAND + holder])) or "-"
    left = HAND_CARDS - int(s[PLAYED + holder]).bit_count()
    return f"?? x {left}" if left else "-"


def trick_text(s: State) -> str:
    """The cards of the trick with who played them; a star marks the winning one."""
    if s[COUNT] == 0:
        return f"seat {s[LEADER]} leads" if s[TURN] >= 0 else "-"
    played = []
    for k in range(s[COUNT]):
        star = "*" if s[TRICK + k] == s[BEST] else ""
        played.append(f"seat {(s[LEADER] + k) % SEATS}: {TAROCK.names[s[TRICK + k]]}{star}")
    return "   ".join(played)


def hand(s: State, seat: int) -> list[str]:
    """The cards of a seat as in the fingers, trumps first."""
    return cards_text(int(s[HAND + seat])).split()


def trick(s: State) -> dict[int, str]:
    """The cards on the table by seat, in the order played."""
    return {(int(s[LEADER]) + k) % SEATS: TAROCK.names[s[TRICK + k]] for k in range(s[COUNT])}


def trick_before(s: State, start: int) -> dict[int, str]:
    """The last complete trick, in the order played; the log of cards begins at `start`."""
    end = start + SEATS * int(s[TRICKS])
    cards = [int(card) for card in s[max(start, end - SEATS) : end]]
    return {seat: TAROCK.names[card] for card in cards for seat in range(SEATS) if int(s[PLAYED + seat]) >> card & 1}


def points(s: State) -> list[float]:
    """The points in each seat's tricks, without what lies aside."""
    return [int(s[WON + seat]) / 2 for seat in range(SEATS)]


def unseen_text(s: State, seat: int, seen: int) -> list[str]:
    """The cards that are neither in the seat's hand nor played nor among those it has seen otherwise."""
    played = [int(s[PLAYED + other]) for other in range(SEATS)]
    return cards_text(ALL & ~(int(s[HAND + seat]) | seen | played[0] | played[1] | played[2] | played[3])).split()


def seats_text(s: State, seat: int | None, marks: Sequence[str]) -> list[str]:
    """One line per seat: its cards, its tricks and their points."""
    lines = []
    for holder in range(SEATS):
        name = f"seat {holder}" + (" (you)" if holder == seat else "")
        tally = f"tricks {s[TAKEN + holder]}, {points_text(int(s[WON + holder]))}"
        lines.append(f"{name:<13} {marks[holder]:<9} {tally:<22} {hand_text(s, holder, seat)}")
    return lines


def points_text(halves: int) -> str:
    """Half points as points."""
    return f"{halves / 2:g} point" + ("" if halves == 2 else "s")


def aside_text(cards: int, known: bool) -> str:
    """What lies aside, with its value, if it may be seen."""
    return f"{cards_text(cards)} ({points_text(int(worth(cards)))})" if known else f"?? x {BLIND_CARDS}"


def trick_number(s: State) -> str:
    """Which trick is being played."""
    return f"trick {min(int(s[TRICKS]) + 1, HAND_CARDS)} of {HAND_CARDS}"


def void_text(voids: int) -> str:
    """What the seats have shown not to hold."""
    shown = []
    for holder in range(SEATS):
        suits = [SUIT_NAMES[suit] for suit in range(CLASSES) if voids >> (CLASSES * holder + suit) & 1]
        if suits:
            shown.append(f"seat {holder} {', '.join(suits)}")
    return "; ".join(shown)
