"""Hearts: four players, each for himself, avoid the hearts and the queen of spades. Numbers are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kibitz.core.game import Option, Payoffs, State, Value
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.decks import FRENCH
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.exchange import start_passing
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.tables import Contract

VERSION = 1
OPTIONS = (
    Option("passing", "turns", ("turns", "left", "across", "right", "keep"), "to whom three cards are passed (2.1)"),
    Option("moon", "on", ("off", "on"), "whether who takes all points gives 26 to each of the others (4.2)"),
)
PRESETS: dict[str, dict[str, int | str]] = {"hearts": {}}
ABOUT = {"hearts": "Hearts: avoid hearts and the queen of spades, or take all"}

PASSING, MOON = at.OWN, at.OWN + 1
DIRECTIONS = ("keep", "left", "across", "right")
SUIT = np.array([0x1FFF << 13 * (card // 13) for card in range(52)])
HEARTS = 0x1FFF << 26
TWO_OF_CLUBS, QUEEN_OF_SPADES = 1, 1 << 49
PENALTIES = HEARTS | QUEEN_OF_SPADES
ALL_POINTS = 26


@kernel
def opening(s: State, direction: int) -> None:
    """Rule 2.1: the direction is drawn, unless an option fixes it."""
    s[at.DEALER] = direction if s[PASSING] == 0 else s[PASSING] % 4
    if s[at.DEALER] > 0:
        start_passing(s, s[at.DEALER])
    else:
        first_lead(s)


@kernel
def first_lead(s: State) -> None:
    """Rule 3.1: the two of clubs leads."""
    s[at.PHASE] = at.PLAYING
    for seat in range(4):
        if s[at.HAND + seat] & TWO_OF_CLUBS:
            s[at.TURN] = seat


@kernel
def duty(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """Rules 3.1 to 3.4."""
    if led < 0:
        played = s[at.PLAYED] | s[at.PLAYED + 1] | s[at.PLAYED + 2] | s[at.PLAYED + 3]
        if k > 0 or (s[at.DONE] > 0 and played & PENALTIES):
            return at.ANY, at.ANY
        cards = TWO_OF_CLUBS if s[at.DONE] == 0 else ~HEARTS
        return cards, cards
    if k == 0:
        return SUIT[led], SUIT[led]
    return (~PENALTIES, ~PENALTIES) if s[at.DONE] == 0 else (at.ANY, at.ANY)


@kernel
def known(s: State, seat: int, other: int) -> int:
    """What was passed on, and who is about to lead the two of clubs."""
    is_given = s[at.PASS_TO] > 0 and s[at.PHASE] != at.PASSING and other == (seat + s[at.PASS_TO]) % 4
    cards = s[at.GIVEN + seat] if is_given else 0
    is_first = s[at.PHASE] == at.PLAYING and s[at.DONE] + s[at.COUNT] == 0 and other == s[at.TURN]
    return cards | TWO_OF_CLUBS if is_first else cards


@kernel
def penalty(s: State, seat: int) -> int:
    """Rules 4.1 and 4.2."""
    for other in range(4):
        if s[MOON] and s[at.POINTS + other] == ALL_POINTS:
            return 0 if other == seat else ALL_POINTS
    return s[at.POINTS + seat]


@kernel
def score(s: State, out: Floats) -> None:
    """Rule 4.3."""
    for seat in range(4):
        out[seat] = -penalty(s, seat)


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 4.4: whoever has fewest points."""
    least = min(min(penalty(s, 0), penalty(s, 1)), min(penalty(s, 2), penalty(s, 3)))
    return penalty(s, seat) == least


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rules 4.1 to 4.3."""
    return Payoffs(-float(ALL_POINTS), 0.0, None if values["moon"] == "on" else -float(ALL_POINTS))


GAME = TrickGame(
    "hearts", deck=FRENCH, suits="cdhs", seats=4, each=13, contracts=(Contract(points={"h": 1, "Qs": 13}),),
    options=OPTIONS, passes=3, fewest=True, score=score, won=won, duty=duty, rungs=2, past=True, opening=opening,
    known=known, after_passing=first_lead, starts=DIRECTIONS,
    headline=lambda s: f"Hearts, {DIRECTIONS[int(s[at.DEALER])]}",
)  # fmt: skip
