"""Cards as int64 masks: one bit a card, at most 63 of them. Every function means the same compiled and plain.

Elsewhere int64 arithmetic must not overflow (compiled code would be undefined): to hash, use `mix(key ^ word)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.core.numba_names import cgutils, intrinsic, overload, types

WORD = (1 << 64) - 1
_C1 = -4658895280553007687  # 0xBF58476D1CE4E5B9 as a signed word: constants of the splitmix64 finaliser
_C2 = -7723592293110705685  # 0x94D049BB133111EB
_LOW34, _LOW37, _LOW33 = (1 << 34) - 1, (1 << 37) - 1, (1 << 33) - 1
_SIP_START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
_SIP_LONG, _SIP_SECOND, _SIP_LENGTH = 0xEE, 0xDD, 8 << 56
_SIP_READ, _SIP_CLOSE = 1, 3


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
    return signed(x)


def turned(x: int, n: int) -> int:
    """A word of 64 bits with its bits moved up by n places, the upper ones coming in below."""
    x, n = int(x) & WORD, int(n) & 63
    return signed(x << n | x >> (64 - n))


def signed(x: int) -> int:
    """A word of 64 bits as the int64 that has the same bits."""
    x = int(x) & WORD
    return x - (1 << 64) if x >> 63 else x


def keyed(low: int, high: int, word: int) -> tuple[int, int]:
    """128 bits that nobody can foretell without the key: SipHash-1-3 of one word under (low, high).

    One-way: the answers for many words tell neither the key nor the answer for another word.
    """
    first, second = _siphash(
        int(low) & WORD, int(high) & WORD, int(word) & WORD,
        lambda a, b: (a + b) & WORD, lambda a, b: a ^ b, lambda a, n: (a << n | a >> (64 - n)) & WORD, int,
    )  # fmt: skip
    return signed(first), signed(second)


def _siphash(
    low: Any, high: Any, word: Any, add: Callable[[Any, Any], Any], xor: Callable[[Any, Any], Any],
    rotate: Callable[[Any, int], Any], constant: Callable[[int], Any],
) -> tuple[Any, Any]:  # fmt: skip
    """The 128-bit form of SipHash for eight bytes, in whatever arithmetic is given:
    of Python's numbers, or of LLVM's."""
    a, b, c, d = (xor(key, constant(start)) for key, start in zip((low, high, low, high), _SIP_START, strict=True))
    b = xor(b, constant(_SIP_LONG))

    def rounds(times: int) -> Any:
        nonlocal a, b, c, d
        for _ in range(times):
            a, c = add(a, b), add(c, d)
            b, d = xor(rotate(b, 13), a), xor(rotate(d, 16), c)
            a = rotate(a, 32)
            a, c = add(a, d), add(c, b)
            d, b = xor(rotate(d, 21), a), xor(rotate(b, 17), c)
            c = rotate(c, 32)
        return xor(xor(a, b), xor(c, d))

    for block in (word, constant(_SIP_LENGTH)):
        d = xor(d, block)
        rounds(_SIP_READ)
        a = xor(a, block)
    c = xor(c, constant(_SIP_LONG))
    first = rounds(_SIP_CLOSE)
    b = xor(b, constant(_SIP_SECOND))
    return first, rounds(_SIP_CLOSE)


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
def _rotate(context: Any, x: Any, n: Any) -> Any:
    def emit(context: Any, builder: Any, __: Any, args: Any) -> Any:
        limit = context.get_constant(types.int64, 63)
        up, down = builder.and_(args[1], limit), builder.and_(builder.neg(args[1]), limit)
        return builder.or_(builder.shl(args[0], up), builder.lshr(args[0], down))

    return types.int64(types.int64, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _wrapping_mul(context: Any, a: Any, b: Any) -> Any:
    """a * b modulo 2**64. Numba tells LLVM that signed products never overflow, and what does is then undefined."""

    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.mul(*args)

    return types.int64(types.int64, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _keyed_words(context: Any, low: Any, high: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def constant(x: int) -> Any:
            return context.get_constant(types.int64, signed(x))

        def rotate(a: Any, n: int) -> Any:
            return builder.or_(builder.shl(a, constant(n)), builder.lshr(a, constant(64 - n)))

        words = _siphash(args[0], args[1], args[2], builder.add, builder.xor, rotate, constant)
        return context.make_tuple(builder, signature.return_type, words)

    return types.UniTuple(types.int64, 2)(types.int64, types.int64, types.int64), emit


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


@overload(turned)  # type: ignore[untyped-decorator]
def _turned(x: Any, n: Any) -> Any:
    def compiled(x: Any, n: Any) -> Any:
        return _rotate(x, n)

    return compiled


@overload(keyed)  # type: ignore[untyped-decorator]
def _keyed(low: Any, high: Any, word: Any) -> Any:
    def compiled(low: Any, high: Any, word: Any) -> Any:
        return _keyed_words(low, high, word)

    return compiled
