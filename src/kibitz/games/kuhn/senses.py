"""Kuhn poker: what a seat can know."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Singles
from kibitz.games.kuhn.rules import CARD, CARDS, LOG, LONGEST, MOVES, PLAYERS, SIZE, UNKNOWN
from kibitz.games.pieces import slices

SLICES = slices(seat=PLAYERS, card=CARDS, log=2 * LONGEST)
SENSES = SLICES["log"].stop


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record and the seat's own card."""
    out[:SIZE] = s[:SIZE]
    for other in range(PLAYERS):
        if other != seat:
            out[CARD + other] = UNKNOWN


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """One-hot: own seat, own card, every action so far (two places each)."""
    out[seat] = 1.0
    out[PLAYERS + s[CARD + seat]] = 1.0
    for k in range(s[MOVES]):
        out[PLAYERS + CARDS + 2 * k + s[LOG + k]] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """Own card and the whole public history: perfect recall."""
    key = 1
    for k in range(s[MOVES]):
        key = 2 * key + s[LOG + k]
    return (key * 8 + s[CARD + seat]) * 4 + seat


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Deal the cards the seat cannot see anew: all worlds are equally likely."""
    pack = np.zeros(CARDS - 1, np.int64)
    n = 0
    for card in range(CARDS):
        if card != s[CARD + seat]:
            pack[n] = card
            n += 1
    rng.shuffle(r, pack, n)
    n = 0
    for other in range(PLAYERS):
        if other != seat:
            s[CARD + other] = pack[n]
            n += 1
