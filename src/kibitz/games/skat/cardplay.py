"""How skat-rule plays a card: it weighs what each card wins now against what it would be worth later."""

from __future__ import annotations

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ABOVE, ALL, BEATEN_BY, CLASS, JACK, MASKS, NULL, NULL_RANK, TRUMP, WORTH
from kibitz.games.skat.knowledge import is_open, knows_skat


@kernel
def unseen(s: State, seat: int) -> int:
    """The cards a seat has not seen: those in the other hands and, unless it knows it, the skat."""
    cards = ALL & ~s[at.HAND + seat] & ~(s[at.PLAYED] | s[at.PLAYED + 1] | s[at.PLAYED + 2])
    return cards & ~s[at.ASIDE] if knows_skat(s, seat) else cards


@kernel
def chance_of_any(s: State, other: int, cards: int, hidden: int) -> float:
    """How likely another seat is to hold at least one of the cards."""
    if is_open(s, other):
        return 1.0 if s[at.HAND + other] & cards else 0.0
    possible = cards & hidden & ~s[at.LACKS + other]
    if possible == 0:
        return 0.0
    held = 10 - popcount(s[at.PLAYED + other])
    return 1.0 - (1.0 - held / max(1, popcount(hidden))) ** popcount(possible)


@kernel
def chance_to_beat(s: State, other: int, led: int, best: int, hidden: int) -> float:
    """How likely a seat is to be able to take the trick from a card."""
    kind = s[at.CONTRACT]
    following = MASKS[kind, led]
    beating = (hidden | s[at.HAND + other]) & BEATEN_BY[kind, best]
    by_following = chance_of_any(s, other, beating & following, hidden)
    if led == TRUMP or kind == NULL:
        return by_following
    is_void = 1.0 - chance_of_any(s, other, following, hidden)
    return by_following + is_void * chance_of_any(s, other, beating & MASKS[kind, TRUMP], hidden)


@kernel
def takes(s: State, card: int) -> bool:
    """Whether a card takes the trick over, or leads to it."""
    return bool(s[at.COUNT] == 0 or BEATEN_BY[s[at.CONTRACT], s[at.BEST]] >> card & 1)


@kernel
def is_friend(s: State, seat: int, other: int) -> bool:
    """Whether two seats play together."""
    if s[at.IS_RAMSCH]:
        return seat == other
    return bool((seat == s[at.DECLARER]) == (other == s[at.DECLARER]))


@kernel
def chance_of_trick(s: State, seat: int, card: int, hidden: int) -> float:
    """How likely the seat's side takes this trick if it plays the card."""
    kind = s[at.CONTRACT]
    n = s[at.COUNT]
    led = CLASS[kind, s[at.TABLE]] if n > 0 else CLASS[kind, card]
    best = card if takes(s, card) else s[at.BEST]
    ours = best == card or is_friend(s, seat, s[at.BEST_SEAT])
    first = (seat + 1) % at.PLAYERS
    if n == 2:
        return 1.0 if ours else 0.0
    if n == 1:
        beaten = chance_to_beat(s, first, led, best, hidden)
        if is_friend(s, seat, first):
            return 1.0 if ours else beaten
        return 1.0 - beaten if ours else 0.0
    second = (seat + 2) % at.PLAYERS
    by_first = chance_to_beat(s, first, led, best, hidden)
    by_second = chance_to_beat(s, second, led, best, hidden)
    if is_friend(s, seat, first):
        return 1.0 - by_second * (1.0 - 0.4 * by_first)
    if is_friend(s, seat, second):
        return 1.0 - by_first * (1.0 - 0.4 * by_second)
    return (1.0 - by_first) * (1.0 - by_second)


# The knobs of card play begin at PLAN: what trumps and side cards are worth later, what pulling trumps and other leads
# are worth for the plan, what the players to come are expected to add; all in card points, tuned by self-play.
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
    kind = s[at.CONTRACT]
    kept_in = CLASS[kind, card]
    rivals = hidden & MASKS[kind, kept_in]
    keep = knobs[KEEP_TRUMP] if kept_in == TRUMP else knobs[KEEP_SIDE]
    if rivals == 0:
        return keep if kept_in == TRUMP else 0.5 * keep
    beaten = popcount(rivals) - popcount(rivals & ABOVE[kind, card])
    return keep * beaten / popcount(rivals)


@kernel
def lead_bonus(s: State, seat: int, card: int, hidden: int, knobs: Floats) -> float:
    """The declarer pulls trumps while there are some out, then runs his long suit; defenders leave trumps to him."""
    kind = s[at.CONTRACT]
    own_class = CLASS[kind, card]
    length = popcount(s[at.HAND + seat] & MASKS[kind, own_class])
    if seat != s[at.DECLARER]:
        return knobs[TRUMP_LEAD] if own_class == TRUMP else knobs[LONG_LEAD] * length
    trumps_out = popcount(hidden & MASKS[kind, TRUMP])
    if own_class == TRUMP:
        return knobs[PULL] if trumps_out > 0 and length >= 2 else 0.0
    return knobs[RUN] * length


@kernel
def weigh(s: State, seat: int, card: int, hidden: int, knobs: Floats) -> float:
    """What a card promises in a suit game, grand or Ramsch, in card points."""
    win = chance_of_trick(s, seat, card, hidden)
    points = WORTH[card] + knobs[EXPECTED] * (2 - s[at.COUNT]) / 2.0
    for k in range(s[at.COUNT]):
        points += WORTH[s[at.TABLE + k]]
    if s[at.IS_RAMSCH]:
        power = 120 - (card >> 3) if card & 7 == JACK else (card & 7) + 1
        return -win * (points + 3.0) + 0.3 * power % 100 / 4.0
    value = (2.0 * win - 1.0) * points - worth_later(s, card, hidden, knobs)
    return value + lead_bonus(s, seat, card, hidden, knobs) if s[at.COUNT] == 0 else value


@kernel
def below(cards: int, card: int) -> int:
    """Those of the cards that are lower in the order of null and of the same suit."""
    return cards & MASKS[NULL, card >> 3] & ~ABOVE[NULL, card] & ~(1 << card)


@kernel
def danger(s: State, seat: int, card: int, hidden: int) -> float:
    """How exposed a card is in null: how many unseen lower ones there are for each own one."""
    return popcount(below(hidden, card)) - 1.5 * popcount(below(s[at.HAND + seat], card))


@kernel
def weigh_null(s: State, seat: int, card: int, hidden: int) -> float:
    """What a card promises in null: the declarer stays under, the defenders make him rise."""
    n = s[at.COUNT]
    suit = MASKS[NULL, card >> 3]
    is_declarer = seat == s[at.DECLARER]
    if n == 0:
        return _weigh_null_lead(s, seat, card, hidden)
    led = CLASS[NULL, s[at.TABLE]]
    if CLASS[NULL, card] != led:  # a free discard
        if is_declarer:
            return danger(s, seat, card, hidden) + 0.1 * NULL_RANK[card]
        return NULL_RANK[card] - popcount(s[at.HAND + seat] & suit)
    stays_under = not takes(s, card)
    if is_declarer:
        if stays_under:
            return 100.0 + NULL_RANK[card]
        if n == 2:
            return NULL_RANK[card]
        return -NULL_RANK[card]
    declarer_leads_it = s[at.BEST_SEAT] == s[at.DECLARER]
    declarer_has_played = declarer_leads_it or (n == 2 or (seat + 1) % at.PLAYERS != s[at.DECLARER])
    if declarer_leads_it:
        return 100.0 + NULL_RANK[card] if stays_under else -NULL_RANK[card]
    if declarer_has_played:
        return NULL_RANK[card]
    return 50.0 + NULL_RANK[card] if stays_under else -NULL_RANK[card]


@kernel
def _weigh_null_lead(s: State, seat: int, card: int, hidden: int) -> float:
    lower = below(hidden, card)
    suit = MASKS[NULL, card >> 3]
    if seat == s[at.DECLARER]:
        ducked = 1.0
        for k in range(1, at.PLAYERS):
            other = (seat + k) % at.PLAYERS
            void = 1.0 - chance_of_any(s, other, suit, hidden)
            ducked *= max(void, chance_of_any(s, other, lower, hidden))
        return -10.0 * ducked + 0.2 * danger(s, seat, card, hidden)
    declarer = s[at.DECLARER]
    friend = at.PLAYERS - seat - declarer
    stays_in = chance_of_any(s, declarer, suit, hidden | s[at.HAND + declarer])
    can_duck = chance_of_any(s, declarer, below(hidden | s[at.HAND + declarer], card), hidden)
    friend_ducks = max(1.0 - chance_of_any(s, friend, suit, hidden), chance_of_any(s, friend, lower, hidden))
    forced = max(0.0, stays_in - can_duck) * (0.3 + 0.7 * friend_ducks)
    return 10.0 * forced - 0.1 * NULL_RANK[card] - 0.1 * popcount(s[at.HAND + seat] & suit)


@kernel
def best_card(s: State, mask: Bools, knobs: Floats) -> int:
    """The legal card that promises most."""
    seat = s[at.TURN]
    hidden = unseen(s, seat)
    best = at.NOBODY
    most = 0.0
    left = s[at.HAND + seat]
    while left:
        card = lowest(left)
        left &= left - 1
        if mask[card]:
            value = weigh_null(s, seat, card, hidden) if s[at.CONTRACT] == NULL else weigh(s, seat, card, hidden, knobs)
            if best == at.NOBODY or value > most:
                best = card
                most = value
    return best
