"""The whole game of Cego: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego.exchange import NO_CARD, discardable, keepable, keeps_two
from kibitz.games.tarock import (
    ALL,
    ASIDE,
    BETTEL,
    BLIND,
    CARDS,
    CEGO,
    CLASS,
    COUNT,
    EINE,
    EINE_LEERE,
    EXPOSED,
    GAME,
    GEISS,
    HAND,
    HAND_CARDS,
    LEADER,
    LONGEST_PLAY,
    PICCOLO,
    RAEUBER,
    SEATS,
    SINGLE,
    SOLO,
    SUITS,
    TABLE,
    TRICKS,
    TURN,
    ULTIMO,
    UNDECIDED,
    ZWEI_LEERE,
    ZWEI_VERSCHIEDENE,
    clear_table,
    fits_solo,
    following,
    is_made,
    play_card,
    robbed,
    single_halves,
    winning_seats,
)

PLAYERS = SEATS
TIE, DEALER, CONTRA_SOLO, COMPULSORY = 0, 1, 2, 3

# Actions: the cards, then the words of the auction.
PASS, HOLD, SAY_CEGO, SAY_EINE, SAY_EINE_LEERE, SAY_ZWEI_LEERE, SAY_ZWEI_VERSCHIEDENE = range(CARDS, CARDS + 7)
SAY_RAEUBER, SAY_BETTEL, SAY_PICCOLO, SAY_SOLO, SAY_ULTIMO = range(CARDS + 7, CARDS + 12)
WORDS = 12
ACTIONS = CARDS + WORDS
GAME_OF = np.array([
    UNDECIDED, CEGO, CEGO, EINE, EINE_LEERE, ZWEI_LEERE, ZWEI_VERSCHIEDENE, RAEUBER,
    BETTEL, PICCOLO, SOLO, ULTIMO,
])  # fmt: skip
"""The game that each word of the auction stands for."""

ANNOUNCE, CONTRA, RAISE, SETTLE, KEEP, DISCARD, PLAYING = range(7)
PHASE, BID, SOLOIST, PASSED, KEPT, LAID_AWAY, SAID, START, MOVES = range(TABLE, TABLE + 9)
"""Phase; the standing word; the soloist of the phase contra; seats out of the auction; cards kept; the card discarded;
words of the auction; where the play begins in the log; moves so far."""
DEALT = TABLE + 9
LOG = DEALT + SEATS
MOST_SAID = 11
LONGEST = MOST_SAID + 3 + LONGEST_PLAY
HOT = LOG
SIZE = LOG + LONGEST
NOBODY = -1
BLANK = -1

FIXED = np.zeros(CEGO, np.int64)
FIXED[[ULTIMO, PICCOLO, BETTEL]] = 80, 40, 30  # 9.2
ROBBED, ANNOUNCER_ROBBED = 40, 80  # 9.5
GAMES = ZWEI_VERSCHIEDENE + 1
TALLIES = 2 * GAMES
"""How often each game was played, and won by its single player."""


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 1.7."""
    cards = np.arange(CARDS)
    rng.shuffle(r, cards, SEATS * HAND_CARDS)
    start(s)
    s[BLIND] = ALL
    for seat in range(SEATS):
        hand = 0
        for k in range(HAND_CARDS * seat, HAND_CARDS * seat + HAND_CARDS):
            hand |= 1 << cards[k]
        s[HAND + seat] = s[DEALT + seat] = hand
        s[BLIND] &= ~hand
    s[ASIDE] = s[BLIND]


@kernel
def start(s: State) -> None:
    """A table at which forehand is to announce and nothing is dealt (rules 6.1 and 6.3)."""
    clear_table(s)
    s[TABLE:LOG] = 0
    s[LOG:SIZE] = BLANK
    s[GAME] = UNDECIDED
    s[SOLOIST] = NOBODY
    s[LAID_AWAY] = BLANK
    s[TURN] = s[LEADER] = s[SINGLE] = (s[DEALER] + 1) & 3


@kernel
def turn(s: State) -> int:
    """The seat to move."""
    return s[TURN]


@kernel
def bit(word: int) -> int:
    """A word of the auction in the mask of `moves`."""
    return 1 << (word - CARDS)


@kernel
def announcements(s: State, hand: int) -> int:
    """Rules 7.1 and 7.3."""
    words = 0
    for word in range(max(SAY_BETTEL, s[BID] + 1), SAY_ULTIMO + 1):
        if word != SAY_ULTIMO or hand >> GEISS & 1:
            words |= bit(word)
    if s[COMPULSORY] == 1 and s[BID] < SAY_SOLO and fits_solo(hand):
        return words & (bit(SAY_SOLO) | bit(SAY_ULTIMO))
    return words | bit(PASS)


@kernel
def bids(s: State, hand: int) -> int:
    """Rules 7.5 to 7.8 and 7.10."""
    words = bit(PASS)
    lowest_level = SAY_CEGO
    if s[PHASE] == RAISE:
        lowest_level = SAY_EINE
        if s[BID] == 0:
            words = bit(HOLD)
    for word in range(max(lowest_level, s[BID] + 1), SAY_ZWEI_VERSCHIEDENE + 1):
        if keepable(hand, GAME_OF[word - CARDS], NO_CARD):
            words |= bit(word)
    return words


@kernel
def leads(s: State, hand: int) -> int:
    """Rule 8.6: the cards that may be led."""
    game = s[GAME]
    if (s[TRICKS] == 0 and game == EINE_LEERE) or (s[TRICKS] < 2 and game == ZWEI_LEERE):
        return hand & SUITS[CLASS[lowest(s[EXPOSED])]]
    if s[TRICKS] < 2 and game == ZWEI_VERSCHIEDENE:
        return hand & s[EXPOSED]
    return hand


@kernel
def moves(s: State) -> int:
    """The legal actions as bits: cards, or words counted from the first word."""
    hand = s[HAND + s[TURN]]
    phase = s[PHASE]
    if phase == PLAYING:
        return leads(s, hand) if s[COUNT] == 0 else following(s, hand)
    if phase == ANNOUNCE:
        return announcements(s, hand)
    if phase == SETTLE:
        return bit(SAY_CEGO) | bit(SAY_RAEUBER)
    if phase == KEEP:
        return keepable(hand, s[GAME], lowest(s[KEPT]) if s[KEPT] else NO_CARD)
    if phase == DISCARD:
        return discardable(hand, s[BLIND], s[GAME])
    return bids(s, hand)


@kernel
def block(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    return CARDS if s[PHASE] < KEEP else 0


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """The legal actions as a mask."""
    mask[:] = False
    if s[TURN] < 0:
        return 0
    left = moves(s)
    count = popcount(left)
    first = block(s)
    while left:
        mask[first + lowest(left)] = True
        left &= left - 1
    return count


@kernel
def step(s: State, action: int) -> None:
    """Say a word, keep, lay away or play a card."""
    s[LOG + s[MOVES]] = action
    s[MOVES] += 1
    phase = s[PHASE]
    if phase == PLAYING:
        play_card(s, action)
    elif phase == ANNOUNCE:
        announce(s, action)
    elif phase == SETTLE:
        settle_on(s, GAME_OF[action - CARDS])
    elif phase == KEEP:
        keep(s, action)
    elif phase == DISCARD:
        s[HAND + s[TURN]] &= ~(1 << action)
        s[ASIDE] |= 1 << action
        s[LAID_AWAY] = action
        lead(s)
    else:
        bid(s, action)


@kernel
def announce(s: State, word: int) -> None:
    """Rules 7.1 to 7.4."""
    forehand = (s[DEALER] + 1) & 3
    if word != PASS:
        s[BID] = word
        s[SINGLE] = s[TURN]
    s[TURN] = (s[TURN] + 1) & 3
    if word != SAY_ULTIMO and s[MOVES] < SEATS:
        return
    if s[BID] == 0:
        s[PHASE] = RAISE
        s[TURN] = forehand
    elif s[BID] == SAY_SOLO and s[CONTRA_SOLO] == 1:
        s[PHASE] = CONTRA
        s[SOLOIST] = s[SINGLE]
        s[PASSED] = 1 << s[SINGLE]
        s[BID] = 0
        s[TURN] = forehand if forehand != s[SOLOIST] else (forehand + 1) & 3
    else:
        settle_on(s, GAME_OF[s[BID] - CARDS])


@kernel
def bid(s: State, word: int) -> None:
    """Rules 7.5 to 7.7 and 7.10."""
    if word == PASS:
        s[PASSED] |= 1 << s[TURN]
    else:
        s[BID] = word
        s[SINGLE] = s[TURN]
    for k in range(1, SEATS):
        rival = (s[TURN] + k) & 3
        if rival != s[SINGLE] and not s[PASSED] >> rival & 1 and word != SAY_ZWEI_VERSCHIEDENE:
            s[TURN] = rival
            return
    if s[BID] == 0:
        settle_on(s, SOLO)
    elif s[BID] == HOLD:
        s[PHASE] = SETTLE
        s[TURN] = s[SINGLE]
    else:
        settle_on(s, GAME_OF[s[BID] - CARDS])


@kernel
def settle_on(s: State, game: int) -> None:
    """The game to be played is fixed: the exchange comes next in the levels of Cego, the play in all others."""
    s[GAME] = game
    s[SAID] = s[MOVES]
    s[TURN] = s[SINGLE]
    if game >= CEGO:
        s[PHASE] = KEEP
    else:
        lead(s)


@kernel
def keep(s: State, card: int) -> None:
    """Rule 8.1: when all cards are named the rest is laid away and the blind taken up."""
    seat = s[SINGLE]
    two = keeps_two(s[GAME])
    s[KEPT] |= 1 << card
    if two and popcount(s[KEPT]) < 2:
        return
    s[ASIDE] = s[HAND + seat] & ~s[KEPT]
    s[HAND + seat] = s[KEPT] | s[BLIND]
    if two:
        s[PHASE] = DISCARD
    else:
        lead(s)


@kernel
def lead(s: State) -> None:
    """Rule 3.8: the single player leads the first trick."""
    s[PHASE] = PLAYING
    s[START] = s[MOVES]
    s[TURN] = s[LEADER] = s[SINGLE]
    if s[GAME] >= EINE_LEERE:
        s[EXPOSED] = s[KEPT]


@kernel
def value(s: State) -> int:
    """Rules 9.2 and 9.3: what one opponent pays or receives."""
    game = s[GAME]
    if game < CEGO and game != SOLO:
        return FIXED[game]
    halves = single_halves(s)
    fach = (abs(halves - 79) + 9) // 10
    if game == SOLO:
        multiplier = 2 if halves >= 80 else 1
    else:
        multiplier = game - CEGO + 1 + int(s[SOLOIST] != NOBODY)
    return (5 * fach * multiplier + 9) // 10 * 10


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Part 9."""
    if s[GAME] == RAEUBER:
        losers = robbed(s, s[TIE])
        out[:SEATS] = 0.0
        for loser in range(SEATS):
            due = ANNOUNCER_ROBBED if loser == s[SINGLE] else ROBBED
            for seat in range(SEATS):
                if losers >> loser & 1 and not losers >> seat & 1:
                    out[loser] -= due
                    out[seat] += due
        return
    paid = value(s) if is_made(s) else -value(s)
    for seat in range(SEATS):
        out[seat] = 3 * paid if seat == s[SINGLE] else -paid


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 3.9."""
    return winning_seats(s, s[TIE]) >> seat & 1 == 1


@kernel
def side(s: State, seat: int) -> int:
    """Rule 3.10: 0 is the single player, 1 his opponents; before the game is settled, and in Räuber, every seat is a side."""
    if s[GAME] == UNDECIDED or s[GAME] == RAEUBER:
        return seat
    return int(seat != s[SINGLE])


@kernel
def knows_blind(s: State, seat: int) -> bool:
    """Rule 6.5: the declarer of a Cego level, once his keep is complete."""
    return s[GAME] >= CEGO and s[PHASE] > KEEP and seat == s[SINGLE]


@kernel
def hides_words(s: State, seat: int) -> bool:
    """Rule 6.5: whether the words of keep and discard are hidden from the seat."""
    return s[GAME] >= CEGO and s[GAME] < EINE_LEERE and seat != s[SINGLE]


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Count the game that was played, and whether its single player (in Räuber: its announcer) won."""
    counts[s[GAME]] += 1.0
    if won(s, s[SINGLE]):
        counts[GAMES + s[GAME]] += 1.0
