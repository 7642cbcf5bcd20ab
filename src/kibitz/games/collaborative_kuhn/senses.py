"""Collaborative Kuhn poker: what a seat can know."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Singles
from kibitz.games.collaborative_kuhn import rules
from kibitz.games.pieces import slices

SLICES = slices(
    seat=rules.PLAYERS,
    card=rules.RANKS,
    partner=rules.RANKS,
    log=rules.ACTIONS * rules.ROUND,
    told=(rules.RANKS + 1) * rules.ROUND,
)
SENSES = SLICES["told"].stop


@kernel
def sees_partner(s: State, seat: int) -> bool:
    """Rule 8.1."""
    return bool(s[rules.ORACLE] == rules.PERFECT and rules.has_oracle(s, seat))


@kernel
def hears(s: State, seat: int, k: int) -> bool:
    """Rule 8.3: whether a seat knows what the oracle said before action k."""
    return bool(k % rules.PLAYERS == seat and (s[rules.MEMORY] == rules.REMEMBERS or k == s[rules.MOVES]))


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The public record, the seat's own card and what its oracle tells."""
    out[: rules.SIZE] = s[: rules.SIZE]
    for other in range(rules.PLAYERS):
        if other != seat and not (other % 2 == seat % 2 and sees_partner(s, seat)):
            out[rules.CARD + other] = rules.UNKNOWN
    for k in range(rules.ROUND):
        if not hears(s, seat, k) and s[rules.TOLD + k] != rules.UNKNOWN:
            out[rules.TOLD + k] = rules.BLANK  # that it spoke is known to all


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """One-hot: own seat, own card, the partner's if seen, every action (three places), what was told (four places)."""
    out[seat] = 1.0
    out[rules.PLAYERS + s[rules.CARD + seat]] = 1.0
    if sees_partner(s, seat):
        out[rules.PLAYERS + rules.RANKS + s[rules.CARD + (seat + 2) % rules.PLAYERS]] = 1.0
    for k in range(s[rules.MOVES]):
        out[10 + rules.ACTIONS * k + s[rules.LOG + k]] = 1.0
    for k in range(min(s[rules.MOVES] + 1, rules.ROUND)):
        if hears(s, seat, k) and s[rules.TOLD + k] != rules.UNKNOWN:
            out[10 + rules.ACTIONS * rules.ROUND + (rules.RANKS + 1) * k + s[rules.TOLD + k]] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """Own card, the public history, and what the oracle tells: perfect recall unless the oracle is forgotten."""
    key = 1
    for k in range(s[rules.MOVES]):
        key = 3 * key + s[rules.LOG + k]
    for k in range(min(s[rules.MOVES] + 1, rules.ROUND)):
        if hears(s, seat, k) and s[rules.TOLD + k] != rules.UNKNOWN:
            key = 5 * key + 1 + s[rules.TOLD + k]
    key = 4 * key + (1 + s[rules.CARD + (seat + 2) % rules.PLAYERS] if sees_partner(s, seat) else 0)
    return (key * rules.RANKS + s[rules.CARD + seat]) * rules.PLAYERS + seat


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Deal what the seat cannot see anew: all worlds equally likely, then the other seats' oracles speak again.

    An oracle that is erased rather than noisy does not lie: a rank it told stays where it is.
    """
    partner = (seat + 2) % rules.PLAYERS
    keeps = sees_partner(s, seat)
    if s[rules.ORACLE] == rules.NOISY and s[rules.BLUR] != rules.NOISE:
        for k in range(rules.ROUND):
            if hears(s, seat, k) and s[rules.TOLD + k] != rules.UNKNOWN and s[rules.TOLD + k] != rules.BLANK:
                s[rules.CARD + partner] = s[rules.TOLD + k]
                keeps = True
    left = np.full(rules.RANKS, rules.CARDS // rules.RANKS)
    left[s[rules.CARD + seat]] -= 1
    if keeps:
        left[s[rules.CARD + partner]] -= 1
    pack = np.zeros(rules.CARDS, np.int64)
    n = 0
    for rank in range(rules.RANKS):
        for _ in range(left[rank]):
            pack[n] = rank
            n += 1
    pack = pack[:n]
    rng.shuffle(r, pack, n)
    n = 0
    for other in range(rules.PLAYERS):
        if other != seat and not (other == partner and keeps):
            s[rules.CARD + other] = pack[n]
            n += 1
    _speak_again(s, seat, r)


@kernel
def _speak_again(s: State, seat: int, r: rng.Rng) -> None:
    now = s[rules.MOVES]
    for k in range(min(now + 1, rules.ROUND)):
        s[rules.MOVES] = now
        if s[rules.TOLD + k] != rules.UNKNOWN and not hears(s, seat, k):
            s[rules.MOVES] = k
            told = s[rules.CARD + (k + 2) % rules.PLAYERS]
            if rng.uniform(r) >= rules.trust(s):
                told = rng.below(r, rules.RANKS) if s[rules.BLUR] == rules.NOISE else rules.BLANK
            s[rules.TOLD + k] = told
    s[rules.MOVES] = now
