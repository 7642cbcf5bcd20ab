"""Skat: everything a seat cannot see dealt anew, uniformly over the worlds that fit what it knows (rule 13).

Cards fall into groups by the places they can be in (the two other hands, the pile face down), and how many of which
group lie in the pile is drawn with its exact number of worlds; so nothing is rejected. Only a Schieberamsch, where the
number of ways the cards can have been passed on depends on the jacks, is drawn by rejection on top.
"""

from __future__ import annotations

import math

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, nth, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import ALL, CLASSES, GRAND, JACKS
from kibitz.games.skat.knowledge import has_picked_up, is_open, is_pushed, knows_skat
from kibitz.games.skat.state import (
    DECLARER,
    DISCARDING,
    ENDED,
    HANDS,
    KIND,
    LAID_AT,
    LAYING,
    LOG,
    NOBODY,
    PHASE,
    PLAYED,
    PLAYERS,
    PUSHED,
    PUSHING,
    SEAT,
    SKAT,
    TAKEN,
    VOIDS,
)  # fmt: skip

CHOOSE = np.array([[math.comb(n, k) for k in range(23)] for n in range(23)], np.int64)


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Draw another world for a seat; works on the full state and on the seat's view."""
    if s[PHASE] == ENDED:
        return
    if is_pushed(s):
        _redeal_pushed(s, seat, r)
        return
    _spread(s, seat, r)
    if has_picked_up(s) and seat != s[DECLARER]:
        imagine_pickup(s, r)


@kernel
def pick(r: rng.Rng, cards: int, n: int) -> int:
    """n of the cards, every choice equally likely."""
    picked = 0
    left = cards
    for _ in range(n):
        card = nth(left, rng.below(r, popcount(left)))
        picked |= 1 << card
        left &= ~(1 << card)
    return picked


@kernel
def _room(s: State, seat: int) -> int:
    """How many cards a seat holds, those half laid away included; public."""
    is_twelve = (s[PHASE] == DISCARDING or s[PHASE] == PUSHING) and s[SEAT] == seat
    return 12 if is_twelve else 10 - popcount(s[PLAYED + seat])


@kernel
def _pile_room(s: State, seat: int) -> int:
    """How many cards lie face down that the seat has not seen, apart from those half laid away."""
    if s[PHASE] == DISCARDING or s[PHASE] == PUSHING or knows_skat(s, seat):
        return 0
    return 2


@kernel
def _barred(s: State, seat: int) -> int:
    """The cards a seat has shown not to have."""
    kind = GRAND if s[KIND] == NOBODY else s[KIND]
    cards = 0
    for led in range(5):
        if s[VOIDS + seat] >> led & 1:
            cards |= CLASSES[kind, led]
    return cards


@kernel
def _spread(s: State, seat: int, r: rng.Rng) -> None:
    """Write new hands for the two others, and a new pile where the seat does not know it."""
    left = (seat + 1) % PLAYERS
    right = (seat + 2) % PLAYERS
    unknown = ALL & ~s[HANDS + seat] & ~(s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2])
    if knows_skat(s, seat):
        unknown &= ~s[SKAT]
    room_left = _room(s, left)
    room_right = _room(s, right)
    pile_room = _pile_room(s, seat)
    not_left = _barred(s, left)
    not_right = _barred(s, right)
    not_pile = ALL if pile_room == 0 else 0
    if is_open(s, left):
        unknown &= ~s[HANDS + left]
        room_left = 0
        not_left = ALL
    if is_open(s, right):
        unknown &= ~s[HANDS + right]
        room_right = 0
        not_right = ALL
    if is_pushed(s):
        not_pile |= JACKS  # 13.3
        if seat == 0 and s[PHASE] == PUSHING and s[SEAT] == 1:
            not_right |= s[PUSHED]  # middlehand has just picked it up
        if seat == 1:
            not_right |= s[PUSHED + 1]  # forehand cannot have what was passed on to rearhand
    pile = _draw_pile(r, unknown, not_left, not_right, not_pile, pile_room, room_left)
    rest = unknown & ~pile
    forced = rest & not_right
    hand = forced | pick(r, rest & ~not_right & ~not_left, room_left - popcount(forced))
    if room_left > 0:
        s[HANDS + left] = hand
    if room_right > 0:
        s[HANDS + right] = rest & ~hand
    if pile_room > 0:
        s[SKAT] = pile


@kernel
def _draw_pile(
    r: rng.Rng, unknown: int, not_left: int, not_right: int, not_pile: int, room: int, room_left: int
) -> int:
    """The cards face down: how many of each group by the number of worlds, then which."""
    if room == 0:
        return 0
    stuck = unknown & not_left & not_right
    only_left = unknown & ~not_left & not_right
    only_right = unknown & not_left & ~not_right
    free = unknown & ~not_left & ~not_right
    a, b, c = only_left & ~not_pile, only_right & ~not_pile, free & ~not_pile
    need = room - popcount(stuck)
    total = 0
    for x in range(need + 1):
        for y in range(need + 1 - x):
            total += _ways(only_left, free, a, b, c, x, y, need - x - y, room_left)
    k = rng.below(r, total)
    for x in range(need + 1):
        for y in range(need + 1 - x):
            k -= _ways(only_left, free, a, b, c, x, y, need - x - y, room_left)
            if k < 0:
                return stuck | pick(r, a, x) | pick(r, b, y) | pick(r, c, need - x - y)
    return stuck


@kernel
def _ways(only_left: int, free: int, a: int, b: int, c: int, x: int, y: int, z: int, room_left: int) -> int:
    """Worlds in which x, y, z cards of the groups a, b, c lie in the pile."""
    if x > popcount(a) or y > popcount(b) or z > popcount(c):
        return 0
    rest = popcount(free) - z
    wanted = room_left - (popcount(only_left) - x)
    if wanted < 0 or wanted > rest:
        return 0
    return CHOOSE[popcount(a), x] * CHOOSE[popcount(b), y] * CHOOSE[popcount(c), z] * CHOOSE[rest, wanted]


@kernel
def imagine_pickup(s: State, r: rng.Rng) -> None:
    """Which two the declarer picked up and which he laid away, for a seat that saw neither."""
    declarer = s[DECLARER]
    if s[PHASE] == DISCARDING:
        cards = s[HANDS + declarer]
        s[SKAT] = pick(r, cards & ~(1 << highest(cards)), s[LAYING])
        s[HANDS + declarer] = cards & ~s[SKAT]
    s[TAKEN] = pick(r, s[HANDS + declarer] | s[PLAYED + declarer] | s[SKAT], 2)
    if s[LAID_AT] != NOBODY:
        _log_pair(s, 0, s[SKAT])


@kernel
def _log_pair(s: State, pusher: int, cards: int) -> None:
    """Write one or two discards into the log, the lower first."""
    if cards:
        place = LOG + s[LAID_AT] + 2 * pusher
        s[place] = lowest(cards)
        if cards & (cards - 1):
            s[place + 1] = highest(cards)


@kernel
def _redeal_pushed(s: State, seat: int, r: rng.Rng) -> None:
    """The same for a Schieberamsch: worlds are weighted by the ways the cards can have been passed on, by rejection."""
    pusher = s[SEAT] if s[PHASE] == PUSHING else 3
    half = pusher < 3 and pusher != seat and s[LAYING] == 1
    hides = (seat == 0 and pusher >= 2) or (seat == 2 and pusher >= 1)
    known_gone = popcount(s[PUSHED] & s[PLAYED + 2]) if seat == 0 else 0
    most = CHOOSE[12 - known_gone, 2 - known_gone] if hides else 1
    if half:
        most *= 11
    while True:
        _spread(s, seat, r)
        source = _push_source(s, seat, pusher)
        gone = s[PUSHED] & ~(s[HANDS + 1] | s[PLAYED + 1]) if seat == 0 else 0
        ways = 1
        if hides:
            ways = CHOOSE[popcount(source & ~gone), 2 - popcount(gone)]
        if half:
            ways *= popcount(s[HANDS + pusher] & ~JACKS) - 1
        if ways == most or rng.below(r, most) < ways:
            break
    if hides:
        s[PUSHED + (1 if seat == 0 else 0)] = gone | pick(r, source & ~gone, 2 - popcount(gone))
    if half:
        cards = s[HANDS + pusher] & ~JACKS
        s[SKAT] = pick(r, cards & ~(1 << highest(cards)), 1)
        s[HANDS + pusher] &= ~s[SKAT]
    if seat != 0:
        laid = s[SKAT] if pusher == 0 else s[PUSHED]
        s[TAKEN] = pick(r, s[HANDS] | s[PLAYED] | laid, 2)
    for k in range(min(pusher + 1, 3)):
        _log_pair(s, k, s[SKAT] if k == min(pusher, 2) else s[PUSHED + k])


@kernel
def _push_source(s: State, seat: int, pusher: int) -> int:
    """The cards among which the pair must be that was passed on without the seat seeing it; no jacks."""
    if seat == 0:
        return (s[HANDS + 2] | s[PLAYED + 2] | (s[SKAT] if pusher == 3 else 0)) & ~JACKS
    return (s[HANDS + 1] | s[PLAYED + 1] | (s[PUSHED + 1] if pusher >= 2 else 0)) & ~JACKS
