"""Records of the Internet Skat Server played again, many in one compiled call (rules 12.1 to 12.8)."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, DECLARED_KIND, HAND, NULL, SCHNEIDER
from kibitz.games.skat.contracts import start
from kibitz.games.skat.rules import GAME
from kibitz.games.skat.scoring import matadors, settle, settle_with, worth_of

block, moves, step = GAME.rules.block, GAME.rules.moves, GAME.rules.step

# Codes of moves: the action, or one of these, in the low byte; the seat that did it above.
RESIGN, SHOW, TIME_OUT, LEAVE = at.ACTIONS, at.ACTIONS + 1, at.ACTIONS + 2, at.ACTIONS + 3
UNSEEN = at.ACTIONS + 4
"""A card that the record does not name, just before it ends."""
PENDING = at.ACTIONS + 5
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

    deals[n, 4] are hands and skat, codes[first[i] : first[i + 1]] the moves of record i; states[n, SIZE] receives how
    each ended, scored as ISS does, verdicts[n, VERDICT] what kind of record it is and what is wrong with it.
    """
    for i in range(len(deals)):
        replay_game(deals[i], codes[first[i] : first[i + 1]], reading, states[i], verdicts[i])


@kernel
def replay_game(deal: Ints, codes: Ints, reading: int, s: State, verdict: Ints) -> None:
    """Play one record by one reading of 7.3."""
    s[:] = 0
    s[at.JUMPS] = s[at.EARLY_END] = 1
    s[at.ANNOUNCED_LOSS] = reading
    s[at.SHARE] = 2
    start(s)
    for seat in range(at.PLAYERS):
        s[at.HAND + seat] = deal[seat]
    s[at.ASIDE] = deal[at.PLAYERS]
    verdict[:] = 0
    verdict[OUT_OF_TIME] = verdict[LEFT] = at.NOBODY
    resigned = 0
    is_cut = False
    for place in range(len(codes)):
        verdict[PLACE] = place
        who = codes[place] >> SEAT_SHIFT
        action = codes[place] & (1 << SEAT_SHIFT) - 1
        if is_cut or s[at.PHASE] == at.ENDED:
            verdict[STATUS], verdict[PROBLEM] = CORRUPT, AFTER_THE_END
            return
        if action < at.ACTIONS:
            verdict[PROBLEM] = _play(s, who, action)
        elif action >= PENDING:
            verdict[PROBLEM] = _declare_first(s, who, action - PENDING)
        elif action in (TIME_OUT, LEAVE):
            verdict[OUT_OF_TIME if action == TIME_OUT else LEFT] = who
            is_cut = True
        elif s[at.PHASE] != at.PLAYING:
            verdict[PROBLEM] = TOO_EARLY
        elif action == UNSEEN:  # 12.8: nothing depends on it while its trick is open
            verdict[PROBLEM] = _leave_out(s, who)
        elif action == SHOW:
            verdict[PROBLEM] = FINE if who == s[at.DECLARER] else NOT_THE_DECLARER
        else:
            resigned |= 1 << who
            is_cut = resigned >> s[at.DECLARER] & 1 == 1 or resigned == 7 & ~(1 << s[at.DECLARER])
            verdict[HAS_RESIGNED] = 1 if is_cut else 0
        if verdict[PROBLEM] != FINE:
            verdict[STATUS] = CORRUPT
            return
    _judge(s, resigned, is_cut, verdict)


@kernel
def _play(s: State, who: int, action: int) -> int:
    if who != s[at.TURN]:
        return NOT_IN_TURN
    bit = action - block(s)
    if bit < 0 or bit > 63 or not moves(s) >> bit & 1:
        return NOT_LEGAL
    step(s, action)
    return FINE


@kernel
def _leave_out(s: State, who: int) -> int:
    if who != s[at.TURN]:
        return NOT_IN_TURN
    return DECIDES_A_TRICK if s[at.COUNT] == at.PLAYERS - 1 else FINE


@kernel
def _declare_first(s: State, who: int, declaration: int) -> int:
    """A declaration that ISS was told before the discards."""
    if who != s[at.TURN]:
        return NOT_IN_TURN
    if s[at.PHASE] != at.DISCARDING or s[at.LAYING_NOW] > 0 or ANNOUNCED[declaration] & HAND:
        return NOT_LEGAL
    s[at.DECLARED] = declaration
    s[at.CONTRACT] = DECLARED_KIND[declaration]
    return FINE


@kernel
def _judge(s: State, resigned: int, is_cut: bool, verdict: Ints) -> None:
    """Sort a record whose moves are all legal, and settle it."""
    if not is_cut:
        if s[at.PHASE] != at.ENDED:
            verdict[STATUS], verdict[PROBLEM] = CORRUPT, UNFINISHED
            return
        verdict[STATUS] = PASSED if s[at.DECLARER] == at.NOBODY else PLAYED
        if verdict[STATUS] == PLAYED:
            verdict[VALUE_ISKO] = _isko_value(s, s[at.TOTAL], s[at.TRICKS + s[at.DECLARER]], False)
        return
    if s[at.DECLARED] == at.NOBODY:
        verdict[STATUS] = PENALTY  # 12.6
        return
    verdict[STATUS] = SHORTENED
    declarer = s[at.DECLARER]
    culprit = max(verdict[OUT_OF_TIME], verdict[LEFT])
    gave_up = resigned >> declarer & 1 == 1 or culprit == declarer
    if s[at.PHASE] == at.DISCARDING:
        _settle_undiscarded(s, gave_up, verdict)
        return
    points = s[at.POINTS + declarer] + worth_of(s[at.ASIDE])
    tricks = s[at.TRICKS + declarer]
    if not gave_up and s[at.CONTRACT] != NULL:  # 12.4: what is open goes to the declarer
        points = 120 - (s[at.POINTS] + s[at.POINTS + 1] + s[at.POINTS + 2]) + s[at.POINTS + declarer]
        tricks += 10 - s[at.DONE]
    verdict[VALUE_ISKO] = _isko_value(s, points, tricks, gave_up)
    settle(s, points, tricks, gave_up)


@kernel
def _settle_undiscarded(s: State, gave_up: bool, verdict: Ints) -> None:
    """Rule 12.7: ISS sees only the skat that was picked up."""
    points = worth_of(s[at.TAKEN]) if gave_up else 120
    settle_with(s, matadors(s[at.TAKEN], s[at.CONTRACT]), points, 0 if gave_up else 10, gave_up)
    verdict[VALUE_ISKO] = s[at.SCORE]


@kernel
def _isko_value(s: State, points: int, tricks: int, gave_up: bool) -> int:
    """The value as ISkO has it; leaves the result by the reading of the replay."""
    if s[at.CONTRACT] == NULL or not ANNOUNCED[s[at.DECLARED]] & SCHNEIDER:
        settle(s, points, tricks, gave_up)
        return s[at.SCORE]
    reading = s[at.ANNOUNCED_LOSS]
    s[at.ANNOUNCED_LOSS] = at.ISKO
    settle(s, points, tricks, gave_up)
    value = s[at.SCORE]
    s[at.ANNOUNCED_LOSS] = reading
    settle(s, points, tricks, gave_up)
    return value
