"""The search: alpha-beta with a null window, fail-soft, trick by trick.

`reach` asks whether the side asked about still gets `need` of what is `left`; its answer v is a bound on the true
value: at least v if v >= need, at most v if not. At the start of a trick it looks the position up under a key that is
equal for positions in which the same seats hold cards of the same worth in the same order, and counts quick tricks.
Hands are counted from the leader of the trick and travel in registers: reading them from the arena, card by card, takes
twice the time.
"""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, mix, popcount, turned
from kibitz.core.jit import UNBOUND, bare
from kibitz.core.shapes import Ints
from kibitz.games.tricks import layout as at
from kibitz.search.solver import arena as ar

NOTHING = -1
MUCH = 1 << 20

# Bound by Solver.
IN_TRICK = SEATS = BASE = CARDS = PLACE = CHUNKS = JOINED = VALUE_BITS = LARGEST = PAST = PACK = EACH = UNBOUND
RUNGS = POINTS_ONLY = UNBOUND
duty = answers = spare = order = leads = next_best = quick_tricks = is_safe = is_lost = position_key = UNBOUND
verdict = last_trick = reach = open_deal = ask = remember = value_of = UNBOUND


def key_of(a: Ints, live: int, leader: int) -> int:
    """A hash of a position at the start of a trick: each live card's own word, turned by its place among them."""
    key = a[BASE + ar.SEAT_KEY + leader] ^ a[BASE + ar.TAKEN_KEY + a[BASE + ar.TAKEN]]
    below = 0
    for k in range(CHUNKS):
        cards = live >> ar.CHUNK_BITS * k & ar.CHUNK_MASK
        word = a[BASE + ar.KEYS + (k << ar.CHUNK_BITS) + cards]
        below = below if JOINED >> k & 1 else 0
        key ^= turned(word, below)
        below += popcount(cards)
    return key


def after_trick(a: Ints, is_own: bool, cards: int, best: int, is_last: bool) -> int:
    """All-or-nothing aims: 1 if a trick decides for the side asked about, 0 against it, NOTHING if it is open."""
    if a[BASE + ar.AIM] == ar.ONE_TRICK:
        if is_own:
            return 0 if a[BASE + ar.TAKEN] > 0 else 1 if is_last else NOTHING
        return a[BASE + ar.TAKEN] if is_last else NOTHING
    marked = a[BASE + ar.MARKED]
    if is_last:
        return 1 if marked >> best & 1 else 0
    return 0 if cards & marked else NOTHING


def wins_last(a: Ints, first: int, second: int, third: int, fourth: int, asked: int) -> bool:
    """When everybody has one card: whether the side asked about wins the trick."""
    best, winner = lowest(first), 0
    card = lowest(second)
    if a[BASE + ar.BEATS + best] >> card & 1:
        best, winner = card, 1
    card = lowest(third)
    if a[BASE + ar.BEATS + best] >> card & 1:
        best, winner = card, 2
    if IN_TRICK > 3 and a[BASE + ar.BEATS + best] >> lowest(fourth) & 1:
        winner = 3
    return asked >> winner & 1 == 1


def reach_need(
    a: Ints, first: int, second: int, third: int, fourth: int, leader: int, asked: int, need: int, left: int, fixed: int
) -> int:
    """A bound on what the side asked about still gets.

    Seats are counted from `leader`: `asked` has a bit for each that is asked about. So many cards of the trick as
    `fixed` says are given, in the arena; they may lie on the table already.
    """
    if IN_TRICK == 3:
        fourth &= 0  # so that LLVM sees that there is no such hand
    live = first | second | third | fourth
    size = popcount(fourth) if IN_TRICK > 3 else popcount(third)
    is_aim = a[BASE + ar.AIM] >= ar.ONE_TRICK
    is_up = a[BASE + ar.WANTS] == 1
    low, high = 0, left
    slot, key = 0, 0
    if fixed == 0:
        a[BASE + ar.NODES] += 1
        if size == 1 and (POINTS_ONLY or not is_aim):
            return left if last_trick(a, first, second, third, fourth, asked) else 0
        if not POINTS_ONLY and a[BASE + ar.AIM] == ar.NO_TRICK and a[BASE + ar.TRUMPS] == 0 and not asked & 1:
            own = second if asked & 2 else third if asked & 4 else fourth
            if need == 1 and is_lost(a, own, first, second, third, fourth):
                return 1
            if is_safe(a, own, live & ~own):
                return 0
        key = position_key(a, live, leader)
        part = ar.SMALL_PART if size == 2 else ar.MIDDLE_PART if size <= 4 else -1
        slot = BASE + ar.TABLE + (key & a[BASE + ar.INDEX] & part)
        entry = a[slot]
        if (entry ^ key) >> 2 * VALUE_BITS == 0:
            low, high = entry & LARGEST, entry >> VALUE_BITS & LARGEST
            if low >= need:
                return low
            if high < need:
                return high
        elif is_up and (POINTS_ONLY or not is_aim):
            sure = quick_tricks(a, first, second, third, fourth, asked, left)
            if asked & 1:
                low = sure
                if low >= need:
                    return low
            else:
                high = left - sure
                if high < need:
                    return high
    else:
        for k in range(fixed):
            live |= 1 << a[BASE + ar.FIXED + k]
    m1, m2 = is_up == (asked & 1 == 1), is_up == (asked >> 1 & 1 == 1)
    m3, m4 = is_up == (asked >> 2 & 1 == 1), is_up == (asked >> 3 & 1 == 1)
    equals = a[BASE + ar.EQUALS]
    p1 = BASE + ar.MOVES + size * 4 * ar.MOST_HAND
    p2, p3, p4 = p1 + ar.MOST_HAND, p1 + 2 * ar.MOST_HAND, p1 + 3 * ar.MOST_HAND
    second_cards, third_cards = second & ~spare(second, live, equals), third & ~spare(third, live, equals)
    fourth_cards = fourth & ~spare(fourth, live, equals) if IN_TRICK > 3 else 0
    value = NOTHING if m1 else MUCH
    if PAST:
        remember(a, live, size)
    zero = min(
        fixed, 0
    )  # a variable: for a literal Numba would compile a second version, and its cache cannot hold both
    if fixed > 0:
        n1, move1 = 1, a[BASE + ar.FIXED]
    else:
        moves = answers(a, first, NOTHING, NOTHING, False) & ~spare(first, live, equals)
        n1, move1 = leads(a, p1, moves, asked, second, third, fourth)
    for i in range(n1):
        if i > 0:
            move1 = next_best(a, p1, n1, move1)
        c1 = move1 & 63
        value1 = NOTHING if m2 else MUCH
        if fixed > 1:
            n2, move2 = 1, a[BASE + ar.FIXED + 1]
        else:
            moves = answers(a, second_cards, c1, c1, (asked ^ asked >> 1) & 1 == 0)
            n2, move2 = order(a, p2, moves, c1, c1, 0, 1, asked, third, fourth)
        for j in range(n2):
            if j > 0:
                move2 = next_best(a, p2, n2, move2)
            c2 = move2 & 63
            seat2 = a[BASE + ar.BEATS + c1] >> c2 & 1
            best2 = c2 if seat2 else c1
            value2 = NOTHING if m3 else MUCH
            if fixed > 2:
                n3, move3 = 1, a[BASE + ar.FIXED + 2]
            else:
                moves = answers(a, third_cards, c1, best2, (asked >> seat2 ^ asked >> 2) & 1 == 0)
                n3, move3 = order(a, p3, moves, c1, best2, seat2, 2, asked, fourth, 0)
            for k in range(n3):
                if k > 0:
                    move3 = next_best(a, p3, n3, move3)
                c3 = move3 & 63
                wins3 = a[BASE + ar.BEATS + best2] >> c3 & 1
                best3 = c3 if wins3 else best2
                seat3 = 2 if wins3 else seat2
                value3 = NOTHING if m4 else MUCH
                n4, move4 = 1, 0
                if IN_TRICK > 3:
                    if fixed > 3:
                        move4 = a[BASE + ar.FIXED + 3]
                    else:
                        moves = answers(a, fourth_cards, c1, best3, (asked >> seat3 ^ asked >> 3) & 1 == 0)
                        n4, move4 = order(a, p4, moves, c1, best3, seat3, 3, asked, 0, 0)
                for m in range(n4):
                    winner, best, trick = seat3, best3, a[BASE + ar.A_TRICK]
                    c4 = 0
                    if IN_TRICK > 3:
                        if m > 0:
                            move4 = next_best(a, p4, n4, move4)
                        c4 = move4 & 63
                        if a[BASE + ar.BEATS + best3] >> c4 & 1:
                            winner, best = 3, c4
                        trick += a[BASE + ar.WORTHS + c4]
                    trick += a[BASE + ar.WORTHS + c1] + a[BASE + ar.WORTHS + c2] + a[BASE + ar.WORTHS + c3]
                    is_own = asked >> winner & 1 == 1
                    if size == 1:
                        trick = left
                    gain = trick if is_own else 0
                    rest = left - trick
                    v = NOTHING
                    if not POINTS_ONLY and is_aim:
                        cards = 1 << c1 | 1 << c2 | 1 << c3 | (1 << c4 if IN_TRICK > 3 else 0)
                        v = verdict(a, is_own, cards, best, size == 1)
                        gain, rest = 0, left
                    elif need <= gain or size == 1:
                        v = gain
                    elif need - gain > rest:
                        v = gain + rest
                    if v < 0:
                        h1, h2, h3 = first & ~(1 << c1), second & ~(1 << c2), third & ~(1 << c3)
                        h4 = fourth & ~(1 << c4) if IN_TRICK > 3 else fourth
                        around = asked
                        if IN_TRICK > 3:
                            if winner & 2:
                                h1, h2, h3, h4 = h3, h4, h1, h2
                            if winner & 1:
                                h1, h2, h3, h4 = h2, h3, h4, h1
                            around = (asked >> winner | asked << 4 - winner) & 15
                        elif winner == 1:
                            h1, h2, h3 = h2, h3, h1
                            around = (asked >> 1 | asked << 2) & 7
                        elif winner == 2:
                            h1, h2, h3 = h3, h1, h2
                            around = (asked >> 2 | asked << 1) & 7
                        following = leader + winner
                        if following >= IN_TRICK:
                            following -= IN_TRICK
                        if size == 2 and (
                            POINTS_ONLY or not is_aim
                        ):  # one card each: a call would cost more than the answer
                            a[BASE + ar.NODES] += 1
                            v = gain + (rest if last_trick(a, h1, h2, h3, h4, around) else 0)
                        elif not POINTS_ONLY and is_aim:
                            taken = a[BASE + ar.TAKEN]
                            a[BASE + ar.TAKEN] = taken | int(is_own)
                            v = reach(a, h1, h2, h3, h4, following, around, need, rest, zero)
                            a[BASE + ar.TAKEN] = taken
                        else:
                            v = gain + reach(a, h1, h2, h3, h4, following, around, need - gain, rest, zero)
                        if PAST:
                            remember(a, live, size)
                    if IN_TRICK == 3:
                        value3 = v
                        break
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
    if slot:
        if value >= need:
            low = max(low, value)
        else:
            high = min(high, value)
        a[slot] = key >> 2 * VALUE_BITS << 2 * VALUE_BITS | high << VALUE_BITS | low
    return value


def recall_past(a: Ints, live: int, size: int) -> None:
    """For a duty that looks at what was played: all cards that are not live have been, whoever had them."""
    a[at.PLAYED] = PACK & ~live
    for seat in range(1, SEATS):
        a[at.PLAYED + seat] = 0
    a[at.DONE] = EACH - size


def first_rung(s: Ints, hand: int, led: int, best: int, is_ours: bool) -> int:
    """The cards of a hand that may be played: no rung of the duty is looked at that need not be."""
    k = 0
    wanted, allowed = duty(s, led, best, is_ours, k)
    if hand & wanted:
        return hand & allowed
    if RUNGS > 1:
        k = 1
        wanted, allowed = duty(s, led, best, is_ours, k)
        if hand & wanted:
            return hand & allowed
    if RUNGS > 2:
        k = 2
        wanted, allowed = duty(s, led, best, is_ours, k)
        if hand & wanted:
            return hand & allowed
    if RUNGS > 3:
        k = 3
        wanted, allowed = duty(s, led, best, is_ours, k)
        if hand & wanted:
            return hand & allowed
    return hand


def follow_suit(a: Ints, hand: int, led: int, best: int, is_ours: bool) -> int:
    """The same for `play.follow`, from the arena's own tables: the processor has them at hand."""
    own = hand & a[BASE + ar.FOLLOWS + led] if led >= 0 else hand
    return own if own else hand


def follow_or_trump(a: Ints, hand: int, led: int, best: int, is_ours: bool) -> int:
    """The same for `play.follow_or_trump`."""
    own = hand & a[BASE + ar.FOLLOWS + led] if led >= 0 else hand
    trumps = hand & a[BASE + ar.TRUMPS]
    return own if own else trumps if trumps else hand


def prepare(a: Ints, s: Ints, asked: int) -> int:
    """Write a position into the arena, with the keys of all that can follow; returns what is left to be won."""
    contract = max(0, s[at.CONTRACT])
    for k in range(BASE):
        a[k] = s[k]
    count = s[at.COUNT]
    seat = s[at.LEADER] if count > 0 else s[at.TURN]
    live = 0
    around = 0
    for place in range(IN_TRICK):
        hand = 0
        left = s[at.HAND + seat]
        while left:
            hand |= 1 << PLACE[contract, lowest(left)]
            left &= left - 1
        a[BASE + ar.HANDS + place] = hand
        live |= hand
        around |= (asked >> seat & 1) << place
        seat = seat + 1 if seat < SEATS - 1 else 0
        if seat == s[at.OUT]:
            seat = seat + 1 if seat < SEATS - 1 else 0
    for k in range(IN_TRICK, 4):
        a[BASE + ar.HANDS + k] = 0
    a[BASE + ar.ASKED] = around
    table = 0
    for k in range(count):
        a[BASE + ar.FIXED + k] = PLACE[contract, s[at.TABLE + k]]
        table |= 1 << a[BASE + ar.FIXED + k]
    a[BASE + ar.GENERATION] += 1
    size = popcount(a[BASE + ar.HANDS + IN_TRICK - 1])
    # Small deals, and aims that few positions decide, use a part of the table that stays in the cache.
    most = ar.ENTRY_BITS if a[BASE + ar.AIM] < ar.NO_TRICK else ar.FEW_BITS if a[BASE + ar.TRUMPS] else ar.FEWEST_BITS
    a[BASE + ar.INDEX] = (1 << min(most, 2 * size + 3)) - 1
    for k in range(IN_TRICK):
        a[BASE + ar.SEAT_KEY + k] = mix(a[BASE + ar.GENERATION] << 3 | k)
    for k in range(2):
        a[BASE + ar.TAKEN_KEY + k] = mix(-1 - k)
    for k in range(CHUNKS):
        shift = ar.CHUNK_BITS * k
        present = live >> shift & ar.CHUNK_MASK
        start = BASE + ar.KEYS + (k << ar.CHUNK_BITS)
        a[start] = 0
        cards = present
        while cards:
            card = shift + lowest(cards)
            owner = 0
            for place in range(1, IN_TRICK):
                if a[BASE + ar.HANDS + place] >> card & 1:
                    owner = place
            word = lowest(a[BASE + ar.FOLLOWS + card]) << 32 | owner << 24 | a[BASE + ar.WORTHS + card] << 1
            a[start + (cards & -cards)] = mix(word | a[BASE + ar.MARKED] >> card & 1)
            cards &= cards - 1
        pattern = 0
        while pattern != present:
            pattern = pattern - present & present
            top = 1 << highest(pattern)
            if pattern != top:
                a[start + pattern] = a[start + (pattern ^ top)] ^ turned(a[start + top], popcount(pattern) - 1)
    if a[BASE + ar.AIM] >= ar.ONE_TRICK:
        return 1
    left = a[BASE + ar.BONUS]
    cards = live | table
    while cards:
        left += a[BASE + ar.WORTHS + lowest(cards)]
        cards &= cards - 1
    return left + popcount(a[BASE + ar.HANDS + IN_TRICK - 1]) * a[BASE + ar.A_TRICK]


def ask_once(a: Ints, count: int, card: int, need: int, left: int) -> int:
    """`reach` after a card of the seat to play, or (NOTHING) for the best one."""
    fixed = count
    if card >= 0:
        a[BASE + ar.FIXED + count] = card
        fixed += 1
    first, second = a[BASE + ar.HANDS], a[BASE + ar.HANDS + 1]
    third, fourth = a[BASE + ar.HANDS + 2], a[BASE + ar.HANDS + 3]
    leader = count - count
    return reach(a, first, second, third, fourth, leader, a[BASE + ar.ASKED], need, left, fixed)


def value_after(a: Ints, count: int, card: int, need: int, left: int, exact: bool, guess: int, step: int) -> int:
    """What the side asked about still gets after a card (NOTHING: at best), or whether it gets `need`.

    The search for the value starts at a guess, goes on in steps that double, and ends by halving what is open.
    """
    if not exact:
        if need <= 0 or need > left:
            return 1 if need <= 0 else 0
        return 1 if ask(a, count, card, need, left) >= need else 0
    low, high = 0, left
    wanted = min(max(guess, 1), max(left, 1))
    while low < high:
        v = ask(a, count, card, wanted, left)
        step = max(step, 1)
        if v >= wanted:
            low = v
            wanted = low + step
        else:
            high = v
            wanted = high + 1 - step
        step *= 1 if IN_TRICK == 3 else 2
        if step >= high - low:
            wanted = (low + high + 1) // 2
        wanted = min(max(wanted, low + 1), high)
    return low


def answer_rows(
    space: Ints, states: Ints, asked: Ints, taken: Ints, need: Ints, out: Ints, exact: bool, only: int
) -> None:
    """[n, CARDS]: the answer after each legal card of `only`, else NOTHING; for the best in out[:, 0] if that is 0."""
    a = bare(space)
    for row in range(len(states)):
        s = states[row]
        contract = max(0, s[at.CONTRACT])
        a[BASE + ar.TAKEN] = taken[row]
        left = open_deal(a, s, asked[row])
        count = s[at.COUNT]
        out[row] = NOTHING
        # That a side does not get more is soon found: so the search comes from above, in small steps. Cards are worth
        # much the same to partners, and least so where few points are wanted.
        guess, step, nearby = left * 7 // 8, 1 if IN_TRICK == 3 else left // 32, 2
        if a[BASE + ar.AIM] == ar.FEW_POINTS:
            guess, step, nearby = left // 2, left // 10, 8
        elif popcount(a[BASE + ar.ASKED]) == 2:
            nearby = 1
        if only == 0:
            nobody = out[row, 0]  # NOTHING as a variable, see `reach_need`
            out[row, 0] = value_of(a, count, nobody, need[row], left, exact, guess, step)
            continue
        hand = a[BASE + ar.HANDS + count]
        live = 0
        for place in range(IN_TRICK):
            live |= a[BASE + ar.HANDS + place]
        led, best, holder = NOTHING, NOTHING, 0
        for k in range(count):
            card = a[BASE + ar.FIXED + k]
            live |= 1 << card
            if k == 0:
                led = best = card
            elif a[BASE + ar.BEATS + best] >> card & 1:
                best, holder = card, k
        around = a[BASE + ar.ASKED]
        cards = answers(a, hand, led, best, count > 0 and (around >> holder ^ around >> count) & 1 == 0)
        extra = spare(cards, live, a[BASE + ar.EQUALS])
        below = NOTHING
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            below = below if extra >> card & 1 else NOTHING
            for own in range(CARDS):
                if PLACE[contract, own] == card and only >> own & 1:
                    if below < 0:
                        guess = below = value_of(a, count, card, need[row], left, exact, guess, step)
                        step = nearby
                    out[row, own] = below
