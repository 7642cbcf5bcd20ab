"""Records of the Internet Skat Server played again, many in one compiled call (rules 12.1 to 12.8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import ANNOUNCED, DECLARED_KIND, HAND, NULL, SCHNEIDER
from kibitz.games.skat.rules import block, moves, start, step
from kibitz.games.skat.scoring import matadors, points_of, settle, settle_with
from kibitz.games.skat.state import (
    ACTIONS,
    ANNOUNCED_LOSS,
    DECLARED,
    DECLARER,
    DISCARDING,
    DONE,
    EARLY_END,
    ENDED,
    HANDS,
    ISKO,
    JUMPS,
    KIND,
    LAYING,
    NOBODY,
    ON_TABLE,
    PHASE,
    PLAYERS,
    PLAYING,
    SCORE,
    SEAT,
    SHARE,
    SKAT,
    TAKEN,
    TOTAL,
    TRICK_POINTS,
    TRICKS,
)  # fmt: skip

Ints = NDArray[np.int64]

# Codes of moves: the action, or one of these, in the low byte; the seat that did it above.
RESIGN, SHOW, TIME_OUT, LEAVE = ACTIONS, ACTIONS + 1, ACTIONS + 2, ACTIONS + 3
UNSEEN = ACTIONS + 4
"""A card that the record does not name, just before it ends."""
PENDING = ACTIONS + 5
"""PENDING + declaration: declared after a pick-up, but the discards are missing (12.7)."""
SEAT_SHIFT = 8

PLAYED, SHORTENED, PASSED, PENALTY, CORRUPT = range(5)
STATUS, PROBLEM, PLACE, VALUE_ISKO, OUT_OF_TIME, LEFT, HAS_RESIGNED = range(7)
VERDICT = 7
FINE, NOT_LEGAL, NOT_IN_TURN, AFTER_THE_END, UNFINISHED, TOO_EARLY, NOT_THE_DECLARER, DECIDES_A_TRICK = range(8)
PROBLEMS = (
    "", "is not legal", "is out of turn", "comes after the end", "the game neither ended nor was ended",
    "comes before the play", "shows cards and is not the declarer",
    "is a hidden card on which a trick depends",
)  # fmt: skip


@kernel
def replay_games(deals: Ints, codes: Ints, first: Ints, reading: int, states: Ints, verdicts: Ints) -> None:
    """Play n records by one reading of 7.3.

    deals[n, 4] are hands and skat, codes[first[i] : first[i + 1]] the moves of record i; states[n, SIZE] receives how each
    ended, scored as ISS does, verdicts[n, VERDICT] what kind of record it is and what is wrong with it.
    """
    for i in range(len(deals)):
        replay_game(deals[i], codes[first[i] : first[i + 1]], reading, states[i], verdicts[i])


@kernel
def replay_game(deal: Ints, codes: Ints, reading: int, s: State, verdict: Ints) -> None:
    """Play one record by one reading of 7.3."""
    s[:] = 0
    s[JUMPS] = s[EARLY_END] = 1
    s[ANNOUNCED_LOSS] = reading
    s[SHARE] = 2
    start(s)
    for seat in range(PLAYERS):
        s[HANDS + seat] = deal[seat]
    s[SKAT] = deal[PLAYERS]
    verdict[:] = 0
    verdict[OUT_OF_TIME] = verdict[LEFT] = NOBODY
    resigned = 0
    is_cut = False
    for place in range(len(codes)):
        verdict[PLACE] = place
        who = codes[place] >> SEAT_SHIFT
        action = codes[place] & (1 << SEAT_SHIFT) - 1
        if is_cut or s[PHASE] == ENDED:
            verdict[STATUS], verdict[PROBLEM] = CORRUPT, AFTER_THE_END
            return
        if action < ACTIONS:
            verdict[PROBLEM] = _play(s, who, action)
        elif action >= PENDING:
            verdict[PROBLEM] = _declare_first(s, who, action - PENDING)
        elif action in (TIME_OUT, LEAVE):
            verdict[OUT_OF_TIME if action == TIME_OUT else LEFT] = who
            is_cut = True
        elif s[PHASE] != PLAYING:
            verdict[PROBLEM] = TOO_EARLY
        elif action == UNSEEN:  # 12.8: nothing depends on it while its trick is open
            verdict[PROBLEM] = _leave_out(s, who)
        elif action == SHOW:
            verdict[PROBLEM] = FINE if who == s[DECLARER] else NOT_THE_DECLARER
        else:
            resigned |= 1 << who
            is_cut = resigned >> s[DECLARER] & 1 == 1 or resigned == 7 & ~(1 << s[DECLARER])
            verdict[HAS_RESIGNED] = 1 if is_cut else 0
        if verdict[PROBLEM] != FINE:
            verdict[STATUS] = CORRUPT
            return
    _judge(s, resigned, is_cut, verdict)


@kernel
def _play(s: State, who: int, action: int) -> int:
    if who != s[SEAT]:
        return NOT_IN_TURN
    bit = action - block(s)
    if bit < 0 or bit > 63 or not moves(s) >> bit & 1:
        return NOT_LEGAL
    step(s, action)
    return FINE


@kernel
def _leave_out(s: State, who: int) -> int:
    if who != s[SEAT]:
        return NOT_IN_TURN
    return DECIDES_A_TRICK if s[ON_TABLE] == PLAYERS - 1 else FINE


@kernel
def _declare_first(s: State, who: int, declaration: int) -> int:
    """A declaration that ISS was told before the discards."""
    if who != s[SEAT]:
        return NOT_IN_TURN
    if s[PHASE] != DISCARDING or s[LAYING] > 0 or ANNOUNCED[declaration] & HAND:
        return NOT_LEGAL
    s[DECLARED] = declaration
    s[KIND] = DECLARED_KIND[declaration]
    return FINE


@kernel
def _judge(s: State, resigned: int, is_cut: bool, verdict: Ints) -> None:
    """Sort a record whose moves are all legal, and settle it."""
    if not is_cut:
        if s[PHASE] != ENDED:
            verdict[STATUS], verdict[PROBLEM] = CORRUPT, UNFINISHED
            return
        verdict[STATUS] = PASSED if s[DECLARER] == NOBODY else PLAYED
        if verdict[STATUS] == PLAYED:
            verdict[VALUE_ISKO] = _isko_value(s, s[TOTAL], s[TRICKS + s[DECLARER]], False)
        return
    if s[DECLARED] == NOBODY:
        verdict[STATUS] = PENALTY  # 12.6
        return
    verdict[STATUS] = SHORTENED
    declarer = s[DECLARER]
    culprit = max(verdict[OUT_OF_TIME], verdict[LEFT])
    gave_up = resigned >> declarer & 1 == 1 or culprit == declarer
    if s[PHASE] == DISCARDING:
        _settle_undiscarded(s, gave_up, verdict)
        return
    points = s[TRICK_POINTS + declarer] + points_of(s[SKAT])
    tricks = s[TRICKS + declarer]
    if not gave_up and s[KIND] != NULL:  # 12.4: what is open goes to the declarer
        points = 120 - (s[TRICK_POINTS] + s[TRICK_POINTS + 1] + s[TRICK_POINTS + 2]) + s[TRICK_POINTS + declarer]
        tricks += 10 - s[DONE]
    verdict[VALUE_ISKO] = _isko_value(s, points, tricks, gave_up)
    settle(s, points, tricks, gave_up)


@kernel
def _settle_undiscarded(s: State, gave_up: bool, verdict: Ints) -> None:
    """Rule 12.7: ISS sees only the skat that was picked up."""
    points = points_of(s[TAKEN]) if gave_up else 120
    settle_with(s, matadors(s[TAKEN], s[KIND]), points, 0 if gave_up else 10, gave_up)
    verdict[VALUE_ISKO] = s[SCORE]


@kernel
def _isko_value(s: State, points: int, tricks: int, gave_up: bool) -> int:
    """The value as ISkO has it; leaves the result by the reading of the replay."""
    if s[KIND] == NULL or not ANNOUNCED[s[DECLARED]] & SCHNEIDER:
        settle(s, points, tricks, gave_up)
        return s[SCORE]
    reading = s[ANNOUNCED_LOSS]
    s[ANNOUNCED_LOSS] = ISKO
    settle(s, points, tricks, gave_up)
    value = s[SCORE]
    s[ANNOUNCED_LOSS] = reading
    settle(s, points, tricks, gave_up)
    return value
