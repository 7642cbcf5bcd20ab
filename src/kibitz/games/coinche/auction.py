"""Coinche: the auction (chapter 3 of RULES.md)."""

from __future__ import annotations

from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.belotes import ALL_TRUMPS
from kibitz.games.coinche import layout as at

EVERY_BID = (1 << at.COINCHE) - 1 if at.CALLS <= 63 else 0  # a bitmask has no room for more calls


@kernel
def level_value(level: int) -> int:
    """What a bid of a level promises (rules 3.10 and 10.5)."""
    if level < at.CAPOT_LEVEL:
        return 80 + 10 * level
    return at.CAPOT if level == at.CAPOT_LEVEL else at.GENERALE_VALUE


@kernel
def bid_level(call: int) -> int:
    """The level of a bid."""
    return (call - 1) // at.STRAINS


@kernel
def bid_suit(call: int) -> int:
    """The suit of a bid, as the contract's suit."""
    strain = (call - 1) % at.STRAINS
    return ALL_TRUMPS if strain > 3 and not at.SANS else strain


@kernel
def may_coinche(s: State) -> bool:
    """Rule 3.5."""
    return s[at.BIDDER] >= 0 and s[at.COINCHED] == 0 and (s[at.BIDDER] % 2 != s[at.TURN] % 2 or s[at.EITHER] == 1)


@kernel
def may_surcoinche(s: State) -> bool:
    """Rule 3.6."""
    return s[at.COINCHED] == 1 and (s[at.BIDDER] % 2 == s[at.TURN] % 2 or s[at.EITHER] == 1)


@kernel
def first_bid(s: State) -> int:
    """The lowest bid that may still be made; every call from here to COINCHE is one (rule 3.3)."""
    return at.COINCHE if s[at.COINCHED] else 1 + at.STRAINS * (s[at.LEVEL] + 1)


@kernel
def calls(s: State) -> int:
    """The legal calls as bits."""
    bits = EVERY_BID & ~((1 << first_bid(s)) - 1) | 1 << at.PASS
    if may_coinche(s):
        bits |= 1 << at.COINCHE
    elif may_surcoinche(s):
        bits |= 1 << at.SURCOINCHE
    return bits


@kernel
def first_call(s: State) -> int:
    """Calls are numbered from 0, in front of the cards or beside them."""
    return 0


@kernel
def open_auction(s: State, dealer: int) -> None:
    """Nobody has called yet (rule 3.1), or the contract stands before the first card (rule 11.1)."""
    s[at.TURN] = s[at.LEADER] = (dealer + 1) % 4
    s[at.COINCHER] = s[at.SURCOINCHER] = at.NOBODY
    if s[at.NO_AUCTION]:
        number = s[at.SET_CONTRACT] // 6
        s[at.VALUE] = 10 * (number + 1) if number < 18 else at.CAPOT if number == 18 else at.GENERALE_VALUE
        s[at.CONTRACT] = s[at.SET_CONTRACT] % 6
        s[at.LEVEL] = -1
        s[at.BIDDER] = s[at.DECLARER] = s[at.SET_TAKER]
        s[at.COINCHED] = s[at.SET_COINCHED]
        return
    s[at.PHASE] = at.CALLING
    s[at.LEVEL] = s[at.CONTRACT] = s[at.BIDDER] = -1


@kernel
def call(s: State, action: int) -> None:
    """Make a call; the auction ends as rules 3.7 and 3.8 say."""
    seat = s[at.TURN]
    s[at.CALLED] += 1
    s[at.TURN] = (seat + 1) % 4
    if action == at.PASS:
        s[at.PASSES] += 1
        if s[at.BIDDER] < 0 and s[at.PASSES] == 4:
            s[at.PHASE] = at.ENDED
            s[at.TURN] = OVER
        elif s[at.BIDDER] >= 0 and s[at.PASSES] == 3:
            s[at.PHASE] = at.PLAYING
            s[at.TURN] = s[at.LEADER]
        return
    s[at.PASSES] = 0
    if action < at.COINCHE or s[at.SWAPS]:
        s[at.DECLARER] = seat
    if action == at.COINCHE:
        s[at.COINCHED] = 1
        s[at.COINCHER] = seat
    elif action == at.SURCOINCHE:
        s[at.COINCHED] = 2
        s[at.SURCOINCHER] = seat
        s[at.PHASE] = at.PLAYING
        s[at.TURN] = s[at.LEADER]
    else:
        s[at.LEVEL] = bid_level(action)
        s[at.CONTRACT] = bid_suit(action)
        s[at.VALUE] = level_value(s[at.LEVEL])
        s[at.BIDDER] = seat
        s[at.LAST_BID + seat] = action
