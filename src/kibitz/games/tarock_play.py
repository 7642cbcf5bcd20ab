"""How the rule-based players of Cego choose a card, whatever game is played.

Every legal card gets a worth from a few estimates: how likely the own side, the seat itself or the single player wins the
trick with it, what lies in the trick, and how much the card is still worth in the hand. The kernels read only what a
view shows.
"""

from __future__ import annotations

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.tarock import (
    ASIDE,
    BEST,
    BEST_SEAT,
    BETTEL,
    CLASS,
    CLASSES,
    COUNT,
    EXPOSED,
    GAME,
    GEISS,
    HALVES,
    HAND_CARDS,
    PICCOLO,
    PLAYED,
    RAEUBER,
    RANK,
    SEATS,
    SINGLE,
    SUITS,
    TAKEN,
    TRICK,
    TRUMP,
    TRUMPS,
    TURN,
    ULTIMO,
    VOIDS,
    beats,
    unseen,
)

SURELY = 1000.0
LIKELY_HALVES = 2.9
"""Twice the value of a card that somebody else will add to the trick, on average."""


@kernel
def strength(card: int) -> float:
    """How strong a card is when nothing is known of the trick: plain cards up to 8, trumps from 6 to 30."""
    return 6.0 + 24.0 * RANK[card] / 21.0 if CLASS[card] == TRUMP else 1.0 + RANK[card]


@kernel
def above(card: int) -> int:
    """The cards of the same suit that are higher."""
    return SUITS[CLASS[card]] & ~((1 << (card + 1)) - 1)


@kernel
def holds_any(cards: int, hidden: int, left: int) -> float:
    """The chance that a hand of so many cards out of the hidden ones holds one of the given."""
    out = popcount(hidden)
    missing = 1.0
    for k in range(min(popcount(cards & hidden), 8)):  # beyond eight it is as good as sure
        if out - k <= left:
            return 1.0
        missing *= 1.0 - left / (out - k)
    return 1.0 - missing


@kernel
def can_beat(s: State, other: int, card: int, led: int, hidden: int) -> float:
    """The chance that a seat still to play can beat a card in a trick in which class `led` was led."""
    left = HAND_CARDS - popcount(s[PLAYED + other])
    void = s[VOIDS] >> (CLASSES * other + led) & 1
    trumpless = s[VOIDS] >> (CLASSES * other + TRUMP) & 1
    higher = above(card) & hidden
    if led == TRUMP:
        return 0.0 if void else holds_any(higher, hidden, left)
    follows = 0.0 if void else holds_any(SUITS[led], hidden, left)
    trumps = TRUMPS & hidden if CLASS[card] != TRUMP else higher
    ruffs = 0.0 if trumpless else holds_any(trumps, hidden, left)
    beaten = holds_any(higher, hidden, left) if CLASS[card] == led and not void else 0.0
    return min(1.0, beaten + (1.0 - follows) * ruffs)


@kernel
def stays(s: State, seat: int, card: int, led: int, hidden: int, whom: int) -> float:
    """The chance that none of the seats `whom` (a mask) that play after the seat beats the card."""
    chance = 1.0
    for k in range(1, SEATS - s[COUNT]):
        other = (seat + k) & 3
        if whom >> other & 1:
            chance *= 1.0 - can_beat(s, other, card, led, hidden)
    return chance


@kernel
def in_trick(s: State) -> float:
    """Twice the value of the cards lying in the trick."""
    halves = 0.0
    for k in range(s[COUNT]):
        halves += HALVES[s[TRICK + k]]
    return halves


@kernel
def takes(s: State, card: int) -> bool:
    """Whether the card would be winning the trick when it is played."""
    if s[COUNT] == 0:
        return not s[EXPOSED] >> card & 1
    return beats(card, s[BEST], CLASS[s[TRICK]], s[EXPOSED])


@kernel
def own_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that the seat itself wins the trick with the card."""
    led = CLASS[card] if s[COUNT] == 0 else CLASS[s[TRICK]]
    return stays(s, seat, card, led, hidden, 15 & ~(1 << seat)) if takes(s, card) else 0.0


@kernel
def team_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that one of the three opponents of the single player wins the trick, if the seat plays the card."""
    led = CLASS[card] if s[COUNT] == 0 else CLASS[s[TRICK]]
    single = s[SINGLE]
    taking = takes(s, card)
    if (single - seat) & 3 < SEATS - s[COUNT]:
        best = card if taking or s[COUNT] == 0 else s[BEST]
        return 1.0 - can_beat(s, single, best, led, hidden)
    if taking or s[BEST_SEAT] != single:
        return 1.0
    return 1.0 - stays(s, seat, s[BEST], led, hidden, 15 & ~(1 << single))


@kernel
def single_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that the single player wins the trick, if an opponent plays the card and the others stay low."""
    led = CLASS[card] if s[COUNT] == 0 else CLASS[s[TRICK]]
    single = s[SINGLE]
    taking = takes(s, card)
    if (single - seat) & 3 < SEATS - s[COUNT]:
        return can_beat(s, single, card if taking or s[COUNT] == 0 else s[BEST], led, hidden)
    return 0.0 if taking or s[BEST_SEAT] != single else 1.0


@kernel
def points_worth(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """Cego and Solo: points won or lost in the trick, less what a strong card is still good for."""
    chance = own_chance(s, seat, card, hidden) if seat == s[SINGLE] else team_chance(s, seat, card, hidden)
    halves = in_trick(s) + HALVES[card] + LIKELY_HALVES * (SEATS - 1 - s[COUNT])
    # A strong card that is thrown under a trick is wasted altogether.
    return (2.0 * chance - 1.0) * halves - thrift * strength(card)


@kernel
def raeuber_worth(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """Räuber: stay clear of points, and get rid of cards that will win later."""
    chance = own_chance(s, seat, card, hidden)
    halves = in_trick(s) + HALVES[card] + LIKELY_HALVES * (SEATS - 1 - s[COUNT])
    return (1.0 - chance) * HALVES[card] - chance * halves + 1.6 * thrift * strength(card)


@kernel
def trick_worth(s: State, seat: int, card: int, hidden: int) -> float:
    """Bettel and Piccolo: the single player ducks, or takes his one trick; the others push tricks on him, or keep it from him."""
    first_wanted = s[GAME] == PICCOLO and s[TAKEN + s[SINGLE]] == 0
    if seat == s[SINGLE]:
        chance = own_chance(s, seat, card, hidden)
        if not first_wanted:
            return strength(card) - SURELY * chance
        return 20.0 * chance + (strength(card) if s[COUNT] > 0 else -strength(card))
    if first_wanted:
        return SURELY * team_chance(s, seat, card, hidden) - strength(card)
    pushed = single_chance(s, seat, card, hidden)
    return strength(card) if pushed == 0.0 else SURELY * pushed - strength(card)


@kernel
def ultimo_worth(s: State, seat: int, card: int, hidden: int) -> float:
    """Ultimo: the single player loses his plain cards first, then draws trumps; the others save their highest trump."""
    if seat != s[SINGLE]:
        if CLASS[card] == TRUMP:
            return -strength(card)
        return 20.0 * own_chance(s, seat, card, hidden) + 0.1 * strength(card)
    if card == GEISS:
        return -SURELY
    if s[COUNT] == 0:
        return strength(card) if CLASS[card] == TRUMP else 100.0 - strength(card)
    return 60.0 * own_chance(s, seat, card, hidden) - strength(card)


@kernel
def card_worth(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """What a card is worth to the seat in the game that is played."""
    game = s[GAME]
    if game == RAEUBER:
        return raeuber_worth(s, seat, card, hidden, thrift)
    if game in (BETTEL, PICCOLO):
        return trick_worth(s, seat, card, hidden)
    if game == ULTIMO:
        return ultimo_worth(s, seat, card, hidden)
    return points_worth(s, seat, card, hidden, thrift)


@kernel
def best_card(s: State, cards: int, thrift: float) -> int:
    """The legal card worth most; the first of equals."""
    seat = s[TURN]
    hidden = unseen(s, seat) & ~s[ASIDE]  # a view shows what lies aside only to who knows it
    best = lowest(cards)
    if popcount(cards) == 1:
        return best
    most = -1.0e9
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        worth = card_worth(s, seat, card, hidden, thrift)
        if worth > most:
            most = worth
            best = card
    return best
