"""How many points the declarer of a suit game or grand gets when all cards lie open.

`reach` asks whether he still gets `need` of the `left` points in play: alpha-beta with a null window over whole tricks, fail-soft
(the answer is a bound on the true value, on the side the question was decided). Before it searches, it looks the position
up under a key that is equal for positions in which only the names of equally good cards differ, and counts the points
the leader can cash at once. Moves are ordered by who is going to win the trick, which open cards show.
"""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import bare, kernel
from kibitz.search.skat.cash import cashed_by_declarer, cashed_by_defender
from kibitz.search.skat.deals import live_cards, open_deal, options, points_left
from kibitz.search.skat.moves import answers, enter, lead_score, order_seconds, order_thirds, spare
from kibitz.search.skat.tables import (
    BEATEN_BY,
    DECLARER,
    GENERATION,
    HAND,
    LED,
    MOVES,
    NEED,
    NODES,
    SECOND,
    SIDE_KEY,
    SLOTS,
    TRUMP_KEY,
    TRUMPS,
    WORTH,
    Ints,
)

ODD = 0x2F58E4A5  # below 2**30: a product with 32 bits does not overflow
NOTHING = -1
MUCH = 1000


@kernel
def last_trick(a: Ints, first: int, second: int, third: int, seat: int, left: int) -> int:
    """The points the declarer gets when everybody has one card."""
    best, winner = lowest(first), 0
    card = lowest(second)
    if a[BEATEN_BY + best] >> card & 1:
        best, winner = card, 1
    if a[BEATEN_BY + best] >> lowest(third) & 1:
        winner = 2
    return left if winner == seat else 0


@kernel
def reach(a: Ints, first: int, second: int, third: int, seat: int, need: int, left: int, trumps: int) -> int:
    """At the start of a trick: a number v; if v >= need, the declarer gets at least v more points, else at most v.

    It must be called with variables: for a literal argument Numba compiles a second version, and code from the cache
    that holds both ends the process.
    """
    a[NODES] += 1
    size = popcount(first)
    if size == 1:
        return last_trick(a, first, second, third, seat, left)
    live = first | second | third
    key = (
        a[SIDE_KEY + (live & 127)]
        | a[SIDE_KEY + 128 + (live >> 7 & 127)]
        | a[SIDE_KEY + 256 + (live >> 14 & 127)]
        | a[TRUMP_KEY + (live >> 21 & 2047)]
    )
    slot = (key * ODD >> 32 ^ seat << 16 ^ key) & (SLOTS - 1)
    key = (a[GENERATION] << 32 | key) << 2 | seat
    low, high = 0, left
    hint = NOTHING
    entry = a[slot]
    if entry >> 20 == key:
        low, high = entry & 127, entry >> 7 & 127
        hint = entry >> 14 & 63
        if low >= need:
            return low
        if high < need:
            return high
    elif seat == 0:
        low = cashed_by_declarer(a, first, second, third, trumps)
        if low >= need:
            return low
    else:
        high = left - cashed_by_defender(
            a, first, second if seat == 1 else third, third if seat == 1 else second, trumps
        )
        if high < need:
            return high

    leads = MOVES + 48 * size
    seconds, thirds = leads + 16, leads + 32
    second_cards, third_cards = second & ~spare(second, live), third & ~spare(third, live)
    moves = first & ~spare(first, live)
    count = 0
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        score = 500 if card == hint else lead_score(a, card, second, third, seat, trumps)
        enter(a, leads, count, score << 5 | card)
        count += 1
    value = NOTHING if seat == 0 else MUCH
    best_lead = 0
    for i in range(count):
        led = a[leads + i] & 31
        second_count = order_seconds(a, seconds, answers(a, second_cards, led), led, third, seat, trumps)
        led_value = NOTHING if seat == 1 else MUCH
        for j in range(second_count):
            card = a[seconds + j] & 31
            wins = a[BEATEN_BY + led] >> card & 1
            best, best_seat = card if wins else led, wins
            worth = a[WORTH + led] + a[WORTH + card]
            third_count = order_thirds(a, thirds, answers(a, third_cards, led), best, best_seat, seat, trumps)
            second_value = NOTHING if seat == 2 else MUCH
            for k in range(third_count):
                last = a[thirds + k] & 31
                winner = 2 if a[BEATEN_BY + best] >> last & 1 else best_seat
                trick = worth + a[WORTH + last]
                gain = trick if winner == seat else 0
                rest = left - trick
                if need <= gain:
                    v = gain
                elif need - gain > rest:
                    v = gain + rest
                else:
                    one, two, three = first & ~(1 << led), second & ~(1 << card), third & ~(1 << last)
                    next_seat = seat - winner if seat >= winner else seat - winner + 3
                    if winner == 1:
                        one, two, three = two, three, one
                    elif winner == 2:
                        one, two, three = three, one, two
                    v = gain + reach(a, one, two, three, next_seat, need - gain, rest, trumps)
                if seat == 2:
                    second_value = max(second_value, v)
                    if v >= need:
                        break
                else:
                    second_value = min(second_value, v)
                    if v < need:
                        break
            if seat == 1:
                led_value = max(led_value, second_value)
                if second_value >= need:
                    break
            else:
                led_value = min(led_value, second_value)
                if second_value < need:
                    break
        if seat == 0:
            if led_value > value:
                value = led_value
                best_lead = led
            if value >= need:
                break
        else:
            if led_value < value:
                value = led_value
                best_lead = led
            if value < need:
                break
    if value >= need:
        low = max(low, value)
    else:
        high = min(high, value)
    a[slot] = key << 20 | best_lead << 14 | high << 7 | low
    return value


@kernel
def finish(a: Ints, p: Ints, own: int, need: int, left: int) -> int:
    """`reach` for a position in mid-trick: the seat to play puts down `own`, the others complete the trick as is best for them.

    `left` counts the cards that lie on the table.
    """
    first, second, third, seat, trumps = p[HAND], p[HAND + 1], p[HAND + 2], p[DECLARER], p[TRUMPS]
    led = own if p[LED] < 0 else p[LED]
    if p[LED] < 0:
        seconds = answers(a, second, led)
        first &= ~(1 << own)
    elif p[SECOND] < 0:
        seconds = 1 << own
    else:
        seconds = 1 << p[SECOND]
    thirds = 1 << own if p[SECOND] >= 0 else answers(a, third, led)
    second_place, third_place = MOVES, MOVES + 16
    count = order_seconds(a, second_place, seconds, led, third if p[SECOND] < 0 else thirds, seat, trumps)
    value = NOTHING if seat == 1 else MUCH
    for j in range(count):
        card = a[second_place + j] & 31
        wins = a[BEATEN_BY + led] >> card & 1
        best, best_seat = card if wins else led, wins
        third_count = order_thirds(a, third_place, thirds, best, best_seat, seat, trumps)
        second_value = NOTHING if seat == 2 else MUCH
        for k in range(third_count):
            last = a[third_place + k] & 31
            winner = 2 if a[BEATEN_BY + best] >> last & 1 else best_seat
            trick = a[WORTH + led] + a[WORTH + card] + a[WORTH + last]
            gain = trick if winner == seat else 0
            rest = left - trick
            two, three = second & ~(1 << card), third & ~(1 << last)
            if need <= gain or first == 0:
                v = gain
            elif need - gain > rest:
                v = gain + rest
            elif winner == 0:
                v = gain + reach(a, first, two, three, seat, need - gain, rest, trumps)
            elif winner == 1:
                v = gain + reach(a, two, three, first, (seat + 2) % 3, need - gain, rest, trumps)
            else:
                v = gain + reach(a, three, first, two, (seat + 1) % 3, need - gain, rest, trumps)
            if seat == 2:
                second_value = max(second_value, v)
                if v >= need:
                    break
            else:
                second_value = min(second_value, v)
                if v < need:
                    break
        if seat == 1:
            value = max(value, second_value)
            if value >= need:
                break
        else:
            value = min(value, second_value)
            if value < need:
                break
    return value


@kernel
def ask(a: Ints, p: Ints, card: int, need: int, left: int) -> int:
    """`finish` after a card of the seat to play, or `reach` at the start of a trick if the card is negative."""
    if card < 0:
        return reach(a, p[HAND], p[HAND + 1], p[HAND + 2], p[DECLARER], need, left, p[TRUMPS])
    return finish(a, p, card, need, left)


@kernel
def settle(a: Ints, p: Ints, card: int, left: int, exact: bool, guess: int) -> int:
    """The answer to a question about one card: the points the declarer still gets, or whether he gets NEED."""
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
        need = low + 1 if v >= need else high
    return low


@kernel
def answer_rows(arena: Ints, problems: Ints, out: Ints, exact: bool, each_card: bool) -> None:
    """[n, 32]: the answer after each legal card, -1 elsewhere; or, at the start of a trick, the answer for the best one in out[:, 0]."""
    a = bare(arena)
    for row in range(len(problems)):
        p = problems[row]
        out[row] = NOTHING
        open_deal(a, p)
        left = points_left(a, p)
        guess = left * 11 // 16  # declarers get more than half
        if not each_card:
            out[row, 0] = settle(a, p, NOTHING, left, exact, guess)
            continue
        cards = options(a, p)
        extra = spare(cards, live_cards(p))
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
