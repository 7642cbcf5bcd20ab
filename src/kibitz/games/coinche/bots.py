"""Coinche's rule-based players: two of the paper and one of ours. Numbers in comments are those of PLAYERS.md."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.belotes import ACE, ACES, JACK, NINE, TEN
from kibitz.games.coinche import cardplay
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import bid_level, bid_suit
from kibitz.games.coinche.cardplay import FAITHFUL, RERAISE, TIE, pick, plus_card, plus_lead, strong_card
from kibitz.games.coinche.rules import legal_cards


@kernel
def opening(hand: int, suit: int, strong: bool) -> int:
    """What a player would open in a suit, 0 for nothing (rules 2.3 and 3.2)."""
    own = hand >> 8 * suit & 255
    length = popcount(own)
    jack, nine = own >> JACK & 1, own >> NINE & 1
    if strong:
        ace = own >> ACE & 1
        if jack and nine and ace and own >> TEN & 1:
            return 110
        if jack and nine and length >= 3:
            return 90
        return 80 if (jack or nine) and (ace or length >= 3) else 0
    outside = hand & ACES & ~(255 << 8 * suit) != 0
    if jack and nine and (length >= 3 or outside):
        return 90
    return 80 if (jack or nine) and (length >= 3 or (length >= 2 and outside)) else 0


@kernel
def support(hand: int, suit: int, strong: bool, faithful: bool) -> int:
    """What a player adds to his partner's bid (rules 2.4, 3.3 and 3.8)."""
    own = hand >> 8 * suit & 255
    length = popcount(own)
    more = 20 * (own >> JACK & 1) + 10 * popcount(hand & ACES & ~(255 << 8 * suit))
    if own >> NINE & 1 and (not strong or faithful or length >= 2):
        more += 10
    if strong and faithful and length <= 1:
        more -= 10
    return more


@kernel
def bid_of(value: int, suit: int) -> int:
    """The call that bids a number in a suit."""
    return 1 + at.STRAINS * ((value - 80) // 10) + suit


@kernel
def wanted_call(view: State, seat: int, strong: bool, r: rng.Rng, knobs: Floats) -> int:
    """The call a player would like to make (rules 2.1 to 2.5)."""
    hand = view[at.HAND + seat]
    if view[at.LAST_BID + seat] != at.PASS and not knobs[RERAISE]:
        return at.PASS
    partner = view[at.LAST_BID + (seat + 2) % 4]
    if partner != at.PASS:
        level, suit = bid_level(partner), bid_suit(partner)
        if level > 1 or suit > 3:
            return at.PASS
        more = support(hand, suit, strong, knobs[FAITHFUL] > 0)
        return bid_of(min(160, 80 + 10 * level + more), suit) if more > 0 else at.PASS
    theirs = max(view[at.LAST_BID + (seat + 1) % 4], view[at.LAST_BID + (seat + 3) % 4])
    if theirs != at.PASS and bid_level(theirs) > 0:
        return at.PASS
    value, chosen, equal = 0, 0, 0
    for suit in range(4):
        worth = opening(hand, suit, strong)
        if worth > value:
            value, chosen, equal = worth, suit, 1
        elif worth == value and worth > 0 and knobs[TIE]:
            equal += 1
            if rng.below(r, equal) == 0:
                chosen = suit
    if value == 0:
        return at.PASS
    return bid_of(value + 10 if theirs != at.PASS else value, chosen)


@kernel
def choose_call(view: State, seat: int, mask: Bools, strong: bool, r: rng.Rng, knobs: Floats) -> int:
    """The call a player makes: what he wants if it is legal, else pass (rule 1.2)."""
    wanted = wanted_call(view, seat, strong, r, knobs)
    return wanted if mask[wanted] else at.PASS


@kernel
def simple(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The paper's simple deterministic player (chapter 2)."""
    seat = view[at.TURN]
    if view[at.PHASE] != at.PLAYING:
        return choose_call(view, seat, mask, False, r, knobs)
    order = cardplay.FAITHFUL_ORDER if knobs[FAITHFUL] else cardplay.SIMPLE_ORDER
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
