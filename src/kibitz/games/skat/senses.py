"""Skat: what a seat can know."""

from __future__ import annotations

import numpy as np

from kibitz.core.bits import lowest
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.pieces import slices
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HAS_PASSED, HIGHEST, LOW, bid_bounds
from kibitz.games.skat.cards import ANNOUNCED, BIDS, CARDS, GRAND, JACK, MASKS, N_BIDS, NULL
from kibitz.games.skat.knowledge import is_open, laid_by, received_by


def _frame() -> Ints:
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
PLACE_OF_PHASE = np.zeros(at.PUSHING + 1, np.int64)
PLACE_OF_PHASE[[at.ANSWERING, at.OPENING, at.CHOOSING, at.DISCARDING, at.DECLARING, at.PUSHING, at.PLAYING]] = range(
    1, 8
)


# What both observations begin with. Seats are relative: 0 is oneself, 1 the left neighbour.
_TABLE = {
    "seat": 3, "phase": 8, "turn": 3, "declarer": 3, "kind": 6, "announced": 4, "ramsch": 1, "bid": 1, "hand": 32,
    "received": 32, "laid": 32, "open": 32, "played": 96, "trick": 96, "voids": 15, "points": 3, "tricks": 3,
}  # fmt: skip
SLICES = slices(**_TABLE, when=32, first_duel=63, second_duel=63, opened=1, passed=3, passed_first=3)
COMPACT_SLICES = slices(**_TABLE, low=3, high=3, passed=3)
SENSES = SLICES["passed_first"].stop
COMPACT = COMPACT_SLICES["passed"].stop

(
    _SEAT, _PHASE, _TURN, _DECLARER, _KIND, _ANNOUNCED, _RAMSCH, _BID, _HAND, _RECEIVED, _LAID, _OPEN, _PLAYED, _TRICK,
    _VOIDS, _POINTS, _TRICKS,
) = (SLICES[name].start for name in _TABLE)  # fmt: skip
_WHEN, _FIRST, _SECOND, _OPENED, _PASSED, _PASSED_FIRST = (
    SLICES[x].start for x in ("when", "first_duel", "second_duel", "opened", "passed", "passed_first")
)
_LOW, _HIGH, _GONE = (COMPACT_SLICES[x].start for x in ("low", "high", "passed"))


@kernel
def canonical(s: State, seat: int, order: Ints) -> None:
    """order[action]: its place in the frame of `observe`, where trumps come first."""
    for action in range(at.ACTIONS):
        order[action] = action
    for card in range(CARDS):
        order[card] = FRAME[s[at.CONTRACT] + 1, card]


@kernel
def _mark(s: State, cards: int, place: int, out: Singles) -> None:
    left = cards
    while left:
        out[place + FRAME[s[at.CONTRACT] + 1, lowest(left)]] = 1.0
        left &= left - 1


@kernel
def _observe_table(s: State, seat: int, out: Singles) -> None:
    """What both observations have in common."""
    out[_SEAT + seat] = 1.0
    if s[at.PHASE] != at.ENDED:
        out[_PHASE + PLACE_OF_PHASE[s[at.PHASE]]] = 1.0
        out[_TURN + (s[at.TURN] - seat + at.PLAYERS) % at.PLAYERS] = 1.0
    if s[at.DECLARER] != at.NOBODY:
        out[_DECLARER + (s[at.DECLARER] - seat + at.PLAYERS) % at.PLAYERS] = 1.0
    if s[at.CONTRACT] != at.NOBODY:
        out[_KIND + s[at.CONTRACT]] = 1.0
    announced = s[at.IS_HAND] if s[at.DECLARED] == at.NOBODY else ANNOUNCED[s[at.DECLARED]]
    for bit in range(4):
        out[_ANNOUNCED + bit] = announced >> bit & 1
    out[_RAMSCH] = s[at.IS_RAMSCH]
    out[_BID] = 0.0 if s[at.HIGH] == at.NOBODY else BIDS[s[at.HIGH]] / 264.0
    _mark(s, s[at.HAND + seat], _HAND, out)
    _mark(s, received_by(s, seat), _RECEIVED, out)
    _mark(s, laid_by(s, seat), _LAID, out)
    for k in range(at.PLAYERS):
        other = (seat + k) % at.PLAYERS
        if is_open(s, other):
            _mark(s, s[at.HAND + other], _OPEN, out)
        _mark(s, s[at.PLAYED + other], _PLAYED + CARDS * k, out)
        for led in range(5):
            cards = MASKS[max(0, s[at.CONTRACT]), led]
            place = led if led == 4 else FRAME[s[at.CONTRACT] + 1, 8 * led] >> 3  # trumps stay where they are
            out[_VOIDS + 5 * k + place] = cards != 0 and cards & ~s[at.LACKS + other] == 0
        out[_POINTS + k] = s[at.POINTS + other] / 120.0
        out[_TRICKS + k] = s[at.TRICKS + other] / 10.0
    for k in range(s[at.COUNT]):
        player = (s[at.TURN] - s[at.COUNT] + k + at.PLAYERS) % at.PLAYERS
        _mark(s, 1 << s[at.TABLE + k], _TRICK + CARDS * ((player - seat + at.PLAYERS) % at.PLAYERS), out)


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Everything with perfect recall: when each card was played, and every number named in the auction."""
    _observe_table(s, seat, out)
    bounds = np.empty(BOUNDS, np.int64)
    calls = bid_bounds(s, bounds)
    for k in range(at.PLAYERS):
        out[_PASSED + k] = bounds[HAS_PASSED + (seat + k) % at.PLAYERS]
    passes = 0
    for k in range(calls):
        action = s[at.LOG + k]
        if action == at.PASS:
            if passes == 0:
                # The bidder, unless he has just named a number.
                first = 1 if k == 0 or s[at.LOG + k - 1] == at.HOLD else 0
                out[_PASSED_FIRST + (first - seat + at.PLAYERS) % at.PLAYERS] = 1.0
            passes += 1
        elif action >= at.BID:
            out[(_FIRST if passes == 0 else _SECOND) + action - at.BID] = 1.0
            if passes == 2:
                out[_OPENED] = 1.0
    cards = 3 * s[at.DONE] + s[at.COUNT]
    for k in range(cards):
        out[_WHEN + FRAME[s[at.CONTRACT] + 1, s[at.LOG + s[at.MOVES] - cards + k]]] = (k + 1) / 30.0


@kernel
def observe_compact(s: State, seat: int, out: Singles) -> None:
    """The table without the order of past cards, and the auction as bounds of each seat's highest bid."""
    _observe_table(s, seat, out)
    bounds = np.empty(BOUNDS, np.int64)
    bid_bounds(s, bounds)
    for k in range(at.PLAYERS):
        other = (seat + k) % at.PLAYERS
        out[_LOW + k] = (bounds[LOW + other] + 1) / N_BIDS
        out[_HIGH + k] = (bounds[HIGHEST + other] + 1) / N_BIDS
        out[_GONE + k] = bounds[HAS_PASSED + other]


OBSERVATIONS = {"compact": Observation(COMPACT, observe_compact, COMPACT_SLICES)}
