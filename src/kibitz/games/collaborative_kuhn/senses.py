"""Collaborative Kuhn poker: what a seat can know."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.collaborative_kuhn.rules import (
    ACTIONS,
    BLANK,
    BLUR,
    CARD,
    CARDS,
    LOG,
    MEMORY,
    MOVES,
    NOISE,
    NOISY,
    ORACLE,
    PERFECT,
    PLAYERS,
    RANKS,
    REMEMBERS,
    ROUND,
    SIZE,
    TOLD,
    UNKNOWN,
    has_oracle,
    trust,
)  # fmt: skip

SLICES = {
    "seat": slice(0, 4),
    "card": slice(4, 7),
    "partner": slice(7, 10),
    "log": slice(10, 10 + ACTIONS * ROUND),
    "told": slice(10 + ACTIONS * ROUND, 10 + (ACTIONS + RANKS + 1) * ROUND),
}
SENSES = 10 + (ACTIONS + RANKS + 1) * ROUND


@kernel
def sees_partner(s: State, seat: int) -> bool:
    """Rule 8.1."""
    return bool(s[ORACLE] == PERFECT and has_oracle(s, seat))


@kernel
def hears(s: State, seat: int, k: int) -> bool:
    """Rule 8.3: whether a seat knows what the oracle said before action k."""
    return bool(k % PLAYERS == seat and (s[MEMORY] == REMEMBERS or k == s[MOVES]))


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record, the seat's own card and what its oracle tells."""
    out[:SIZE] = s[:SIZE]
    for other in range(PLAYERS):
        if other != seat and not (other % 2 == seat % 2 and sees_partner(s, seat)):
            out[CARD + other] = UNKNOWN
    for k in range(ROUND):
        if not hears(s, seat, k) and s[TOLD + k] != UNKNOWN:
            out[TOLD + k] = BLANK  # that it spoke is known to all


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """One-hot: own seat, own card, the partner's if seen, every action (three places), what was told (four places)."""
    out[seat] = 1.0
    out[PLAYERS + s[CARD + seat]] = 1.0
    if sees_partner(s, seat):
        out[PLAYERS + RANKS + s[CARD + (seat + 2) % PLAYERS]] = 1.0
    for k in range(s[MOVES]):
        out[10 + ACTIONS * k + s[LOG + k]] = 1.0
    for k in range(min(s[MOVES] + 1, ROUND)):
        if hears(s, seat, k) and s[TOLD + k] != UNKNOWN:
            out[10 + ACTIONS * ROUND + (RANKS + 1) * k + s[TOLD + k]] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """Own card, the public history, and what the oracle tells: perfect recall unless the oracle is forgotten."""
    key = 1
    for k in range(s[MOVES]):
        key = 3 * key + s[LOG + k]
    for k in range(min(s[MOVES] + 1, ROUND)):
        if hears(s, seat, k) and s[TOLD + k] != UNKNOWN:
            key = 5 * key + 1 + s[TOLD + k]
    key = 4 * key + (1 + s[CARD + (seat + 2) % PLAYERS] if sees_partner(s, seat) else 0)
    return (key * RANKS + s[CARD + seat]) * PLAYERS + seat


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Deal what the seat cannot see anew: all worlds equally likely, then the other seats' oracles speak again.

    An oracle that is erased rather than noisy does not lie: a rank it told stays where it is.
    """
    partner = (seat + 2) % PLAYERS
    keeps = sees_partner(s, seat)
    if s[ORACLE] == NOISY and s[BLUR] != NOISE:
        for k in range(ROUND):
            if hears(s, seat, k) and s[TOLD + k] != UNKNOWN and s[TOLD + k] != BLANK:
                s[CARD + partner] = s[TOLD + k]
                keeps = True
    left = np.full(RANKS, CARDS // RANKS)
    left[s[CARD + seat]] -= 1
    if keeps:
        left[s[CARD + partner]] -= 1
    pack = np.zeros(CARDS, np.int64)
    n = 0
    for rank in range(RANKS):
        for _ in range(left[rank]):
            pack[n] = rank
            n += 1
    pack = pack[:n]
    rng.shuffle(r, pack, n)
    n = 0
    for other in range(PLAYERS):
        if other != seat and not (other == partner and keeps):
            s[CARD + other] = pack[n]
            n += 1
    _speak_again(s, seat, r)


@kernel
def _speak_again(s: State, seat: int, r: rng.Rng) -> None:
    now = s[MOVES]
    for k in range(min(now + 1, ROUND)):
        if s[TOLD + k] != UNKNOWN and not (k % PLAYERS == seat and (s[MEMORY] == REMEMBERS or k == now)):
            s[MOVES] = k
            told = s[CARD + (k + 2) % PLAYERS]
            if rng.uniform(r) >= trust(s):
                told = rng.below(r, RANKS) if s[BLUR] == NOISE else BLANK
            s[TOLD + k] = told
    s[MOVES] = now
