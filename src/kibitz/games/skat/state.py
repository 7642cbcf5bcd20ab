"""The words of a Skat state and the numbers of its actions."""

from __future__ import annotations

from kibitz.games.skat.cards import DECLARATIONS, N_BIDS, PICKUP_DECLARATIONS

PLAYERS = 3
NOBODY = -1
HIDDEN = -1
"""A discard in the log that the seat has not seen."""

# Actions. PASS is next to the bids so that they make one block of 64.
HOLD, PASS, BID = 32, 33, 34
PICKUP = BID + N_BIDS
HAND_GAME = PICKUP + 1
DECLARE = HAND_GAME + 1
DECLARE_HAND = DECLARE + len(PICKUP_DECLARATIONS)
ACTIONS = DECLARE + len(DECLARATIONS)
LONGEST = 162  # 128 calls, pick-up, two discards, declaration, thirty cards

# Options, in the order of OPTIONS.
JUMPS, EARLY_END, ANNOUNCED_LOSS, PAYOFF, SHARE, PASSED, RAMSCH_SKAT, SCHIEBEN, JUNGFRAU, DURCHMARSCH, FAMILY = range(
    11
)
ISKO, ISS = 0, 1  # ANNOUNCED_LOSS
TOURNAMENT, VALUE, CARD_POINTS = 0, 1, 2  # PAYOFF
VOID, RAMSCH = 0, 1  # PASSED
LAST_TRICK, LOSER = 0, 1  # RAMSCH_SKAT
AUCTION, SUITS_ONLY, GRANDS_ONLY, NULLS_ONLY, NULL_OUVERTS_ONLY, ANY = range(6)  # FAMILY

# Phases.
BIDDING, ANSWERING, OPENING, CHOOSING, DISCARDING, DECLARING, PUSHING, PLAYING, ENDED = range(9)

PHASE = 11
SEAT = 12
MOVES = 13
"""Actions so far: the length of the log."""
BIDDER, ASKED = 14, 15
HIGH = 16
"""The place of the last number named in the list of bids, NOBODY before the first."""
DECLARER = 17
DECLARED = 18
"""The declaration's place in DECLARATIONS, NOBODY before."""
KIND = 19
IS_HAND = 20
IS_RAMSCH = 21
LAYING = 22
"""How many of two cards the seat to move has laid away."""
LAID_AT = 23
"""Where the log has the first discard."""
SKAT = 24
"""The cards that lie face down now (of a pair half laid away: the one)."""
TAKEN = 25
"""The skat as it was dealt, once somebody has picked it up."""
PUSHED = 26
"""What forehand and middlehand passed on in a Schieberamsch (two words)."""
HANDS = 28
PLAYED = 31
VOIDS = 34
"""The classes a seat has shown not to have, as bits."""
TRICKS = 37
TRICK_POINTS = 40
"""Card points in a seat's tricks, without the skat."""
LATEST = 43
"""The number, from 1, of a seat's latest trick."""
TRICK = 46
ON_TABLE = 49
"""How many cards lie in TRICK."""
DONE = 50
"""Tricks complete."""

# The result, written when the deal ends.
WHO = 51
"""Whom the deal counts for: the declarer, the loser or marcher of a Ramsch, NOBODY when passed in."""
SUCCESS = 52
SCORE = 53
"""His game points (7.9) or his entry for a Ramsch (9.8)."""
MATADORS, OVERBID, TOTAL, TOTAL_TRICKS, IS_SCHNEIDER, IS_SCHWARZ = 54, 55, 56, 57, 58, 59
LOG = 60
HOT = LOG
SIZE = LOG + LONGEST
