"""Counter-based luck: a draw is a function of (seed, game number, who draws, move number, draw number) and of nothing else.

So results do not depend on batch size, threads or order, and two bots in one seat of one deal can be given the same luck.
The generator's state is an int64 array: the game's stream, the key of the current move, how many draws it has made.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import mix
from kibitz.core.jit import kernel

STREAM, KEY, DRAWS = range(3)
WORDS = 3
DEALER = -1
"""Who draws when chance moves; seats are 0, 1, ..."""

_SALT = 0x2545F4914F6CDD1D
_LOW32 = (1 << 32) - 1
_LOW53 = (1 << 53) - 1

Rng = NDArray[np.int64]


def fresh(seed: int = 0, number: int = 0, who: int = DEALER, move: int = 0) -> Rng:
    """A generator ready to draw for one player at one move of one game."""
    r = np.zeros(WORDS, np.int64)
    begin(r, seed, number)
    turn(r, who, move)
    return r


@kernel
def begin(r: Rng, seed: int, number: int) -> None:
    """Enter the stream of one game."""
    r[STREAM] = mix(mix(seed ^ _SALT) ^ number)


@kernel
def turn(r: Rng, who: int, move: int) -> None:
    """Give the next draws to one seat (or the dealer) at one move."""
    r[KEY] = mix(r[STREAM] ^ ((move + 1) * 64 + who + 1))
    r[DRAWS] = 0


@kernel
def draw(r: Rng) -> int:
    """64 random bits, signed."""
    r[DRAWS] += 1
    return mix(r[KEY] ^ r[DRAWS])


@kernel
def below(r: Rng, n: int) -> int:
    """A whole number from 0 to n - 1, exactly uniform, for n up to 2**31."""
    product = ((draw(r) >> 32) & _LOW32) * n
    if product & _LOW32 < n:  # rarely true: the rest of the division would make small numbers likelier
        unfair = ((1 << 32) - n) % n
        while product & _LOW32 < unfair:
            product = ((draw(r) >> 32) & _LOW32) * n
    return product >> 32


@kernel
def uniform(r: Rng) -> float:
    """A float from 0 to 1, 1 excluded."""
    return ((draw(r) >> 11) & _LOW53) * (1.0 / (1 << 53))


@kernel
def shuffle(r: Rng, cards: NDArray[np.int64], n: int) -> None:
    """Bring n uniformly chosen entries, in random order, to the front of `cards`."""
    for i in range(min(n, len(cards) - 1)):
        j = i + below(r, len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]


@kernel
def sample(r: Rng, p: NDArray[np.float64], n: int) -> int:
    """An index below n, drawn with the weights p[0..n-1], which sum to about 1."""
    left = uniform(r)
    last = 0
    for k in range(n):
        if p[k] > 0.0:
            last = k
            left -= p[k]
            if left < 0.0:
                return k
    return last
