"""Skat: what a seat can know."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, mix
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.games.skat.auction import BOUNDS, HAS_PASSED, HIGHEST, LOW, bid_bounds
from kibitz.games.skat.cards import ANNOUNCED, BIDS, CARDS, GRAND, JACK, N_BIDS, NULL
from kibitz.games.skat.knowledge import (
    dealt_hand,
    dealt_skat,
    is_open,
    is_pushed,
    knows_skat,
    laid_by,
    logged,
    received_by,
)  # fmt: skip
from kibitz.games.skat.state import (
    ACTIONS,
    BID,
    DECLARED,
    DECLARER,
    DONE,
    ENDED,
    HANDS,
    HIGH,
    HOLD,
    IS_HAND,
    IS_RAMSCH,
    KIND,
    LAID_AT,
    LOG,
    MOVES,
    NOBODY,
    ON_TABLE,
    PASS,
    PHASE,
    PLAYED,
    PLAYERS,
    PUSHED,
    SEAT,
    SIZE,
    SKAT,
    TAKEN,
    TRICK,
    TRICK_POINTS,
    TRICKS,
    VOIDS,
)  # fmt: skip
from kibitz.games.skat.worlds import redeal

__all__ = ["dealt_hand", "dealt_skat", "redeal"]

Floats = NDArray[np.float32]


def _frame() -> NDArray[np.int64]:
    """int64[kind + 1, card]: the place of a card in observations. Trumps come first, the other suits keep their order.

    Jacks keep their places, because their order does not depend on the trump suit.
    """
    frame = np.tile(np.arange(CARDS), (NULL + 2, 1))
    for kind in range(GRAND):
        suits = [kind, *(suit for suit in range(4) if suit != kind)]
        for card in range(CARDS):
            if card % 8 != JACK:
                frame[kind + 1, card] = 8 * suits.index(card // 8) + card % 8
    return frame


FRAME = _frame()


def _slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    slices, start = {}, 0
    for name, size in sizes.items():
        slices[name] = slice(start, start + size)
        start += size
    return slices


# What both observations begin with. Seats are relative: 0 is oneself, 1 the left neighbour.
_TABLE = {
    "seat": 3, "phase": 8, "turn": 3, "declarer": 3, "kind": 6, "announced": 4, "ramsch": 1, "bid": 1, "hand": 32,
    "received": 32, "laid": 32, "open": 32, "played": 96, "trick": 96, "voids": 15, "points": 3, "tricks": 3,
}  # fmt: skip
SLICES = _slices(
    {**_TABLE, "when": 32, "first_duel": 63, "second_duel": 63, "opened": 1, "passed": 3, "passed_first": 3}
)
COMPACT_SLICES = _slices({**_TABLE, "low": 3, "high": 3, "passed": 3})
SENSES = SLICES["passed_first"].stop
COMPACT = COMPACT_SLICES["passed"].stop

_SEAT, _PHASE, _TURN, _DECLARER, _KIND, _ANNOUNCED, _RAMSCH, _BID, _HAND, _RECEIVED, _LAID, _OPEN, _PLAYED, _TRICK, _VOIDS, _POINTS, _TRICKS = (
    SLICES[name].start for name in _TABLE
)  # fmt: skip
_WHEN, _FIRST, _SECOND, _OPENED, _PASSED, _PASSED_FIRST = (
    SLICES[x].start for x in ("when", "first_duel", "second_duel", "opened", "passed", "passed_first")
)
_LOW, _HIGH, _GONE = (COMPACT_SLICES[x].start for x in ("low", "high", "passed"))


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record, the seat's own cards and those it picked up or laid away; once the deal is over, everything."""
    out[:SIZE] = s[:SIZE]
    if s[PHASE] == ENDED:
        return
    for other in range(PLAYERS):
        if other != seat and not is_open(s, other):
            out[HANDS + other] = 0
    if not knows_skat(s, seat):
        out[SKAT] = 0
    if not (seat == 0 if is_pushed(s) else seat == s[DECLARER]):
        out[TAKEN] = 0
    if seat == 2:
        out[PUSHED] = 0
    if seat == 0:
        out[PUSHED + 1] = 0
    if s[LAID_AT] != NOBODY:
        for k in range(s[LAID_AT], min(s[MOVES], s[LAID_AT] + 6)):
            out[LOG + k] = logged(s, k, seat)


@kernel
def infoset(s: State, seat: int) -> int:
    """Everything the seat has seen, in order: perfect recall."""
    key = mix(seat + 1)
    key = mix(key ^ dealt_hand(s, seat))
    key = mix(key ^ received_by(s, seat))
    key = mix(key ^ laid_by(s, seat))
    key = mix(key ^ ((s[DECLARER] + 1) << 16 | (s[DECLARED] + 1) << 8 | (s[HIGH] + 1)))
    for other in range(PLAYERS):
        if is_open(s, other):
            key = mix(key ^ (s[HANDS + other] | s[PLAYED + other]))
    for k in range(s[MOVES]):
        key = mix(key ^ (logged(s, k, seat) + 2))
    return key


@kernel
def canonical(s: State, seat: int, order: NDArray[np.int64]) -> None:
    """order[action]: its place in the frame of `observe`, where trumps come first."""
    for action in range(ACTIONS):
        order[action] = action
    for card in range(CARDS):
        order[card] = FRAME[s[KIND] + 1, card]


@kernel
def _mark(s: State, cards: int, place: int, out: Floats) -> None:
    left = cards
    while left:
        out[place + FRAME[s[KIND] + 1, lowest(left)]] = 1.0
        left &= left - 1


@kernel
def _observe_table(s: State, seat: int, out: Floats) -> None:
    """What both observations have in common."""
    out[_SEAT + seat] = 1.0
    if s[PHASE] != ENDED:
        out[_PHASE + s[PHASE]] = 1.0
        out[_TURN + (s[SEAT] - seat + PLAYERS) % PLAYERS] = 1.0
    if s[DECLARER] != NOBODY:
        out[_DECLARER + (s[DECLARER] - seat + PLAYERS) % PLAYERS] = 1.0
    if s[KIND] != NOBODY:
        out[_KIND + s[KIND]] = 1.0
    announced = s[IS_HAND] if s[DECLARED] == NOBODY else ANNOUNCED[s[DECLARED]]
    for bit in range(4):
        out[_ANNOUNCED + bit] = announced >> bit & 1
    out[_RAMSCH] = s[IS_RAMSCH]
    out[_BID] = 0.0 if s[HIGH] == NOBODY else BIDS[s[HIGH]] / 264.0
    _mark(s, s[HANDS + seat], _HAND, out)
    _mark(s, received_by(s, seat), _RECEIVED, out)
    _mark(s, laid_by(s, seat), _LAID, out)
    for k in range(PLAYERS):
        other = (seat + k) % PLAYERS
        if is_open(s, other):
            _mark(s, s[HANDS + other], _OPEN, out)
        _mark(s, s[PLAYED + other], _PLAYED + CARDS * k, out)
        for led in range(5):
            out[_VOIDS + 5 * k + _place_of_class(s[KIND], led)] = s[VOIDS + other] >> led & 1
        out[_POINTS + k] = s[TRICK_POINTS + other] / 120.0
        out[_TRICKS + k] = s[TRICKS + other] / 10.0
    for k in range(s[ON_TABLE]):
        player = (s[SEAT] - s[ON_TABLE] + k + PLAYERS) % PLAYERS
        _mark(s, 1 << s[TRICK + k], _TRICK + CARDS * ((player - seat + PLAYERS) % PLAYERS), out)


@kernel
def _place_of_class(kind: int, led: int) -> int:
    """Voids are written in the same frame as cards; the trumps are class 4 and stay there."""
    return led if led == 4 else FRAME[kind + 1, 8 * led] >> 3


@kernel
def observe(s: State, seat: int, out: Floats) -> None:
    """Everything with perfect recall: when each card was played, and every number named in the auction."""
    _observe_table(s, seat, out)
    bounds = np.empty(BOUNDS, np.int64)
    calls = bid_bounds(s, bounds)
    for k in range(PLAYERS):
        out[_PASSED + k] = bounds[HAS_PASSED + (seat + k) % PLAYERS]
    passes = 0
    for k in range(calls):
        action = s[LOG + k]
        if action == PASS:
            if passes == 0:
                first = 1 if k == 0 or s[LOG + k - 1] == HOLD else 0  # the bidder, unless he has just named a number
                out[_PASSED_FIRST + (first - seat + PLAYERS) % PLAYERS] = 1.0
            passes += 1
        elif action >= BID:
            out[(_FIRST if passes == 0 else _SECOND) + action - BID] = 1.0
            if passes == 2:
                out[_OPENED] = 1.0
    cards = 3 * s[DONE] + s[ON_TABLE]
    for k in range(cards):
        out[_WHEN + FRAME[s[KIND] + 1, s[LOG + s[MOVES] - cards + k]]] = (k + 1) / 30.0


@kernel
def observe_compact(s: State, seat: int, out: Floats) -> None:
    """The table without the order of past cards, and the auction as bounds of each seat's highest bid."""
    _observe_table(s, seat, out)
    bounds = np.empty(BOUNDS, np.int64)
    bid_bounds(s, bounds)
    for k in range(PLAYERS):
        other = (seat + k) % PLAYERS
        out[_LOW + k] = (bounds[LOW + other] + 1) / N_BIDS
        out[_HIGH + k] = (bounds[HIGHEST + other] + 1) / N_BIDS
        out[_GONE + k] = bounds[HAS_PASSED + other]


OBSERVATIONS = {"compact": Observation(COMPACT, observe_compact, COMPACT_SLICES)}
