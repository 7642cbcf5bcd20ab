"""Counter-based luck: a draw is a function of (seed, game number, who draws, purpose, move number, draw number) alone.

So results do not depend on batch size, threads or order,
and two bots in one seat of one deal can be given the same luck.

A game has a key of two numbers for the dealer and one of a number for each seat, made one-way (SipHash) from the seed
and the number of the game; the dealer's side keeps them (`begin`). A seat is given its own key alone, so all the luck
it was ever given says nothing about the deal, about chance moves or about the luck of others. What a generator holds is
int64[SLOTS]: the two numbers of its key (a seat's second one is 0), and a count made of purpose, move and draws so far.
A draw is the count scrambled between them.

Every purpose for which random numbers are drawn stands in one of the two tables below;
no two draws share a key and a count.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import keyed, mix, signed
from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel

KEY, WHITENING, COUNT = range(3)
SLOTS = 3
DEALER = -1
"""Who draws when cards are dealt and chance moves; seats are 0, 1, ..."""
SEED_BITS = 128
MOST_SEED = (1 << SEED_BITS) - 1

PLAY, CHANCE, SEATING, WORLDS, WEIGHTS, TRAVERSAL, THINKING = range(7)
PURPOSES = {
    PLAY: "the dealer shuffles and deals; a seat chooses its move, explores, plays out",
    CHANCE: "the dealer draws a chance move after the deal",
    SEATING: "the dealer draws which seats a learner and its opponents take (adapters)",
    WORLDS: "a seat imagines what it cannot see",
    WEIGHTS: "a seat picks some of the worlds it has weighed",
    TRAVERSAL: "a sampling solver deals and draws its way through the game",
    THINKING: "a bot is asked again at the same move, to see how its choice varies (analyse)",
}
"""What a key is used for. Draws of one key differ in purpose, move or number."""

STREAMS = (
    "bootstrap", "called_deals", "coach", "configurations", "conformance", "deep_cfr_policy", "deep_cfr_replay",
    "distillation", "evaluation", "first_regrets", "imitation", "imitation_order", "minibatches", "network",
    "policy_in_words", "ppo", "ppo_tables", "rivals", "sampled_messages", "shards", "team_plans", "trials", "units",
)  # fmt: skip
"""Everything that draws from a generator of NumPy or PyTorch, or takes a seed of its own,
derived from somebody's seed."""

_PAIR_BITS = 6
_PURPOSE_SHIFT, _MOVE_SHIFT = 56, 32
_LOW32 = (1 << 32) - 1
_LOW53 = (1 << 53) - 1
_MOVE_MASK = ((1 << 24) - 1) << _MOVE_SHIFT

Rng = NDArray[np.int64]
Keys = NDArray[np.int64]
"""[keys_for(PLAYERS)]: the dealer's key and every seat's; nobody at the table is ever given it."""


def root(seed: int) -> NDArray[np.int64]:
    """A seed, a whole number of at most 128 bits, as the two numbers that kernels take."""
    if not 0 <= seed <= MOST_SEED:
        raise BadInput(f"seed {seed} is not possible: it is a whole number from 0 to 2**{SEED_BITS} - 1")
    return np.array([signed(seed), signed(seed >> 64)], np.int64)


def unguessable() -> int:
    """A seed from the system's own generator, for games that nobody shall foretell."""
    return secrets.randbits(SEED_BITS)


def derived(seed: int, stream: str, *numbers: int) -> int:
    """Another seed of 63 bits that depends on a seed, on what it is for and on some numbers."""
    return _digest(seed, stream, numbers) >> (SEED_BITS - 63)


def generator(seed: int, stream: str, *numbers: int) -> np.random.Generator:
    """NumPy's generator for one purpose of one seed."""
    return np.random.default_rng(_digest(seed, stream, numbers))


def _digest(seed: int, stream: str, numbers: tuple[int, ...]) -> int:
    if stream not in STREAMS:
        raise ValueError(f"{stream} is not in the table of streams in core/rng.py")
    text = f"{stream} {int(seed)} {' '.join(str(int(number)) for number in numbers)}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=SEED_BITS // 8).digest(), "big")


def fresh(seed: int = 0, number: int = 0, who: int = DEALER, move: int = 0, purpose: int = PLAY) -> Rng:
    """A generator ready to draw for one player at one move of one game."""
    r = np.zeros(SLOTS, np.int64)
    enter(r, root(seed), number, who, purpose, move)
    return r


def forked(r: Rng, purpose: int, number: int = 0) -> Rng:
    """A generator for another purpose of the same seat at the same move; `number` tells several apart."""
    base, new = r.copy(), np.zeros(SLOTS, np.int64)
    base[COUNT] = (purpose << _PURPOSE_SHIFT) | (int(r[COUNT]) & _MOVE_MASK)
    split(base, new)
    branch(new, new, number)
    return new


@kernel
def keys_for(players: int) -> int:
    """How many slots the keys of a game take: the dealer's two and one for each seat, made two at a time."""
    return 2 + (players + 1) // 2 * 2


@kernel
def begin(keys: Keys, root: NDArray[np.int64], number: int) -> None:
    """Make the keys of one game: of the dealer and of every seat."""
    for pair in range(len(keys) >> 1):
        keys[2 * pair], keys[2 * pair + 1] = keyed(root[0], root[1], (number << _PAIR_BITS) | pair)


@kernel
def turn(r: Rng, keys: Keys, who: int, purpose: int, move: int) -> None:
    """Give the next draws to one seat (or the dealer) for one purpose at one move."""
    r[KEY] = keys[0] if who == DEALER else keys[who + 2]
    r[WHITENING] = keys[1] if who == DEALER else 0
    r[COUNT] = (purpose << _PURPOSE_SHIFT) | (move << _MOVE_SHIFT)


@kernel
def enter(r: Rng, root: NDArray[np.int64], number: int, who: int, purpose: int, move: int) -> None:
    """`begin` and `turn` for one who draws alone."""
    pair = 0 if who == DEALER else (who + 2) >> 1
    first, second = keyed(root[0], root[1], (number << _PAIR_BITS) | pair)
    r[KEY] = second if who != DEALER and who & 1 else first
    r[WHITENING] = second if who == DEALER else 0
    r[COUNT] = (purpose << _PURPOSE_SHIFT) | (move << _MOVE_SHIFT)


@kernel
def split(r: Rng, new: Rng) -> None:
    """Draw the key of a new generator."""
    new[KEY] = draw(r)
    new[WHITENING] = draw(r)
    new[COUNT] = 0


@kernel
def branch(r: Rng, base: Rng, k: int) -> None:
    """The k-th of many generators with one key that was split off."""
    r[KEY] = base[KEY]
    r[WHITENING] = base[WHITENING]
    r[COUNT] = k << _MOVE_SHIFT


@kernel
def draw(r: Rng) -> int:
    """64 random bits, signed."""
    r[COUNT] += 1
    return mix(r[KEY] ^ r[COUNT]) ^ r[WHITENING]


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
