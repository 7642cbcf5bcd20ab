"""Whether the declarer of a null stays clean when all cards lie open.

Four suits of eight bits, 7 8 9 T J Q K A; no trumps, no points, so positions are equal whenever the owners of the live
cards, in order, are. At a defender's lead two quick looks decide most positions: the declarer is safe if in every suit his
j-th lowest card lies below the j-th lowest of the others together, and lost if the leader can put down a card below his lowest which the
partner need not take either.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import highest, lowest, mix
from kibitz.core.jit import bare, kernel
from kibitz.games.skat.cards import NULL_RANK

Ints = NDArray[np.int64]

SLOTS = 1 << 16
KEY = SLOTS
"""int64[4, 256]: the owners of a suit's live cards in order, by pattern."""
GENERATION = KEY + 4 * 256
NODES = GENERATION + 1
SIZE = NODES + 1

LAYOUT: Ints = np.array([8 * (card // 8) + NULL_RANK[card] for card in range(32)], np.int64)
TRANSLATION: Ints = np.array(
    [
        [sum(1 << int(LAYOUT[8 * suit + k]) for k in range(8) if byte >> k & 1) for byte in range(256)]
        for suit in range(4)
    ],
    np.int64,
)
HAND, LED, SECOND, DECLARER, TAKEN = 0, 3, 4, 5, 7
"""A problem, as for suit games; in place of the need it has the tricks the declarer has taken."""
NOTHING = -1


def fresh_arena() -> Ints:
    """An empty table."""
    return np.zeros(SIZE, np.int64)


@kernel
def answers(hand: int, led: int) -> int:
    """The cards that may be played to a card led."""
    follow = hand & 255 << (led & ~7)
    return follow if follow else hand


@kernel
def spare(hand: int, live: int) -> int:
    """Cards of a hand with the next higher live card of the suit in the same hand."""
    extra = 0
    left = hand
    while left:
        card = lowest(left)
        left &= left - 1
        above = live & 255 << (card & ~7) & (-2 << card)
        if above and hand >> lowest(above) & 1:
            extra |= 1 << card
    return extra


@kernel
def is_safe(own: int, others: int) -> bool:
    """Whether nobody can ever force a trick on the declarer."""
    for shift in range(0, 32, 8):
        mine, theirs = own >> shift & 255, others >> shift & 255
        while mine and theirs:
            if lowest(mine) > lowest(theirs):
                return False
            mine &= mine - 1
            theirs &= theirs - 1
    return True


@kernel
def is_lost(leader: int, partner: int, own: int) -> bool:
    """Whether a lead below the declarer's lowest card of a suit gives him the trick at once."""
    for shift in range(0, 32, 8):
        mine = own >> shift & 255
        if mine == 0:
            continue
        below = (mine & -mine) - 1
        held = partner >> shift & 255
        if leader >> shift & below and (held == 0 or held & below):
            return True
    return False


@kernel
def takes(led: int, card: int, best: int) -> bool:
    """Whether a card follows suit and is higher than the best so far."""
    return card >> 3 == led >> 3 and card > best


@kernel
def clean(a: Ints, first: int, second: int, third: int, seat: int) -> int:
    """At the start of a trick: 1 if the declarer takes no trick any more, with best play."""
    a[NODES] += 1
    if first == 0:
        return 1
    live = first | second | third
    own = first if seat == 0 else second if seat == 1 else third
    if seat != 0:
        if is_lost(first, third if seat == 1 else second, own):
            return 0
        if is_safe(own, live & ~own):
            return 1
    key = (
        (a[KEY + (live & 255)] << 48 | a[KEY + 256 + (live >> 8 & 255)] << 32)
        | a[KEY + 512 + (live >> 16 & 255)] << 16
        | a[KEY + 768 + (live >> 24 & 255)]
    )
    key = (mix(key) ^ seat << 30) & ~511
    slot = key >> 20 & (SLOTS - 1)
    tag = key | a[GENERATION] << 1
    entry = a[slot]
    if entry & ~1 == tag:
        return entry & 1
    result = 1
    moves = first & ~spare(first, live)
    if seat == 0:
        result = 0
    second_cards, third_cards = second & ~spare(second, live), third & ~spare(third, live)
    while moves:
        led = lowest(moves)
        moves &= moves - 1
        led_result = 0 if seat == 1 else 1
        seconds = answers(second_cards, led)
        while seconds:
            card = highest(seconds) if seat == 1 else lowest(seconds)
            seconds &= ~(1 << card)
            best, best_seat = led, 0
            if takes(led, card, best):
                best, best_seat = card, 1
            second_result = 0 if seat == 2 else 1
            thirds = answers(third_cards, led)
            while thirds:
                last = highest(thirds) if seat == 2 else lowest(thirds)
                thirds &= ~(1 << last)
                winner = 2 if takes(led, last, best) else best_seat
                if winner == seat:
                    v = 0
                elif winner == 0:
                    v = clean(a, first & ~(1 << led), second & ~(1 << card), third & ~(1 << last), seat)
                elif winner == 1:
                    v = clean(a, second & ~(1 << card), third & ~(1 << last), first & ~(1 << led), (seat + 2) % 3)
                else:
                    v = clean(a, third & ~(1 << last), first & ~(1 << led), second & ~(1 << card), (seat + 1) % 3)
                if seat == 2 and v == 1:
                    second_result = 1
                    break
                if seat != 2 and v == 0:
                    second_result = 0
                    break
            if seat == 1 and second_result == 1:
                led_result = 1
                break
            if seat != 1 and second_result == 0:
                led_result = 0
                break
        if seat == 0 and led_result == 1:
            result = 1
            break
        if seat != 0 and led_result == 0:
            result = 0
            break
    a[slot] = tag | result
    return result


@kernel
def finish(a: Ints, p: Ints, own: int) -> int:
    """1 if the declarer stays clean after the seat to play has put down `own`."""
    first, second, third, seat = p[HAND], p[HAND + 1], p[HAND + 2], p[DECLARER]
    led = own if p[LED] < 0 else p[LED]
    if p[LED] < 0:
        seconds = answers(second, led)
        first &= ~(1 << own)
    else:
        seconds = 1 << own if p[SECOND] < 0 else 1 << p[SECOND]
    value = 0 if seat == 1 else 1
    while seconds:
        card = lowest(seconds)
        seconds &= seconds - 1
        best, best_seat = led, 0
        if takes(led, card, best):
            best, best_seat = card, 1
        second_value = 0 if seat == 2 else 1
        thirds = 1 << own if p[SECOND] >= 0 else answers(third, led)
        while thirds:
            last = lowest(thirds)
            thirds &= thirds - 1
            winner = 2 if takes(led, last, best) else best_seat
            two, three = second & ~(1 << card), third & ~(1 << last)
            if winner == seat:
                v = 0
            elif winner == 0:
                v = clean(a, first, two, three, seat)
            elif winner == 1:
                v = clean(a, two, three, first, (seat + 2) % 3)
            else:
                v = clean(a, three, first, two, (seat + 1) % 3)
            second_value = max(second_value, v) if seat == 2 else min(second_value, v)
            if second_value == (1 if seat == 2 else 0):
                break
        value = max(value, second_value) if seat == 1 else min(value, second_value)
        if value == (1 if seat == 1 else 0):
            break
    return value


@kernel
def open_deal(a: Ints, p: Ints) -> None:
    """A new generation of entries, and the owners of every pattern of a suit: 1, 2, 3 for the seats, two bits a card."""
    a[GENERATION] += 1
    if a[GENERATION] > 255:
        for slot in range(SLOTS):
            a[slot] = 0
        a[GENERATION] = 1
    for suit in range(4):
        for pattern in range(256):
            a[KEY + 256 * suit + pattern] = 0
            if pattern:
                card = highest(pattern)
                a[KEY + 256 * suit + pattern] = a[KEY + 256 * suit + (pattern & ~(1 << card))] << 2
                for seat in range(3):
                    if p[HAND + seat] >> (8 * suit + card) & 1:
                        a[KEY + 256 * suit + pattern] |= seat + 1


@kernel
def answer_rows(arena: Ints, problems: Ints, out: Ints, exact: bool, each_card: bool) -> None:
    """[n, 32]: 1 where the declarer wins after a legal card, 0 where not, -1 elsewhere; or the answer for the best card in out[:, 0]."""
    a = bare(arena)
    for row in range(len(problems)):
        p = problems[row]
        out[row] = NOTHING
        open_deal(a, p)
        if not each_card:
            out[row, 0] = 0 if p[TAKEN] else clean(a, p[HAND], p[HAND + 1], p[HAND + 2], p[DECLARER])
            continue
        live = p[HAND] | p[HAND + 1] | p[HAND + 2]
        cards = p[HAND]
        if p[LED] >= 0:
            live |= 1 << p[LED]
            cards = answers(p[HAND + 1], p[LED])
        if p[SECOND] >= 0:
            live |= 1 << p[SECOND]
            cards = answers(p[HAND + 2], p[LED])
        extra = spare(cards, live)
        above = 0
        while cards:
            card = highest(cards)
            cards &= ~(1 << card)
            if p[TAKEN] > 0:
                out[row, card] = 0
            else:
                out[row, card] = out[row, above] if extra >> card & 1 else finish(a, p, card)
            above = card
