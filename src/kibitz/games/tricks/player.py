"""A rule-based player for any trick-taking game of the kit.

Every legal card gets a worth from a few estimates: how likely the own side wins the trick with it, what lies in the
trick, and how much the card is still good for in the hand. It reads only what a view shows.
"""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import UNBOUND, bare
from kibitz.core.shapes import Bools, Floats
from kibitz.games.tricks import layout as at

ABOUT = "weighs who will win the trick and what lies in it; knob thrift: how much strong cards are saved"
KNOBS = {"thrift": 0.5}

# Bound by TrickGame: constants, tables, the game's hooks and the kernels below.
SEATS = CARDS = FIRST_CARD = FEWEST = BY_TRICKS = SITS_OUT = ALL_POINTS = EXCHANGES = PASSES = LAYS = UNBOUND
CLASS = MASKS = BEATEN_BY = STRENGTH = TRUMPS = WORTH = UNBOUND
beats = side = hand_size = can_beat = wins_trick = card_worth = cards_of = unseen = caller = next_seat = UNBOUND
given_away = UNBOUND


def first_call(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The first legal call."""
    for action in range(len(mask)):
        if mask[action]:
            return action
    return -1


def beat_chance(s: State, other: int, card: int, led: int, hidden: int) -> float:
    """The chance that a seat still to play can beat a card, when `led` are the cards of the class led."""
    contract = s[at.CONTRACT]
    out = popcount(hidden)
    left = min(hand_size(s, other), out)
    if out == 0 or left == 0:
        return 0.0
    could = hidden & ~s[at.LACKS + other]
    higher = popcount(could & BEATEN_BY[contract, card] & led)
    suit = popcount(could & led)
    ruffs = popcount(could & BEATEN_BY[contract, card] & ~led)
    share = left / out
    no_higher = (1.0 - share) ** higher
    no_suit = (1.0 - share) ** suit
    return 1.0 - no_higher + no_suit * (1.0 - (1.0 - share) ** ruffs)


def trick_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that the own side (in games for few points: the seat) wins the trick if the seat plays the card."""
    contract = s[at.CONTRACT]
    taking = s[at.COUNT] == 0 or beats(s, card)
    best = card if taking else s[at.BEST]
    holder = seat if taking else s[at.BEST_SEAT]
    first = card if s[at.COUNT] == 0 else s[at.TABLE]
    led = MASKS[contract, CLASS[contract, first]]
    own = side(s, holder) == side(s, seat)
    stays = 1.0
    other = seat
    for _ in range(SEATS - 1 - s[at.COUNT] - int(SITS_OUT and s[at.OUT] >= 0)):
        other = next_seat(s, other)
        if (side(s, other) == side(s, seat)) != own:
            stays *= 1.0 - can_beat(s, other, best, led, hidden)
    return stays if own else 1.0 - stays


def worth_of(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """What a card is worth: what the trick brings, less what a strong card is still good for."""
    contract = s[at.CONTRACT]
    chance = wins_trick(s, seat, card, hidden)
    if BY_TRICKS:
        stake = scale = float(SEATS)
    else:
        scale = 4.0 * ALL_POINTS / CARDS
        stake = float(WORTH[contract, card])
        for k in range(s[at.COUNT]):
            stake += WORTH[contract, s[at.TABLE + k]]
        stake += 0.7 * ALL_POINTS / CARDS * (SEATS - 1 - s[at.COUNT])
    strength = (STRENGTH[contract, card] + 1.0) / popcount(MASKS[contract, CLASS[contract, card]])
    if TRUMPS[contract] >> card & 1:
        strength += 1.0
    if FEWEST:
        return -chance * stake + (1.0 - chance) * WORTH[contract, card] + thrift * scale * strength
    return (2.0 * chance - 1.0) * stake - thrift * scale * strength


def give_away(s: State, seat: int) -> int:
    """The next card to pass on or to lay away: the dangerous ones where few points are wanted, else the weakest."""
    contract = max(0, s[at.CONTRACT])
    chosen = s[at.GIVEN + seat] if s[at.PHASE] == at.PASSING else s[at.LAID]
    hand = s[at.HAND + seat]
    wanted = 0
    for _ in range(PASSES if s[at.PHASE] == at.PASSING else LAYS):
        best, most = -1, -1.0e9
        left = hand & ~wanted
        while left:
            card = lowest(left)
            left &= left - 1
            worth = STRENGTH[contract, card] + 2.0 * WORTH[contract, card] + 100.0 * (TRUMPS[contract] >> card & 1)
            worth = worth if FEWEST else -worth
            if worth > most:
                best, most = card, worth
        wanted |= 1 << best
    return lowest(wanted & ~chosen)


def choose(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """The legal card worth most, the first of equals; calls by the game's own rule."""
    seat = view[at.TURN]
    if EXCHANGES and view[at.PHASE] >= at.PASSING and view[at.PHASE] <= at.LAYING:
        return int(FIRST_CARD + given_away(view, seat))
    if view[at.PHASE] != at.PLAYING:
        return int(caller(view, mask, r, knobs))
    table = bare(view)
    cards = cards_of(table, seat)
    best = lowest(cards)
    if popcount(cards) > 1:
        hidden = unseen(table, seat)
        most = -1.0e9
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            worth = card_worth(table, seat, card, hidden, knobs[0])
            if worth > most:
                most = worth
                best = card
    return int(FIRST_CARD + best)
