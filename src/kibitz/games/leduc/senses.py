"""Leduc poker: what a seat can know."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Singles
from kibitz.games.leduc.rules import ACTIONS, BOARD, CARD, CARDS, LOG, LONGEST, MOVES, PLAYERS, SIZE, TURNED_UP, UNKNOWN
from kibitz.games.pieces import slices

SLICES = slices(seat=PLAYERS, card=CARDS, board=CARDS, log=ACTIONS * LONGEST)
SENSES = SLICES["log"].stop


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record and the seat's own card."""
    out[:SIZE] = s[:SIZE]
    out[CARD + 1 - seat] = UNKNOWN


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """One-hot: own seat, own card, the board, every action so far (three places each)."""
    out[seat] = 1.0
    out[PLAYERS + s[CARD + seat]] = 1.0
    if s[BOARD] != UNKNOWN:
        out[PLAYERS + CARDS + s[BOARD]] = 1.0
    for k in range(s[MOVES]):
        if s[LOG + k] < TURNED_UP:
            out[PLAYERS + 2 * CARDS + ACTIONS * k + s[LOG + k]] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """Own card and the whole public history: perfect recall."""
    key = 1
    for k in range(s[MOVES]):
        key = 16 * key + s[LOG + k]
    return (key * CARDS + s[CARD + seat]) * PLAYERS + seat


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Deal the other player's card anew: every card that is not in sight is equally likely."""
    left = 0
    for card in range(CARDS):
        left += card != s[CARD + seat] and card != s[BOARD]
    k = rng.below(r, left)
    for card in range(CARDS):
        if card != s[CARD + seat] and card != s[BOARD]:
            if k == 0:
                s[CARD + 1 - seat] = card
            k -= 1
