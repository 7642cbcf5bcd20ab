"""The slots of a state in which cards are played: the same ones in every trick-taking game.

A game's own slots begin at OWN: first its options, in the order of OPTIONS, then whatever it adds. The log comes last.
"""

from __future__ import annotations

MOST_SEATS = 6
"""Slots that every seat has are so many side by side; a game may have fewer seats."""

(
    PHASE, TURN, MOVES, CONTRACT, DECLARER, LEADER, COUNT, BEST, BEST_SEAT, DONE, DEAD, ASIDE, OUT, DEALER,
    TURNED, PASS_TO, TAKEN, LAID, LAID_BY, LAID_AT,
) = range(20)  # fmt: skip
"""
PHASE      CALLING, PLAYING, ENDED, or a phase of the game's own
TURN       the seat to move, OVER at the end
MOVES      moves so far, the length of the log
CONTRACT   the row of the game's tables that is played
DECLARER   the seat that plays alone or made the contract, NOBODY where there is none
LEADER     who leads, or led, to the trick
COUNT      cards that lie in the trick
BEST       the card that is winning it, NOTHING before the first
BEST_SEAT  who played that
DONE       tricks complete
DEAD       cards that lie open and are not played
ASIDE      cards that lie face down
OUT        the seat that does not play along, NOBODY as a rule
DEALER     who has dealt
TURNED     the card that was turned up
PASS_TO    how many seats further cards are passed on, 0 if they are not
TAKEN      cards that a seat (LAID_BY) took up openly
LAID       the cards it laid away, hidden from all others
LAID_BY    who that was, NOBODY before
LAID_AT    where the log has the first of them
"""
TABLE, HAND, PLAYED, LACKS, POINTS, TRICKS, GIVEN = (20 + MOST_SEATS * k for k in range(7))
"""
TABLE   the cards of the trick in the order played
HAND    the cards in each hand
PLAYED  the cards each seat has played
LACKS   the cards each seat has shown not to hold
POINTS  the worth of the tricks of each seat
TRICKS  how many tricks each seat has
GIVEN   the cards each seat has chosen to pass on
"""
OWN = 20 + 7 * MOST_SEATS
"""Where the game's own slots begin."""

CALLING, PLAYING, ENDED, PASSING, LAYING, DEALING = range(6)
"""Phases; a game numbers further ones of its own from FURTHER on."""
FURTHER = 6
NOTHING = NOBODY = HIDDEN = -1
ANY = -1
"""A mask of all cards."""
