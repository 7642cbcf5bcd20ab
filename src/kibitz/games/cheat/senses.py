"""Cheat: what a seat can know (sections 6 and 7 of RULES.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import mix
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.games.cheat.abstraction import (
    ABSTRACT_ACTIONS,
    ABSTRACTIONS,
    PAIRS,
    abstract_action,
    abstract_legal,
    concrete_action,
)
from kibitz.games.cheat.layout import (
    ASKED,
    AT_ONCE,
    CLAIM,
    COPIES,
    COUNTS,
    DISCARDER,
    DOUBTS,
    HAND,
    KNOWN,
    LAID,
    LAST,
    LIE_MODE,
    MAX_TURNS,
    MEMORY,
    MOST,
    NOBODY,
    ONE_BY_ONE,
    PACK,
    PICKED,
    PILE,
    PLAYERS,
    RANK,
    RANKS,
    SIZE,
    SIZES,
    STACK,
    TURNS,
    UNDEALT,
    UNKNOWN,
)
from kibitz.games.cheat.multiset import ONES, count, one, turned

__all__ = ["ABSTRACTIONS", "ABSTRACT_ACTIONS", "PAIRS", "abstract_action", "abstract_legal", "concrete_action"]

OTHERS = PLAYERS - 1
GRID = RANKS * COPIES
"""A handful takes one place for "at least k cards of rank r", k from 1 to COPIES."""
_PARTS = (
    ("hand", GRID),
    ("own_pile", GRID),
    ("picked", GRID * ONE_BY_ONE),
    ("known", GRID * OTHERS),
    ("known_of_me", GRID * OTHERS),
    ("rank", RANKS),
    ("claim", MOST),
    ("discarder", PLAYERS),
    ("asked", PLAYERS),
    ("sizes", PLAYERS),
    ("laid", PLAYERS),
    ("turns", 1),
)


def _slices(parts: tuple[tuple[str, int], ...]) -> dict[str, slice]:
    ends = np.cumsum([0, *(length for _, length in parts)]).tolist()
    return {name: slice(ends[k], ends[k + 1]) for k, (name, _) in enumerate(parts)}


SLICES = _slices(_PARTS)
SENSES = SLICES["turns"].stop
_PICKED, _KNOWN, _KNOWN_OF_ME, _RANK, _CLAIM, _DISCARDER, _ASKED, _SIZES, _LAID, _TURNS = (
    SLICES[name].start for name, _ in _PARTS[2:]
)


@kernel
def view(s: State, seat: int, out: State) -> None:
    """Rule 7.1: what everybody sees, own cards, own ledger and what others know of one's own cards."""
    for k in range(COUNTS):
        out[k] = s[k]
    for k in range(COUNTS, SIZE):
        out[k] = 0
    out[STACK] = 0
    out[UNDEALT] = UNKNOWN
    out[DOUBTS] &= 1 << seat
    if seat != s[DISCARDER]:
        out[LAST] = UNKNOWN
        out[PICKED] = UNKNOWN
    for other in range(PLAYERS):
        if other != seat:
            out[HAND + other] = UNKNOWN
            out[PILE + other] = UNKNOWN
            out[MEMORY + other] = 0
            for about in range(PLAYERS):
                if about != seat:
                    out[KNOWN + other * PLAYERS + about] = UNKNOWN


@kernel
def _write(cards: int, shift: int, out: NDArray[np.float32], at: int) -> None:
    """A handful over its grid, with its ranks turned round by `shift`."""
    cards = turned(cards, shift)
    for rank in range(RANKS):
        for k in range(count(cards, rank)):
            out[at + rank * COPIES + k] = 1.0


@kernel
def _sense(s: State, seat: int, shift: int, out: NDArray[np.float32]) -> None:
    """Own cards, ledgers, and the public numbers; seats relative to one's own, ranks to `shift`."""
    _write(s[HAND + seat], shift, out, 0)
    _write(s[PILE + seat], shift, out, GRID)
    if ONE_BY_ONE and seat == s[DISCARDER]:
        _write(s[PICKED], shift, out, _PICKED)
    for k in range(PLAYERS):
        other = (seat + k) % PLAYERS
        out[_SIZES + k] = s[SIZES + other] / PACK
        out[_LAID + k] = s[LAID + other] / PACK
        out[_DISCARDER + k] = other == s[DISCARDER]
        out[_ASKED + k] = other == s[ASKED]
        if k > 0:
            _write(s[KNOWN + seat * PLAYERS + other], shift, out, _KNOWN + (k - 1) * GRID)
            _write(s[KNOWN + other * PLAYERS + seat], shift, out, _KNOWN_OF_ME + (k - 1) * GRID)
    out[_RANK + (s[RANK] - shift + RANKS) % RANKS] = 1.0
    if s[CLAIM] > 0:
        out[_CLAIM + s[CLAIM] - 1] = 1.0
    out[_TURNS] = s[TURNS] / MAX_TURNS


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Everything of rules 6.1 to 6.4 and 6.9, ranks as they are."""
    _sense(s, seat, 0, out)


@kernel
def observe_turned(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The same with the rank of the turn first (rule 7.5)."""
    _sense(s, seat, s[RANK], out)


@kernel
def observe_paper(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Rule 7.4: own hand by rank, everybody's number of cards (own first), number of cards in the pile."""
    for rank in range(RANKS):
        out[rank] = count(s[HAND + seat], rank)
    for k in range(PLAYERS):
        out[RANKS + k] = s[SIZES + (seat + k) % PLAYERS]
        out[RANKS + PLAYERS] += s[LAID + k]


_PAPER = _slices((("hand", RANKS), ("sizes", PLAYERS), ("pile", 1)))
OBSERVATIONS = {
    "turned": Observation(SENSES, observe_turned, SLICES),
    "paper": Observation(RANKS + PLAYERS + 1, observe_paper, _PAPER),
}


@kernel
def infoset(s: State, seat: int) -> int:
    """All that the seat has witnessed, in order: perfect recall (rule 6.7)."""
    return int(s[MEMORY + seat])


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Another world for the seat (rule 7.2): unseen cards anew, those of its ledger where they are known to be."""
    unseen = ONES * COPIES - s[HAND + seat] - s[PILE + seat]
    for other in range(PLAYERS):
        unseen -= s[KNOWN + seat * PLAYERS + other]
    while True:
        _draw_world(s, seat, unseen, r)
        if s[LIE_MODE] == 0 or _is_pure(s):
            break
    for other in range(PLAYERS):
        if other != seat:
            if s[AT_ONCE] and _has_answered(s, other):  # not heard yet: either answer is possible
                s[DOUBTS] = (s[DOUBTS] & ~(1 << other)) | rng.below(r, 2) << other
            _forget(s, seat, other)
    if s[STACK]:
        s[STACK] = mix(r[rng.KEY])  # the order of the pile belongs to no seat's view; any other hash will do


@kernel
def _draw_world(s: State, seat: int, unseen: int, r: rng.Rng) -> None:
    """Fill every other seat up from the unseen cards, all equally likely in every place; the rest is undealt."""
    pool = np.empty(PACK, np.int64)
    n = 0
    for rank in range(RANKS):
        for _ in range(count(unseen, rank)):
            pool[n] = rank
            n += 1
    rng.shuffle(r, pool[:n], n)
    s[UNDEALT] = unseen
    own = np.empty(PACK, np.int64)
    for other in range(PLAYERS):
        if other == seat:
            continue
        held = 0
        for rank in range(RANKS):
            for _ in range(count(s[KNOWN + seat * PLAYERS + other], rank)):
                own[held] = rank
                held += 1
        while held < s[SIZES + other] + s[LAID + other]:
            n -= 1
            own[held] = pool[n]
            s[UNDEALT] -= one(pool[n])
            held += 1
        _part(s, other, own[:held], r)


@kernel
def _part(s: State, owner: int, cards: NDArray[np.int64], r: rng.Rng) -> None:
    """Part somebody's cards at random into open claim, earlier discards and hand."""
    rng.shuffle(r, cards, len(cards))
    claim = s[CLAIM] if owner == s[DISCARDER] else 0
    s[HAND + owner] = s[PILE + owner] = 0
    if claim > 0:
        s[LAST] = 0
    for place in range(len(cards)):
        if place < claim:
            s[LAST] += one(cards[place])
        if place < s[LAID + owner]:
            s[PILE + owner] += one(cards[place])
        else:
            s[HAND + owner] += one(cards[place])


@kernel
def _is_pure(s: State) -> bool:
    """Whether the open claim could be made with lie_mode = pure."""
    true = count(s[LAST], s[RANK])
    return bool(true == 0 or true == s[CLAIM])


@kernel
def _has_answered(s: State, other: int) -> bool:
    """Whether the seat was asked before the one that is asked now."""
    if s[ASKED] == NOBODY or other == s[DISCARDER]:
        return False
    place = (other - s[DISCARDER] + PLAYERS) % PLAYERS
    return bool(place < (s[ASKED] - s[DISCARDER] + PLAYERS) % PLAYERS)


@kernel
def _forget(s: State, seat: int, other: int) -> None:
    """What the seat cannot know of another's mind: ledgers become the bystander's, the witnessed list a new one."""
    for about in range(PLAYERS):
        if about != seat and about != other:
            s[KNOWN + other * PLAYERS + about] = s[KNOWN + PLAYERS * PLAYERS + about]
    s[MEMORY + other] = mix(mix(other + 1) ^ s[HAND + other])
    if ONE_BY_ONE and other == s[DISCARDER]:
        s[PICKED] = 0
