"""Cheat: simplifications for learners. Coarser information sets, and discards named by true and false cards.

Keys never contain the seat: the game is the same for everybody, so one table serves all seats. Keys without the rank
(`paper`) or turned round (`rel`, `hands`, `features`) suit games without reset_on_challenge (rule 7.5). An abstract
discard (t, f) lays t cards of the rank and f others, those first whose rank is farthest in one's own turns (rule 9.5).
"""

from __future__ import annotations

import numpy as np

from kibitz.core.bits import mix
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.multiset import count, number_of, one, turned

SMALL_HAND = 4
"""`features` keeps hands up to this size card by card."""


def _far_ranks() -> list[int]:
    """Steps from the rank of the turn to all others, the farthest in one's own turns first (rule 9.5)."""

    def own_turns(ahead: int) -> int:
        turns = [j for j in range(1, at.RANKS + 1) if j * at.PLAYERS % at.RANKS == ahead]
        return min(turns, default=at.RANKS + 1)

    return sorted(range(1, at.RANKS), key=lambda ahead: (-own_turns(ahead), ahead))


FAR = np.array(_far_ranks())

PAIRS = [(true, laid - true) for laid in range(1, at.MOST + 1) for true in range(laid, -1, -1)]
"""Abstract discards in order: 1 true, 1 false, 2 true, ..."""
_TRUE = np.array([true for true, _ in PAIRS])
_FALSE = np.array([false for _, false in PAIRS])
ABSTRACT_ACTIONS = at.BASE + len(PAIRS)
"""trust, cheat and pass as in the game, then the pairs."""
ABSTRACT_NAME = "tf"
"""How solvers are asked for them."""


@kernel
def _public(s: State, seat: int) -> int:
    """Everybody's number of cards, own first, and that of the pile."""
    key = 0
    laid = 0
    for k in range(at.PLAYERS):
        key = mix(key ^ (s[at.SIZES + (seat + k) % at.PLAYERS] + 1))
        laid += s[at.LAID + k]
    return mix(key ^ laid)


@kernel
def _phase(s: State, seat: int) -> int:
    """0 when the seat discards; otherwise 1 + how far to the left the discarder sits."""
    return 0 if s[at.ASKED] == at.NOBODY else 1 + (s[at.DISCARDER] - seat + at.PLAYERS) % at.PLAYERS


@kernel
def counts_key(s: State, seat: int) -> int:
    """Own ranks, everybody's counts, pile, rank, phase, claim."""
    word = s[at.RANK] << 16 | _phase(s, seat) << 8 | s[at.CLAIM]
    return mix(mix(_public(s, seat) ^ s[at.HAND + seat]) ^ word)


@kernel
def paper_key(s: State, seat: int) -> int:
    """The paper's information set (rule 7.4), told apart by phase, since different things are legal."""
    return mix(mix(_public(s, seat) ^ s[at.HAND + seat]) ^ int(s[at.ASKED] != at.NOBODY))


@kernel
def rel_key(s: State, seat: int) -> int:
    """`counts` with the ranks turned round so that the rank of the turn comes first."""
    word = _phase(s, seat) << 8 | s[at.CLAIM]
    return mix(mix(_public(s, seat) ^ turned(s[at.HAND + seat], s[at.RANK])) ^ word)


@kernel
def hands_key(s: State, seat: int) -> int:
    """`rel` without the pile, so that a table for fewer cards fits a game with more of them."""
    key = 0
    for k in range(at.PLAYERS):
        key = mix(key ^ (s[at.SIZES + (seat + k) % at.PLAYERS] + 1))
    word = _phase(s, seat) << 8 | s[at.CLAIM]
    return mix(mix(key ^ turned(s[at.HAND + seat], s[at.RANK])) ^ word)


@kernel
def _known_of_next(s: State, seat: int) -> int:
    """Cards of the rank that the seat knows the discarder (or, discarding, the next seat) to have."""
    about = (seat + 1) % at.PLAYERS if s[at.ASKED] == at.NOBODY else s[at.DISCARDER]
    return count(s[at.KNOWN + seat * at.PLAYERS + about], s[at.RANK])


@kernel
def features_key(s: State, seat: int) -> int:
    """Small hands: `rel` with memory. Larger ones: counts, cards of the rank and of those that follow, memory."""
    hand = turned(s[at.HAND + seat], s[at.RANK])
    laid = count(s[at.PILE + seat], s[at.RANK])
    known = _known_of_next(s, seat)
    is_asked = s[at.ASKED] != at.NOBODY
    trusted = int(known >= s[at.CLAIM]) if is_asked else known
    if s[at.SIZES + seat] <= SMALL_HAND:
        return mix(rel_key(s, seat) ^ (laid << 8 | trusted))
    own = count(hand, 0)
    following = count(hand, 1)
    if is_asked:
        word = s[at.CLAIM] << 12 | min(4, own + laid) << 8 | trusted << 4 | min(3, following)
    else:
        own_next = count(hand, at.PLAYERS % at.RANKS)
        word = own << 12 | min(3, own_next) << 8 | min(2, following) << 4 | min(2, known)
    return mix(mix(_public(s, seat) ^ (_phase(s, seat) + 1)) ^ word)


ABSTRACTIONS = {
    "counts": counts_key, "paper": paper_key, "rel": rel_key, "hands": hands_key, "features": features_key,
}  # fmt: skip
"""Information set keys by name: kernels of (state or view, seat)."""


@kernel
def abstract_legal(s: State, mask: Bools) -> int:
    """Write bool[ABSTRACT_ACTIONS]: what the seat to move may do in abstract actions; returns how many."""
    mask[:] = False
    if s[at.ASKED] != at.NOBODY:
        mask[at.TRUST] = mask[at.CHEAT] = True
        return 2
    n = 0
    if at.PASSES:
        mask[at.PASS] = True
        n = 1
    true = count(s[at.HAND + s[at.DISCARDER]], s[at.RANK])
    false = s[at.SIZES + s[at.DISCARDER]] - true
    for k in range(len(_TRUE)):
        if _TRUE[k] <= true and _FALSE[k] <= false:
            mask[at.BASE + k] = True
            n += 1
    return n


@kernel
def farthest(hand: int, rank: int, n: int) -> int:
    """n false cards of the hand, those first whose rank is farthest in one's own turns."""
    cards = 0
    for ahead in FAR:
        other = (rank + ahead) % at.RANKS
        take = min(n, count(hand, other))
        cards += take * one(other)
        n -= take
    return cards


@kernel
def concrete_action(s: State, action: int) -> int:
    """The action of the game that an abstract action stands for here; not for games spelled one by one."""
    if action < at.BASE:
        return action
    k = action - at.BASE
    hand = s[at.HAND + s[at.DISCARDER]]
    return at.BASE + number_of(_TRUE[k] * one(s[at.RANK]) + farthest(hand, s[at.RANK], _FALSE[k]))
