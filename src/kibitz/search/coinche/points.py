"""How many points the attack gets in Coinche when all cards lie open.

The same search as for Skat, with four hands in two sides and stricter duties: `reach` asks with a null window whether the attack
still gets `need` of the `left` points in play, fail-soft, over whole tricks.
"""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import bare, kernel
from kibitz.search.coinche.cash import cashed
from kibitz.search.coinche.deals import live_cards, open_deal, options
from kibitz.search.coinche.moves import answers, order, order_leads, spare
from kibitz.search.coinche.tables import (
    ATTACK,
    BEATEN_BY,
    EQUALS,
    GENERATION,
    HAND,
    LEADER,
    LIVE_KEY,
    MOVES,
    NEED,
    NODES,
    SLOTS,
    TABLE,
    WORTHS,
    Ints,
)

ODD = 0x2F58E4A5  # below 2**30: a product with 32 bits does not overflow
NOTHING = -1
MUCH = 1000


@kernel
def last_trick(a: Ints, first: int, second: int, third: int, fourth: int) -> int:
    """Who wins when everybody has one card: 0 for the leader's side, 1 for the other."""
    best, winner = lowest(first), 0
    card = lowest(second)
    if a[BEATEN_BY + best] >> card & 1:
        best, winner = card, 1
    card = lowest(third)
    if a[BEATEN_BY + best] >> card & 1:
        best, winner = card, 0
    if a[BEATEN_BY + best] >> lowest(fourth) & 1:
        winner = 1
    return winner


@kernel
def reach(
    a: Ints, first: int, second: int, third: int, fourth: int, leader: int, attack: int, need: int, left: int
) -> int:
    """At the start of a trick: a number v; if v >= need, the attack gets at least v more points, else at most v.

    `leader` is the seat that leads (0 to 3 from the root), `attack` is 0 if its side attacks and 1 if not.
    """
    a[NODES] += 1
    size = popcount(first)
    if size == 1:
        return left if last_trick(a, first, second, third, fourth) == attack else 0
    live = first | second | third | fourth
    key = (
        a[LIVE_KEY + (live & 255)]
        | a[LIVE_KEY + 256 + (live >> 8 & 255)]
        | a[LIVE_KEY + 512 + (live >> 16 & 255)]
        | a[LIVE_KEY + 768 + (live >> 24 & 255)]
    )
    slot = (key * ODD >> 32 ^ leader << 16 ^ key) & (SLOTS - 1)
    key = (a[GENERATION] << 32 | key) << 2 | leader
    low, high = 0, left
    hint = NOTHING
    entry = a[slot]
    if entry >> 21 == key:
        low, high = entry & 255, entry >> 8 & 255
        hint = entry >> 16 & 31
        if low >= need:
            return low
        if high < need:
            return high
    else:
        sure = cashed(a, first, second, third, fourth, left)
        if attack == 0:
            low = sure
            if low >= need:
                return low
        else:
            high = left - sure
            if high < need:
                return high
    leads = MOVES + 32 * size
    seconds, thirds, fourths = leads + 8, leads + 16, leads + 24
    equals = a[EQUALS]
    second_cards, third_cards = second & ~spare(second, live, equals), third & ~spare(third, live, equals)
    fourth_cards = fourth & ~spare(fourth, live, equals)
    lead_count = order_leads(a, leads, first & ~spare(first, live, equals), hint, second, third, fourth, attack == 0)
    ours, theirs = attack == 0, attack == 1  # whether the leader's side, or the other, wants many points
    value = NOTHING if ours else MUCH
    best_lead = 0
    for i in range(lead_count):
        c1 = a[leads + i] & 31
        moves = answers(a, second_cards, c1, c1, False)
        count2 = order(a, seconds, moves, c1, c1, False, third, fourth, 2)
        value1 = NOTHING if theirs else MUCH
        for j in range(count2):
            c2 = a[seconds + j] & 31
            wins2 = a[BEATEN_BY + c1] >> c2 & 1
            best2 = c2 if wins2 else c1
            moves = answers(a, third_cards, c1, best2, wins2 == 0)
            count3 = order(a, thirds, moves, c1, best2, wins2 == 0, fourth, first, 1)
            value2 = NOTHING if ours else MUCH
            for k in range(count3):
                c3 = a[thirds + k] & 31
                wins3 = a[BEATEN_BY + best2] >> c3 & 1
                best3 = c3 if wins3 else best2
                seat3 = 2 if wins3 else wins2
                moves = answers(a, fourth_cards, c1, best3, seat3 == 1)
                count4 = order(a, fourths, moves, c1, best3, seat3 == 1, first, second, 0)
                worth = a[WORTHS + c1] + a[WORTHS + c2] + a[WORTHS + c3]
                value3 = NOTHING if theirs else MUCH
                for m in range(count4):
                    c4 = a[fourths + m] & 31
                    winner = 3 if a[BEATEN_BY + best3] >> c4 & 1 else seat3
                    trick = worth + a[WORTHS + c4]
                    gain = trick if winner & 1 == attack else 0
                    rest = left - trick
                    if need <= gain:
                        v = gain
                    elif need - gain > rest:
                        v = gain + rest
                    else:
                        h1, h2, h3, h4 = first ^ 1 << c1, second ^ 1 << c2, third ^ 1 << c3, fourth ^ 1 << c4
                        if winner & 2:
                            h1, h2, h3, h4 = h3, h4, h1, h2
                        if winner & 1:
                            h1, h2, h3, h4 = h2, h3, h4, h1
                        v = gain + reach(
                            a, h1, h2, h3, h4, (leader + winner) & 3, attack ^ winner & 1, need - gain, rest
                        )
                    if theirs:
                        value3 = max(value3, v)
                        if v >= need:
                            break
                    else:
                        value3 = min(value3, v)
                        if v < need:
                            break
                if ours:
                    value2 = max(value2, value3)
                    if value3 >= need:
                        break
                else:
                    value2 = min(value2, value3)
                    if value3 < need:
                        break
            if theirs:
                value1 = max(value1, value2)
                if value2 >= need:
                    break
            else:
                value1 = min(value1, value2)
                if value2 < need:
                    break
        if ours:
            if value1 > value:
                value = value1
                best_lead = c1
            if value >= need:
                break
        else:
            if value1 < value:
                value = value1
                best_lead = c1
            if value < need:
                break
    if value >= need:
        low = max(low, value)
    else:
        high = min(high, value)
    a[slot] = key << 21 | best_lead << 16 | high << 8 | low
    return value


@kernel
def choices(
    a: Ints, p: Ints, place: int, k: int, count: int, own: int, led: int, best: int, is_ours: bool, next: int, last: int
) -> int:
    """Write what may come in place k of the current trick: a card that lies there, `own` from the seat to play, or any legal card."""
    spot = place + 8 * k
    if k < count:
        a[spot] = p[TABLE + k]
        return 1
    if k == count:
        a[spot] = own
        return 1
    moves = answers(a, p[HAND + k], led, best, is_ours)
    return order(a, spot, moves, led, best, is_ours, next, last, 3 - k)


@kernel
def finish(a: Ints, p: Ints, own: int, need: int, left: int) -> int:
    """`reach` for a position in mid-trick: the seat to play puts down `own`, the others complete the trick as is best for them.

    `left` counts the cards that lie on the table.
    """
    attack = p[ATTACK]
    count = (p[TABLE] >= 0) + (p[TABLE + 1] >= 0) + (p[TABLE + 2] >= 0)
    c1 = own if count == 0 else p[TABLE]
    first, second, third, fourth = p[HAND] & ~(1 << c1), p[HAND + 1], p[HAND + 2], p[HAND + 3]
    ours, theirs = attack == 0, attack == 1
    value1 = NOTHING if theirs else MUCH
    for j in range(choices(a, p, MOVES, 1, count, own, c1, c1, False, third, fourth)):
        c2 = a[MOVES + 8 + j] & 31
        wins2 = a[BEATEN_BY + c1] >> c2 & 1
        best2 = c2 if wins2 else c1
        value2 = NOTHING if ours else MUCH
        for k in range(choices(a, p, MOVES, 2, count, own, c1, best2, wins2 == 0, fourth, first)):
            c3 = a[MOVES + 16 + k] & 31
            wins3 = a[BEATEN_BY + best2] >> c3 & 1
            best3 = c3 if wins3 else best2
            seat3 = 2 if wins3 else wins2
            value3 = NOTHING if theirs else MUCH
            for m in range(choices(a, p, MOVES, 3, count, own, c1, best3, seat3 == 1, first, second)):
                c4 = a[MOVES + 24 + m] & 31
                winner = 3 if a[BEATEN_BY + best3] >> c4 & 1 else seat3
                trick = a[WORTHS + c1] + a[WORTHS + c2] + a[WORTHS + c3] + a[WORTHS + c4]
                if first == 0:
                    trick = left
                gain = trick if winner & 1 == attack else 0
                rest = left - trick
                if need <= gain or first == 0:
                    v = gain
                elif need - gain > rest:
                    v = gain + rest
                else:
                    h1, h2, h3, h4 = first, second & ~(1 << c2), third & ~(1 << c3), fourth & ~(1 << c4)
                    if winner & 2:
                        h1, h2, h3, h4 = h3, h4, h1, h2
                    if winner & 1:
                        h1, h2, h3, h4 = h2, h3, h4, h1
                    v = gain + reach(a, h1, h2, h3, h4, p[LEADER] + winner & 3, attack ^ winner & 1, need - gain, rest)
                value3 = max(value3, v) if theirs else min(value3, v)
                if (v >= need) == theirs:
                    break
            value2 = max(value2, value3) if ours else min(value2, value3)
            if (value3 >= need) == ours:
                break
        value1 = max(value1, value2) if theirs else min(value1, value2)
        if (value2 >= need) == theirs:
            break
    return value1


@kernel
def ask(a: Ints, p: Ints, card: int, need: int, left: int) -> int:
    """`finish` after a card of the seat to play, or `reach` at the start of a trick if the card is negative."""
    if card < 0:
        return reach(a, p[HAND], p[HAND + 1], p[HAND + 2], p[HAND + 3], p[LEADER], p[ATTACK], need, left)
    return finish(a, p, card, need, left)


@kernel
def settle(a: Ints, p: Ints, card: int, left: int, exact: bool, guess: int) -> int:
    """The answer to a question about one card: the points the attack still gets, or whether it gets NEED."""
    if not exact:
        need = p[NEED]
        if need <= 0 or need > left:
            return 1 if need <= 0 else 0
        return 1 if ask(a, p, card, need, left) >= need else 0
    low, high = 0, left
    need = min(max(guess, 1), max(left, 1))
    while low < high:
        v = ask(a, p, card, need, left)
        if v >= need:
            low = v
        else:
            high = v
        need = (low + high + 1) // 2
    return low


@kernel
def answer_rows(arena: Ints, problems: Ints, out: Ints, exact: bool, each_card: bool) -> None:
    """[n, 32]: the answer after each legal card, -1 elsewhere; or, at the start of a trick, the answer for the best one in out[:, 0]."""
    a = bare(arena)
    for row in range(len(problems)):
        p = problems[row]
        out[row] = NOTHING
        left = open_deal(a, p)
        guess = left // 2
        if not each_card:
            out[row, 0] = settle(a, p, NOTHING, left, exact, guess)
            continue
        cards = options(a, p)
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
