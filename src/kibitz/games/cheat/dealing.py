"""Cheat: the deal (section 2 of RULES.md), drawn or listed."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import mix
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.ledger import BEGINS, tell
from kibitz.games.cheat.multiset import ONES, one


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Section 2."""
    first = s[at.FIRST_PLAYER] - 1 if s[at.FIRST_PLAYER] > 0 else rng.below(r, at.PLAYERS)
    pack = np.arange(at.PACK)
    rng.shuffle(r, pack, at.DEALT)
    start(s, first)
    card = 0
    for seat in range(at.PLAYERS):
        for _ in range(share(seat, first)):
            s[at.HAND + seat] += one(pack[card] // at.COPIES)
            card += 1
    open_game(s)


@kernel
def share(seat: int, first: int) -> int:
    """How many cards a seat is dealt (rules 2.2 and 2.3)."""
    if at.CARDS_EACH > 0:
        return at.CARDS_EACH
    place = (seat - first + at.PLAYERS) % at.PLAYERS
    return (at.PACK - place + at.PLAYERS - 1) // at.PLAYERS


@kernel
def start(s: State, first: int) -> None:
    """An empty table with its first player (rule 2.5)."""
    for k in range(at.FIRST, at.SIZE):
        s[k] = 0
    s[at.FIRST] = s[at.DISCARDER] = first
    s[at.ASKED] = at.NOBODY


@kernel
def open_game(s: State) -> None:
    """Begin once the hands are dealt: the rest is out of play (rule 2.4), everybody has seen his own hand."""
    s[at.UNDEALT] = ONES * at.COPIES
    for seat in range(at.PLAYERS):
        s[at.UNDEALT] -= s[at.HAND + seat]
        s[at.SIZES + seat] = share(seat, s[at.FIRST])
        s[at.MEMORY + seat] = mix(mix(seat + 1) ^ s[at.HAND + seat])
    tell(s, BEGINS, s[at.FIRST], 0)
    if at.REPEATS > 0:
        s[at.BOOK] = position_key(s)


@kernel
def position_key(s: State) -> int:
    """A hash of all cards, the rank and the discarder, at the start of a turn."""
    key = mix(s[at.RANK] << 8 | s[at.DISCARDER])
    for k in range(2 * at.PLAYERS):
        key = mix(key ^ s[at.HAND + k])  # the rows of the pile follow the hands
    return key


@kernel
def listed() -> int:
    """Number of deals of single cards, for every first player: all equally likely."""
    return at.DEALS


@kernel
def listed_deal(s: State, k: int) -> None:
    """The k-th deal of single cards."""
    start(s, s[at.FIRST_PLAYER] - 1 if s[at.FIRST_PLAYER] > 0 else k % at.PLAYERS)
    k //= at.PLAYERS
    pack = np.arange(at.PACK)
    left = at.PACK
    for seat in range(at.PLAYERS):
        wanted = share(seat, s[at.FIRST])
        choices = ways(left, wanted)
        _choose_cards(s, seat, pack, left, k % choices)
        k //= choices
        left -= wanted
    open_game(s)


@kernel
def _choose_cards(s: State, seat: int, pack: Ints, left: int, k: int) -> None:
    """Give the seat the k-th choice out of the first `left` cards and move the others to the front."""
    wanted = share(seat, s[at.FIRST])
    kept = 0
    for place in range(left):
        without = ways(left - place - 1, wanted)
        if k >= without:
            k -= without
            wanted -= 1
            s[at.HAND + seat] += one(pack[place] // at.COPIES)
        else:
            pack[kept] = pack[place]
            kept += 1


@kernel
def ways(n: int, k: int) -> int:
    """Choices of k out of n."""
    if k > n:
        return 0
    number = 1
    for i in range(k):
        number = number * (n - i) // (i + 1)
    return number
