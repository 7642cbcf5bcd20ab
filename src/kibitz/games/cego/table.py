"""The 54 cards of Cego and the table they are played on: what the whole game and the sub-games share.

Both have four options; then come the slots named here, at the same places. Numbers are those of RULES.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.tables import Contract, tables

BLACK, RED, COURTS = ("7", "8", "9", "10"), ("4", "3", "2", "1"), ("J", "R", "Q", "K")
NUMBERS = (*map(str, range(1, 22)), "G")
TAROCK = Deck((*suited("cs", BLACK + COURTS), *suited("hd", RED + COURTS), *suited("t", NUMBERS)))
"""1.6: a card's number is its place."""
CARDS, SEATS, HAND_CARDS, BLIND_CARDS = 54, 4, 11, 10
ALL = (1 << CARDS) - 1
TRUMP, CLASSES = 4, 5
GEISS, MOND, GSTIESS = 32, 52, 53
DEAR = {"J": 3, "R": 5, "Q": 7, "K": 9}
VALUES = {name: DEAR.get(name[:-1], 1) for name in TAROCK.names} | {TAROCK.names[c]: 9 for c in (GEISS, MOND, GSTIESS)}
"""1.5: twice the value of each card."""
TITLES = (
    "Standard-Cego", "Solo", "Ultimo", "Bettel", "Piccolo", "Räuber",
    "Cego", "Eine", "Eine Leere", "Zwei Leere", "Zwei Verschiedene",
)  # fmt: skip
STANDARD, SOLO, ULTIMO, BETTEL, PICCOLO, RAEUBER, CEGO, EINE, EINE_LEERE, ZWEI_LEERE, ZWEI_VERSCHIEDENE = range(11)
"""The games a table can play: the six sub-games, then the levels of Cego from low to high."""
UNDECIDED = -1
CONTRACTS = tuple(
    Contract(name, " ".join(BLACK + RED + COURTS), "t", " ".join(NUMBERS), points=VALUES) for name in TITLES
)
TABLES = tables(TAROCK, "cshd", CONTRACTS)
CLASS, RANK, HALVES = TABLES.classes[0].copy(), TABLES.strength[0].copy(), TABLES.worth[0].copy()
SUITS, BEATEN_BY, ABOVE = TABLES.masks[0].copy(), TABLES.beaten_by[0].copy(), TABLES.above[0].copy()
"""Cards are the same in all games, so one row of the tables is enough."""
TRUMPS = TO_TRUMP = int(SUITS[TRUMP])
TO_FOLLOW = SUITS[CLASS]
"""What the duty asks for, by the card led; the solver, which binds the kit's tables to a duty, leaves these names
alone.
"""
PLAIN = ALL & ~TRUMPS
HALVES_TO_WIN, ALL_HALVES = 80, 158  # 3.1: 40 of 79 points
EMPTIES = sum(1 << card for card in range(GEISS) if card % 8 < 4)  # 1.4
LOW = sum(1 << card for card in range(CARDS) if RANK[card] < 6)  # 4.4
HIGH = ALL & ~LOW
TOP_TRUMPS = sum(1 << card for card in range(GEISS + 16, CARDS))  # 17t and above

BLIND, EXPOSED, WINNERS = range(at.OWN + 4, at.OWN + 7)
"""The blind as it was dealt; cards that can never win (8.7); every card that has won a trick."""
SHARED = 3
"""How many slots these are."""
ANNOUNCE, CONTRA, RAISE, SETTLE, KEEP, DISCARD = range(at.FURTHER, at.FURTHER + 6)
"""Phases of the whole game before the play (6.3)."""


@kernel
def worth(cards: int) -> int:
    """Twice the value of a set of cards."""
    halves = 0
    left = cards
    while left:
        halves += HALVES[lowest(left)]
        left &= left - 1
    return halves


@kernel
def duty(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """Rules 2.1, 2.2 and 8.6: follow suit, else trump; the first leads are bound by exposed cards."""
    if led < 0:
        cards = leads(s) if s[EXPOSED] != 0 and k == 0 else at.ANY
    else:
        cards = TO_FOLLOW[led] if k == 0 else TO_TRUMP
    return cards, cards


@kernel
def leads(s: State) -> int:
    """Rule 8.6: the cards of which one must be led."""
    game, done, exposed = s[at.CONTRACT], s[at.DONE], s[EXPOSED]
    if (done == 0 and game == EINE_LEERE) or (done < 2 and game == ZWEI_LEERE):
        return SUITS[CLASS[lowest(exposed)]]
    return exposed if done < 2 and game == ZWEI_VERSCHIEDENE else at.ANY


@kernel
def beats(s: State, card: int) -> bool:
    """Rules 2.4 and 8.7: whether a card takes the trick over from the card that is winning it."""
    best = s[at.BEST]
    exposed = s[EXPOSED]
    if exposed != 0:
        led = CLASS[s[at.TABLE]]
        if exposed >> card & 1:
            return False
        if exposed >> best & 1 or (CLASS[card] == led and CLASS[best] != led and CLASS[best] != TRUMP):
            return True
    return BEATEN_BY[best] >> card & 1 == 1


@kernel
def after_card(s: State, seat: int, card: int) -> None:
    """Rule 3.2: an Ultimo is lost when the Geiss falls early; its trick need not be completed."""
    if card == GEISS and s[at.CONTRACT] == ULTIMO and s[at.COUNT] < SEATS and s[at.DONE] < HAND_CARDS - 1:
        s[at.PHASE] = at.ENDED
        s[at.TURN] = OVER


@kernel
def after_trick(s: State, winner: int) -> None:
    """Part 3: whether the game ends with the trick."""
    s[WINNERS] |= 1 << s[at.BEST]
    game = s[at.CONTRACT]
    if game == ULTIMO:
        if s[at.TABLE + SEATS - 1] == GEISS:
            s[at.PHASE] = at.ENDED
    elif game in (BETTEL, PICCOLO) and s[at.TRICKS + s[at.DECLARER]] > game - BETTEL:
        s[at.PHASE] = at.ENDED


@kernel
def next_leader(s: State, winner: int) -> int:
    """Rules 2.5 and 8.6: the declarer leads to the second trick too if he has exposed two cards."""
    return s[at.DECLARER] if s[at.DONE] == 1 and s[at.CONTRACT] >= ZWEI_LEERE else winner


@kernel
def side(s: State, seat: int) -> int:
    """Rule 3.10: 0 is the single player, 1 his opponents; before a game is settled, and in Räuber, each is a side."""
    return seat if s[at.CONTRACT] == UNDECIDED or s[at.CONTRACT] == RAEUBER else int(seat != s[at.DECLARER])


@kernel
def counts_points(s: State) -> bool:
    """Whether card points decide between two sides."""
    return s[at.CONTRACT] <= SOLO or s[at.CONTRACT] >= CEGO


@kernel
def single_halves(s: State) -> int:
    """Rule 3.1: twice the points of the single player, what lies aside for him included."""
    return s[at.POINTS + s[at.DECLARER]] + worth(s[at.ASIDE])


@kernel
def is_made(s: State) -> bool:
    """Rules 3.1 to 3.4: whether the single player reached his aim."""
    game = s[at.CONTRACT]
    if game == ULTIMO:
        return s[at.DONE] == HAND_CARDS and s[WINNERS] >> GEISS & 1 == 1
    if game in (BETTEL, PICCOLO):
        return s[at.TRICKS + s[at.DECLARER]] == game - BETTEL
    return single_halves(s) >= HALVES_TO_WIN


@kernel
def robbed(s: State, all_tied: int) -> int:
    """Rules 3.5 and 3.6: the seats that lose a Räuber, as a mask."""
    most = max(max(s[at.POINTS], s[at.POINTS + 1]), max(s[at.POINTS + 2], s[at.POINTS + 3]))
    losers = 0
    for k in range(SEATS):
        seat = (max(0, s[at.DECLARER]) + k) & 3
        if s[at.POINTS + seat] == most and (all_tied == 1 or losers == 0):
            losers |= 1 << seat
    return losers


@kernel
def winning_seats(s: State, all_tied: int) -> int:
    """Rule 3.9: the seats that have won a game that is over, as a mask."""
    if s[at.CONTRACT] == RAEUBER:
        return 15 ^ robbed(s, all_tied)
    return 1 << s[at.DECLARER] if is_made(s) else 15 ^ 1 << s[at.DECLARER]


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
    """The cards that are neither played nor in the seat's own hand, nor lie aside where it knows them."""
    cards = ALL & ~(s[at.PLAYED] | s[at.PLAYED + 1] | s[at.PLAYED + 2] | s[at.PLAYED + 3] | s[at.HAND + seat])
    return cards & ~s[at.ASIDE] if knows_aside(s, seat) else cards


@kernel
def knows_aside(s: State, seat: int) -> bool:
    """Rules 4.8 and 6.5: who has taken up the blind knows it, and what he laid away."""
    return seat == s[at.DECLARER] and has_taken(s)


@kernel
def has_taken(s: State) -> bool:
    """Whether the blind has been taken up."""
    return (s[at.CONTRACT] == STANDARD or s[at.CONTRACT] >= CEGO) and s[at.PHASE] != KEEP


@kernel
def is_void(s: State, seat: int, suit: int) -> bool:
    """Whether a seat has shown that it holds none of a class."""
    return SUITS[suit] & ~s[at.LACKS + seat] == 0


def tarock_game(**declared: Any) -> TrickGame:
    """What the declarations of both games have in common."""
    hooks: dict[str, Callable[..., Any]] = {
        "duty": duty, "beats": beats, "after_card": after_card, "after_trick": after_trick, "next_leader": next_leader,
        "side": side,
    }  # fmt: skip
    return TrickGame(
        "cego", deck=TAROCK, suits="cshd", seats=SEATS, each=HAND_CARDS, contracts=CONTRACTS, rungs=2, unit=0.5,
        starts=("",), start=lambda s: 0, rest="the blind", **{**hooks, **declared},
    )  # fmt: skip
