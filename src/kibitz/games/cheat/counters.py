"""Cheat: how every seat behaves, counted while the game is played (section 10 of RULES.md)."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.cheat.layout import CLAIM, COUNTS, DISCARDER, FIRST, HAND, LAST, PLAYERS, RANK, TURNS, WINNERS
from kibitz.games.cheat.multiset import count, one

COUNTERS = (
    "discards", "cards", "lies", "mixed", "able", "able_lies", "asked", "lies_heard", "challenges", "right",
    "challenged", "caught",
)  # fmt: skip
"""Three of them in each slot, in this order."""
COUNTED = len(COUNTERS) + 1
TALLIES = 2 + PLAYERS * COUNTED
"""Turns and draws, then for every seat its counters and its passes."""

DIGITS = 21  # bits of a counter: the longest game has fewer turns, and fewer cards are laid in it
_LOW = (1 << DIGITS) - 1


@kernel
def is_lie(s: State) -> bool:
    """Whether the open claim is a lie (rule 3.5)."""
    return bool(s[LAST] != s[CLAIM] * one(s[RANK]))


@kernel
def count_discard(s: State, cards: int, claim: int) -> None:
    """Before the cards are laid."""
    at = COUNTS + 4 * s[DISCARDER]
    true = count(cards, s[RANK])
    lie = int(true < claim)
    able = int(count(s[HAND + s[DISCARDER]], s[RANK]) > 0)
    s[at] += 1 | claim << DIGITS | lie << 2 * DIGITS
    s[at + 1] += (lie & int(true > 0)) | able << DIGITS | (able & lie) << 2 * DIGITS


@kernel
def count_answer(s: State, seat: int, is_cheat: bool) -> None:
    """While the claim is open."""
    at = COUNTS + 4 * seat
    lie = int(is_lie(s))
    s[at + 2] += 1 | lie << DIGITS | int(is_cheat) << 2 * DIGITS
    s[at + 3] += lie & int(is_cheat)


@kernel
def count_challenge(s: State, is_caught: bool) -> None:
    """For the discarder whose claim is put to the test."""
    s[COUNTS + 4 * s[DISCARDER] + 3] += 1 << DIGITS | int(is_caught) << 2 * DIGITS


@kernel
def tally(s: State, counts: Floats) -> None:
    """Add a finished game to the sums."""
    counts[0] += s[TURNS]
    counts[1] += s[WINNERS] == 0
    at = 2
    for seat in range(PLAYERS):
        for k in range(COUNTED - 1):
            counts[at + k] += s[COUNTS + 4 * seat + k // 3] >> DIGITS * (k % 3) & _LOW
        own_turns = (s[TURNS] - (seat - s[FIRST] + PLAYERS) % PLAYERS + PLAYERS - 1) // PLAYERS
        counts[at + COUNTED - 1] += own_turns - (s[COUNTS + 4 * seat] & _LOW)
        at += COUNTED
