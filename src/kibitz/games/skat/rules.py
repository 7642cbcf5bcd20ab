"""Skat: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import highest, popcount
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import (
    ANNOUNCED,
    BIDS,
    CARDS,
    CLASS,
    CLASSES,
    DECLARED_KIND,
    DECLARED_VALUE,
    GRAND,
    HAND_DECLARATIONS,
    JACKS,
    N_BIDS,
    NULL,
    PICKUP_DECLARATIONS,
    POINTS,
    POWER,
    SCHNEIDER,
    SCHWARZ,
)  # fmt: skip
from kibitz.games.skat.contracts import generate
from kibitz.games.skat.scoring import points_of, settle, settle_ramsch
from kibitz.games.skat.state import (
    ACTIONS,
    ANNOUNCED_LOSS,
    ANSWERING,
    ASKED,
    AUCTION,
    BID,
    BIDDER,
    BIDDING,
    CARD_POINTS,
    CHOOSING,
    DECLARE,
    DECLARE_HAND,
    DECLARED,
    DECLARER,
    DECLARING,
    DISCARDING,
    DONE,
    EARLY_END,
    ENDED,
    FAMILY,
    HANDS,
    HIGH,
    HOLD,
    HOT,
    IS_HAND,
    IS_RAMSCH,
    ISS,
    JUMPS,
    KIND,
    LAID_AT,
    LATEST,
    LAYING,
    LOG,
    LONGEST,
    MOVES,
    NOBODY,
    ON_TABLE,
    OPENING,
    PASS,
    PASSED,
    PAYOFF,
    PHASE,
    PICKUP,
    PLAYED,
    PLAYERS,
    PLAYING,
    PUSHED,
    PUSHING,
    RAMSCH,
    SCHIEBEN,
    SCORE,
    SEAT,
    SHARE,
    SIZE,
    SKAT,
    SUCCESS,
    TAKEN,
    TOTAL,
    TOURNAMENT,
    TRICK,
    TRICK_POINTS,
    TRICKS,
    VOIDS,
    WHO,
)  # fmt: skip
from kibitz.games.skat.tallies import TALLIES, tally

__all__ = ["ACTIONS", "HOT", "LONGEST", "PLAYERS", "SIZE", "TALLIES", "tally"]


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rule 2; with a contract to generate also rule 11.3."""
    start(s)
    cards = np.arange(CARDS)
    rng.shuffle(r, cards, 30)
    for place in range(30):
        s[HANDS + place // 10] |= 1 << cards[place]
    s[SKAT] = 1 << cards[30] | 1 << cards[31]
    if s[FAMILY] != AUCTION:
        generate(s, r)


@kernel
def start(s: State) -> None:
    """A table before the first call, with no card dealt."""
    s[PHASE:SIZE] = 0
    s[PHASE] = BIDDING
    s[SEAT] = s[BIDDER] = 1  # 3.3
    s[HIGH] = s[DECLARER] = s[DECLARED] = s[KIND] = s[LAID_AT] = s[WHO] = NOBODY


@kernel
def turn(s: State) -> int:
    """The seat to move."""
    return OVER if s[PHASE] == ENDED else s[SEAT]


@kernel
def block(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    phase = s[PHASE]
    if phase in (PLAYING, DISCARDING, PUSHING):
        return 0
    if phase in (BIDDING, OPENING):
        return PASS
    if phase == ANSWERING:
        return HOLD
    if phase == CHOOSING:
        return PICKUP
    return DECLARE_HAND if s[IS_HAND] else DECLARE


@kernel
def moves(s: State) -> int:
    """The legal actions as bits above `block`; before the first bid with jumps=on all 64 are set."""
    phase = s[PHASE]
    if phase == PLAYING:
        hand = s[HANDS + s[SEAT]]
        if s[ON_TABLE] == 0:
            return hand
        following = hand & CLASSES[s[KIND], CLASS[s[KIND], s[TRICK]]]
        return following if following else hand  # 5.2, 5.3
    if phase in (BIDDING, OPENING):
        if s[HIGH] == N_BIDS - 1:
            return 1  # 3.4
        return 1 | (-1 << (s[HIGH] + 2)) if s[JUMPS] else 1 | 1 << (s[HIGH] + 2)  # 3.2
    if phase in (ANSWERING, CHOOSING):
        return 3
    if phase == DECLARING:
        return _declarations(s)
    return _discards(s)


@kernel
def _declarations(s: State) -> int:
    """Rules 4.5 to 4.7."""
    first = len(PICKUP_DECLARATIONS) if s[IS_HAND] else 0
    count = len(HAND_DECLARATIONS) if s[IS_HAND] else len(PICKUP_DECLARATIONS)
    bid = BIDS[s[HIGH]]
    bits = 0
    for k in range(count):
        if DECLARED_VALUE[first + k] >= bid:
            bits |= 1 << k
    return bits


@kernel
def _discards(s: State) -> int:
    """Rules 4.3 and 9.5: the second card is above the first."""
    cards = s[HANDS + s[SEAT]]
    if s[PHASE] == PUSHING:
        cards &= ~JACKS
    if s[LAYING] == 0:
        return cards & ~(1 << highest(cards))
    return cards & (-1 << highest(s[SKAT]))


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """The legal actions as a mask."""
    mask[:] = False
    if s[PHASE] == ENDED:
        return 0
    bits = moves(s)
    first = block(s)
    for k in range(min(64, ACTIONS - first)):
        if bits >> k & 1:
            mask[first + k] = True
    return popcount(bits)


@kernel
def step(s: State, action: int) -> None:
    """Play an action."""
    s[LOG + s[MOVES]] = action
    s[MOVES] += 1
    phase = s[PHASE]
    if phase == PLAYING:
        _play_card(s, action)
    elif phase <= OPENING:
        _call(s, action)
    elif phase == CHOOSING:
        s[IS_HAND] = 1 if action != PICKUP else 0
        if s[IS_HAND]:
            s[PHASE] = DECLARING
        else:
            s[TAKEN] = s[SKAT]
            _pick_up(s, DISCARDING)
    elif phase == DECLARING:
        s[DECLARED] = action - DECLARE
        s[KIND] = DECLARED_KIND[s[DECLARED]]
        _lead(s)
    else:
        _lay_away(s, action)


@kernel
def _call(s: State, action: int) -> None:
    """Rules 3.3 to 3.7."""
    if action == HOLD:
        s[PHASE] = BIDDING
        s[SEAT] = s[BIDDER]
    elif action != PASS:
        s[HIGH] = action - BID
        if s[PHASE] == OPENING:
            _win_auction(s, 0)
        else:
            s[PHASE] = ANSWERING
            s[SEAT] = s[ASKED]
    elif s[PHASE] == OPENING:
        _pass_in(s)
    else:
        _end_duel(s, s[ASKED] if s[PHASE] == BIDDING else s[BIDDER])


@kernel
def _end_duel(s: State, survivor: int) -> None:
    if s[BIDDER] == 1:  # 3.5
        s[BIDDER] = s[SEAT] = 2
        s[ASKED] = survivor
        s[PHASE] = BIDDING
    elif s[HIGH] == NOBODY:  # 3.6
        s[PHASE] = OPENING
        s[SEAT] = 0
    else:
        _win_auction(s, survivor)


@kernel
def _win_auction(s: State, seat: int) -> None:
    s[DECLARER] = s[SEAT] = seat
    s[PHASE] = CHOOSING


@kernel
def _pass_in(s: State) -> None:
    """Rules 9.1 and 9.2."""
    if s[PASSED] != RAMSCH:
        s[PHASE] = ENDED
        return
    s[IS_RAMSCH] = 1
    s[KIND] = GRAND
    if s[SCHIEBEN]:
        s[SEAT] = 0
        s[TAKEN] = s[SKAT]
        _pick_up(s, PUSHING)
    else:
        _lead(s)


@kernel
def _pick_up(s: State, phase: int) -> None:
    """The seat to move takes what lies face down and will lay away two."""
    s[HANDS + s[SEAT]] |= s[SKAT]
    s[SKAT] = 0
    s[LAYING] = 0
    if s[LAID_AT] == NOBODY:
        s[LAID_AT] = s[MOVES]
    s[PHASE] = phase


@kernel
def _lay_away(s: State, card: int) -> None:
    """Rules 4.3 and 9.5."""
    seat = s[SEAT]
    s[HANDS + seat] &= ~(1 << card)
    s[SKAT] |= 1 << card
    s[LAYING] += 1
    if s[LAYING] < 2:
        return
    if s[PHASE] == DISCARDING:
        s[PHASE] = DECLARING
    elif seat < 2:
        s[PUSHED + seat] = s[SKAT]
        s[SEAT] += 1
        _pick_up(s, PUSHING)
    else:
        _lead(s)


@kernel
def _lead(s: State) -> None:
    s[PHASE] = PLAYING
    s[SEAT] = 0  # 5.1


@kernel
def _play_card(s: State, card: int) -> None:
    seat = s[SEAT]
    n = s[ON_TABLE]
    s[HANDS + seat] &= ~(1 << card)
    s[PLAYED + seat] |= 1 << card
    s[TRICK + n] = card
    if n > 0:
        led = CLASS[s[KIND], s[TRICK]]
        if CLASS[s[KIND], card] != led:
            s[VOIDS + seat] |= 1 << led
    s[SEAT] = seat + 1 if seat < 2 else 0
    s[ON_TABLE] = n + 1
    if n == 2:
        _take_trick(s)


@kernel
def _take_trick(s: State) -> None:
    """Rule 5.4. After three cards the leader is next again."""
    kind = s[KIND]
    a, b, c = s[TRICK], s[TRICK + 1], s[TRICK + 2]
    led = CLASS[kind, a]
    best = 0
    power = POWER[kind, led, a]
    if POWER[kind, led, b] > power:
        best = 1
        power = POWER[kind, led, b]
    if POWER[kind, led, c] > power:
        best = 2
    winner = s[SEAT] + best
    if winner > 2:
        winner -= 3
    s[TRICKS + winner] += 1
    s[TRICK_POINTS + winner] += POINTS[a] + POINTS[b] + POINTS[c]
    s[DONE] += 1
    s[LATEST + winner] = s[DONE]
    s[ON_TABLE] = s[TRICK] = s[TRICK + 1] = s[TRICK + 2] = 0
    s[SEAT] = winner
    if s[DONE] == 10 or (s[EARLY_END] and _is_settled(s)):
        close(s)


@kernel
def _is_settled(s: State) -> bool:
    """Rule 6."""
    if s[IS_RAMSCH]:
        return False
    own = s[TRICKS + s[DECLARER]]
    if s[KIND] == NULL:
        return own > 0  # 6.2
    announced = ANNOUNCED[s[DECLARED]]
    if announced == 0 or s[PAYOFF] == CARD_POINTS:
        return False  # 6.5, 6.6
    if announced & SCHWARZ:
        return own < s[DONE]  # 6.3
    if announced & SCHNEIDER and (own > 0 or s[ANNOUNCED_LOSS] == ISS):  # 6.4
        theirs = s[TRICK_POINTS] + s[TRICK_POINTS + 1] + s[TRICK_POINTS + 2] - s[TRICK_POINTS + s[DECLARER]]
        return theirs > 30
    return False


@kernel
def close(s: State) -> None:
    """End the play and write the result."""
    s[PHASE] = ENDED
    if s[IS_RAMSCH]:
        settle_ramsch(s)
    else:
        settle(s, s[TRICK_POINTS + s[DECLARER]] + points_of(s[SKAT]), s[TRICKS + s[DECLARER]], False)


@kernel
def gain(s: State) -> float:
    """Rules 10.2 to 10.5: what the deal is worth to the seat it counts for."""
    score = float(s[SCORE])
    if s[PAYOFF] == CARD_POINTS:
        if s[IS_RAMSCH]:
            return score / 120.0
        if s[KIND] == NULL:
            return 0.25 if s[SUCCESS] else -0.25
        return (s[TOTAL] - 60) / 120.0
    if s[PAYOFF] == TOURNAMENT and not s[IS_RAMSCH]:
        return score + 50.0 if s[SUCCESS] else score - 50.0 - 40.0 * s[SHARE]
    return score


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Rule 10.1: what one gains the other two lose in equal halves."""
    if s[WHO] == NOBODY:
        out[:PLAYERS] = 0.0
        return
    worth = gain(s)
    for seat in range(PLAYERS):
        out[seat] = worth if seat == s[WHO] else -worth / 2.0


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 10.6."""
    return bool(s[WHO] != NOBODY and (s[SUCCESS] == 1) == (seat == s[WHO]))


@kernel
def side(s: State, seat: int) -> int:
    """The declarer against the other two; everybody for himself before there is one, and in a Ramsch."""
    if s[DECLARER] == NOBODY:
        return seat
    return 0 if seat == s[DECLARER] else 1
