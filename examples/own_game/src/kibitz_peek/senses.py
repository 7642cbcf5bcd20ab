"""Peek: what a seat can know."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz_peek.rules import ACTIONS, CARD, CARDS, LOG, LONGEST, MOVES, SIZE, UNKNOWN, has_peeked

SLICES = {
    "seat": slice(0, 2),
    "card": slice(2, 2 + CARDS),
    "other": slice(2 + CARDS, 2 + 2 * CARDS),
    "log": slice(2 + 2 * CARDS, 2 + 2 * CARDS + ACTIONS * LONGEST),
}
SENSES = 2 + 2 * CARDS + ACTIONS * LONGEST


@kernel
def sees_other(s: State, seat: int) -> bool:
    """Rule 2."""
    return seat == 0 and has_peeked(s)


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record, the seat's own card and what it has peeked at."""
    out[:SIZE] = s[:SIZE]
    if not sees_other(s, seat):
        out[CARD + 1 - seat] = UNKNOWN


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """One-hot: seat, own card, the other's card if it is known, every action so far."""
    out[seat] = 1.0
    out[2 + s[CARD + seat]] = 1.0
    if sees_other(s, seat):
        out[2 + CARDS + s[CARD + 1 - seat]] = 1.0
    for k in range(s[MOVES]):
        out[2 + 2 * CARDS + ACTIONS * k + s[LOG + k]] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """Everything the seat has seen: perfect recall."""
    key = 2 * s[CARD + seat] + seat
    key = key * (CARDS + 1) + (s[CARD + 1 - seat] if sees_other(s, seat) else CARDS)
    for k in range(LONGEST):
        key = key * (ACTIONS + 1) + s[LOG + k] + 1
    return key


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Another card for the other seat, unless it is known: all are equally likely."""
    if not sees_other(s, seat):
        card = rng.below(r, CARDS - 1)
        s[CARD + 1 - seat] = card + (1 if card >= s[CARD + seat] else 0)
