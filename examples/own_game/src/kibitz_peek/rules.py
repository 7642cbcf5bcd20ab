"""Peek: deal, turn, legal, step, returns. Numbers are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel

PLAYERS, ACTIONS, CARDS, LONGEST = 2, 5, 5, 3
PEEK, CHECK, RAISE, CALL, FOLD = range(ACTIONS)

# The state: the option, number of actions, a card each (0 = lowest), the actions themselves.
PRICE, MOVES, CARD, LOG = 0, 1, 2, 4
SIZE = LOG + LONGEST
UNKNOWN = -1


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 1."""
    pack = np.arange(CARDS)
    rng.shuffle(r, pack, PLAYERS)
    start(s, pack[0], pack[1])


@kernel
def start(s: State, first: int, second: int) -> None:
    """Nothing played yet."""
    s[MOVES] = 0
    s[CARD], s[CARD + 1] = first, second
    s[LOG:] = UNKNOWN


@kernel
def has_peeked(s: State) -> bool:
    """Whether seat 0 knows both cards."""
    return s[LOG] == PEEK


@kernel
def last(s: State) -> int:
    """The last action, or UNKNOWN."""
    return s[LOG + s[MOVES] - 1] if s[MOVES] > 0 else UNKNOWN


@kernel
def turn(s: State) -> int:
    """Rules 2 to 4."""
    action = last(s)
    if action == RAISE:
        return 1
    return 0 if action in (UNKNOWN, PEEK) else OVER


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """Rules 2 to 4."""
    mask[:] = False
    if turn(s) == 1:
        mask[CALL] = mask[FOLD] = True
        return 2
    mask[CHECK] = mask[RAISE] = True
    mask[PEEK] = s[MOVES] == 0
    return 3 if s[MOVES] == 0 else 2


@kernel
def step(s: State, action: int) -> None:
    """Play an action."""
    s[LOG + s[MOVES]] = action
    s[MOVES] += 1


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Rule 5."""
    action = last(s)
    paid = 1 + (s[PRICE] if has_peeked(s) else 0) + (0 if action == CHECK else 2)
    answered = 3 if action == CALL else 1
    is_first = action == FOLD or s[CARD] > s[CARD + 1]
    out[0] = answered if is_first else -paid
    out[1] = -out[0]


@kernel
def side(s: State, seat: int) -> int:
    """Everybody plays for himself."""
    return seat


@kernel
def deals() -> int:
    """Number of ordered deals."""
    return CARDS * (CARDS - 1)


@kernel
def deal_at(s: State, k: int) -> None:
    """The k-th deal."""
    first, second = k // (CARDS - 1), k % (CARDS - 1)
    start(s, first, second + (1 if second >= first else 0))
