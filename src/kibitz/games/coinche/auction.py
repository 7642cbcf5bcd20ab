"""Coinche: the auction (chapter 3 of RULES.md)."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.coinche.layout import (
    ALL_TRUMPS,
    AUCTION,
    BIDDER,
    CALLED,
    CAPOT,
    CAPOT_LEVEL,
    COINCHE,
    COINCHED,
    COINCHER,
    CONTRACT,
    DEALER,
    DONE,
    EITHER,
    GENERALE_VALUE,
    LAST_BID,
    LEADER,
    LEVEL,
    NO_SUIT,
    NOBODY,
    PASS,
    PASSES,
    PHASE,
    PLAY,
    SANS,
    SET_COINCHED,
    SET_TAKER,
    SPEAKER,
    STRAINS,
    SUIT,
    SURCOINCHE,
    SURCOINCHER,
    TURN,
    VALUE,
)  # fmt: skip


@kernel
def level_value(level: int) -> int:
    """What a bid of a level promises (rules 3.10 and 10.5)."""
    if level < CAPOT_LEVEL:
        return 80 + 10 * level
    return CAPOT if level == CAPOT_LEVEL else GENERALE_VALUE


@kernel
def bid_level(call: int) -> int:
    """The level of a bid."""
    return (call - 1) // STRAINS


@kernel
def bid_suit(call: int) -> int:
    """The suit of a bid, as the contract's suit."""
    strain = (call - 1) % STRAINS
    return ALL_TRUMPS if strain > 3 and not SANS else strain


@kernel
def may_coinche(s: State) -> bool:
    """Rule 3.5."""
    return s[BIDDER] != NOBODY and s[COINCHED] == 0 and (s[BIDDER] % 2 != s[TURN] % 2 or s[EITHER] == 1)


@kernel
def may_surcoinche(s: State) -> bool:
    """Rule 3.6."""
    return s[COINCHED] == 1 and (s[BIDDER] % 2 == s[TURN] % 2 or s[EITHER] == 1)


@kernel
def first_bid(s: State) -> int:
    """The lowest bid that may still be made; every call from here to COINCHE is one (rule 3.3)."""
    return COINCHE if s[COINCHED] else 1 + STRAINS * (s[LEVEL] + 1)


@kernel
def open_auction(s: State) -> None:
    """Nobody has called yet (rule 3.1)."""
    s[PHASE] = AUCTION
    s[TURN] = s[LEADER] = (s[DEALER] + 1) % 4
    s[CALLED] = s[PASSES] = s[VALUE] = s[COINCHED] = 0
    s[LEVEL] = -1
    s[SUIT] = NO_SUIT
    s[BIDDER] = s[SPEAKER] = s[COINCHER] = s[SURCOINCHER] = NOBODY
    for seat in range(4):
        s[LAST_BID + seat] = PASS


@kernel
def set_contract(s: State) -> None:
    """Rule 11.1: the contract stands before the first card."""
    s[PHASE] = PLAY
    number = s[CONTRACT] // 6
    s[VALUE] = 10 * (number + 1) if number < 18 else CAPOT if number == 18 else GENERALE_VALUE
    s[SUIT] = s[CONTRACT] % 6
    s[BIDDER] = s[SPEAKER] = s[SET_TAKER]
    s[COINCHED] = s[SET_COINCHED]


@kernel
def call(s: State, action: int) -> None:
    """Make a call; the auction ends as rules 3.7 and 3.8 say."""
    seat = s[TURN]
    s[CALLED] += 1
    s[TURN] = (seat + 1) % 4
    if action == PASS:
        s[PASSES] += 1
        if s[BIDDER] == NOBODY and s[PASSES] == 4:
            s[PHASE] = DONE
        elif s[BIDDER] != NOBODY and s[PASSES] == 3:
            s[PHASE] = PLAY
            s[TURN] = s[LEADER]
        return
    s[PASSES] = 0
    s[SPEAKER] = seat
    if action == COINCHE:
        s[COINCHED] = 1
        s[COINCHER] = seat
    elif action == SURCOINCHE:
        s[COINCHED] = 2
        s[SURCOINCHER] = seat
        s[PHASE] = PLAY
        s[TURN] = s[LEADER]
    else:
        s[LEVEL] = bid_level(action)
        s[SUIT] = bid_suit(action)
        s[VALUE] = level_value(s[LEVEL])
        s[BIDDER] = seat
        s[LAST_BID + seat] = action
