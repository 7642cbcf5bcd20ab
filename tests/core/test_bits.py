from hypothesis import given
from hypothesis import strategies as st

from kibitz.core import bits
from kibitz.core.jit import kernel

masks = st.integers(min_value=1, max_value=(1 << 62) - 1)


@kernel
def _all(cards: int) -> tuple[int, int, int]:
    return bits.popcount(cards), bits.lowest(cards), bits.highest(cards)


@kernel
def _nth(cards: int, n: int) -> int:
    return bits.nth(cards, n)


@kernel
def _mix(x: int) -> int:
    return bits.mix(x)


@kernel
def _turned(x: int, n: int) -> int:
    return bits.turned(x, n)


@given(masks)
def test_counting_and_finding_cards(cards):
    places = [k for k in range(63) if cards >> k & 1]
    assert _all(cards) == (len(places), places[0], places[-1])
    assert _all(cards) == (bits.popcount(cards), bits.lowest(cards), bits.highest(cards))
    assert [_nth(cards, n) for n in range(len(places))] == places


@given(st.integers(min_value=-(1 << 63), max_value=(1 << 63) - 1))
def test_mix_is_the_same_compiled_and_plain(x):
    assert _mix(x) == bits.mix(x)
    assert -(1 << 63) <= bits.mix(x) < 1 << 63


@given(st.integers(min_value=-(1 << 63), max_value=(1 << 63) - 1), st.integers(0, 63), st.integers(0, 63))
def test_a_word_turned_twice_is_turned_by_the_sum(x, n, m):
    assert _turned(x, n) == bits.turned(x, n)
    assert bits.turned(bits.turned(x, n), m) == bits.turned(x, n + m)
    assert bits.turned(x, 64 - n) == bits.turned(x, -n)
