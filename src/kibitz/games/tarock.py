"""The 54 cards of Cego and the table they are played on: what the sub-games and the whole game share.

Both games keep these words at the same places of their state, so one kernel plays a card for both. Numbers in comments are
those of Cego's RULES.md.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks.power import class_masks, follow, power_table, total

BLACK = ("7", "8", "9", "10", "J", "R", "Q", "K")
RED = ("4", "3", "2", "1", "J", "R", "Q", "K")
TAROCK = Deck(
    (*suited("cs", BLACK), *suited("hd", RED), *suited("t", [*map(str, range(1, 22)), "G"]))
)  # 1.6: a card's number is its place
CARDS = 54
SEATS = 4
HAND_CARDS = 11
BLIND_CARDS = 10
LONGEST_PLAY = SEATS * HAND_CARDS
ALL = (1 << CARDS) - 1
CLASSES = 5
TRUMP = 4
GEISS, MOND, GSTIESS = 32, 52, 53

CLASS = np.array([min(card // 8, TRUMP) for card in range(CARDS)])
RANK = np.array([card % 8 if card < GEISS else card - GEISS for card in range(CARDS)])
SUITS = class_masks(CLASS, CLASSES)
POWER = power_table(CLASS, RANK + 1, CLASSES, TRUMP)
TRUMPS = int(SUITS[TRUMP])
PLAIN = ALL & ~TRUMPS
HALVES = np.array([(1, 1, 1, 1, 3, 5, 7, 9)[card % 8] if card < GEISS else 1 for card in range(CARDS)])
"""1.5: twice the value of each card."""
HALVES[[GEISS, MOND, GSTIESS]] = 9
HALVES_TO_WIN = 80  # 3.1: 40 of 79 points
ALL_HALVES = 158

EMPTIES = sum(1 << card for card in range(GEISS) if card % 8 < 4)  # 1.4
LOW = sum(1 << card for card in range(CARDS) if RANK[card] < 6)  # 4.4
HIGH = ALL & ~LOW
TOP_TRUMPS = sum(1 << card for card in range(GEISS + 16, CARDS))  # 17t and above
SAME_RANK = np.array([sum(1 << (8 * suit + rank) for suit in range(4)) for rank in range(8)])

# The games a table can play: the six sub-games, then the levels of Cego from low to high.
STANDARD, SOLO, ULTIMO, BETTEL, PICCOLO, RAEUBER = range(6)
CEGO, EINE, EINE_LEERE, ZWEI_LEERE, ZWEI_VERSCHIEDENE = range(6, 11)
UNDECIDED = -1

# Words of the state. Four words of options come first; the move log comes last, behind what a game adds.
GAME, TURN, LEADER, SINGLE, TRICKS, COUNT, BEST, BEST_SEAT = range(4, 12)
TRICK = 12
"""The first three cards of the current trick."""
HAND = 15
ASIDE = 19
"""The ten cards that lie aside: the Legage, or the blind in games that leave it alone."""
BLIND = 20
"""The blind as it was dealt."""
EXPOSED = 21
WON = 22
"""Twice the value of each seat's tricks."""
TAKEN = 26
PLAYED = 30
VOIDS = 34
"""Bit CLASSES * seat + class: the seat has shown that it holds none of the class."""
WINNERS = 35
"""Every card that has won a trick."""
MADE = 36
"""Ultimo: whether the Geiss won the last trick."""
TABLE = 37
"""Where a game's own words begin."""
NOTHING = -1


@kernel
def clear_table(s: State) -> None:
    """An empty table; hands, blind and who leads are still to be set."""
    s[GAME:TABLE] = 0
    s[BEST] = s[BEST_SEAT] = NOTHING
    s[TRICK : TRICK + 3] = NOTHING


@kernel
def worth(cards: int) -> int:
    """Twice the value of a set of cards."""
    return int(total(cards, HALVES))


@kernel
def following(s: State, hand: int) -> int:
    """Rule 2.2: the cards of a hand that may be played to the current trick; any may be led."""
    if s[COUNT] == 0:
        return hand
    return follow(hand, SUITS[CLASS[s[TRICK]]], TRUMPS)


@kernel
def beats(card: int, best: int, led: int, exposed: int) -> bool:
    """Rules 2.4 and 8.7: whether a card takes the trick over from the card that is winning it."""
    above = POWER[led, card] - POWER[led, best]
    if exposed == 0:
        return above > 0
    if exposed >> card & 1:
        return False
    if exposed >> best & 1:
        return True
    if above == 0:  # both are powerless: an exposed card was led and nobody followed suit
        return CLASS[card] == CLASS[best] and card > best
    return above > 0


@kernel
def play_card(s: State, card: int) -> None:
    """Part 2: a card of the seat to move goes to the trick; a full trick goes to its winner."""
    seat = s[TURN]
    count = s[COUNT]
    s[HAND + seat] &= ~(1 << card)
    s[PLAYED + seat] |= 1 << card
    if count == 0:
        s[BEST] = card
        s[BEST_SEAT] = seat
    else:
        led = CLASS[s[TRICK]]
        suit = CLASS[card]
        # Without branches: whether a seat follows suit or takes the trick is what a processor guesses worst.
        strange = int(suit != led)
        s[VOIDS] |= strange << (CLASSES * seat + led) | (strange & int(suit != TRUMP)) << (CLASSES * seat + TRUMP)
        taking = beats(card, s[BEST], led, s[EXPOSED])
        s[BEST] = card if taking else s[BEST]
        s[BEST_SEAT] = seat if taking else s[BEST_SEAT]
    if count < SEATS - 1:
        s[TRICK + count] = card
        s[COUNT] = count + 1
        s[TURN] = (seat + 1) & 3
        if card == GEISS and s[GAME] == ULTIMO and s[TRICKS] < HAND_CARDS - 1:
            s[TURN] = OVER  # 3.2: the trick need not be completed
    else:
        take_trick(s, card)
        if is_decided(s, card):
            s[TURN] = OVER


@kernel
def take_trick(s: State, last: int) -> None:
    """Rule 2.5: the full trick, whose fourth card is given, goes to its winner."""
    winner = s[BEST_SEAT]
    s[WON + winner] += HALVES[s[TRICK]] + HALVES[s[TRICK + 1]] + HALVES[s[TRICK + 2]] + HALVES[last]
    s[TAKEN + winner] += 1
    s[WINNERS] |= 1 << s[BEST]
    s[TRICKS] += 1
    if s[TRICKS] == HAND_CARDS:
        s[MADE] = s[BEST] == GEISS
    if s[TRICKS] == 1 and s[GAME] >= ZWEI_LEERE:
        winner = s[SINGLE]  # 8.6: the declarer leads to the second trick too
    s[LEADER] = s[TURN] = winner
    s[COUNT] = 0
    s[BEST] = s[BEST_SEAT] = s[TRICK] = s[TRICK + 1] = s[TRICK + 2] = NOTHING


@kernel
def is_decided(s: State, last: int) -> bool:
    """Part 3: whether the game ends with a trick whose fourth card is given."""
    game = s[GAME]
    if s[TRICKS] == HAND_CARDS:
        return True
    if game == BETTEL:
        return s[TAKEN + s[SINGLE]] > 0
    if game == PICCOLO:
        return s[TAKEN + s[SINGLE]] > 1
    return game == ULTIMO and last == GEISS


@kernel
def single_halves(s: State) -> int:
    """Rule 3.1: twice the points of the single player, what lies aside for him included."""
    return s[WON + s[SINGLE]] + worth(s[ASIDE])


@kernel
def is_made(s: State) -> bool:
    """Rules 3.1 to 3.4: whether the single player reached his aim."""
    game = s[GAME]
    if game == ULTIMO:
        return s[MADE] == 1
    if game == BETTEL:
        return s[TAKEN + s[SINGLE]] == 0
    if game == PICCOLO:
        return s[TAKEN + s[SINGLE]] == 1
    return single_halves(s) >= HALVES_TO_WIN


@kernel
def robbed(s: State, all_tied: int) -> int:
    """Rules 3.5 and 3.6: the seats that lose a Räuber, as a mask."""
    most = max(max(s[WON], s[WON + 1]), max(s[WON + 2], s[WON + 3]))
    losers = 0
    for k in range(SEATS):
        seat = (s[SINGLE] + k) & 3
        if s[WON + seat] == most and (all_tied == 1 or losers == 0):
            losers |= 1 << seat
    return losers


@kernel
def winning_seats(s: State, all_tied: int) -> int:
    """Rule 3.9: the seats that have won a game that is over, as a mask."""
    if s[GAME] == RAEUBER:
        return 15 ^ robbed(s, all_tied)
    return 1 << s[SINGLE] if is_made(s) else 15 ^ 1 << s[SINGLE]


@kernel
def fits_solo(hand: int) -> bool:
    """Rules 4.3 and 7.3: eight trumps, or seven good ones and at most two plain suits."""
    trumps = popcount(hand & TRUMPS)
    if trumps != 7:
        return trumps > 7
    suits = 0
    for suit in range(TRUMP):
        suits += hand & SUITS[suit] != 0
    return suits <= 2 and popcount(hand & TOP_TRUMPS) >= 2


@kernel
def unseen(s: State, seat: int) -> int:
    """The cards that are neither played nor in the seat's own hand."""
    return ALL & ~(s[PLAYED] | s[PLAYED + 1] | s[PLAYED + 2] | s[PLAYED + 3] | s[HAND + seat])
