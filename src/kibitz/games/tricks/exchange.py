"""Cards that change hands before the play: passed on to another seat, or laid away for others that were taken up.

Several cards of one seat are named one by one, each above the one before, so that a choice has one spelling.
"""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import UNBOUND, kernel
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.worlds import some

# Bound by TrickGame.
SEATS = LOG = PASSES = LAYS = after_passing = after_laying = is_passed = sees = UNBOUND


@kernel
def start_passing(s: State, further: int) -> None:
    """Every seat in turn chooses cards for the seat so many further on."""
    s[at.PASS_TO] = further
    s[at.PHASE] = at.PASSING
    s[at.TURN] = 0


@kernel
def start_laying(s: State, seat: int) -> None:
    """A seat takes up what lies open, and first lays as many of its own cards away."""
    s[at.TAKEN] = s[at.DEAD]
    s[at.LAID_BY] = s[at.TURN] = seat
    s[at.LAID_AT] = s[at.MOVES]
    s[at.PHASE] = at.LAYING


def choices(s: State) -> int:
    """The cards that the seat to move may name next."""
    seat = s[at.TURN]
    chosen = s[at.GIVEN + seat] if s[at.PHASE] == at.PASSING else s[at.LAID]
    left = (PASSES if s[at.PHASE] == at.PASSING else LAYS) - popcount(chosen)
    bits = s[at.HAND + seat]
    for _ in range(left - 1):  # so many of the highest are kept back for the choices that follow
        bits &= ~(1 << highest(bits))
    return bits if chosen == 0 else bits & (-2 << highest(chosen))


def choose_card(s: State, card: int) -> None:
    """The seat to move names a card; when all are named, they change places."""
    seat = s[at.TURN]
    if s[at.PHASE] == at.PASSING:
        s[at.GIVEN + seat] |= 1 << card
        if popcount(s[at.GIVEN + seat]) < PASSES:
            return
        s[at.TURN] = seat + 1
        if seat == SEATS - 1:
            for giver in range(SEATS):
                s[at.HAND + giver] &= ~s[at.GIVEN + giver]
            for giver in range(SEATS):
                s[at.HAND + (giver + s[at.PASS_TO]) % SEATS] |= s[at.GIVEN + giver]
            after_passing(s)
        return
    s[at.LAID] |= 1 << card
    if popcount(s[at.LAID]) == LAYS:
        s[at.HAND + seat] = s[at.HAND + seat] & ~s[at.LAID] | s[at.TAKEN]
        s[at.ASIDE] |= s[at.LAID]
        s[at.DEAD] &= ~s[at.TAKEN]
        after_laying(s)


def has_passed(s: State) -> bool:
    """Whether passed cards have reached their new hands."""
    return PASSES > 0 and s[at.PASS_TO] > 0 and s[at.PHASE] != at.PASSING


def known_cards(s: State, seat: int, other: int) -> int:
    """The cards that a seat knows in another's hand because it passed them there, or saw them taken up."""
    found = 0
    if PASSES > 0 and is_passed(s) and other == (seat + s[at.PASS_TO]) % SEATS:
        found |= s[at.GIVEN + seat]
    if other == s[at.LAID_BY] and s[at.PHASE] != at.LAYING:
        found |= s[at.TAKEN]
    return found


def known_aside(s: State, seat: int) -> int:
    """Who laid cards away knows them."""
    return s[at.LAID] if LAYS > 0 and seat == s[at.LAID_BY] else 0


def sees_move(s: State, seat: int, k: int) -> bool:
    """Who passes a card and who receives it know it; who lays a card away alone knows it."""
    if PASSES > 0 and s[at.PASS_TO] > 0 and k < SEATS * PASSES:
        giver = k // PASSES
        return giver == seat or (is_passed(s) and (giver + s[at.PASS_TO]) % SEATS == seat)
    return not (LAYS > 0 and s[at.LAID_BY] >= 0 and 0 <= k - s[at.LAID_AT] < LAYS and seat != s[at.LAID_BY])


def blank_choices(s: State, seat: int, out: State) -> None:
    """Hide what others have passed on or laid away."""
    if PASSES > 0 and s[at.PASS_TO] > 0:
        for giver in range(SEATS):
            if not sees(s, seat, PASSES * giver):
                out[at.GIVEN + giver] = 0
    if LAYS > 0 and seat != s[at.LAID_BY]:
        out[at.LAID] = 0


def recalled(s: State, seat: int) -> int:
    """The cards that were passed to a seat."""
    return s[at.GIVEN + (seat - s[at.PASS_TO]) % SEATS] if PASSES > 0 and is_passed(s) else 0


def redraw_choices(s: State, seat: int, r: rng.Rng) -> bool:
    """Unseen passed cards may be any of the receiver's, laid ones any that lie aside; false if they cannot be."""
    if PASSES > 0 and s[at.PASS_TO] > 0:
        for giver in range(SEATS):
            count = min(PASSES, max(0, s[at.MOVES] - PASSES * giver))
            if count == 0 or sees(s, seat, PASSES * giver):
                continue
            holder = (giver + s[at.PASS_TO]) % SEATS if is_passed(s) else giver
            chosen = some(r, s[at.HAND + holder] | s[at.PLAYED + holder], count)
            if not is_passed(s) and popcount(s[at.HAND + giver] & (-2 << highest(chosen))) < PASSES - count:
                return False
            s[at.GIVEN + giver] = chosen
            for k in range(count):
                s[LOG + PASSES * giver + k] = lowest(chosen)
                chosen &= chosen - 1
    if LAYS > 0 and s[at.LAID_BY] >= 0 and seat != s[at.LAID_BY]:
        count = min(LAYS, s[at.MOVES] - s[at.LAID_AT])
        if s[at.PHASE] == at.LAYING:
            laid = some(r, s[at.HAND + s[at.LAID_BY]], count)
            if count and popcount(s[at.HAND + s[at.LAID_BY]] & (-2 << highest(laid))) < LAYS - count:
                return False
        else:
            laid = some(r, s[at.ASIDE], count)
        s[at.LAID] = laid
        for k in range(count):
            s[LOG + s[at.LAID_AT] + k] = lowest(laid)
            laid &= laid - 1
    return True


def before_exchange(s: State, seats: int, lays: int) -> list[int]:
    """The hands as they were dealt, in a state in which cards may have been passed on or laid away."""
    hands = [int(s[at.HAND + seat] | s[at.PLAYED + seat]) for seat in range(seats)]
    if s[at.PASS_TO] > 0 and s[at.PHASE] != at.PASSING:
        for giver in range(seats):
            hands[(giver + int(s[at.PASS_TO])) % seats] &= ~int(s[at.GIVEN + giver])
        for giver in range(seats):
            hands[giver] |= int(s[at.GIVEN + giver])
    if lays and s[at.LAID_BY] >= 0 and s[at.PHASE] != at.LAYING:
        hands[s[at.LAID_BY]] = hands[s[at.LAID_BY]] & ~int(s[at.TAKEN]) | int(s[at.LAID])
    return hands
