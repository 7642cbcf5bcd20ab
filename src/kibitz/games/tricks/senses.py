"""What a seat can know of a trick-taking game: templates that `TrickGame` binds to a game's tables and hooks."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, mix, popcount
from kibitz.core.game import State
from kibitz.core.jit import UNBOUND, bare, kernel
from kibitz.core.shapes import Floats, Ints, Singles
from kibitz.games.pieces import slices
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.worlds import MOST_POOLS, by_home, draw_worlds, join_places, sizes_of, sort_cards, ways

# Bound by TrickGame: constants, tables, the game's hooks and the kernels below.
SEATS = EACH = CARDS = CLASSES = CONTRACTS = ALL_POINTS = LOG = SIZE = FIRST_CARD = PACK = HIDES_MOVES = UNBOUND
KNOWS = BLANKS = REDRAWS = CHECKS = STOCK_CARDS = TURNS_UP = MASKS = hand_size = known = known_aside = sees = UNBOUND
blank = blank_stock = first_cards = redraw_stock = recall = redraw = observe_own = hidden_places = draw_into = UNBOUND
open_worlds = hidden_from = lacking = sort = redraws = UNBOUND
AT = UNBOUND
"""[pieces]: where the pieces of the observation begin, in the order of `pieces`."""


def pieces(seats: int, cards: int, classes: int, contracts: int, own: int) -> dict[str, slice]:
    """The named pieces of the observation, in the order in which `observe` writes them."""
    return slices(
        hand=cards, unseen=cards, aside=cards, open=cards, played=seats * cards, when=cards,
        trick=(seats - 1) * cards, winning=cards, winner=seats, leader=seats, declarer=seats,
        turned=cards, dealer=seats, contract=contracts, lacks=seats * classes, points=seats, tricks=seats, gave=cards,
        received=cards, phase=5, own=own,
    )  # fmt: skip


(
    _HAND, _UNSEEN, _ASIDE, _OPEN, _PLAYED, _WHEN, _TRICK, _WINNING, _WINNER, _LEADER, _DECLARER, _TURNED,
    _DEALER, _CONTRACT, _LACKS, _POINTS, _TRICKS, _GAVE, _RECEIVED, _PHASE, _OWN,
) = range(21)  # fmt: skip


def view(s: State, seat: int, out: State) -> None:
    """The table and what the seat knows of the cards; what it cannot know is blank."""
    out[:SIZE] = s[:SIZE]
    b = bare(s)
    for other in range(SEATS):
        if other != seat:
            out[at.HAND + other] = s[at.HAND + other] & known(b, seat, other) if KNOWS else 0
    out[at.ASIDE] = s[at.ASIDE] & known_aside(b, seat) if KNOWS else 0
    if HIDES_MOVES:
        for k in range(s[at.MOVES]):
            if not sees(b, seat, k):
                out[LOG + k] = at.HIDDEN
    if BLANKS:
        blank(s, seat, out)
    if STOCK_CARDS > 0:
        blank_stock(s, seat, out)


def unseen(s: State, seat: int) -> int:
    """The cards of which the seat does not know where they are."""
    hidden = PACK & ~(s[at.DEAD] | s[at.HAND + seat])
    for other in range(SEATS):
        hidden &= ~s[at.PLAYED + other]
        if KNOWS and other != seat:
            hidden &= ~(s[at.HAND + other] & known(s, seat, other))
    return hidden & ~(s[at.ASIDE] & known_aside(s, seat)) if KNOWS else hidden


@kernel
def spread(cards: int, out: Singles, start: int) -> None:
    """Set the places of some cards to 1."""
    left = cards
    while left:
        out[start + lowest(left)] = 1.0
        left &= left - 1


def observe(s: State, seat: int, out: Singles) -> None:
    """Everything the seat has seen, seats counted from its own: who played what and when, lacks, points, contract."""
    spread(s[at.HAND + seat], out, AT[_HAND])
    spread(hidden_from(s, seat), out, AT[_UNSEEN])
    spread(s[at.DEAD], out, AT[_OPEN])
    spread(s[at.ASIDE] & known_aside(s, seat), out, AT[_ASIDE])
    for k in range(SEATS):
        other = (seat + k) % SEATS
        spread(s[at.PLAYED + other], out, AT[_PLAYED] + CARDS * k)
        for suit in range(CLASSES):
            cards = MASKS[max(0, s[at.CONTRACT]), suit]
            out[AT[_LACKS] + CLASSES * k + suit] = cards != 0 and cards & ~s[at.LACKS + other] == 0
        out[AT[_POINTS] + k] = s[at.POINTS + other] / ALL_POINTS
        out[AT[_TRICKS] + k] = s[at.TRICKS + other] / EACH
    played = cards_played(s)
    for k in range(played):
        out[AT[_WHEN] + s[LOG + s[at.MOVES] - played + k] - FIRST_CARD] = (k + 1) / (SEATS * EACH)
    for k in range(s[at.COUNT]):
        player = (s[at.LEADER] + k - seat) % SEATS
        if player > 0:
            out[AT[_TRICK] + CARDS * (player - 1) + s[at.TABLE + k]] = 1.0
    if s[at.COUNT] > 0:
        out[AT[_WINNING] + s[at.BEST]] = 1.0
        out[AT[_WINNER] + (s[at.BEST_SEAT] - seat) % SEATS] = 1.0
    out[AT[_LEADER] + (s[at.LEADER] - seat) % SEATS] = 1.0
    if s[at.DECLARER] >= 0:
        out[AT[_DECLARER] + (s[at.DECLARER] - seat) % SEATS] = 1.0
    if s[at.CONTRACT] >= 0:
        out[AT[_CONTRACT] + s[at.CONTRACT]] = 1.0
    if TURNS_UP:
        out[AT[_TURNED] + s[at.TURNED]] = 1.0
    out[AT[_DEALER] + (s[at.DEALER] - seat) % SEATS] = 1.0
    spread(s[at.GIVEN + seat] | (s[at.LAID] if seat == s[at.LAID_BY] else 0), out, AT[_GAVE])
    spread(recall(s, seat), out, AT[_RECEIVED])
    if s[at.PHASE] < 5:
        out[AT[_PHASE] + s[at.PHASE]] = 1.0
    observe_own(s, seat, out[AT[_OWN] :])


def cards_played(s: State) -> int:
    """How many cards have been played: the last so many moves of the log, as calls come before them."""
    count = 0
    for seat in range(SEATS):
        count += popcount(s[at.PLAYED + seat])
    return count


def infoset(s: State, seat: int) -> int:
    """The seat's cards, how the deal began, what it knows of others, all moves it has seen in order: perfect recall."""
    key = mix((s[at.HAND + seat] | s[at.PLAYED + seat]) ^ (seat + 1))
    key = mix(key ^ recall(s, seat))
    key = mix(key ^ s[at.DEAD])
    # How the deal began is open to all, but no move tells it: hands alike are played otherwise with other trumps.
    key = mix(key ^ (s[at.DEALER] << 16 | (s[at.CONTRACT] + 1) << 8 | s[at.TURNED]))
    if STOCK_CARDS > 0:
        key = mix(key ^ first_cards(s, seat))
    if KNOWS:
        key = mix(key ^ (s[at.ASIDE] & known_aside(s, seat)))
    for other in range(SEATS):
        if KNOWS and other != seat:
            shown = s[at.HAND + other] & known(s, seat, other)
            if shown:
                key = mix(key ^ shown)
    for k in range(s[at.MOVES]):
        key = mix(key ^ (s[LOG + k] + 2 if not HIDES_MOVES or sees(s, seat, k) else 1))
    return key


def places(s: State, seat: int, room: Ints, barred: Ints) -> int:
    """The hidden cards; room and cards barred in the hands of the seats that follow, and in what lies aside."""
    hidden = hidden_from(s, seat)
    out = popcount(hidden)
    for k in range(SEATS - 1):
        other = (seat + 1 + k) % SEATS
        room[k] = hand_size(s, other) - (popcount(s[at.HAND + other] & known(s, seat, other)) if KNOWS else 0)
        barred[k] = lacking(s, seat, other)
        out -= room[k]
    room[SEATS - 1] = out
    barred[SEATS - 1] = 0
    return hidden


def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Draw everything the seat cannot see anew, uniformly over the worlds that fit what it knows."""
    room, pools, least, most, size, home, table = open_worlds(s, seat)
    draw_into(s, s.reshape((1, len(s))), seat, r, False, table, pools, least, most, size, home, room)


def redeal_rows(view: State, seat: int, r: rng.Rng, states: Ints) -> None:
    """Many worlds of one view, each with a branch of the luck: the ways to hand the cards out are counted once."""
    room, pools, least, most, size, home, table = open_worlds(view, seat)
    draw_into(view, states, seat, r, True, table, pools, least, most, size, home, room)


def worlds_of(s: State, seat: int) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints, Floats]:
    """The room of the places, the pools, and for joined places their limits, sizes, homes and the ways to fill them."""
    room = np.zeros(SEATS, np.int64)
    barred = np.zeros(SEATS, np.int64)
    pools = np.zeros(MOST_POOLS, np.int64)
    least = np.zeros((MOST_POOLS, SEATS), np.int64)
    most = np.zeros((MOST_POOLS, SEATS), np.int64)
    hidden = hidden_places(s, seat, room, barred)
    sort(s, seat, hidden, barred, pools, least, most)
    home = np.zeros(SEATS, np.int64)
    joined = join_places(pools, least, most, room, home)
    size = sizes_of(room, home, joined)
    low, high = by_home(least, home, joined), by_home(most, home, joined)
    return room, pools, low, high, size, home, ways(pools, low, high, size)


def draw_hidden(
    view: State, states: Ints, seat: int, r: rng.Rng, branches: bool, table: Floats, pools: Ints, least: Ints,
    most: Ints, size: Ints, home: Ints, room: Ints,
) -> None:  # fmt: skip
    """Draw a world for every row, again where no game can have led to it; with branches each row has its own luck and
    begins as the view does, else the view is the only row.
    """
    key = np.zeros(rng.SLOTS, np.int64)
    if branches:
        rng.split(r, key)
    luck, s = bare(r), bare(view)  # not the key: it would be freed here, as nobody holds it by its address
    draws_more = REDRAWS and redraws(s, seat)
    is_whole = STOCK_CARDS == 0 and (CHECKS or not draws_more)  # nothing else is drawn: all rows at once
    found = np.zeros((len(states) if is_whole else 1, SEATS), np.int64)
    held = np.zeros(SEATS, np.int64)
    for k in range(SEATS - 1 if KNOWS else 0):
        other = (seat + 1 + k) % SEATS
        held[k] = s[at.HAND + other] & known(s, seat, other)
    held[SEATS - 1] = s[at.ASIDE] & known_aside(s, seat) if KNOWS else 0
    if is_whole:
        draw_worlds(s, seat, luck, key, branches, table, pools, least, most, size, home, room, found)
    for row in range(len(states)):
        if branches:  # here and not for all rows before: what was just written is near
            for slot in range(len(view)):
                states[row, slot] = view[slot]
        k = row if is_whole else 0
        own = found[k : k + 1]
        if not is_whole:
            if branches:
                rng.branch(luck, key, row)
            draw_worlds(s, seat, luck, key, False, table, pools, least, most, size, home, room, own)
        while True:
            for k in range(SEATS - 1):
                states[row, at.HAND + (seat + 1 + k) % SEATS] = held[k] | own[0, k]
            states[row, at.ASIDE] = held[SEATS - 1] | own[0, SEATS - 1]
            if STOCK_CARDS > 0:
                redraw_stock(states[row], seat, r)
            if not draws_more or redraw(states[row], seat, r):
                break
            draw_worlds(s, seat, luck, key, False, table, pools, least, most, size, home, room, own)


def shown_lacks(s: State, seat: int, other: int) -> int:
    """What another seat has shown not to hold."""
    return s[at.LACKS + other]


def sort_by_places(
    s: State, seat: int, hidden: int, barred: Ints, pools: Ints, least: Ints, most: Ints
) -> None:  # fmt: skip
    """Nothing limits the hidden cards but the places they are barred from."""
    sort_cards(hidden, barred, pools, least, most)


def always(s: State, seat: int) -> bool:
    """What else is hidden is drawn in every world."""
    return True


def observe_nothing(s: State, seat: int, out: Singles) -> None:
    """Nothing of the game's own is to be seen."""
