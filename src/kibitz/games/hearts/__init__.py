"""Hearts: four players, each for himself, avoid the hearts and the queen of spades."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import Option, State
from kibitz.core.jit import kernel
from kibitz.games.decks import FRENCH
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.layout import (
    ANY, CALLING, COUNT, DONE, HAND, MOVES, OWN, PHASE, PLAYED, PLAYING, POINTS, TABLE, TURN,
)  # fmt: skip
from kibitz.games.tricks.tables import Contract
from kibitz.games.tricks.worlds import some

VERSION = 1
OPTIONS = (
    Option("passing", "turns", ("turns", "left", "across", "right", "keep"), "to whom three cards are passed (3)"),
    Option("moon", "on", ("off", "on"), "whether who takes all points gives 26 to each of the others (6.2)"),
)
PRESETS: dict[str, dict[str, int | str]] = {"hearts": {}}
ABOUT = {"hearts": "Hearts: pass three cards, avoid hearts and the queen of spades, or take them all"}

PASSING, MOON = OWN, OWN + 1
DIRECTION, CHOSEN = OWN + 2, OWN + 3
"""How many seats further cards are passed (0: not at all), and the cards each seat has chosen."""
LOG = CHOSEN + 4
CLUBS, HEARTS = 0x1FFF, 0x1FFF << 26
TWO_OF_CLUBS, QUEEN_OF_SPADES = 1, 1 << 49
SUIT = np.array([CLUBS << 13 * (card // 13) for card in range(52)])
PENALTIES = HEARTS | QUEEN_OF_SPADES
PASSED = 3


@kernel
def opening(s: State, dealer: int) -> None:
    """Rule 3.1: three cards are passed to the left, across, to the right, or not at all."""
    s[DIRECTION] = dealer if s[PASSING] == 0 else s[PASSING] % 4
    if s[DIRECTION] > 0:
        s[PHASE] = CALLING
        s[TURN] = 0
    else:
        start(s)


@kernel
def start(s: State) -> None:
    """Rule 4.1: the two of clubs leads."""
    s[PHASE] = PLAYING
    for seat in range(4):
        if s[HAND + seat] & TWO_OF_CLUBS:
            s[TURN] = seat


@kernel
def calls(s: State) -> int:
    """Rule 3.2: the cards a seat may still choose, each above the one before."""
    hand, chosen = s[HAND + s[TURN]], s[CHOSEN + s[TURN]]
    left = PASSED - popcount(chosen)
    bits = hand
    for _ in range(left - 1):  # so many of the highest must be kept back for the choices that follow
        bits &= ~(1 << highest(bits))
    return bits if chosen == 0 else bits & (-2 << highest(chosen))


@kernel
def call(s: State, card: int) -> None:
    """Rule 3.2; when all have chosen, the cards change hands (3.3)."""
    seat = s[TURN]
    s[CHOSEN + seat] |= 1 << card
    if popcount(s[CHOSEN + seat]) < PASSED:
        return
    s[TURN] = seat + 1
    if seat == 3:
        for giver in range(4):
            s[HAND + giver] &= ~s[CHOSEN + giver]
        for giver in range(4):
            s[HAND + (giver + s[DIRECTION]) % 4] |= s[CHOSEN + giver]
        start(s)


@kernel
def is_passed(s: State) -> bool:
    """Whether cards have changed hands."""
    return s[DIRECTION] > 0 and s[PHASE] != CALLING


@kernel
def duty(s: State, seat: int, k: int) -> tuple[int, int]:
    """Rules 4.1 to 4.5, as a ladder."""
    if s[COUNT] == 0:
        played = s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2] | s[PLAYED + 3]
        if k > 0 or (s[DONE] > 0 and played & PENALTIES):
            return ANY, ANY
        first = TWO_OF_CLUBS if s[DONE] == 0 else ~HEARTS
        return first, first
    if k == 0:
        return SUIT[s[TABLE]], SUIT[s[TABLE]]
    if k == 1 and s[DONE] == 0:
        return ~PENALTIES, ~PENALTIES
    return ANY, ANY


@kernel
def known(s: State, seat: int, other: int) -> int:
    """The cards that the seat has passed to another (3.4), and who is about to lead the two of clubs (4.1)."""
    given = s[CHOSEN + seat] if is_passed(s) and other == (seat + s[DIRECTION]) % 4 else 0
    return given | TWO_OF_CLUBS if s[PHASE] == PLAYING and s[DONE] + s[COUNT] == 0 and other == s[TURN] else given


@kernel
def sees(s: State, seat: int, k: int) -> bool:
    """Rule 3.4: who passes a card and who receives it know it."""
    if s[DIRECTION] == 0 or k >= 4 * PASSED:
        return True
    giver = k // PASSED
    return giver == seat or (is_passed(s) and (giver + s[DIRECTION]) % 4 == seat)


@kernel
def blank(s: State, seat: int, out: State) -> None:
    """What others have chosen to pass is hidden, but from who received it."""
    for giver in range(4):
        if not sees(s, seat, PASSED * giver) and s[DIRECTION] > 0:
            out[CHOSEN + giver] = 0


@kernel
def recall(s: State, seat: int) -> int:
    """The cards that were passed to the seat."""
    return s[CHOSEN + (seat - s[DIRECTION]) % 4] if is_passed(s) else 0


@kernel
def redraw(s: State, seat: int, r: rng.Rng) -> bool:
    """Passed cards that the seat has not seen may be any of the receiver's; chosen ones any of the giver's."""
    for giver in range(4):
        count = min(PASSED, max(0, s[MOVES] - PASSED * giver)) if s[DIRECTION] > 0 else 0
        if count == 0 or sees(s, seat, PASSED * giver):
            continue
        holder = (giver + s[DIRECTION]) % 4 if is_passed(s) else giver
        chosen = some(r, (s[HAND + holder] | s[PLAYED + holder]) & ~known(s, seat, holder), count)
        if not is_passed(s) and popcount(s[HAND + giver] & (-2 << highest(chosen))) < PASSED - count:
            return False
        s[CHOSEN + giver] = chosen
        for k in range(count):
            s[LOG + PASSED * giver + k] = lowest(chosen)
            chosen &= chosen - 1
    return True


@kernel
def penalty(s: State, seat: int) -> int:
    """Rules 6.1 and 6.2."""
    for other in range(4):
        if s[MOON] and s[POINTS + other] == 26:
            return 0 if other == seat else 26
    return s[POINTS + seat]


@kernel
def score(s: State, out: NDArray[np.float64]) -> None:
    """Rule 6.3."""
    for seat in range(4):
        out[seat] = -penalty(s, seat)


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 6.4: whoever has fewest points."""
    for other in range(4):
        if penalty(s, other) < penalty(s, seat):
            return False
    return True


@kernel
def caller(view: State, mask: NDArray[np.bool_], r: rng.Rng) -> int:
    """Pass high spades, then high hearts, then high cards."""
    hand = view[HAND + view[TURN]]
    wanted = 0
    for _ in range(PASSED):
        best, most = -1, -1
        for card in range(52):
            danger = card % 13 + 13 * (1 << card & HEARTS != 0) + 20 * (card >= 49)
            if hand & ~wanted & 1 << card and danger > most:
                best, most = card, danger
        wanted |= 1 << best
    return lowest(wanted & ~view[CHOSEN + view[TURN]])


def dealt(s: State) -> list[int]:
    """The hands before cards were passed."""
    hands = [int(s[HAND + seat] | s[PLAYED + seat]) for seat in range(4)]
    if is_passed(s):
        for giver in range(4):
            hands[(giver + int(s[DIRECTION])) % 4] &= ~int(s[CHOSEN + giver])
        for giver in range(4):
            hands[giver] |= int(s[CHOSEN + giver])
    return hands


PASSES = ("keep", "left", "across", "right")
GAME = TrickGame(
    "hearts", deck=FRENCH, suits="cdhs", seats=4, each=13, contracts=(Contract(points={"h": 1, "Qs": 13}),),
    options=OPTIONS, slots=5, longest_calls=12, fewest=True, hides_moves=True, score=score, won=won, duty=duty, rungs=2,
    opening=opening, calls=calls, call=call, known=known, sees=sees, blank=blank, recall=recall, redraw=redraw,
    caller=caller, dealt=dealt, starts=PASSES, start=lambda s: int(s[DIRECTION]),
    headline=lambda s: f"Hearts, pass {PASSES[int(s[DIRECTION])]}",
)  # fmt: skip
