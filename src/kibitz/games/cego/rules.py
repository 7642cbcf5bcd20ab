"""The whole game of Cego: announcements, auction, exchange (part 8) and payment. Numbers are those of RULES.md."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats, Ints
from kibitz.games.cego import table as cego
from kibitz.games.cego.table import CEGO, CLASS, EINE, EINE_LEERE, EMPTIES, PLAIN, TRUMPS, ZWEI_LEERE, ZWEI_VERSCHIEDENE
from kibitz.games.tricks import layout as at

NO_CARD = -1


@kernel
def keeps_two(level: int) -> bool:
    """Rule 8.1: whether the level keeps two cards, and so discards one."""
    return level == CEGO or level >= ZWEI_LEERE


@kernel
def is_pair(level: int, one: int, other: int) -> bool:
    """Whether two cards can be kept together, courts and empties apart."""
    if level == ZWEI_LEERE:
        return CLASS[one] == CLASS[other]
    return level != ZWEI_VERSCHIEDENE or CLASS[one] != CLASS[other]


@kernel
def pairs(hand: int, level: int, first: int) -> int:
    """Rules 8.2 and 8.3: the first cards of the pairs that may be kept, or the second cards that go with a first."""
    cards = hand if level == CEGO else hand & PLAIN
    most = -1
    found = 0
    left = cards
    while left:
        one = lowest(left)
        left &= left - 1
        rest = left
        while rest:
            other = lowest(rest)
            rest &= rest - 1
            if is_pair(level, one, other):
                empties = 0 if level == CEGO else popcount((1 << one | 1 << other) & EMPTIES)
                if empties > most:
                    most = empties
                    found = 0
                if empties == most:
                    if first == NO_CARD:
                        found |= 1 << one
                    elif first == one:
                        found |= 1 << other
    return found


@kernel
def keepable(hand: int, level: int, first: int) -> int:
    """Rule 8.2: the cards that may be named next, after the first one or NO_CARD."""
    if level == EINE:
        return hand
    if level == EINE_LEERE:
        return hand & EMPTIES if hand & EMPTIES else hand & PLAIN
    return pairs(hand, level, first)


@kernel
def discardable(hand: int, blind: int, level: int) -> int:
    """Rule 8.4: the cards that may be laid away after the blind has been taken up."""
    trumps = blind & TRUMPS
    if level == CEGO:
        return hand
    if trumps == 0:
        return blind
    return 1 << (lowest(trumps) if level == ZWEI_LEERE else highest(trumps))


TIE, DEALER, CONTRA_SOLO, COMPULSORY = range(at.OWN, at.OWN + 4)
BID, SOLOIST, PASSED, KEPT, LAID_AWAY, SAID = range(at.OWN + 4 + cego.SHARED, at.OWN + 10 + cego.SHARED)
"""The standing word; the soloist of the phase contra; seats out of the auction; cards kept; the card discarded;
words of the auction."""
DEALT = SAID + 1
OWN_SLOTS = cego.SHARED + 6 + cego.SEATS
LOG = at.OWN + 4 + OWN_SLOTS
BLANK = NOBODY = at.NOTHING

SPOKEN = (
    "pass", "hold", "cego", "eine", "eine-leere", "zwei-leere", "zwei-verschiedene",
    "raeuber", "bettel", "piccolo", "solo", "ultimo",
)  # fmt: skip
PASS, HOLD, SAY_CEGO, SAY_EINE, SAY_EINE_LEERE, SAY_ZWEI_LEERE, SAY_ZWEI_VERSCHIEDENE = range(
    cego.CARDS, cego.CARDS + 7
)
SAY_RAEUBER, SAY_BETTEL, SAY_PICCOLO, SAY_SOLO, SAY_ULTIMO = range(cego.CARDS + 7, cego.CARDS + 12)
GAME_OF = np.array([
    cego.UNDECIDED, cego.CEGO, cego.CEGO, cego.EINE, cego.EINE_LEERE, cego.ZWEI_LEERE, cego.ZWEI_VERSCHIEDENE,
    cego.RAEUBER, cego.BETTEL, cego.PICCOLO, cego.SOLO, cego.ULTIMO,
])  # fmt: skip
"""The game that each word of the auction stands for."""
MOST_SAID = 11
"""Words of the auction; three more may follow in the exchange."""

FIXED = np.zeros(cego.CEGO, np.int64)
FIXED[[cego.ULTIMO, cego.PICCOLO, cego.BETTEL]] = 80, 40, 30  # 9.2
ROBBED, ANNOUNCER_ROBBED = 40, 80  # 9.5
GAMES = len(cego.TITLES)
TALLIES = 2 * GAMES
"""How often each game was played, and won by its single player."""


@kernel
def shuffle(s: State, r: rng.Rng, pack: Ints) -> int:
    """Rule 1.7."""
    rng.shuffle(r, pack, cego.SEATS * cego.HAND_CARDS)
    return 0


@kernel
def opening(s: State, number: int) -> None:
    """Rules 6.1 and 6.3: forehand is to announce."""
    s[at.DEALER] = s[DEALER]
    s[at.TURN] = s[at.LEADER] = s[at.DECLARER] = (s[DEALER] + 1) & 3
    s[at.CONTRACT] = cego.UNDECIDED
    s[at.PHASE] = cego.ANNOUNCE
    s[SOLOIST] = NOBODY
    s[LAID_AWAY] = BLANK
    s[cego.BLIND] = s[at.ASIDE]
    for seat in range(cego.SEATS):
        s[DEALT + seat] = s[at.HAND + seat]


@kernel
def bit(word: int) -> int:
    """A word of the auction in the mask of `calls`."""
    return 1 << (word - cego.CARDS)


@kernel
def announcements(s: State, hand: int) -> int:
    """Rules 7.1 and 7.3."""
    words = 0
    for word in range(max(SAY_BETTEL, s[BID] + 1), SAY_ULTIMO + 1):
        if word != SAY_ULTIMO or hand >> cego.GEISS & 1:
            words |= bit(word)
    if s[COMPULSORY] == 1 and s[BID] < SAY_SOLO and cego.fits_solo(hand):
        return words & (bit(SAY_SOLO) | bit(SAY_ULTIMO))
    return words | bit(PASS)


@kernel
def bids(s: State, hand: int) -> int:
    """Rules 7.5 to 7.8 and 7.10."""
    words = bit(PASS)
    lowest_level = SAY_CEGO
    if s[at.PHASE] == cego.RAISE:
        lowest_level = SAY_EINE
        if s[BID] == 0:
            words = bit(HOLD)
    for word in range(max(lowest_level, s[BID] + 1), SAY_ZWEI_VERSCHIEDENE + 1):
        if keepable(hand, GAME_OF[word - cego.CARDS], NO_CARD):
            words |= bit(word)
    return words


@kernel
def calls(s: State) -> int:
    """The words that may be said, or the cards that may be kept or laid away."""
    hand = s[at.HAND + s[at.TURN]]
    phase = s[at.PHASE]
    if phase == cego.ANNOUNCE:
        return announcements(s, hand)
    if phase == cego.SETTLE:
        return bit(SAY_CEGO) | bit(SAY_RAEUBER)
    if phase == cego.KEEP:
        return keepable(hand, s[at.CONTRACT], lowest(s[KEPT]) if s[KEPT] else NO_CARD)
    if phase == cego.DISCARD:
        return discardable(hand, s[cego.BLIND], s[at.CONTRACT])
    return bids(s, hand)


@kernel
def call_block(s: State) -> int:
    """The action that bit 0 of `calls` stands for."""
    return cego.CARDS if s[at.PHASE] < cego.KEEP else 0


@kernel
def call(s: State, action: int) -> None:
    """Say a word, keep a card or lay one away."""
    phase = s[at.PHASE]
    if phase == cego.ANNOUNCE:
        announce(s, action)
    elif phase == cego.SETTLE:
        settle_on(s, GAME_OF[action - cego.CARDS])
    elif phase == cego.KEEP:
        keep(s, action)
    elif phase == cego.DISCARD:
        s[at.HAND + s[at.TURN]] &= ~(1 << action)
        s[at.ASIDE] |= 1 << action
        s[LAID_AWAY] = action
        lead(s)
    else:
        bid(s, action)


@kernel
def announce(s: State, word: int) -> None:
    """Rules 7.1 to 7.4."""
    forehand = (s[at.DEALER] + 1) & 3
    if word != PASS:
        s[BID] = word
        s[at.DECLARER] = s[at.TURN]
    s[at.TURN] = (s[at.TURN] + 1) & 3
    if word != SAY_ULTIMO and s[at.MOVES] < cego.SEATS:
        return
    if s[BID] == 0:
        s[at.PHASE] = cego.RAISE
        s[at.TURN] = forehand
    elif s[BID] == SAY_SOLO and s[CONTRA_SOLO] == 1:
        s[at.PHASE] = cego.CONTRA
        s[SOLOIST] = s[at.DECLARER]
        s[PASSED] = 1 << s[at.DECLARER]
        s[BID] = 0
        s[at.TURN] = forehand if forehand != s[SOLOIST] else (forehand + 1) & 3
    else:
        settle_on(s, GAME_OF[s[BID] - cego.CARDS])


@kernel
def bid(s: State, word: int) -> None:
    """Rules 7.5 to 7.7 and 7.10."""
    if word == PASS:
        s[PASSED] |= 1 << s[at.TURN]
    else:
        s[BID] = word
        s[at.DECLARER] = s[at.TURN]
    for k in range(1, cego.SEATS):
        rival = (s[at.TURN] + k) & 3
        if rival != s[at.DECLARER] and not s[PASSED] >> rival & 1 and word != SAY_ZWEI_VERSCHIEDENE:
            s[at.TURN] = rival
            return
    if s[BID] == 0:
        settle_on(s, cego.SOLO)
    elif s[BID] == HOLD:
        s[at.PHASE] = cego.SETTLE
        s[at.TURN] = s[at.DECLARER]
    else:
        settle_on(s, GAME_OF[s[BID] - cego.CARDS])


@kernel
def settle_on(s: State, game: int) -> None:
    """The game to be played is fixed: the exchange comes next in the levels of Cego, the play in all others."""
    s[at.CONTRACT] = game
    s[SAID] = s[at.MOVES]
    s[at.TURN] = s[at.DECLARER]
    if game >= cego.CEGO:
        s[at.PHASE] = cego.KEEP
    else:
        lead(s)


@kernel
def keep(s: State, card: int) -> None:
    """Rule 8.1: when all cards are named the rest is laid away and the blind taken up."""
    seat = s[at.DECLARER]
    two = keeps_two(s[at.CONTRACT])
    s[KEPT] |= 1 << card
    if two and popcount(s[KEPT]) < 2:
        return
    s[at.ASIDE] = s[at.HAND + seat] & ~s[KEPT]
    s[at.HAND + seat] = s[KEPT] | s[cego.BLIND]
    if two:
        s[at.PHASE] = cego.DISCARD
    else:
        lead(s)


@kernel
def lead(s: State) -> None:
    """Rule 3.8: the single player leads the first trick."""
    s[at.PHASE] = at.PLAYING
    s[at.TURN] = s[at.LEADER] = s[at.DECLARER]
    if s[at.CONTRACT] >= cego.EINE_LEERE:
        s[cego.EXPOSED] = s[KEPT]


@kernel
def spoken(s: State) -> int:
    """How many moves were made before the play, or so far."""
    return s[at.MOVES] - cego.SEATS * s[at.DONE] - s[at.COUNT]


@kernel
def hides_words(s: State, seat: int) -> bool:
    """Rule 6.5: whether the words of keep and discard are hidden from the seat."""
    return s[at.CONTRACT] >= cego.CEGO and s[at.CONTRACT] < cego.EINE_LEERE and seat != s[at.DECLARER]


@kernel
def value(s: State) -> int:
    """Rules 9.2 and 9.3: what one opponent pays or receives."""
    game = s[at.CONTRACT]
    if game < cego.CEGO and game != cego.SOLO:
        return FIXED[game]
    halves = cego.single_halves(s)
    fach = (abs(halves - 79) + 9) // 10
    if game == cego.SOLO:
        multiplier = 2 if halves >= 80 else 1
    else:
        multiplier = game - cego.CEGO + 1 + int(s[SOLOIST] != NOBODY)
    return (5 * fach * multiplier + 9) // 10 * 10


@kernel
def score(s: State, out: Floats) -> None:
    """Part 9."""
    if s[at.CONTRACT] == cego.RAEUBER:
        losers = cego.robbed(s, s[TIE])
        out[: cego.SEATS] = 0.0
        for loser in range(cego.SEATS):
            due = ANNOUNCER_ROBBED if loser == s[at.DECLARER] else ROBBED
            for seat in range(cego.SEATS):
                if losers >> loser & 1 and not losers >> seat & 1:
                    out[loser] -= due
                    out[seat] += due
        return
    paid = value(s) if cego.is_made(s) else -value(s)
    for seat in range(cego.SEATS):
        out[seat] = 3 * paid if seat == s[at.DECLARER] else -paid


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 3.9."""
    return cego.winning_seats(s, s[TIE]) >> seat & 1 == 1


@kernel
def tally(s: State, counts: Floats) -> None:
    """Count the game that was played, and whether its single player (in Räuber: its announcer) won."""
    counts[s[at.CONTRACT]] += 1.0
    if won(s, s[at.DECLARER]):
        counts[GAMES + s[at.CONTRACT]] += 1.0
