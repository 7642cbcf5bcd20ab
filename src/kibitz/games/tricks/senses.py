"""What a seat can know of a trick-taking game: templates that `TrickGame` binds to a game's tables and hooks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, mix, popcount
from kibitz.core.game import State
from kibitz.games.tricks.layout import (
    ASIDE, BEST, BEST_SEAT, CONTRACT, COUNT, DEAD, DEALER, DECLARER, GIVEN, HAND, HIDDEN, LACKS, LAID, LAID_BY, LEADER,
    MOVES, PHASE, PLAYED, POINTS, TABLE, TRICKS,
)  # fmt: skip
from kibitz.games.tricks.worlds import MOST_POOLS, draw_world, sort_cards, ways

# Bound by TrickGame: constants and tables.
SEATS: Any = 0
EACH: Any = 0
CARDS: Any = 0
CLASSES: Any = 0
CONTRACTS: Any = 0
ALL_POINTS: Any = 1.0
LOG: Any = 0
SIZE: Any = 0
FIRST_CARD: Any = 0
PACK: Any = 0
HIDES_MOVES: Any = False
MASKS: Any = None
AT: Any = None
"""[pieces]: where the pieces of the observation begin, in the order of `pieces`."""
# Bound by TrickGame: the game's hooks and the kernels below.
hand_size: Any = None
known: Any = None
known_aside: Any = None
sees: Any = None
blank: Any = None
recall: Any = None
redraw: Any = None
observe_own: Any = None
hidden_places: Any = None
hidden_from: Any = None
mark: Any = None


def pieces(seats: int, cards: int, classes: int, contracts: int, own: int) -> dict[str, slice]:
    """The named pieces of the observation, in the order in which `observe` writes them."""
    lengths = {
        "hand": cards, "unseen": cards, "aside": cards, "open": cards, "played": seats * cards, "when": cards,
        "trick": (seats - 1) * cards, "winning": cards, "winner": seats, "leader": seats, "declarer": seats,
        "dealer": seats, "contract": contracts, "lacks": seats * classes, "points": seats, "tricks": seats, "gave": cards,
        "received": cards, "phase": 5, "own": own,
    }  # fmt: skip
    found, start = {}, 0
    for name, length in lengths.items():
        found[name] = slice(start, start + length)
        start += length
    return found


(
    _HAND, _UNSEEN, _ASIDE, _OPEN, _PLAYED, _WHEN, _TRICK, _WINNING, _WINNER, _LEADER, _DECLARER, _DEALER,
    _CONTRACT, _LACKS, _POINTS, _TRICKS, _GAVE, _RECEIVED, _PHASE, _OWN,
) = range(20)  # fmt: skip


def view(s: State, seat: int, out: State) -> None:
    """The table and what the seat knows of the cards; what it cannot know is blank."""
    out[:SIZE] = s[:SIZE]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = s[HAND + other] & known(s, seat, other)
    out[ASIDE] = s[ASIDE] & known_aside(s, seat)
    if HIDES_MOVES:
        for k in range(s[MOVES]):
            if not sees(s, seat, k):
                out[LOG + k] = HIDDEN
    blank(s, seat, out)


def unseen(s: State, seat: int) -> int:
    """The cards of which the seat does not know where they are."""
    hidden = PACK & ~(s[DEAD] | s[HAND + seat])
    for other in range(SEATS):
        hidden &= ~s[PLAYED + other]
        if other != seat:
            hidden &= ~(s[HAND + other] & known(s, seat, other))
    return hidden & ~(s[ASIDE] & known_aside(s, seat))


def spread(cards: int, out: NDArray[np.float32], start: int) -> None:
    """Set the places of some cards to 1."""
    left = cards
    while left:
        out[start + lowest(left)] = 1.0
        left &= left - 1


def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Everything the seat has seen, other seats counted from its own: who played what and when, lacks, points, contract."""
    mark(s[HAND + seat], out, AT[_HAND])
    mark(hidden_from(s, seat), out, AT[_UNSEEN])
    mark(s[DEAD], out, AT[_OPEN])
    mark(s[ASIDE] & known_aside(s, seat), out, AT[_ASIDE])
    for k in range(SEATS):
        other = (seat + k) % SEATS
        mark(s[PLAYED + other], out, AT[_PLAYED] + CARDS * k)
        for suit in range(CLASSES):
            cards = MASKS[max(0, s[CONTRACT]), suit]
            out[AT[_LACKS] + CLASSES * k + suit] = cards != 0 and cards & ~s[LACKS + other] == 0
        out[AT[_POINTS] + k] = s[POINTS + other] / ALL_POINTS
        out[AT[_TRICKS] + k] = s[TRICKS + other] / EACH
    played = 0
    total = cards_played(s)
    for k in range(s[MOVES]):
        action = s[LOG + k] - FIRST_CARD
        if k >= s[MOVES] - total:
            played += 1
            out[AT[_WHEN] + action] = played / (SEATS * EACH)
    for k in range(s[COUNT]):
        player = (s[LEADER] + k - seat) % SEATS
        if player > 0:
            out[AT[_TRICK] + CARDS * (player - 1) + s[TABLE + k]] = 1.0
    if s[COUNT] > 0:
        out[AT[_WINNING] + s[BEST]] = 1.0
        out[AT[_WINNER] + (s[BEST_SEAT] - seat) % SEATS] = 1.0
    out[AT[_LEADER] + (s[LEADER] - seat) % SEATS] = 1.0
    if s[DECLARER] >= 0:
        out[AT[_DECLARER] + (s[DECLARER] - seat) % SEATS] = 1.0
    if s[CONTRACT] >= 0:
        out[AT[_CONTRACT] + s[CONTRACT]] = 1.0
    out[AT[_DEALER] + (s[DEALER] - seat) % SEATS] = 1.0
    mark(s[GIVEN + seat] | (s[LAID] if seat == s[LAID_BY] else 0), out, AT[_GAVE])
    mark(recall(s, seat), out, AT[_RECEIVED])
    if s[PHASE] < 5:
        out[AT[_PHASE] + s[PHASE]] = 1.0
    observe_own(s, seat, out[AT[_OWN] :])


def cards_played(s: State) -> int:
    """How many cards have been played: the last so many moves of the log, as calls come before them."""
    count = 0
    for seat in range(SEATS):
        count += popcount(s[PLAYED + seat])
    return count


def infoset(s: State, seat: int) -> int:
    """The seat's cards, what it knows of others, and every move it has seen, in order: perfect recall."""
    key = mix((s[HAND + seat] | s[PLAYED + seat]) ^ (seat + 1))
    key = mix(key ^ recall(s, seat))
    key = mix(key ^ (s[ASIDE] & known_aside(s, seat)))
    key = mix(key ^ s[DEAD])
    for other in range(SEATS):
        if other != seat:
            shown = s[HAND + other] & known(s, seat, other)
            if shown:
                key = mix(key ^ shown)
    for k in range(s[MOVES]):
        key = mix(key ^ (s[LOG + k] + 2 if not HIDES_MOVES or sees(s, seat, k) else 1))
    return key


def places(s: State, seat: int, room: NDArray[np.int64], barred: NDArray[np.int64]) -> int:
    """The hidden cards; room and cards barred in the hands of the seats that follow, and in what lies aside."""
    hidden = hidden_from(s, seat)
    out = popcount(hidden)
    for k in range(SEATS - 1):
        other = (seat + 1 + k) % SEATS
        room[k] = hand_size(s, other) - popcount(s[HAND + other] & known(s, seat, other))
        barred[k] = s[LACKS + other]
        out -= room[k]
    room[SEATS - 1] = out
    barred[SEATS - 1] = 0
    return hidden


def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Draw everything the seat cannot see anew, uniformly over the worlds that fit what it knows."""
    room = np.zeros(SEATS, np.int64)
    barred = np.zeros(SEATS, np.int64)
    found = np.zeros(SEATS, np.int64)
    pools = np.zeros(MOST_POOLS, np.int64)
    least = np.zeros((MOST_POOLS, SEATS), np.int64)
    most = np.zeros((MOST_POOLS, SEATS), np.int64)
    hidden = hidden_places(s, seat, room, barred)
    sort_cards(hidden, barred, pools, least, most)
    table = ways(pools, least, most, room)
    while True:
        draw_world(r, table, pools, least, most, room, found)
        for k in range(SEATS - 1):
            other = (seat + 1 + k) % SEATS
            s[HAND + other] = s[HAND + other] & known(s, seat, other) | found[k]
        s[ASIDE] = s[ASIDE] & known_aside(s, seat) | found[SEATS - 1]
        if redraw(s, seat, r):
            return


def plain_hand_size(s: State, seat: int) -> int:
    """What is left of the cards dealt."""
    return EACH - popcount(s[PLAYED + seat])


def observe_nothing(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Nothing of the game's own is to be seen."""


