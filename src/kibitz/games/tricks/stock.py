"""Deals in two parts: a card may be turned up, and a stock is dealt out when the calls are over.

The stock lies in the order in which it will be dealt. Which of its cards were dealt first is a seat's own knowledge.
"""

from __future__ import annotations

from typing import Any

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Ints
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.exchange import before_exchange
from kibitz.games.tricks.worlds import some

# Bound by TrickGame.
SEATS = EACH = FIRST_EACH = CARDS = STOCK_CARDS = TURNS_UP = STOCK = FIRST = UNBOUND


def deal_first(s: State, pack: Ints) -> None:
    """The first cards of everybody, one turned up, and the rest aside."""
    for seat in range(SEATS):
        hand = 0
        for k in range(seat * FIRST_EACH, seat * FIRST_EACH + FIRST_EACH):
            hand |= 1 << pack[k]
        s[at.HAND + seat] = hand
        if STOCK_CARDS > 0:
            s[FIRST + seat] = hand
    start = SEATS * FIRST_EACH
    if TURNS_UP:
        s[at.TURNED] = pack[start]
        s[at.DEAD] = 1 << pack[start]
        start += 1
    for k in range(start, CARDS):
        s[at.ASIDE] |= 1 << pack[k]
        if STOCK_CARDS > 0:
            s[STOCK + k - start] = pack[k]


def deal_stock(s: State) -> None:
    """From the seat after the dealer on, who leads then, all get what they are short of; TAKEN goes to LAID_BY."""
    k = STOCK
    for place in range(1, SEATS + 1):
        seat = (s[at.DEALER] + place) % SEATS
        own = s[at.TAKEN] if seat == s[at.LAID_BY] else 0
        for _ in range(EACH - FIRST_EACH - popcount(own)):
            s[at.HAND + seat] |= 1 << s[k]
            k += 1
        s[at.HAND + seat] |= own
    s[at.DEAD] &= ~s[at.TAKEN]
    s[at.ASIDE] = 0
    s[STOCK : STOCK + STOCK_CARDS] = at.NOTHING
    s[at.PHASE] = at.PLAYING
    s[at.TURN] = (s[at.DEALER] + 1) % SEATS


def hand_size(s: State, seat: int) -> int:
    """Fewer cards before the stock is dealt."""
    return (FIRST_EACH if STOCK_CARDS > 0 and s[at.LAID_BY] < 0 else EACH) - popcount(s[at.PLAYED + seat])


def blank_stock(s: State, seat: int, out: State) -> None:
    """Nobody knows the order of the stock, nor which cards of others were dealt first."""
    if STOCK_CARDS > 0:
        out[STOCK : STOCK + STOCK_CARDS] = at.NOTHING
        for other in range(SEATS):
            out[FIRST + other] = s[FIRST + other] if other == seat else 0


def first_cards(s: State, seat: int) -> int:
    """The cards dealt first, for a seat to recall."""
    return s[FIRST + seat] if STOCK_CARDS > 0 else 0


def redraw_stock(s: State, seat: int, r: rng.Rng) -> None:
    """Any order of the stock; any of a hand's cards as those dealt first, but what was taken up."""
    if STOCK_CARDS > 0:
        for other in range(SEATS):
            cards = s[at.HAND + other] | s[at.PLAYED + other]
            if other != seat:
                s[FIRST + other] = some(r, cards & ~(s[at.TAKEN] if other == s[at.LAID_BY] else 0), FIRST_EACH)
        left = s[at.ASIDE]
        k = STOCK
        while left:
            card = some(r, left, 1)
            left &= ~card
            s[k] = lowest(card)
            k += 1


def piles_dealt(s: State, game: Any) -> list[int | list[int]]:
    """The piles of a deal's text: the first hands, the turned card, the stock in order or what lies aside."""
    seats, stock, first = game.seats, game.bound["STOCK"], game.bound["FIRST"]
    hands = [int(s[first + seat]) for seat in range(seats)] if game.stock else before_exchange(s, seats, game.lays)
    turned: list[int | list[int]] = [1 << int(s[at.TURNED])] if game.turns_up else []
    if not game.stock:
        rest = int(s[at.ASIDE]) & ~int(s[at.LAID])
        return [*hands, *turned, rest] if rest else [*hands, *turned]
    left = [int(card) for card in s[stock : stock + game.stock] if card != at.NOTHING]
    for k in range(1, seats + 1) if not left else ():
        seat = (int(s[at.DEALER]) + k) % seats
        own = int(s[at.TAKEN]) if seat == s[at.LAID_BY] else 0
        rest = int(s[at.HAND + seat] | s[at.PLAYED + seat]) & ~hands[seat] & ~own
        left += [card for card in range(len(game.deck.names)) if rest >> card & 1]
    return [*hands, *turned, left]
