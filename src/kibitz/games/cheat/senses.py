"""Cheat: what a seat can know (sections 6 and 7 of RULES.md)."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import mix
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.multiset import ONES, count, one, turned
from kibitz.games.pieces import slices

OTHERS = at.PLAYERS - 1
GRID = at.RANKS * at.COPIES
"""A handful takes one place for "at least k cards of rank r", k from 1 to COPIES."""
SLICES = slices(
    hand=GRID, own_pile=GRID, picked=GRID * at.ONE_BY_ONE, known=GRID * OTHERS, known_of_me=GRID * OTHERS,
    rank=at.RANKS, claim=at.MOST, discarder=at.PLAYERS, asked=at.PLAYERS, sizes=at.PLAYERS, laid=at.PLAYERS, turns=1,
)  # fmt: skip
SENSES = SLICES["turns"].stop
_PICKED, _KNOWN, _KNOWN_OF_ME, _RANK, _CLAIM, _DISCARDER, _ASKED, _SIZES, _LAID, _TURNS = (
    piece.start for piece in list(SLICES.values())[2:]
)


@kernel
def view(s: State, seat: int, out: State) -> None:
    """Rule 7.1: what everybody sees, own cards, own ledger and what others know of one's own cards."""
    for k in range(at.COUNTS):
        out[k] = s[k]
    for k in range(at.COUNTS, at.SIZE):
        out[k] = 0
    out[at.STACK] = 0
    out[at.UNDEALT] = at.UNKNOWN
    out[at.DOUBTS] &= 1 << seat
    if seat != s[at.DISCARDER]:
        out[at.LAST] = at.UNKNOWN
        out[at.PICKED] = at.UNKNOWN
    for other in range(at.PLAYERS):
        if other != seat:
            out[at.HAND + other] = at.UNKNOWN
            out[at.PILE + other] = at.UNKNOWN
            out[at.MEMORY + other] = 0
            for about in range(at.PLAYERS):
                if about != seat:
                    out[at.KNOWN + other * at.PLAYERS + about] = at.UNKNOWN


@kernel
def _write(cards: int, shift: int, out: Singles, place: int) -> None:
    """A handful over its grid, with its ranks turned round by `shift`."""
    cards = turned(cards, shift)
    for rank in range(at.RANKS):
        for k in range(count(cards, rank)):
            out[place + rank * at.COPIES + k] = 1.0


@kernel
def _sense(s: State, seat: int, shift: int, out: Singles) -> None:
    """Own cards, ledgers, and the public numbers; seats relative to one's own, ranks to `shift`."""
    _write(s[at.HAND + seat], shift, out, 0)
    _write(s[at.PILE + seat], shift, out, GRID)
    if at.ONE_BY_ONE and seat == s[at.DISCARDER]:
        _write(s[at.PICKED], shift, out, _PICKED)
    for k in range(at.PLAYERS):
        other = (seat + k) % at.PLAYERS
        out[_SIZES + k] = s[at.SIZES + other] / at.PACK
        out[_LAID + k] = s[at.LAID + other] / at.PACK
        out[_DISCARDER + k] = other == s[at.DISCARDER]
        out[_ASKED + k] = other == s[at.ASKED]
        if k > 0:
            _write(s[at.KNOWN + seat * at.PLAYERS + other], shift, out, _KNOWN + (k - 1) * GRID)
            _write(s[at.KNOWN + other * at.PLAYERS + seat], shift, out, _KNOWN_OF_ME + (k - 1) * GRID)
    out[_RANK + (s[at.RANK] - shift + at.RANKS) % at.RANKS] = 1.0
    if s[at.CLAIM] > 0:
        out[_CLAIM + s[at.CLAIM] - 1] = 1.0
    out[_TURNS] = s[at.TURNS] / at.MAX_TURNS


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Everything of rules 6.1 to 6.4 and 6.9, ranks as they are."""
    _sense(s, seat, 0, out)


@kernel
def observe_turned(s: State, seat: int, out: Singles) -> None:
    """The same with the rank of the turn first (rule 7.5)."""
    _sense(s, seat, s[at.RANK], out)


@kernel
def observe_paper(s: State, seat: int, out: Singles) -> None:
    """Rule 7.4: own hand by rank, everybody's number of cards (own first), number of cards in the pile."""
    for rank in range(at.RANKS):
        out[rank] = count(s[at.HAND + seat], rank)
    for k in range(at.PLAYERS):
        out[at.RANKS + k] = s[at.SIZES + (seat + k) % at.PLAYERS]
        out[at.RANKS + at.PLAYERS] += s[at.LAID + k]


_PAPER = slices(hand=at.RANKS, sizes=at.PLAYERS, pile=1)
OBSERVATIONS = {
    "turned": Observation(SENSES, observe_turned, SLICES),
    "paper": Observation(at.RANKS + at.PLAYERS + 1, observe_paper, _PAPER),
}


@kernel
def infoset(s: State, seat: int) -> int:
    """All that the seat has witnessed, in order: perfect recall (rule 6.7)."""
    return int(s[at.MEMORY + seat])


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Another world for the seat (rule 7.2): unseen cards anew, those of its ledger where they are known to be."""
    unseen = ONES * at.COPIES - s[at.HAND + seat] - s[at.PILE + seat]
    for other in range(at.PLAYERS):
        unseen -= s[at.KNOWN + seat * at.PLAYERS + other]
    while True:
        _draw_world(s, seat, unseen, r)
        if s[at.LIE_MODE] == 0 or _is_pure(s):
            break
    for other in range(at.PLAYERS):
        if other != seat:
            if s[at.AT_ONCE] and _has_answered(s, other):  # not heard yet: either answer is possible
                s[at.DOUBTS] = (s[at.DOUBTS] & ~(1 << other)) | rng.below(r, 2) << other
            _forget(s, seat, other)
    if s[at.STACK]:
        s[at.STACK] = mix(r[rng.KEY])  # the order of the pile belongs to no seat's view; any other hash will do


@kernel
def _draw_world(s: State, seat: int, unseen: int, r: rng.Rng) -> None:
    """Fill every other seat up from the unseen cards, all equally likely in every place; the rest is undealt."""
    pool = np.empty(at.PACK, np.int64)
    n = 0
    for rank in range(at.RANKS):
        for _ in range(count(unseen, rank)):
            pool[n] = rank
            n += 1
    rng.shuffle(r, pool[:n], n)
    s[at.UNDEALT] = unseen
    own = np.empty(at.PACK, np.int64)
    for other in range(at.PLAYERS):
        if other == seat:
            continue
        held = 0
        for rank in range(at.RANKS):
            for _ in range(count(s[at.KNOWN + seat * at.PLAYERS + other], rank)):
                own[held] = rank
                held += 1
        while held < s[at.SIZES + other] + s[at.LAID + other]:
            n -= 1
            own[held] = pool[n]
            s[at.UNDEALT] -= one(pool[n])
            held += 1
        _part(s, other, own[:held], r)


@kernel
def _part(s: State, owner: int, cards: Ints, r: rng.Rng) -> None:
    """Part somebody's cards at random into open claim, earlier discards and hand."""
    rng.shuffle(r, cards, len(cards))
    claim = s[at.CLAIM] if owner == s[at.DISCARDER] else 0
    s[at.HAND + owner] = s[at.PILE + owner] = 0
    if claim > 0:
        s[at.LAST] = 0
    for place in range(len(cards)):
        if place < claim:
            s[at.LAST] += one(cards[place])
        if place < s[at.LAID + owner]:
            s[at.PILE + owner] += one(cards[place])
        else:
            s[at.HAND + owner] += one(cards[place])


@kernel
def _is_pure(s: State) -> bool:
    """Whether the open claim could be made with lie_mode = pure."""
    true = count(s[at.LAST], s[at.RANK])
    return bool(true == 0 or true == s[at.CLAIM])


@kernel
def _has_answered(s: State, other: int) -> bool:
    """Whether the seat was asked before the one that is asked now."""
    if s[at.ASKED] == at.NOBODY or other == s[at.DISCARDER]:
        return False
    place = (other - s[at.DISCARDER] + at.PLAYERS) % at.PLAYERS
    return bool(place < (s[at.ASKED] - s[at.DISCARDER] + at.PLAYERS) % at.PLAYERS)


@kernel
def _forget(s: State, seat: int, other: int) -> None:
    """What the seat cannot know of another's mind: ledgers become the bystander's, the witnessed list a new one."""
    for about in range(at.PLAYERS):
        if about != seat and about != other:
            s[at.KNOWN + other * at.PLAYERS + about] = s[at.KNOWN + at.PLAYERS * at.PLAYERS + about]
    s[at.MEMORY + other] = mix(mix(other + 1) ^ s[at.HAND + other])
    if at.ONE_BY_ONE and other == s[at.DISCARDER]:
        s[at.PICKED] = 0
