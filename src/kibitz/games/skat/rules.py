"""Skat on the kit: auction, skat, declaration, when the play ends, what it pays. Numbers are those of RULES.md."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.skat import OPTIONS, knowledge
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.contracts import generate, start
from kibitz.games.skat.scoring import settle, settle_ramsch, worth_of
from kibitz.games.skat.tallies import TALLIES as TALLIES
from kibitz.games.skat.tallies import tally as tally
from kibitz.games.skat.words import SkatWords
from kibitz.games.tricks.kit import TrickGame


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2; with a contract to generate also rule 11.3."""
    start(s)
    cards = np.arange(skat.CARDS)
    rng.shuffle(r, cards, 30)
    for place in range(30):
        s[at.HAND + place // 10] |= 1 << cards[place]
    s[at.ASIDE] = 1 << cards[30] | 1 << cards[31]
    if s[at.FAMILY] != at.AUCTION:
        generate(s, r)


@kernel
def call_block(s: State) -> int:
    """The action that bit 0 of `calls` stands for."""
    phase = s[at.PHASE]
    if phase == at.BIDDING or phase == at.OPENING:
        return at.PASS
    if phase == at.ANSWERING:
        return at.HOLD
    if phase == at.CHOOSING:
        return at.PICKUP
    if phase == at.DECLARING:
        return at.DECLARE_HAND if s[at.IS_HAND] else at.DECLARE
    return 0


@kernel
def calls(s: State) -> int:
    """What may be said or laid away, as bits; before the first bid with jumps=on all 64 are set."""
    phase = s[at.PHASE]
    if phase == at.BIDDING or phase == at.OPENING:
        if s[at.HIGH] == skat.N_BIDS - 1:
            return 1  # 3.4
        return 1 | (-1 << (s[at.HIGH] + 2)) if s[at.JUMPS] else 1 | 1 << (s[at.HIGH] + 2)  # 3.2
    if phase == at.ANSWERING or phase == at.CHOOSING:
        return 3
    if phase == at.DECLARING:
        return _declarations(s)
    return _discards(s)


@kernel
def _declarations(s: State) -> int:
    """Rules 4.5 to 4.7."""
    first = len(skat.PICKUP_DECLARATIONS) if s[at.IS_HAND] else 0
    count = len(skat.HAND_DECLARATIONS) if s[at.IS_HAND] else len(skat.PICKUP_DECLARATIONS)
    bid = skat.BIDS[s[at.HIGH]]
    bits = 0
    for k in range(count):
        if skat.DECLARED_VALUE[first + k] >= bid:
            bits |= 1 << k
    return bits


@kernel
def _discards(s: State) -> int:
    """Rules 4.3 and 9.5: the second card is above the first."""
    cards = s[at.HAND + s[at.TURN]]
    if s[at.PHASE] == at.PUSHING:
        cards &= ~skat.JACKS
    if s[at.LAYING_NOW] == 0:
        return cards & ~(1 << highest(cards))
    return cards & (-1 << highest(s[at.ASIDE]))


@kernel
def call(s: State, action: int) -> None:
    """Say something or lay a card away."""
    phase = s[at.PHASE]
    if phase == at.BIDDING or phase == at.ANSWERING or phase == at.OPENING:
        _bid(s, action)
    elif phase == at.CHOOSING:
        s[at.IS_HAND] = 1 if action != at.PICKUP else 0
        if s[at.IS_HAND]:
            s[at.PHASE] = at.DECLARING
        else:
            s[at.TAKEN] = s[at.ASIDE]
            _pick_up(s, at.DISCARDING)
    elif phase == at.DECLARING:
        s[at.DECLARED] = action - at.DECLARE
        s[at.CONTRACT] = skat.DECLARED_KIND[s[at.DECLARED]]
        _lead(s)
    else:
        _lay_away(s, action)


@kernel
def _bid(s: State, action: int) -> None:
    """Rules 3.3 to 3.7."""
    if action == at.HOLD:
        s[at.PHASE] = at.BIDDING
        s[at.TURN] = s[at.BIDDER]
    elif action != at.PASS:
        s[at.HIGH] = action - at.BID
        if s[at.PHASE] == at.OPENING:
            _win_auction(s, 0)
        else:
            s[at.PHASE] = at.ANSWERING
            s[at.TURN] = s[at.ASKED]
    elif s[at.PHASE] == at.OPENING:
        _pass_in(s)
    else:
        _end_duel(s, s[at.ASKED] if s[at.PHASE] == at.BIDDING else s[at.BIDDER])


@kernel
def _end_duel(s: State, survivor: int) -> None:
    if s[at.BIDDER] == 1:  # 3.5
        s[at.BIDDER] = s[at.TURN] = 2
        s[at.ASKED] = survivor
        s[at.PHASE] = at.BIDDING
    elif s[at.HIGH] == at.NOBODY:  # 3.6
        s[at.PHASE] = at.OPENING
        s[at.TURN] = 0
    else:
        _win_auction(s, survivor)


@kernel
def _win_auction(s: State, seat: int) -> None:
    s[at.DECLARER] = s[at.TURN] = seat
    s[at.PHASE] = at.CHOOSING


@kernel
def _pass_in(s: State) -> None:
    """Rules 9.1 and 9.2."""
    if s[at.PASSED] != at.RAMSCH:
        s[at.PHASE] = at.ENDED
        s[at.TURN] = OVER
        return
    s[at.IS_RAMSCH] = 1
    s[at.CONTRACT] = skat.GRAND
    if s[at.SCHIEBEN]:
        s[at.TURN] = 0
        s[at.TAKEN] = s[at.ASIDE]
        _pick_up(s, at.PUSHING)
    else:
        _lead(s)


@kernel
def _pick_up(s: State, phase: int) -> None:
    """The seat to move takes what lies face down and will lay away two."""
    s[at.HAND + s[at.TURN]] |= s[at.ASIDE]
    s[at.ASIDE] = 0
    s[at.LAYING_NOW] = 0
    if s[at.LAID_BY] == at.NOBODY:
        s[at.LAID_AT] = s[at.MOVES]
    s[at.LAID_BY] = s[at.TURN]
    s[at.PHASE] = phase


@kernel
def _lay_away(s: State, card: int) -> None:
    """Rules 4.3 and 9.5."""
    seat = s[at.TURN]
    s[at.HAND + seat] &= ~(1 << card)
    s[at.ASIDE] |= 1 << card
    s[at.LAYING_NOW] += 1
    if s[at.LAYING_NOW] < 2:
        return
    if s[at.PHASE] == at.DISCARDING:
        s[at.PHASE] = at.DECLARING
    elif seat < 2:
        s[at.GIVEN + seat] = s[at.ASIDE]
        s[at.TURN] += 1
        _pick_up(s, at.PUSHING)
    else:
        _lead(s)


@kernel
def _lead(s: State) -> None:
    s[at.PHASE] = at.PLAYING
    s[at.TURN] = 0  # 5.1


@kernel
def after_trick(s: State, winner: int) -> None:
    """Rule 6: the play stops once the game is settled."""
    s[at.LATEST + winner] = s[at.DONE]
    if s[at.EARLY_END] and not s[at.IS_RAMSCH] and _is_settled(s):
        s[at.PHASE] = at.ENDED


@kernel
def _is_settled(s: State) -> bool:
    own = s[at.TRICKS + s[at.DECLARER]]
    if s[at.CONTRACT] == skat.NULL:
        return own > 0  # 6.2
    announced = skat.ANNOUNCED[s[at.DECLARED]]
    if announced == 0 or s[at.PAYOFF] == at.CARD_POINTS:
        return False  # 6.5, 6.6
    if announced & skat.SCHWARZ:
        return own < s[at.DONE]  # 6.3
    if announced & skat.SCHNEIDER and (own > 0 or s[at.ANNOUNCED_LOSS] == at.ISS):  # 6.4
        theirs = s[at.POINTS] + s[at.POINTS + 1] + s[at.POINTS + 2] - s[at.POINTS + s[at.DECLARER]]
        return theirs > 30
    return False


@kernel
def close(s: State) -> None:
    """Write the result when the play is over."""
    if s[at.IS_RAMSCH]:
        settle_ramsch(s)
    else:
        declarer = s[at.DECLARER]
        settle(s, s[at.POINTS + declarer] + worth_of(s[at.ASIDE]), s[at.TRICKS + declarer], False)


@kernel
def gain(s: State) -> float:
    """Rules 10.2 to 10.5: what the deal is worth to the seat it counts for."""
    score = float(s[at.SCORE])
    if s[at.PAYOFF] == at.CARD_POINTS:
        if s[at.IS_RAMSCH]:
            return score / 120.0
        if s[at.CONTRACT] == skat.NULL:
            return 0.25 if s[at.SUCCESS] else -0.25
        return (s[at.TOTAL] - 60) / 120.0
    if s[at.PAYOFF] == at.TOURNAMENT and not s[at.IS_RAMSCH]:
        return score + 50.0 if s[at.SUCCESS] else score - 50.0 - 40.0 * s[at.SHARE]
    return score


@kernel
def returns(s: State, out: Floats) -> None:
    """Rule 10.1: what one gains the other two lose in equal halves."""
    if s[at.WHO] == at.NOBODY:
        out[: at.PLAYERS] = 0.0
        return
    worth = gain(s)
    for seat in range(at.PLAYERS):
        out[seat] = worth if seat == s[at.WHO] else -worth / 2.0


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 10.6."""
    return bool(s[at.WHO] != at.NOBODY and (s[at.SUCCESS] == 1) == (seat == s[at.WHO]))


@kernel
def side(s: State, seat: int) -> int:
    """The declarer against the other two; everybody for himself before there is one, and in a Ramsch."""
    if s[at.DECLARER] == at.NOBODY:
        return seat
    return 0 if seat == s[at.DECLARER] else 1


GAME = TrickGame(
    "skat", deck=skat.DECK, suits=skat.SUITS, seats=at.PLAYERS, each=10, contracts=skat.CONTRACTS, unnamed=skat.GRAND,
    rest="the skat", options=OPTIONS, slots=at.SLOTS, call_words=skat.CALL_WORDS, longest_calls=at.LONGEST_CALLS,
    call_block=call_block, calls=calls, call=call, side=side, after_trick=after_trick, settle=close, score=returns,
    won=won, known=knowledge.known, sees=knowledge.sees, known_aside=knowledge.known_aside, blank=knowledge.blank,
    recall=knowledge.recall, hand_size=knowledge.hand_size, lacking=knowledge.lacking, sort=knowledge.sort,
    redraw=knowledge.redraw, redraws=knowledge.redraws, words=SkatWords,
)  # fmt: skip
assert GAME.bound["LOG"] == at.LOG and GAME.bound["SIZE"] == at.SIZE
