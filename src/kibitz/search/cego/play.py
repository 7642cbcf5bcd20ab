"""Cego with all cards open: how much one seat gets against the other three.

One search serves all aims. Where points or tricks count, `reach` asks with a null window whether the seat asked about still gets
`need` of what is `left`, fail-soft. For Piccolo and Ultimo the value is 1 if the single player reaches his aim and 0 if not.
Räuber, in which everybody plays for himself, is seen as the seat that asks sees it at worst (paranoid): the three others play
to load points on it.
"""

from __future__ import annotations

from kibitz.core.bits import highest, popcount
from kibitz.core.jit import bare, kernel
from kibitz.search.cego.cash import cashed
from kibitz.search.cego.deals import live_cards, open_deal, position_key
from kibitz.search.cego.moves import answers, order, spare, verdict
from kibitz.search.cego.tables import (
    A_TRICK,
    AIM,
    ASKED,
    BEATEN_BY,
    EQUALS,
    HAND,
    LEADER,
    MOVES,
    NEED,
    NODES,
    PICCOLO,
    SINGLE,
    SLOTS,
    TABLE,
    TAKEN,
    WANTS,
    WORTHS,
    Ints,
)

NOTHING = -1
MUCH = 1000


@kernel
def reach(
    a: Ints, first: int, second: int, third: int, fourth: int, leader: int, need: int, left: int, taken: int
) -> int:
    """At the start of a trick: a number v; if v >= need, the seat asked about gets at least v more, else at most v."""
    a[NODES] += 1
    size = popcount(first)
    asked = a[SINGLE] - leader & 3
    live = first | second | third | fourth
    is_aim = a[AIM] >= PICCOLO
    wants = a[WANTS] == 1
    key = position_key(a, live, leader, taken)
    slot = 2 * (key & (SLOTS - 1))
    low, high = 0, left
    if a[slot] == key:
        low, high = a[slot + 1] & 255, a[slot + 1] >> 8 & 255
        if low >= need:
            return low
        if high < need:
            return high
    elif wants and not is_aim and size > 1:
        sure = cashed(a, first, second, third, fourth, left)
        if asked == 0:
            low = sure
            if low >= need:
                return low
        else:
            high = left - sure
            if high < need:
                return high
    m1, m2, m3, m4 = (asked == 0) == wants, (asked == 1) == wants, (asked == 2) == wants, (asked == 3) == wants
    p1 = MOVES + 64 * size
    p2, p3, p4 = p1 + 16, p1 + 32, p1 + 48
    equals = a[EQUALS]
    second_cards, third_cards = second & ~spare(second, live, equals), third & ~spare(third, live, equals)
    fourth_cards = fourth & ~spare(fourth, live, equals)
    value = NOTHING if m1 else MUCH
    moves = first & ~spare(first, live, equals)
    for i in range(order(a, p1, moves, 0, 0, 0, 0, asked, second, third, fourth)):
        c1 = a[p1 + i] & 63
        value1 = NOTHING if m2 else MUCH
        moves = answers(a, second_cards, c1)
        for j in range(order(a, p2, moves, c1, c1, 0, 1, asked, third, fourth, 0)):
            c2 = a[p2 + j] & 63
            seat2 = a[BEATEN_BY + c1] >> c2 & 1
            best2 = c2 if seat2 else c1
            value2 = NOTHING if m3 else MUCH
            moves = answers(a, third_cards, c1)
            for k in range(order(a, p3, moves, c1, best2, seat2, 2, asked, fourth, 0, 0)):
                c3 = a[p3 + k] & 63
                wins3 = a[BEATEN_BY + best2] >> c3 & 1
                best3 = c3 if wins3 else best2
                seat3 = 2 if wins3 else seat2
                value3 = NOTHING if m4 else MUCH
                moves = answers(a, fourth_cards, c1)
                for m in range(order(a, p4, moves, c1, best3, seat3, 3, asked, 0, 0, 0)):
                    c4 = a[p4 + m] & 63
                    wins4 = a[BEATEN_BY + best3] >> c4 & 1
                    winner = 3 if wins4 else seat3
                    trick = a[WORTHS + c1] + a[WORTHS + c2] + a[WORTHS + c3] + a[WORTHS + c4] + a[A_TRICK]
                    gain = trick if winner == asked else 0
                    rest = left - trick
                    had = taken
                    v = NOTHING
                    if is_aim:
                        cards = 1 << c1 | 1 << c2 | 1 << c3 | 1 << c4
                        v = verdict(a, winner == asked, cards, c4 if wins4 else best3, size == 1, taken)
                        had = taken | 1 if winner == asked else taken
                    elif need <= gain or size == 1:
                        v = gain
                    elif need - gain > rest:
                        v = gain + rest
                    if v < 0:
                        h1, h2, h3, h4 = first ^ 1 << c1, second ^ 1 << c2, third ^ 1 << c3, fourth ^ 1 << c4
                        if winner & 2:
                            h1, h2, h3, h4 = h3, h4, h1, h2
                        if winner & 1:
                            h1, h2, h3, h4 = h2, h3, h4, h1
                        v = gain + reach(a, h1, h2, h3, h4, leader + winner & 3, need - gain, rest, had)
                    value3 = max(value3, v) if m4 else min(value3, v)
                    if (v >= need) == m4:
                        break
                value2 = max(value2, value3) if m3 else min(value2, value3)
                if (value3 >= need) == m3:
                    break
            value1 = max(value1, value2) if m2 else min(value1, value2)
            if (value2 >= need) == m2:
                break
        value = max(value, value1) if m1 else min(value, value1)
        if (value1 >= need) == m1:
            break
    if value >= need:
        low = max(low, value)
    else:
        high = min(high, value)
    a[slot] = key
    a[slot + 1] = high << 8 | low
    return value


@kernel
def choices(
    a: Ints, p: Ints, k: int, count: int, own: int, led: int, best: int, best_seat: int, h1: int, h2: int
) -> int:
    """Write what may come in place k of the current trick: a card that lies there, `own` from the seat to play, or any legal card."""
    spot = MOVES + 16 * k
    if k < count:
        a[spot] = p[TABLE + k]
        return 1
    if k == count:
        a[spot] = own
        return 1
    return order(a, spot, answers(a, p[HAND + k], led), led, best, best_seat, k, p[ASKED], h1, h2, 0)


@kernel
def finish(a: Ints, p: Ints, own: int, need: int, left: int) -> int:
    """`reach` for a position in mid-trick: the seat to play puts down `own`, the others complete the trick as is best for them."""
    asked, taken = p[ASKED], p[TAKEN]
    wants = a[WANTS] == 1
    is_aim = a[AIM] >= PICCOLO
    m2, m3, m4 = (asked == 1) == wants, (asked == 2) == wants, (asked == 3) == wants
    count = (p[TABLE] >= 0) + (p[TABLE + 1] >= 0) + (p[TABLE + 2] >= 0)
    c1 = own if count == 0 else p[TABLE]
    first, second, third, fourth = p[HAND] & ~(1 << c1), p[HAND + 1], p[HAND + 2], p[HAND + 3]
    value1 = NOTHING if m2 else MUCH
    for j in range(choices(a, p, 1, count, own, c1, c1, 0, third, fourth)):
        c2 = a[MOVES + 16 + j] & 63
        seat2 = a[BEATEN_BY + c1] >> c2 & 1
        best2 = c2 if seat2 else c1
        value2 = NOTHING if m3 else MUCH
        for k in range(choices(a, p, 2, count, own, c1, best2, seat2, fourth, 0)):
            c3 = a[MOVES + 32 + k] & 63
            wins3 = a[BEATEN_BY + best2] >> c3 & 1
            best3 = c3 if wins3 else best2
            seat3 = 2 if wins3 else seat2
            value3 = NOTHING if m4 else MUCH
            for m in range(choices(a, p, 3, count, own, c1, best3, seat3, 0, 0)):
                c4 = a[MOVES + 48 + m] & 63
                wins4 = a[BEATEN_BY + best3] >> c4 & 1
                winner = 3 if wins4 else seat3
                trick = a[WORTHS + c1] + a[WORTHS + c2] + a[WORTHS + c3] + a[WORTHS + c4] + a[A_TRICK]
                gain = trick if winner == asked else 0
                rest = left - trick
                had = taken
                v = NOTHING
                if is_aim:
                    cards = 1 << c1 | 1 << c2 | 1 << c3 | 1 << c4
                    v = verdict(a, winner == asked, cards, c4 if wins4 else best3, first == 0, taken)
                    had = taken | 1 if winner == asked else taken
                elif need <= gain or first == 0:
                    v = gain
                elif need - gain > rest:
                    v = gain + rest
                if v < 0:
                    h1, h2, h3, h4 = first, second & ~(1 << c2), third & ~(1 << c3), fourth & ~(1 << c4)
                    if winner & 2:
                        h1, h2, h3, h4 = h3, h4, h1, h2
                    if winner & 1:
                        h1, h2, h3, h4 = h2, h3, h4, h1
                    v = gain + reach(a, h1, h2, h3, h4, p[LEADER] + winner & 3, need - gain, rest, had)
                value3 = max(value3, v) if m4 else min(value3, v)
                if (v >= need) == m4:
                    break
            value2 = max(value2, value3) if m3 else min(value2, value3)
            if (value3 >= need) == m3:
                break
        value1 = max(value1, value2) if m2 else min(value1, value2)
        if (value2 >= need) == m2:
            break
    return value1


@kernel
def settle(a: Ints, p: Ints, card: int, left: int, exact: bool, guess: int) -> int:
    """The answer to a question about one card: what the seat asked about still gets, or whether it gets NEED."""
    if not exact and a[AIM] < PICCOLO:
        need = p[NEED]
        if need <= 0 or need > left:
            return 1 if need <= 0 else 0
        return 1 if finish(a, p, card, need, left) >= need else 0
    low, high = 0, left
    need = min(max(guess, 1), max(left, 1))
    while low < high:
        v = finish(a, p, card, need, left)
        if v >= need:
            low = v
        else:
            high = v
        need = (low + high + 1) // 2
    return low


@kernel
def answer_rows(arena: Ints, problems: Ints, out: Ints, exact: bool, each_card: bool) -> None:
    """[n, 54]: the answer after each legal card, -1 elsewhere."""
    a = bare(arena)
    for row in range(len(problems)):
        p = problems[row]
        out[row] = NOTHING
        left = open_deal(a, p)
        guess = left // 2
        count = (p[TABLE] >= 0) + (p[TABLE + 1] >= 0) + (p[TABLE + 2] >= 0)
        cards = p[HAND] if count == 0 else answers(a, p[HAND + count], p[TABLE])
        extra = spare(cards, live_cards(p), a[EQUALS])
        above = 0
        while cards:
            card = highest(cards)
            cards &= ~(1 << card)
            if extra >> card & 1:
                out[row, card] = out[row, above]
            else:
                out[row, card] = settle(a, p, card, left, exact, guess)
            guess = out[row, card]
            above = card
