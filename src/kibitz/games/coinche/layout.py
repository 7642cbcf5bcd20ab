"""Coinche: the places in the state, and the sizes that follow from the options. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from kibitz.core.jit import size

SANS, TOUT = size("sans_atout", 0), size("tout_atout", 0)
HIGH, GENERALE = size("high_bids", 0), size("generale", 0)
TRICKS = size("tricks", 8)
SHORT = size("short_pack", 0)
SHARED = size("shared_head", 0)

PLAYERS = 4
CARDS = 32
PACK = (1 << CARDS) - 1
SHORT_PACK = sum(((256 - (1 << (8 - TRICKS))) << 8 * suit) for suit in range(4))  # rule 11.4

# Calls in one row (rules 3.2, 10, 12.3): pass, the bids level by level, coinche, surcoinche; then the cards (17).
PASS = 0
STRAINS = 4 + SANS + TOUT
LEVELS = 10 + 2 * HIGH + GENERALE
CAPOT_LEVEL = 9 + 2 * HIGH
COINCHE = 1 + STRAINS * LEVELS
SURCOINCHE = COINCHE + 1
CALLS = COINCHE + 2
CARD = 0 if SHARED else CALLS
PAD = 43
ACTIONS = 44 if SHARED else CALLS + CARDS
LONGEST_AUCTION = 3 * LEVELS + 7  # rules 3.11 and 10.1
LONGEST = LONGEST_AUCTION + 4 * TRICKS

# The contract's suit: 0..3 for s h d c, then these two whether or not they can be bid.
NO_TRUMPS, ALL_TRUMPS, NO_SUIT = 4, 5, -1
NOBODY = -1
CAPOT, GENERALE_VALUE = 250, 500  # rules 3.10 and 10.5
AUCTION, PLAY, DONE = 0, 1, 2

# Options that are words of the state, in the order of OPTIONS.
(
    RULES, SCORING, BELOTE, BEAT_DEFENCE, EIGHTY_82, REDOUBLED, ROUND10, BELOTE_KEPT, TOUT_BELOTES, REWARD, NORMALISE,
    ALL_PASS, NO_AUCTION, CONTRACT, SET_TAKER, SET_COINCHED, SET_DEALER, TARGET, TOTAL_NS, TOTAL_EW, SWAPS, EITHER,
) = range(22)  # fmt: skip

# Who is to move and what has been called.
PHASE, TURN, DEALER, MOVES, CALLED, PASSES = range(22, 28)
LEVEL, SUIT, VALUE, BIDDER, SPEAKER, COINCHED, COINCHER, SURCOINCHER = range(28, 36)
LAST_BID = 36  # 4 words: each seat's latest bid as an action, 0 if none
# The cards.
HAND = 40  # 4 words
PLAYED = 44  # 4 words
LACKS = 48  # 4 words: cards that the play has shown a seat not to hold
DEAD = 52  # cards that lie face up from the start (rule 11.3)
ANNOUNCED = 53  # bit 4 * suit + seat: that seat has announced belote in that suit
LEADER, COUNT, MASTER, BEST = range(54, 58)  # BEST is the card that wins the trick so far, MASTER who played it
TABLE = 58  # 4 words: the cards of the trick in the order played
WON = 62  # 4 words: tricks each seat has won
POINTS = 66  # 2 words: points in complete tricks, the last one's bonus included
BELOTES = 68  # 2 words: belote points of each side, once the deal is over
MADE = 70  # whether the contract was made, once the deal is over
LOG = 71
HOT = LOG
SIZE = LOG + LONGEST
