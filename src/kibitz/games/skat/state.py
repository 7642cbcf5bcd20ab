"""The slots of a Skat state, those of every trick-taking game first, and the numbers of its actions.

CONTRACT is the kind of game, a row of the tables in `cards`; ASIDE the skat; GIVEN what forehand and middlehand passed
on in a Schieberamsch; TAKEN the skat as it was dealt, once somebody has picked it up; LAID_AT where the log has the
first discard.
"""

from __future__ import annotations

from kibitz.games.skat.cards import DECLARATIONS, N_BIDS, PICKUP_DECLARATIONS
from kibitz.games.tricks.layout import *  # noqa: F403
from kibitz.games.tricks.layout import CALLING, FURTHER, OWN

PLAYERS = 3

# Actions. PASS is next to the bids so that they make one block of 64.
HOLD, PASS, BID = 32, 33, 34
PICKUP = BID + N_BIDS
HAND_GAME = PICKUP + 1
DECLARE = HAND_GAME + 1
DECLARE_HAND = DECLARE + len(PICKUP_DECLARATIONS)
ACTIONS = DECLARE + len(DECLARATIONS)
LONGEST_CALLS = 132  # 128 calls, pick-up, two discards, declaration

# Phases besides PLAYING and ENDED.
BIDDING = CALLING
ANSWERING, OPENING, CHOOSING, DISCARDING, DECLARING, PUSHING = range(FURTHER, FURTHER + 6)

# Options, in the order of OPTIONS.
(
    JUMPS, EARLY_END, ANNOUNCED_LOSS, PAYOFF, SHARE, PASSED, RAMSCH_SKAT, SCHIEBEN, JUNGFRAU, DURCHMARSCH, FAMILY,
) = range(OWN, OWN + 11)  # fmt: skip
ISKO, ISS = 0, 1  # ANNOUNCED_LOSS
TOURNAMENT, VALUE, CARD_POINTS = 0, 1, 2  # PAYOFF
VOID, RAMSCH = 0, 1  # PASSED
LAST_TRICK, LOSER = 0, 1  # RAMSCH_SKAT
AUCTION, SUITS_ONLY, GRANDS_ONLY, NULLS_ONLY, NULL_OUVERTS_ONLY, ANY_KIND = range(6)  # FAMILY

FIRST_SLOT = FAMILY + 1
(
    BIDDER, ASKED, HIGH, DECLARED, IS_HAND, IS_RAMSCH, LAYING_NOW,
    WHO, SUCCESS, SCORE, MATADORS, OVERBID, TOTAL, TOTAL_TRICKS, IS_SCHNEIDER, IS_SCHWARZ, LATEST,
) = range(FIRST_SLOT, FIRST_SLOT + 17)  # fmt: skip
"""
HIGH        the place of the last number named in the list of bids, NOBODY before the first
DECLARED    the declaration's place in DECLARATIONS, NOBODY before
LAYING_NOW  how many of two cards the seat to move has laid away
WHO         whom the deal counts for: the declarer, the loser or marcher of a Ramsch, NOBODY when passed in
SCORE       his game points (7.9) or his entry for a Ramsch (9.8); this and what follows is written when the deal ends
LATEST      the number, from 1, of each seat's latest trick
"""
LOG = LATEST + PLAYERS
SLOTS = LOG - FIRST_SLOT
SIZE = LOG + LONGEST_CALLS + 30
