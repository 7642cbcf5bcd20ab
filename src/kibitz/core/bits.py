"""Cards as int64 masks: one bit a card, at most 63 of them. Every function means the same compiled and plain.

Elsewhere int64 arithmetic must not overflow (compiled code would be undefined): to hash, use `mix(key ^ word)`.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

WORD = (1 << 64) - 1
_C1 = -4658895280553007687  # 0xBF58476D1CE4E5B9 as a signed word: constants of the splitmix64 finaliser
_C2 = -7723592293110705685  # 0x94D049BB133111EB
_LOW34, _LOW37, _LOW33 = (1 << 34) - 1, (1 << 37) - 1, (1 << 33) - 1


def popcount(cards: int) -> int:
    """How many cards are in the mask."""
    return (int(cards) & WORD).bit_count()


def lowest(cards: int) -> int:
    """The smallest card of a mask that is not empty."""
    return (int(cards) & -int(cards)).bit_length() - 1


def highest(cards: int) -> int:
    """The largest card of a mask that is not empty."""
    return (int(cards) & WORD).bit_length() - 1


def nth(cards: int, n: int) -> int:
    """The card that has exactly n smaller ones in the mask."""
    cards = int(cards)
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


def mix(x: int) -> int:
    """Scramble a word so that every bit of the answer depends on every bit of x (modulo 2**64, signed)."""
    x = int(x) & WORD
    x = ((x ^ (x >> 30)) * (_C1 & WORD)) & WORD
    x = ((x ^ (x >> 27)) * (_C2 & WORD)) & WORD
    x ^= x >> 31
    return x - (1 << 64) if x >> 63 else x


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(context: Any, x: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(context: Any, x: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(context: Any, x: Any) -> Any:
    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctlz(args[0], cgutils.true_bit)

    return types.int64(types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _wrapping_mul(context: Any, a: Any, b: Any) -> Any:
    """a * b modulo 2**64. Numba tells LLVM that signed products never overflow, and what does is then undefined."""

    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.mul(*args)

    return types.int64(types.int64, types.int64), emit


@overload(popcount)  # type: ignore[untyped-decorator]
def _popcount(cards: Any) -> Any:
    def compiled(cards: Any) -> Any:
        return _ctpop(cards)

    return compiled


@overload(lowest)  # type: ignore[untyped-decorator]
def _lowest(cards: Any) -> Any:
    def compiled(cards: Any) -> Any:
        return _cttz(cards)

    return compiled


@overload(highest)  # type: ignore[untyped-decorator]
def _highest(cards: Any) -> Any:
    def compiled(cards: Any) -> Any:
        return 63 - _ctlz(cards)

    return compiled


@overload(nth)  # type: ignore[untyped-decorator]
def _nth(cards: Any, n: Any) -> Any:
    def compiled(cards: Any, n: Any) -> Any:
        for _ in range(n):
            cards &= cards - 1
        return _cttz(cards)

    return compiled


@overload(mix)  # type: ignore[untyped-decorator]
def _mix(x: Any) -> Any:
    def compiled(x: Any) -> Any:
        # >> is arithmetic on signed words: the masks clear the copies of the sign.
        x = _wrapping_mul(x ^ ((x >> 30) & _LOW34), _C1)
        x = _wrapping_mul(x ^ ((x >> 27) & _LOW37), _C2)
        return x ^ ((x >> 31) & _LOW33)

    return compiled
