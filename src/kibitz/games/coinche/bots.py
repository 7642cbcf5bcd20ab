"""Coinche's rule-based players: two of the paper and one of ours. Numbers in comments are those of PLAYERS.md."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.belotes import ACES, BEATEN_BY, SUIT_CARDS, TRUMP_CARDS
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.bidding import FAITHFUL, TIE, choose_call
from kibitz.games.coinche.choice import FAITHFUL_ORDER, LOW, SIMPLE_ORDER, STRONGEST, WEAKEST, pick
from kibitz.games.coinche.partner import plus_card, plus_lead
from kibitz.games.coinche.rules import legal_cards


@kernel
def simple(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The paper's simple deterministic player (chapter 2)."""
    seat = view[at.TURN]
    if view[at.PHASE] != at.PLAYING:
        return choose_call(view, seat, mask, False, r, knobs)
    order = FAITHFUL_ORDER if knobs[FAITHFUL] else SIMPLE_ORDER
    return at.CARD + pick(legal_cards(view, seat), order, view[at.CONTRACT], True, r)


@kernel
def strong(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The paper's stronger deterministic player (chapter 3)."""
    seat = view[at.TURN]
    if view[at.PHASE] != at.PLAYING:
        return choose_call(view, seat, mask, True, r, knobs)
    return at.CARD + strong_card(view, seat, r, knobs)


@kernel
def strong_plus(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The same, kinder to its partner (chapter 4)."""
    seat = view[at.TURN]
    if view[at.PHASE] != at.PLAYING:
        return choose_call(view, seat, mask, True, r, knobs)
    is_lead = view[at.COUNT] == 0
    card = plus_lead(view, seat, r, knobs) if is_lead else plus_card(view, seat, legal_cards(view, seat), r, knobs)
    return at.CARD + (card if card >= 0 else strong_card(view, seat, r, knobs))


@kernel
def strong_card(view: State, seat: int, r: rng.Rng, knobs: Floats) -> int:
    """The card of chapter 3."""
    any_suit = knobs[TIE] > 0
    return lead(view, seat, any_suit, r) if view[at.COUNT] == 0 else follow(view, seat, any_suit, r)


@kernel
def follow(view: State, seat: int, any_suit: bool, r: rng.Rng) -> int:
    """The weakest card that wins as the trick lies, else the lowest (rules 3.6 and 3.7)."""
    suit = view[at.CONTRACT]
    cards = legal_cards(view, seat)
    winners = cards & BEATEN_BY[suit, view[at.BEST]]
    return pick(winners, WEAKEST, suit, any_suit, r) if winners else pick(cards, LOW, suit, any_suit, r)


@kernel
def lead(view: State, seat: int, any_suit: bool, r: rng.Rng) -> int:
    """Rules 3.4 and 3.5."""
    suit, hand = view[at.CONTRACT], view[at.HAND + seat]
    trumps = hand & TRUMP_CARDS[suit]
    plain = hand & ~trumps
    attacks = view[at.DECLARER] % 2 == seat % 2
    if attacks and trumps:
        return pick(trumps, STRONGEST, suit, any_suit, r)
    if plain & ACES:
        return ace_by_length(plain, attacks, any_suit, r)
    if attacks:
        return pick(shortest(plain, any_suit, r), LOW, suit, any_suit, r)
    if plain:
        return pick(plain, LOW, suit, any_suit, r)
    return pick(trumps, WEAKEST, suit, any_suit, r)


@kernel
def ace_by_length(plain: int, longest: bool, any_suit: bool, r: rng.Rng) -> int:
    """The ace of the longest or shortest suit in which there is one."""
    aces = plain & ACES
    best, found, equal = 100, -1, 0
    while aces:
        ace = lowest(aces)
        aces &= aces - 1
        length = popcount(plain & SUIT_CARDS[ace >> 3])
        key = -length if longest else length
        if key < best:
            best, found, equal = key, ace, 1
        elif key == best and any_suit:
            equal += 1
            if rng.below(r, equal) == 0:
                found = ace
    return found


@kernel
def shortest(plain: int, any_suit: bool, r: rng.Rng) -> int:
    """The cards of the shortest suit there is a card of."""
    best, found, equal = 100, 0, 0
    for suit in range(4):
        cards = plain & SUIT_CARDS[suit]
        length = popcount(cards)
        if length == 0 or length > best:
            continue
        if length < best:
            best, found, equal = length, cards, 1
        elif any_suit:
            equal += 1
            if rng.below(r, equal) == 0:
                found = cards
    return found


KNOBS = {"tie": 0.0, "reraise": 0.0, "faithful_code": 0.0}
BOTS = {
    "coinche-simple": Rule(simple, "the paper's simple player: bids jacks and nines, plays its highest card", KNOBS),
    "coinche-strong": Rule(strong, "the paper's stronger player: bids closer, wins tricks as cheaply as it can", KNOBS),
    "coinche-strong-plus": Rule(
        strong_plus,
        "strong that does not overtake its partner, counts trumps and signals with its discards",
        {**KNOBS, "counts": 1.0, "signals": 1.0},
    ),
}
