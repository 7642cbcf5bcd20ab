"""The rule-based player of Cego: it bids by what its hand is worth and plays by who will win the trick, whatever game
is played.

Every legal card gets a worth from a few estimates: how likely the own side, the seat itself or the single player wins
the trick with it, what lies in the trick, and how much the card is still worth in the hand. The kernels read only
what a view shows.
"""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats
from kibitz.games.cego import rules
from kibitz.games.cego import table as cego
from kibitz.games.cego.rules import NO_CARD, discardable, keepable
from kibitz.games.tricks import layout as at

THRIFT, RAISE_AT, RAISE_BY, SETTLE_AT = range(4)
SURELY = 1000.0
LIKELY_HALVES = 2.9
"""Twice the value of a card that somebody else will add to the trick, on average."""


@kernel
def strength(card: int) -> float:
    """How strong a card is when nothing is known of the trick: plain cards up to 8, trumps from 6 to 30."""
    return 6.0 + 24.0 * cego.RANK[card] / 21.0 if cego.CLASS[card] == cego.TRUMP else 1.0 + cego.RANK[card]


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
    left = cego.HAND_CARDS - popcount(s[at.PLAYED + other])
    void = cego.is_void(s, other, led)
    trumpless = cego.is_void(s, other, cego.TRUMP)
    higher = cego.ABOVE[card] & hidden
    if led == cego.TRUMP:
        return 0.0 if void else holds_any(higher, hidden, left)
    follows = 0.0 if void else holds_any(cego.SUITS[led], hidden, left)
    trumps = cego.TRUMPS & hidden if cego.CLASS[card] != cego.TRUMP else higher
    ruffs = 0.0 if trumpless else holds_any(trumps, hidden, left)
    beaten = holds_any(higher, hidden, left) if cego.CLASS[card] == led and not void else 0.0
    return min(1.0, beaten + (1.0 - follows) * ruffs)


@kernel
def stays(s: State, seat: int, card: int, led: int, hidden: int, whom: int) -> float:
    """The chance that none of the seats `whom` (a mask) that play after the seat beats the card."""
    chance = 1.0
    for k in range(1, cego.SEATS - s[at.COUNT]):
        other = (seat + k) & 3
        if whom >> other & 1:
            chance *= 1.0 - can_beat(s, other, card, led, hidden)
    return chance


@kernel
def in_trick(s: State) -> float:
    """Twice the value of the cards lying in the trick."""
    halves = 0.0
    for k in range(s[at.COUNT]):
        halves += cego.HALVES[s[at.TABLE + k]]
    return halves


@kernel
def takes(s: State, card: int) -> bool:
    """Whether the card would be winning the trick when it is played."""
    if s[at.COUNT] == 0:
        return not s[cego.EXPOSED] >> card & 1
    return cego.beats(s, card)


@kernel
def own_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that the seat itself wins the trick with the card."""
    led = cego.CLASS[card] if s[at.COUNT] == 0 else cego.CLASS[s[at.TABLE]]
    return stays(s, seat, card, led, hidden, 15 & ~(1 << seat)) if takes(s, card) else 0.0


@kernel
def team_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that one of the three opponents of the single player wins the trick, if the seat plays the card."""
    single = s[at.DECLARER]
    alone = single_chance(s, seat, card, hidden)
    if (single - seat) & 3 < cego.SEATS - s[at.COUNT] or alone == 0.0:
        return 1.0 - alone
    return 1.0 - stays(s, seat, s[at.BEST], cego.CLASS[s[at.TABLE]], hidden, 15 & ~(1 << single))


@kernel
def single_chance(s: State, seat: int, card: int, hidden: int) -> float:
    """The chance that the single player wins the trick, if an opponent plays the card and the others stay low."""
    led = cego.CLASS[card] if s[at.COUNT] == 0 else cego.CLASS[s[at.TABLE]]
    single = s[at.DECLARER]
    taking = takes(s, card)
    if (single - seat) & 3 < cego.SEATS - s[at.COUNT]:
        return can_beat(s, single, card if taking or s[at.COUNT] == 0 else s[at.BEST], led, hidden)
    return 0.0 if taking or s[at.BEST_SEAT] != single else 1.0


@kernel
def points_worth(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """Cego and Solo: points won or lost in the trick, less what a strong card is still good for."""
    chance = own_chance(s, seat, card, hidden) if seat == s[at.DECLARER] else team_chance(s, seat, card, hidden)
    halves = in_trick(s) + cego.HALVES[card] + LIKELY_HALVES * (cego.SEATS - 1 - s[at.COUNT])
    # A strong card that is thrown under a trick is wasted altogether.
    return (2.0 * chance - 1.0) * halves - thrift * strength(card)


@kernel
def raeuber_worth(s: State, seat: int, card: int, hidden: int, thrift: float) -> float:
    """Räuber: stay clear of points, and get rid of cards that will win later."""
    chance = own_chance(s, seat, card, hidden)
    halves = in_trick(s) + cego.HALVES[card] + LIKELY_HALVES * (cego.SEATS - 1 - s[at.COUNT])
    return (1.0 - chance) * cego.HALVES[card] - chance * halves + 1.6 * thrift * strength(card)


@kernel
def trick_worth(s: State, seat: int, card: int, hidden: int) -> float:
    """Bettel and Piccolo: the single player ducks, or takes his one trick; the others push tricks on him or keep it."""
    first_wanted = s[at.CONTRACT] == cego.PICCOLO and s[at.TRICKS + s[at.DECLARER]] == 0
    if seat == s[at.DECLARER]:
        chance = own_chance(s, seat, card, hidden)
        if not first_wanted:
            return strength(card) - SURELY * chance
        return 20.0 * chance + (strength(card) if s[at.COUNT] > 0 else -strength(card))
    if first_wanted:
        return SURELY * team_chance(s, seat, card, hidden) - strength(card)
    pushed = single_chance(s, seat, card, hidden)
    return strength(card) if pushed == 0.0 else SURELY * pushed - strength(card)


@kernel
def ultimo_worth(s: State, seat: int, card: int, hidden: int) -> float:
    """Ultimo: the single player loses his plain cards first, then draws trumps; the others save their highest trump."""
    if seat != s[at.DECLARER]:
        if cego.CLASS[card] == cego.TRUMP:
            return -strength(card)
        return 20.0 * own_chance(s, seat, card, hidden) + 0.1 * strength(card)
    if card == cego.GEISS:
        return -SURELY
    if s[at.COUNT] == 0:
        return strength(card) if cego.CLASS[card] == cego.TRUMP else 100.0 - strength(card)
    return 60.0 * own_chance(s, seat, card, hidden) - strength(card)


@kernel
def card_worth(s: State, seat: int, card: int, seen: int, thrift: float) -> float:
    """What a card is worth to the seat in the game that is played."""
    game = s[at.CONTRACT]
    hidden = cego.unseen(s, seat)
    if game == cego.RAEUBER:
        return raeuber_worth(s, seat, card, hidden, thrift)
    if game in (cego.BETTEL, cego.PICCOLO):
        return trick_worth(s, seat, card, hidden)
    if game == cego.ULTIMO:
        return ultimo_worth(s, seat, card, hidden)
    return points_worth(s, seat, card, hidden, thrift)


@kernel
def announcement(hand: int, mask: Bools) -> int:
    """The best special game the hand is made for: the hands that the sub-games are restricted to."""
    trumps = popcount(hand & cego.TRUMPS)
    if mask[rules.SAY_ULTIMO] and hand >> cego.GEISS & 1 and trumps >= 8 and popcount(hand & cego.TOP_TRUMPS) >= 2:
        return rules.SAY_ULTIMO
    if mask[rules.SAY_SOLO] and cego.fits_solo(hand):
        return rules.SAY_SOLO
    if mask[rules.SAY_BETTEL] and hand & cego.HIGH == 0:
        return rules.SAY_BETTEL
    return rules.PASS


@kernel
def bid(hand: int, mask: Bools, knobs: Floats) -> int:
    """The lowest level on offer that the hand is worth: it goes to the Legage, so its points are what counts."""
    points = cego.worth(hand) / 2.0
    for word in range(rules.SAY_CEGO, rules.SAY_ZWEI_VERSCHIEDENE + 1):
        if mask[word]:
            return word if points >= knobs[RAISE_AT] + knobs[RAISE_BY] * (word - rules.SAY_EINE) else quiet(mask)
    return quiet(mask)


@kernel
def quiet(mask: Bools) -> int:
    """Pass, or hold where passing is not allowed."""
    return rules.PASS if mask[rules.PASS] else rules.HOLD


@kernel
def kept(view: State, cards: int) -> int:
    """The strongest card that may be kept; of cards that must be exposed the weakest."""
    sign = -1.0 if view[at.CONTRACT] >= cego.EINE_LEERE else 1.0
    best = lowest(cards)
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if sign * strength(card) > sign * strength(best):
            best = card
    return best


@kernel
def first_kept(view: State, cards: int) -> int:
    """Of two strongest cards, named in rising number, the lower one."""
    hand = view[at.HAND + view[at.TURN]]
    one = kept(view, hand)
    other = kept(view, hand & ~(1 << one))
    first = min(one, other)
    return first if cards >> first & 1 else kept(view, cards)


@kernel
def laid_away(cards: int) -> int:
    """The card that brings most points to the Legage and is missed least in the play."""
    best = lowest(cards)
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        if cego.HALVES[card] - 0.35 * strength(card) > cego.HALVES[best] - 0.35 * strength(best):
            best = card
    return best


@kernel
def caller(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Announce, bid and exchange by what the hand is worth."""
    phase = view[at.PHASE]
    hand = view[at.HAND + view[at.TURN]]
    if phase == cego.ANNOUNCE:
        word = announcement(hand, mask)
        return word if mask[word] else rules.SAY_SOLO
    if phase == cego.SETTLE:
        return rules.SAY_CEGO if cego.worth(hand) / 2.0 >= knobs[SETTLE_AT] else rules.SAY_RAEUBER
    if phase == cego.KEEP:
        cards = keepable(hand, view[at.CONTRACT], lowest(view[rules.KEPT]) if view[rules.KEPT] else NO_CARD)
        return first_kept(view, cards) if view[at.CONTRACT] < cego.EINE_LEERE else kept(view, cards)
    if phase == cego.DISCARD:
        return laid_away(discardable(hand, view[cego.BLIND], view[at.CONTRACT]))
    return bid(hand, mask, knobs)
