"""How skat-rule plays a card: it weighs what each card wins now against what it would be worth later."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import ALL, CLASS, CLASSES, NULL, NULL_RANK, POINTS, POWER, TRUMP
from kibitz.games.skat.knowledge import is_open, knows_skat
from kibitz.games.skat.state import (
    DECLARER,
    HANDS,
    IS_RAMSCH,
    KIND,
    NOBODY,
    ON_TABLE,
    PLAYED,
    PLAYERS,
    SEAT,
    SKAT,
    TRICK,
    VOIDS,
)  # fmt: skip

Floats = NDArray[np.float64]


@kernel
def unseen(s: State, seat: int) -> int:
    """The cards a seat has not seen: those in the other hands and, unless it knows it, the skat."""
    cards = ALL & ~s[HANDS + seat] & ~(s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2])
    return cards & ~s[SKAT] if knows_skat(s, seat) else cards


@kernel
def chance_of_any(s: State, viewer: int, other: int, cards: int, hidden: int) -> float:
    """How likely another seat is to hold at least one of the cards."""
    if is_open(s, other):
        return 1.0 if s[HANDS + other] & cards else 0.0
    possible = cards & hidden
    for led in range(5):
        if s[VOIDS + other] >> led & 1:
            possible &= ~CLASSES[s[KIND], led]
    if possible == 0:
        return 0.0
    held = 10 - popcount(s[PLAYED + other])
    return 1.0 - (1.0 - held / max(1, popcount(hidden))) ** popcount(possible)


@kernel
def above(cards: int, led: int, kind: int, power: int) -> int:
    """Those of the cards that beat a power when a class was led."""
    found = 0
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if POWER[kind, led, card] > power:
            found |= 1 << card
    return found


@kernel
def chance_to_beat(s: State, viewer: int, other: int, led: int, power: int, hidden: int) -> float:
    """How likely a seat is to be able to take the trick from a card of this power."""
    kind = s[KIND]
    following = CLASSES[kind, led]
    beating = above(hidden | s[HANDS + other], led, kind, power)
    by_following = chance_of_any(s, viewer, other, beating & following, hidden)
    if led == TRUMP or kind == NULL:
        return by_following
    is_void = 1.0 - chance_of_any(s, viewer, other, following, hidden)
    return by_following + is_void * chance_of_any(s, viewer, other, beating & CLASSES[kind, TRUMP], hidden)


@kernel
def table_power(s: State) -> int:
    """The power of the card that takes the trick so far, 0 on an empty table."""
    best = 0
    if s[ON_TABLE] > 0:
        led = CLASS[s[KIND], s[TRICK]]
        for k in range(s[ON_TABLE]):
            best = max(best, POWER[s[KIND], led, s[TRICK + k]])
    return best


@kernel
def table_owner(s: State) -> int:
    """Who takes the trick so far."""
    led = CLASS[s[KIND], s[TRICK]]
    best = table_power(s)
    for k in range(s[ON_TABLE]):
        if POWER[s[KIND], led, s[TRICK + k]] == best:
            return (s[SEAT] - s[ON_TABLE] + k + PLAYERS) % PLAYERS
    return NOBODY


@kernel
def is_friend(s: State, seat: int, other: int) -> bool:
    """Whether two seats play together."""
    if s[IS_RAMSCH]:
        return seat == other
    return bool((seat == s[DECLARER]) == (other == s[DECLARER]))


@kernel
def chance_of_trick(s: State, seat: int, card: int, hidden: int) -> float:
    """How likely the seat's side takes this trick if it plays the card."""
    kind = s[KIND]
    n = s[ON_TABLE]
    led = CLASS[kind, s[TRICK]] if n > 0 else CLASS[kind, card]
    power = max(POWER[kind, led, card], table_power(s))
    ours = power == POWER[kind, led, card] or is_friend(s, seat, table_owner(s))
    first = (seat + 1) % PLAYERS
    if n == 2:
        return 1.0 if ours else 0.0
    if n == 1:
        beaten = chance_to_beat(s, seat, first, led, power, hidden)
        if is_friend(s, seat, first):
            return 1.0 if ours else beaten
        return 1.0 - beaten if ours else 0.0
    second = (seat + 2) % PLAYERS
    by_first = chance_to_beat(s, seat, first, led, power, hidden)
    by_second = chance_to_beat(s, seat, second, led, power, hidden)
    if is_friend(s, seat, first):
        return 1.0 - by_second * (1.0 - 0.4 * by_first)
    if is_friend(s, seat, second):
        return 1.0 - by_first * (1.0 - 0.4 * by_second)
    return (1.0 - by_first) * (1.0 - by_second)


# The knobs of card play begin at PLAN: what trumps and side cards are worth later, what pulling trumps and other leads are worth for
# the plan, what the players to come are expected to add; all in card points, tuned by self-play.
PLAN = 4
KEEP_TRUMP, KEEP_SIDE, PULL, TRUMP_LEAD, LONG_LEAD, EXPECTED, RUN = range(PLAN, PLAN + 7)
DEFAULTS = {
    "keep_trump": 9.0,
    "keep_side": 4.0,
    "pull": 28.0,
    "trump_lead": -9.0,
    "long_lead": -2.5,
    "expected": 6.0,
    "run": 3.0,
}


@kernel
def worth_later(s: State, card: int, hidden: int, knobs: Floats) -> float:
    """What keeping a card promises: how many of the unseen cards of its class it still beats."""
    kind = s[KIND]
    kept_in = CLASS[kind, card]
    rivals = hidden & CLASSES[kind, kept_in]
    keep = knobs[KEEP_TRUMP] if kept_in == TRUMP else knobs[KEEP_SIDE]
    if rivals == 0:
        return keep if kept_in == TRUMP else 0.5 * keep
    beaten = popcount(rivals) - popcount(above(rivals, kept_in, kind, POWER[kind, kept_in, card]))
    return keep * beaten / popcount(rivals)


@kernel
def lead_bonus(s: State, seat: int, card: int, hidden: int, knobs: Floats) -> float:
    """The declarer pulls trumps while there are some out, then runs his long suit; defenders leave trumps to him."""
    kind = s[KIND]
    own_class = CLASS[kind, card]
    length = popcount(s[HANDS + seat] & CLASSES[kind, own_class])
    if seat != s[DECLARER]:
        return knobs[TRUMP_LEAD] if own_class == TRUMP else knobs[LONG_LEAD] * length
    trumps_out = popcount(hidden & CLASSES[kind, TRUMP])
    if own_class == TRUMP:
        return knobs[PULL] if trumps_out > 0 and length >= 2 else 0.0
    return knobs[RUN] * length


@kernel
def weigh(s: State, seat: int, card: int, hidden: int, knobs: Floats) -> float:
    """What a card promises in a suit game, grand or Ramsch, in card points."""
    win = chance_of_trick(s, seat, card, hidden)
    points = POINTS[card] + knobs[EXPECTED] * (2 - s[ON_TABLE]) / 2.0
    for k in range(s[ON_TABLE]):
        points += POINTS[s[TRICK + k]]
    if s[IS_RAMSCH]:
        return -win * (points + 3.0) + 0.3 * POWER[s[KIND], CLASS[s[KIND], card], card] % 100 / 4.0
    value = (2.0 * win - 1.0) * points - worth_later(s, card, hidden, knobs)
    return value + lead_bonus(s, seat, card, hidden, knobs) if s[ON_TABLE] == 0 else value


@kernel
def below(cards: int, card: int) -> int:
    """Those of the cards that are lower in the order of null and of the same suit."""
    found = 0
    left = cards & CLASSES[NULL, card >> 3]
    while left:
        other = lowest(left)
        left &= left - 1
        if NULL_RANK[other] < NULL_RANK[card]:
            found |= 1 << other
    return found


@kernel
def danger(s: State, seat: int, card: int, hidden: int) -> float:
    """How exposed a card is in null: how many unseen lower ones there are for each own one."""
    return popcount(below(hidden, card)) - 1.5 * popcount(below(s[HANDS + seat], card))


@kernel
def weigh_null(s: State, seat: int, card: int, hidden: int) -> float:
    """What a card promises in null: the declarer stays under, the defenders make him rise."""
    n = s[ON_TABLE]
    suit = CLASSES[NULL, card >> 3]
    is_declarer = seat == s[DECLARER]
    if n == 0:
        return _weigh_null_lead(s, seat, card, hidden)
    led = CLASS[NULL, s[TRICK]]
    best = table_power(s)
    if CLASS[NULL, card] != led:  # a free discard
        if is_declarer:
            return danger(s, seat, card, hidden) + 0.1 * NULL_RANK[card]
        return NULL_RANK[card] - popcount(s[HANDS + seat] & suit)
    power = POWER[NULL, led, card]
    if is_declarer:
        if power < best:
            return 100.0 + NULL_RANK[card]
        if n == 2:
            return NULL_RANK[card]
        return -NULL_RANK[card]
    declarer_leads_it = table_owner(s) == s[DECLARER]
    declarer_has_played = declarer_leads_it or (n == 2 or (seat + 1) % PLAYERS != s[DECLARER])
    if declarer_leads_it:
        return 100.0 + NULL_RANK[card] if power < best else -NULL_RANK[card]
    if declarer_has_played:
        return NULL_RANK[card]
    return 50.0 + NULL_RANK[card] if power < best else -NULL_RANK[card]


@kernel
def _weigh_null_lead(s: State, seat: int, card: int, hidden: int) -> float:
    lower = below(hidden, card)
    suit = CLASSES[NULL, card >> 3]
    if seat == s[DECLARER]:
        ducked = 1.0
        for k in range(1, PLAYERS):
            other = (seat + k) % PLAYERS
            void = 1.0 - chance_of_any(s, seat, other, suit, hidden)
            ducked *= max(void, chance_of_any(s, seat, other, lower, hidden))
        return -10.0 * ducked + 0.2 * danger(s, seat, card, hidden)
    declarer = s[DECLARER]
    friend = PLAYERS - seat - declarer
    stays_in = chance_of_any(s, seat, declarer, suit, hidden | s[HANDS + declarer])
    can_duck = chance_of_any(s, seat, declarer, below(hidden | s[HANDS + declarer], card), hidden)
    friend_ducks = max(
        1.0 - chance_of_any(s, seat, friend, suit, hidden), chance_of_any(s, seat, friend, lower, hidden)
    )
    forced = max(0.0, stays_in - can_duck) * (0.3 + 0.7 * friend_ducks)
    return 10.0 * forced - 0.1 * NULL_RANK[card] - 0.1 * popcount(s[HANDS + seat] & suit)


@kernel
def best_card(s: State, mask: NDArray[np.bool_], knobs: Floats) -> int:
    """The legal card that promises most."""
    seat = s[SEAT]
    hidden = unseen(s, seat)
    best = NOBODY
    most = 0.0
    left = s[HANDS + seat]
    while left:
        card = lowest(left)
        left &= left - 1
        if mask[card]:
            value = weigh_null(s, seat, card, hidden) if s[KIND] == NULL else weigh(s, seat, card, hidden, knobs)
            if best == NOBODY or value > most:
                best = card
                most = value
    return best
