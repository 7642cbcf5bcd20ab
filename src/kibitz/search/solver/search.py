"""The search: alpha-beta with a null window, fail-soft, one card at a time.

`search` asks whether the side asked about still gets `need` of what is `left`; its answer v is a bound on the true value: at least v
if v >= need, at most v if not. At the start of a trick it looks the position up under a key that is equal for positions in which the
same seats hold cards of the same worth in the same order, and counts quick tricks.
"""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import highest, lowest, mix, popcount
from kibitz.core.jit import bare
from kibitz.games.tricks import layout as at
from kibitz.search.solver import arena as ar
from kibitz.search.solver.arena import Ints

NOTHING = -1
MUCH = 1 << 20
LOW_BITS = (1 << 20) - 1

# Bound by Solver.
SEATS: Any = 0
BASE: Any = 0
CARDS: Any = 0
FIRST_CARD: Any = 0
LAST_CARD: Any = -1
PLACE: Any = None
next_seat: Any = None
cards_of: Any = None
spare: Any = None
order: Any = None
last_trick: Any = None
quick_tricks: Any = None
is_safe: Any = None
is_lost: Any = None
position_key: Any = None
verdict: Any = None
search: Any = None
open_deal: Any = None
value_of: Any = None
duty: Any = None
RUNGS: Any = 1


def key_of(a: Ints, live: int, leader: int) -> int:
    """A hash of a position at the start of a trick."""
    key = a[BASE + ar.SEAT_KEY + leader] ^ a[BASE + ar.TAKEN_KEY + a[BASE + ar.TAKEN]]
    for k in range(a[BASE + ar.CHUNKS]):
        pattern = live >> a[BASE + ar.CHUNK + 2 * k] & a[BASE + ar.CHUNK + 2 * k + 1]
        key ^= a[BASE + ar.KEYS + (k << ar.CHUNK_BITS) + pattern]
    return key


def after_trick(a: Ints, is_own: bool, is_last: bool) -> int:
    """All-or-nothing aims: 1 if the trick that lies on the table decides for the side asked about, 0 against it, NOTHING if it is open."""
    if a[BASE + ar.AIM] == ar.ONE_TRICK:
        if is_own:
            return 0 if a[BASE + ar.TAKEN] > 0 else 1 if is_last else NOTHING
        return a[BASE + ar.TAKEN] if is_last else NOTHING
    marked = a[BASE + ar.MARKED]
    if is_last:
        return 1 if is_own and marked >> a[at.BEST] & 1 else 0
    for k in range(SEATS):
        if marked >> a[at.TABLE + k] & 1:
            return 0
    return NOTHING


def wins_last(a: Ints, seat: int) -> bool:
    """When everybody has one card: whether the side asked about wins the trick."""
    winner = seat
    best = lowest(a[at.HAND + seat])
    other = seat
    for _ in range(a[BASE + ar.SEAT_COUNT] - 1):
        other = next_seat(a, other)
        card = lowest(a[at.HAND + other])
        if a[BASE + ar.BEATS + best] >> card & 1:
            best = card
            winner = other
    return a[BASE + ar.ASKED] >> winner & 1 == 1


def reach(a: Ints, need: int, left: int, only: int) -> int:
    """A bound on what the side asked about still gets; `only` is the card that the seat to play must play, or NOTHING."""
    seat, count = a[at.TURN], a[at.COUNT]
    hand = a[at.HAND + seat]
    size = popcount(hand)
    live = 0
    for other in range(SEATS):
        live |= a[at.HAND + other]
    low, high = 0, left
    slot, key, hint = 0, 0, NOTHING
    is_aim = a[BASE + ar.AIM] >= ar.ONE_TRICK
    if count == 0 and only < 0:
        a[BASE + ar.NODES] += 1
        if size == 1 and not is_aim:
            return left if last_trick(a, seat) else 0
        key = position_key(a, live, seat)
        slot = BASE + ar.TABLE + 2 * (key & (ar.ENTRIES - 1))
        if a[slot] == key:
            entry = a[slot + 1]
            low, high, hint = entry & LOW_BITS, entry >> 20 & LOW_BITS, (entry >> 40) - 1
            if low >= need:
                return low
            if high < need:
                return high
        elif not is_aim:
            if a[BASE + ar.WANTS] == 1:
                sure = quick_tricks(a, seat, left)
                if a[BASE + ar.ASKED] >> seat & 1:
                    low = sure
                    if low >= need:
                        return low
                else:
                    high = left - sure
                    if high < need:
                        return high
            elif a[BASE + ar.AIM] == ar.NO_TRICK and a[BASE + ar.TRUMPS] == 0 and not a[BASE + ar.ASKED] >> seat & 1:
                alone = lowest(a[BASE + ar.ASKED])
                if is_lost(a, alone, seat):
                    return 1
                if is_safe(a, alone):
                    return 0
    else:
        for k in range(count):
            live |= 1 << a[at.TABLE + k]
    asked, equals = a[BASE + ar.ASKED], a[BASE + ar.EQUALS]
    is_up = a[BASE + ar.WANTS] == 1
    last = a[BASE + ar.SEAT_COUNT] - 1
    is_last = size == 1 and count == 0 or popcount(live) == 0
    best, best_seat, played = a[at.BEST], a[at.BEST_SEAT], a[at.PLAYED + seat]
    wants = is_up == (asked >> seat & 1 == 1)
    value = NOTHING if wants else MUCH
    best_card = 0
    free = min(only, NOTHING)  # a variable: for a literal Numba would compile a second version, and its cache cannot hold both
    place = BASE + ar.MOVES + (size * SEATS + count) * ar.MOST_HAND
    n = 1
    if only >= 0:
        a[place] = only
    elif count < last:
        moves = cards_of(a, seat) & ~spare(hand, live, equals)
        if moves & (moves - 1):
            n = order(a, place, moves, seat, count, hint)
        else:
            a[place] = lowest(moves)
    closer = next_seat(a, seat) if count < last else seat
    for i in range(n):
        card = a[place + i] & 63
        if count < last:
            a[at.HAND + seat] = hand ^ 1 << card
            a[at.PLAYED + seat] = played | 1 << card
            a[at.TABLE + count] = card
            if count == 0 or a[BASE + ar.BEATS + best] >> card & 1:
                a[at.BEST] = card
                a[at.BEST_SEAT] = seat
            else:
                a[at.BEST] = best
                a[at.BEST_SEAT] = best_seat
            a[at.COUNT] = count + 1
            a[at.TURN] = closer
        if count + 1 < last:
            v = search(a, need, left, free)
        else:
            # The last card of the trick is tried here: a call for each would take as long as all the rest.
            rest_hand = a[at.HAND + closer]
            if only >= 0 and count == last:
                ends = 1 << only
            else:
                ends = cards_of(a, closer) & ~spare(rest_hand, live, equals)
            top, holder, gone = a[at.BEST], a[at.BEST_SEAT], a[at.PLAYED + closer]
            lies = a[BASE + ar.A_TRICK]
            for k in range(last):
                lies += a[BASE + ar.WORTHS + a[at.TABLE + k]]
            beats = a[BASE + ar.BEATS + top]
            closes = is_up == (asked >> closer & 1 == 1)
            v = NOTHING if closes else MUCH
            while ends:
                # Winning cards first if that is good for the closer's side, dear cards first if his side gets the trick.
                taking = ends & beats
                gets = asked >> closer & 1 if taking else asked >> holder & 1
                if asked >> closer & 1 != asked >> holder & 1 and taking and closes == is_up == (asked >> closer & 1 == 1):
                    end = highest(taking)
                elif (gets == 1) == (closes == is_up):
                    end = highest(ends)
                else:
                    end = lowest(ends)
                ends ^= 1 << end
                wins = beats >> end & 1
                winner = closer if wins else holder
                is_own = asked >> winner & 1 == 1
                trick = left if is_last else lies + a[BASE + ar.WORTHS + end]
                gain = trick if is_own else 0
                rest = left - trick
                w = NOTHING
                if is_aim:
                    a[at.BEST] = end if wins else top
                    a[at.TABLE + last] = end
                    gain = rest = 0
                    w = verdict(a, is_own, is_last)
                elif need <= gain or is_last:
                    w = gain
                elif need - gain > rest:
                    w = gain + rest
                if w < 0:
                    c0, c1, c2, c3 = a[at.TABLE], a[at.TABLE + 1], a[at.TABLE + 2], a[at.TABLE + 3]
                    taken = a[BASE + ar.TAKEN]
                    if is_aim:
                        a[BASE + ar.TAKEN] = taken | int(is_own)
                        rest = left
                    a[at.HAND + closer] = rest_hand ^ 1 << end
                    a[at.PLAYED + closer] = gone | 1 << end
                    a[at.COUNT] = 0
                    a[at.DONE] += 1
                    a[at.TURN] = winner
                    w = gain + search(a, need - gain, rest, free)
                    a[at.DONE] -= 1
                    a[BASE + ar.TAKEN] = taken
                    a[at.TABLE], a[at.TABLE + 1], a[at.TABLE + 2], a[at.TABLE + 3] = c0, c1, c2, c3
                    a[at.BEST], a[at.BEST_SEAT], a[at.COUNT], a[at.TURN] = top, holder, last, closer
                if closes:
                    v = max(v, w)
                    if w >= need:
                        break
                else:
                    v = min(v, w)
                    if w < need:
                        break
            a[at.HAND + closer] = rest_hand
            a[at.PLAYED + closer] = gone
        if count == last:
            value = v
            break
        if wants:
            if v > value:
                value = v
                best_card = card
            if v >= need:
                break
        else:
            if v < value:
                value = v
                best_card = card
            if v < need:
                break
    a[at.HAND + seat] = hand
    a[at.PLAYED + seat] = played
    a[at.COUNT] = count
    a[at.TURN] = seat
    a[at.BEST] = best
    a[at.BEST_SEAT] = best_seat
    if slot:
        if value >= need:
            low = max(low, value)
        else:
            high = min(high, value)
        a[slot] = key
        a[slot + 1] = low | high << 20 | (best_card + 1) << 40
    return value


def first_rung(s: Ints, seat: int) -> int:
    """`legal_cards` that looks no further than it must: in a search branches are guessed well."""
    hand = s[at.HAND + seat]
    k = 0
    wanted, allowed = duty(s, seat, k)
    if hand & wanted:
        return hand & allowed
    if RUNGS > 1:
        k = 1
        wanted, allowed = duty(s, seat, k)
        if hand & wanted:
            return hand & allowed
    if RUNGS > 2:
        k = 2
        wanted, allowed = duty(s, seat, k)
        if hand & wanted:
            return hand & allowed
    if RUNGS > 3:
        k = 3
        wanted, allowed = duty(s, seat, k)
        if hand & wanted:
            return hand & allowed
    return hand


def prepare(a: Ints, s: Ints) -> int:
    """Write a state into the arena, with the keys of all positions that can follow; returns what is left to get."""
    contract = max(0, s[at.CONTRACT])
    for k in range(BASE):
        a[k] = s[k]
    live = 0
    for seat in range(SEATS):
        hand, played = 0, 0
        left = s[at.HAND + seat]
        while left:
            hand |= 1 << PLACE[contract, lowest(left)]
            left &= left - 1
        left = s[at.PLAYED + seat]
        while left:
            played |= 1 << PLACE[contract, lowest(left)]
            left &= left - 1
        a[at.HAND + seat] = hand
        a[at.PLAYED + seat] = played
        live |= hand
    table = 0
    for k in range(s[at.COUNT]):
        a[at.TABLE + k] = PLACE[contract, s[at.TABLE + k]]
        table |= 1 << a[at.TABLE + k]
    if s[at.BEST] >= 0:
        a[at.BEST] = PLACE[contract, s[at.BEST]]
    a[BASE + ar.SEAT_COUNT] = SEATS - int(s[at.OUT] >= 0)
    a[BASE + ar.GENERATION] += 1
    for seat in range(SEATS):
        a[BASE + ar.SEAT_KEY + seat] = mix(a[BASE + ar.GENERATION] << 3 | seat)
    for k in range(2):
        a[BASE + ar.TAKEN_KEY + k] = mix(-1 - k)
    for k in range(a[BASE + ar.CHUNKS]):
        shift, mask = a[BASE + ar.CHUNK + 2 * k], a[BASE + ar.CHUNK + 2 * k + 1]
        present = live >> shift & mask
        start = BASE + ar.KEYS + (k << ar.CHUNK_BITS)
        a[start] = mix(k + 1)
        pattern = 0
        while pattern != present:
            pattern = pattern - present & present
            card = highest(pattern)
            owner = 0
            for seat in range(SEATS):
                if a[at.HAND + seat] >> (shift + card) & 1:
                    owner = seat
            code = owner << 24 | a[BASE + ar.WORTHS + shift + card] << 1 | a[BASE + ar.MARKED] >> (shift + card) & 1
            a[start + pattern] = mix(a[start + (pattern ^ 1 << card)] ^ code)
    if a[BASE + ar.AIM] >= ar.ONE_TRICK:
        return 1
    left = a[BASE + ar.BONUS]
    cards = live | table
    while cards:
        left += a[BASE + ar.WORTHS + lowest(cards)]
        cards &= cards - 1
    size = 0
    for seat in range(SEATS):
        if seat != s[at.OUT]:
            size = max(size, popcount(a[at.HAND + seat]))
    return left + size * a[BASE + ar.A_TRICK]


def value_after(a: Ints, card: int, need: int, left: int, exact: bool, guess: int) -> int:
    """What the side asked about still gets after a card (NOTHING: at best), or whether it gets `need`."""
    if not exact:
        if need <= 0 or need > left:
            return 1 if need <= 0 else 0
        return 1 if search(a, need, left, card) >= need else 0
    low, high = 0, left
    wanted = min(max(guess, 1), max(left, 1))
    while low < high:
        v = search(a, wanted, left, card)
        if v >= wanted:
            low = v
        else:
            high = v
        wanted = min(max(low + 1, (low + high + 1) // 2), high)
    return low


def answer_rows(space: Ints, states: Ints, asked: Ints, taken: Ints, need: Ints, out: Ints, exact: bool, each: bool) -> None:
    """[n, CARDS]: the answer after each legal card, NOTHING elsewhere; without `each` that for the best one, in out[:, 0]."""
    a = bare(space)
    for row in range(len(states)):
        s = states[row]
        contract = max(0, s[at.CONTRACT])
        a[BASE + ar.ASKED] = asked[row]
        a[BASE + ar.TAKEN] = taken[row]
        left = open_deal(a, s)
        out[row] = NOTHING
        guess = left // 2
        if not each:
            free = out[row, 0]  # NOTHING as a variable, see `reach`
            out[row, 0] = value_of(a, free, need[row], left, exact, guess)
            continue
        seat = a[at.TURN]
        hand = a[at.HAND + seat]
        live = 0
        for other in range(SEATS):
            live |= a[at.HAND + other]
        for k in range(a[at.COUNT]):
            live |= 1 << a[at.TABLE + k]
        cards = cards_of(a, seat)
        extra = spare(cards, live, a[BASE + ar.EQUALS])
        above = 0
        for card in range(CARDS - 1, -1, -1):
            if not cards >> card & 1:
                continue
            value = above if extra >> card & 1 else value_of(a, card, need[row], left, exact, guess)
            guess = above = value
            for own in range(CARDS):
                if PLACE[contract, own] == card:
                    out[row, own] = value
