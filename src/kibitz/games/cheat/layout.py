"""Cheat: the sizes of the game as made, and where everything lies in the state."""

from __future__ import annotations

from math import comb, prod

from kibitz.core.jit import size

PLAYERS = size("players", 2)
RANKS = size("ranks", 7)
COPIES = size("copies", 4) * size("decks", 1)
PACK = RANKS * COPIES
CARDS_EACH = size("cards_each", 6)
DEALT = CARDS_EACH * PLAYERS or PACK
MOST = size("max_discard", 0) or COPIES
"""The largest discard (rule 3.2)."""
MAX_TURNS = size("max_turns", 200)
REPEATS = size("repetition_limit", 0)
WINDOW = 256
"""How many turns back the repetition limit looks (rule 8.14)."""
PASSES = size("allow_pass", 0)
ONE_BY_ONE = size("one_by_one", 0)

# Actions: answers first (a scan for a legal one ends early), then pass, then lay and ranks, or all discards.
TRUST, CHEAT, PASS = 0, 1, 2
BASE = 2 + PASSES
LAY = BASE
PICK = BASE + 1
DISCARDS = comb(RANKS + MOST, MOST) - 1
"""Different discards (rule 8.18)."""
ACTIONS = BASE + 1 + RANKS if ONE_BY_ONE else BASE + DISCARDS
LONGEST = MAX_TURNS * (PLAYERS + (MOST if ONE_BY_ONE else 0))

# Slots of options, in the order of OPTIONS.
FIRST_PLAYER, ON_LIMIT, PAYOFF, LIE_MODE, RESET, REVEAL, AT_ONCE = range(7)

# What everybody sees, then the cards of the open claim, picked cards, answers given at once, a hash of the pile's
# discards in order, and the undealt cards. Handfuls of cards are one slot each, see multiset.py.
FIRST, TURNS, RANK, DISCARDER, ASKED, CLAIM, IS_OVER, WINNERS, LAST, PICKED, DOUBTS, STACK, UNDEALT = range(7, 20)
SIZES = 20
LAID = SIZES + PLAYERS
HAND = LAID + PLAYERS
PILE = HAND + PLAYERS
KNOWN = PILE + PLAYERS
"""Ledgers: KNOWN + observer * PLAYERS + about; observer PLAYERS is the bystander (rules 6.4 and 6.10)."""
MEMORY = KNOWN + PLAYERS * (PLAYERS + 1)
"""A hash of all that each seat has witnessed (rule 6.7)."""
COUNTS = MEMORY + PLAYERS
"""Behaviour: four slots a seat, three counters in each (section 10)."""
BOOK = COUNTS + 4 * PLAYERS
"""The last positions, for the repetition limit."""
SIZE = BOOK + (WINDOW if REPEATS else 0)

NOBODY = -1
UNKNOWN = -1


_SIZES = [CARDS_EACH or (PACK - seat + PLAYERS - 1) // PLAYERS for seat in range(PLAYERS)]  # rules 2.2 and 2.3
DEALS = PLAYERS * prod(comb(PACK - sum(_SIZES[:seat]), size) for seat, size in enumerate(_SIZES))
"""Deals of single cards, for every first player."""
MOST_DEALS = 100_000
