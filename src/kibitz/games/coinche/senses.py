"""Coinche: what a seat can know (chapter 12 of RULES.md), as a blanked state, as numbers and as a key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, mix
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.games.coinche.auction import bid_level
from kibitz.games.coinche.cards import STRENGTH, SUIT_CARDS
from kibitz.games.coinche.layout import (
    ANNOUNCED,
    BIDDER,
    CALLED,
    CALLS,
    CARD,
    CARDS,
    COINCHE,
    COINCHED,
    COINCHER,
    COUNT,
    DEAD,
    DEALER,
    HAND,
    LACKS,
    LEADER,
    LEVELS,
    LOG,
    LONGEST_AUCTION,
    MOVES,
    NOBODY,
    PAD,
    PASS,
    PASSES,
    PHASE,
    PLAYED,
    PLAYERS,
    POINTS,
    SCORING,
    SIZE,
    STRAINS,
    SUIT,
    SURCOINCHER,
    TABLE,
    TARGET,
    TOTAL_EW,
    TOTAL_NS,
    TOUT,
    TRICKS,
    VALUE,
)  # fmt: skip
from kibitz.games.coinche.scoring import taker, tricks_of, usual_target
from kibitz.games.coinche.suits import call_place, canonical, card_place, place_of, suit_places
from kibitz.games.coinche.worlds import redeal

__all__ = ["OBSERVATIONS", "SENSES", "SLICES", "canonical", "infoset", "observe", "redeal", "view"]


def _lay_out(widths: dict[str, int]) -> dict[str, slice]:
    slices, start = {}, 0
    for name, width in widths.items():
        slices[name] = slice(start, start + width)
        start += width
    return slices


_CARD_WIDTHS = {
    "hand": CARDS,
    "played": PLAYERS * CARDS,
    "order": CARDS,
    "trick": (PLAYERS - 1) * CARDS,
    "face_up": CARDS,
    "voids": PLAYERS * 4,
    "ceiling": PLAYERS * 8,
    "belote": PLAYERS * (4 if TOUT else 1),
    "leader": PLAYERS,
    "led": 4,
    "points": 2,
    "tricks": 2,
    "totals": 2,
    "phase": 3,
    "opener": PLAYERS,
    "contract": 1,
    "suit": 6,
    "taker": PLAYERS,
    "coinched": 3,
    "passes": 1,
}
SLICES = _lay_out(_CARD_WIDTHS | {"ladder": LEVELS * (PLAYERS + STRAINS), "coincher": PLAYERS, "surcoincher": PLAYERS})
SENSES = SLICES["surcoincher"].stop
ONEHOT_SLICES = _lay_out(_CARD_WIDTHS | {"calls": LONGEST_AUCTION * CALLS})
PAPER_SLICES = _lay_out(
    {"calls": 37, "played": 32, "hand": 32, "trick": 32, "points": 2, "attacker": 1, "value": 1, "trump": 1}
    | {"coinched": 1, "phase": 1}
)

(
    _HAND, _PLAYED, _ORDER, _TRICK, _FACE_UP, _VOIDS, _CEILING, _BELOTE, _LEADER, _LED, _POINTS, _TRICKS, _TOTALS, _PHASE,
    _OPENER, _CONTRACT, _SUIT, _TAKER, _COINCHED, _PASSES, _LADDER, _COINCHER, _SURCOINCHER,
) = (piece.start for piece in SLICES.values())  # fmt: skip


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record and the seat's own cards; the hands of the others are blank."""
    out[:SIZE] = s[:SIZE]
    for player in range(PLAYERS):
        if player != seat:
            out[HAND + player] = 0


@kernel
def infoset(s: State, seat: int) -> int:
    """The seat, the cards it was dealt, the dealer, all calls, cards and announcements: perfect recall."""
    key = mix(s[HAND + seat] | s[PLAYED + seat])
    key = mix(key ^ s[DEAD])
    key = mix(key ^ (s[ANNOUNCED] << 8 | s[DEALER] << 4 | seat))
    for k in range(s[MOVES]):
        key = mix(key ^ (s[LOG + k] << 8 | k))
    return key


@kernel
def _mark(cards: int, places: int, start: int, out: NDArray[np.float32]) -> None:
    left = cards
    while left:
        out[start + card_place(places, lowest(left))] = 1.0
        left &= left - 1


@kernel
def _observe_cards(s: State, seat: int, places: int, out: NDArray[np.float32]) -> None:
    """The hand, who has played what and when, the trick, and what the play has shown."""
    _mark(s[HAND + seat], places, _HAND, out)
    if TRICKS < 8:
        _mark(s[DEAD], places, _FACE_UP, out)
    for k in range(PLAYERS):
        player = (seat + k) & 3
        _mark(s[PLAYED + player], places, _PLAYED + CARDS * k, out)
        for suit in range(4):
            if s[LACKS + player] & SUIT_CARDS[suit] == SUIT_CARDS[suit]:
                out[_VOIDS + 4 * k + place_of(places, suit)] = 1.0
        if 0 <= s[SUIT] < 4:
            absent = s[LACKS + player] & SUIT_CARDS[s[SUIT]]
            while absent:
                out[_CEILING + 8 * k + STRENGTH[s[SUIT], lowest(absent)]] = 1.0
                absent &= absent - 1
        for suit in range(4):
            if s[ANNOUNCED] >> (4 * suit + player) & 1:
                out[_BELOTE + (4 * k + place_of(places, suit) if TOUT else k)] = 1.0
    for k in range(s[CALLED], s[MOVES]):
        out[_ORDER + card_place(places, s[LOG + k] - CARD)] = (k - s[CALLED] + 1) / CARDS
    for k in range(s[COUNT]):
        other = (s[LEADER] + k - seat) & 3
        if other > 0:
            out[_TRICK + CARDS * (other - 1) + card_place(places, s[TABLE + k])] = 1.0


@kernel
def _observe_table(s: State, seat: int, places: int, out: NDArray[np.float32]) -> None:
    """The score so far, whose lead it is, and the contract that stands."""
    out[_LEADER + ((s[LEADER] - seat) & 3)] = 1.0
    if s[COUNT] > 0:
        out[_LED + place_of(places, s[TABLE] >> 3)] = 1.0
    for k in range(2):
        side = (seat + k) & 1
        out[_POINTS + k] = s[POINTS + side] / 162.0
        out[_TRICKS + k] = tricks_of(s, side) / 8.0
        out[_TOTALS + k] = (s[TOTAL_EW] if side else s[TOTAL_NS]) / (
            s[TARGET] if s[TARGET] else usual_target(s[SCORING])
        )
    out[_PHASE + s[PHASE]] = 1.0
    out[_OPENER + ((s[DEALER] + 1 - seat) & 3)] = 1.0
    out[_PASSES] = s[PASSES] / 4.0
    if s[BIDDER] != NOBODY:
        out[_CONTRACT] = s[VALUE] / 250.0
        out[_SUIT + place_of(places, s[SUIT])] = 1.0
        out[_TAKER + ((taker(s) - seat) & 3)] = 1.0
        out[_COINCHED + s[COINCHED]] = 1.0


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Everything the seat knows, with the suits in its own order and the seats counted from itself.

    The ladder has a row per level: who bid it and in which suit. As every bid is higher than the last and the passes
    between two bids follow from who made them, it tells the whole auction.
    """
    places = suit_places(s, seat)
    _observe_cards(s, seat, places, out)
    _observe_table(s, seat, places, out)
    for k in range(s[CALLED]):
        action = s[LOG + k]
        if action == PASS or action >= COINCHE:
            continue
        row = _LADDER + (PLAYERS + STRAINS) * bid_level(action)
        out[row + ((s[DEALER] + 1 + k - seat) & 3)] = 1.0
        out[row + PLAYERS + (call_place(places, action) - 1) % STRAINS] = 1.0
    if s[COINCHER] != NOBODY:
        out[_COINCHER + ((s[COINCHER] - seat) & 3)] = 1.0
    if s[SURCOINCHER] != NOBODY:
        out[_SURCOINCHER + ((s[SURCOINCHER] - seat) & 3)] = 1.0


@kernel
def observe_onehot(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """As `observe`, with every call of the auction one-hot instead of the ladder."""
    places = suit_places(s, seat)
    _observe_cards(s, seat, places, out)
    _observe_table(s, seat, places, out)
    for k in range(s[CALLED]):
        out[_LADDER + CALLS * k + call_place(places, s[LOG + k])] = 1.0


@kernel
def observe_paper(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The paper's 140 numbers (rule 12.3)."""
    for k in range(37):
        called = k - 37 + s[CALLED]
        out[k] = s[LOG + called] if called >= 0 else PAD
    table = 0
    for k in range(s[COUNT]):
        table |= 1 << s[TABLE + k]
    past = s[DEAD]
    for player in range(PLAYERS):
        past |= s[PLAYED + player]
    past &= ~table
    for card in range(CARDS):
        out[37 + card] = past >> card & 1
        out[69 + card] = s[HAND + seat] >> card & 1
        out[101 + card] = table >> card & 1
    out[133] = s[POINTS + (seat & 1)]
    out[134] = s[POINTS + 1 - (seat & 1)]
    if s[BIDDER] != NOBODY and taker(s) & 1 == seat & 1:
        out[135] = 1.0
    out[136] = s[VALUE]
    out[137] = s[SUIT]
    out[138] = s[COINCHED]
    out[139] = s[PHASE]


OBSERVATIONS = {"onehot": Observation(ONEHOT_SLICES["calls"].stop, observe_onehot, ONEHOT_SLICES)}
if CALLS == 43:  # rule 12.3: the paper's numbers know no other calls
    OBSERVATIONS["paper"] = Observation(PAPER_SLICES["phase"].stop, observe_paper, PAPER_SLICES)
