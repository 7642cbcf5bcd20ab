"""Coinche: the slots of a state, those of every trick-taking game included, and the sizes that follow from options."""

from __future__ import annotations

from kibitz.core.jit import size
from kibitz.games.tricks.layout import *  # noqa: F403  (the slots of the kit and of the game under one name)
from kibitz.games.tricks.layout import OWN

SANS, TOUT = size("sans_atout", 0), size("tout_atout", 0)
HIGH, GENERALE = size("high_bids", 0), size("generale", 0)
EACH = size("tricks", 8)
SHORT = size("short_pack", 0)
SHARED = size("shared_head", 0)

CARDS = 32
PACK = (1 << CARDS) - 1
SHORT_PACK = sum(((256 - (1 << (8 - EACH))) << 8 * suit) for suit in range(4))  # rule 11.4

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
CAPOT, GENERALE_VALUE = 250, 500  # rules 3.10 and 10.5

# Options that are slots of the state, in the order of OPTIONS.
(
    RULES, SCORING, BELOTE, BEAT_DEFENCE, EIGHTY_82, REDOUBLED, ROUND10, BELOTE_KEPT, TOUT_BELOTES, REWARD, NORMALISE,
    ALL_PASS, NO_AUCTION, SET_CONTRACT, SET_TAKER, SET_COINCHED, SET_DEALER, TARGET, TOTAL_NS, TOTAL_EW, SWAPS, EITHER,
) = range(OWN, OWN + 22)  # fmt: skip
FIRST = OWN + 22
(
    CALLED, PASSES, LEVEL, VALUE, BIDDER, COINCHED, COINCHER, SURCOINCHER, ANNOUNCED, MADE,
) = range(FIRST, FIRST + 10)  # fmt: skip
"""
CALLED     how many calls there have been
BIDDER     who has made the bid that stands; DECLARER is who plays it (rules 3.9 and 14.1)
ANNOUNCED  bit 4 * suit + seat: that seat has announced belote in that suit
MADE       whether the contract was made, once the deal is over
"""
BELOTES = FIRST + 10
"""Belote points of each side, once the deal is over."""
LAST_BID = FIRST + 12
"""Each seat's latest bid as an action, PASS if none."""
SLOTS = 16
LOG = FIRST + SLOTS
