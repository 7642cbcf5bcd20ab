"""Records of the Internet Skat Server read from bytes, in compiled code: the usual form, which nearly all have.

Whatever stands in a record that this does not know by heart, it leaves to the careful reader (`archive`): a record is
either read here exactly as there, or not at all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.skat import replay
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import BID_WORDS, CARDS, DECLARATIONS, NULL
from kibitz.games.skat.iss import CARD_WORDS

Bytes = NDArray[np.uint8]

# What is noted of a record: where its names, ratings and date stand, and what its result says.
NAME, RATING, DATE, RESULT = 0, 6, 12, 14
DECLARER, OUTCOME, VALUE, MATADORS, OVERBID, POINTS, TRICKS = range(RESULT, RESULT + 7)
NOTES = RESULT + 7
LOSS, WIN, PASSED_IN = range(3)
UNSAID = -(1 << 40)
_OPEN, _SHUT, _SEMICOLON = ord("("), ord(")"), ord(";")
_LEFT, _RIGHT, _REMARK, _DOT, _BAR, _COLON, _MINUS = (ord(letter) for letter in "[]#.|:-")
_ZERO, _NINE, _WORLD, _A, _Z = (ord(letter) for letter in "09wAZ")


def _packed(word: str) -> int:
    """A short word as one number."""
    return int.from_bytes(word.encode(), "big")


CODE_OF: Ints = np.full(1 << 16, -1, np.int64)
"""int64[word of one or two letters]: the card, or the code of what a seat says."""
CODE_OF[[_packed(word) for word in CARD_WORDS]] = range(CARDS)
CODE_OF[[_packed(word) for word in ("p", "y", "s", "RE")]] = at.PASS, at.HOLD, at.PICKUP, replay.RESIGN
SLOT_OF: Ints = np.full(256, -1, np.int64)
"""int64[letter]: what it stands for before a colon in a result."""
SLOT_OF[[ord(letter) for letter in "dvmpt"]] = DECLARER, VALUE, MATADORS, POINTS, TRICKS
BID_OF: Ints = np.full(int(BID_WORDS[-1]) + 1, -1, np.int64)
BID_OF[[int(word) for word in BID_WORDS]] = range(len(BID_WORDS))
CONTRACTS: Ints = np.array([_packed(word) for word in DECLARATIONS], np.int64)
IS_KIND, IS_LEVEL, IS_SPACE = (
    np.isin(np.arange(256), [ord(letter) for letter in letters]) for letters in ("CSHDGN", "OHSZ.", " \n\r\t")
)
GM, MV, RESULT_KEY, DT, SKAT, SC, TI, LE, BIDOK, OVER, LOST, WON, PASS_WORD, _P0, _R0 = (
    _packed(word) for word in (
        "GM", "MV", "R", "DT", "Skat", "SC", "TI", "LE", "bidok", "overbid", "loss", "win", "passed", "P0", "R0",
    )
)  # fmt: skip


@kernel
def find_records(text: Bytes, bounds: Ints) -> int:
    """Where records begin and end, whatever else stands between them; gives how many there are."""
    n, begun, place, size = 0, -1, 0, len(text)
    while place + 1 < size:
        if text[place] == _OPEN and text[place + 1] == _SEMICOLON:
            if begun >= 0:  # the record before has lost its end
                bounds[n, 0], bounds[n, 1] = begun, place
                n += 1
            begun = place
            place += 2
        elif begun >= 0 and text[place] == _SEMICOLON and text[place + 1] == _SHUT:
            bounds[n, 0], bounds[n, 1] = begun, place + 2
            n += 1
            begun = -1
            place += 2
        else:
            place += 1
    if begun >= 0:
        bounds[n, 0], bounds[n, 1] = begun, size
        n += 1
    return n


@kernel
def read_records(
    text: Bytes, bounds: Ints, deals: Ints, codes: Ints, first: Ints, notes: Ints, states: Ints, verdicts: Ints,
    is_read: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Read and replay the records between some bounds; is_read[n] says which were in the usual form and are right."""
    count = 0
    for i in range(len(bounds)):
        first[i] = count
        notes[i, :RESULT] = 0
        notes[i, RESULT:] = UNSAID
        end = read_record(text, bounds[i, 0] + 2, bounds[i, 1] - 2, deals[i], codes, count, notes[i])
        is_read[i] = False
        if end >= 0:
            replay.replay_game(deals[i], codes[count:end], at.ISKO, states[i], verdicts[i])
            is_read[i] = fits(states[i], verdicts[i], notes[i])
            count = end
        first[i + 1] = count


@kernel
def read_record(text: Bytes, start: int, end: int, deal: Ints, codes: Ints, count: int, notes: Ints) -> int:
    """Read one record; gives where its codes end, -1 if it is not in the usual form."""
    moves = moves_end = result = result_end = -1
    begin = place = start
    while place < end:
        letter = text[place]
        if letter == _REMARK:
            return -1
        if letter != _LEFT or place == begin or not _is_key(text[place - 1]):
            place += 1
            continue
        key = int(text[place - 1])
        if place - 2 >= begin and _A <= text[place - 2] <= _Z:
            key |= int(text[place - 2]) << 8
        elif not _A <= text[place - 1] <= _Z:
            place += 1
            continue
        value = place + 1
        place = value
        while place < end and text[place] != _RIGHT:
            place += 1
        if place >= end:
            break
        if key == MV:
            moves, moves_end = value, place
        elif key == RESULT_KEY:
            result, result_end = value, place
        elif key == GM:
            if place - value != 4 or _word(text, value, place) != SKAT:
                return -1
        elif _P0 <= key < _P0 + at.PLAYERS:
            notes[NAME + 2 * (key - _P0)], notes[NAME + 2 * (key - _P0) + 1] = value, place
        elif _R0 <= key < _R0 + at.PLAYERS:
            notes[RATING + 2 * (key - _R0)], notes[RATING + 2 * (key - _R0) + 1] = value, place
        elif key == DT:
            notes[DATE], notes[DATE + 1] = value, place
        place += 1
        begin = place
    if moves < 0 or result < 0 or not _read_result(text, result, result_end, notes):
        return -1
    return _read_moves(text, moves, moves_end, deal, codes, count)


@kernel
def _is_key(letter: int) -> bool:
    return _A <= letter <= _Z or _ZERO <= letter <= _NINE


@kernel
def _word(text: Bytes, start: int, end: int) -> int:
    """A word of at most seven letters as one number, -1 if it is longer."""
    if end - start > 7:
        return -1
    number = 0
    for place in range(start, end):
        number = number << 8 | int(text[place])
    return number


@kernel
def _next_word(text: Bytes, place: int, end: int) -> tuple[int, int]:
    """Where the next word begins and ends; -1 for its beginning at letters that only the careful reader knows."""
    while place < end and IS_SPACE[text[place]]:
        place += 1
    start = place
    while place < end and text[place] > 32 and text[place] < 127:
        if text[place] == _REMARK:
            return -1, place
        place += 1
    if place < end and not IS_SPACE[text[place]]:
        return -1, place
    return start, place


@kernel
def _number(text: Bytes, start: int, end: int) -> int:
    """A whole number as programs write it, UNSAID for anything else."""
    place = start + 1 if start < end and text[start] == _MINUS else start
    if place >= end or end - place > 6 or (text[place] == _ZERO and end - start > 1):
        return UNSAID
    number = 0
    for k in range(place, end):
        if not _ZERO <= text[k] <= _NINE:
            return UNSAID
        number = 10 * number + int(text[k]) - _ZERO
    return -number if place > start else number


@kernel
def _read_result(text: Bytes, place: int, end: int, notes: Ints) -> bool:
    """What the result says; false where it says something twice or in other words."""
    while True:
        start, stop = _next_word(text, place, end)
        if start < 0:
            return False
        if start == stop:
            return notes[OUTCOME] != UNSAID
        place = stop
        if stop - start > 2 and text[start + 1] == _COLON:
            slot = SLOT_OF[text[start]]
            if slot >= 0:
                if notes[slot] != UNSAID:
                    return False
                notes[slot] = _number(text, start + 2, stop)
                if notes[slot] == UNSAID:
                    return False
            continue
        word = _word(text, start, stop)
        if word in (BIDOK, OVER):
            if notes[OVERBID] != UNSAID:
                return False
            notes[OVERBID] = 1 if word == OVER else 0
        elif word in (WON, LOST, PASS_WORD):
            if notes[OUTCOME] != UNSAID:
                return False
            notes[OUTCOME] = WIN if word == WON else LOSS if word == LOST else PASSED_IN
        elif not _has_colon(text, start, stop):
            return False


@kernel
def _has_colon(text: Bytes, start: int, end: int) -> bool:
    for place in range(start, end):  # noqa: SIM110
        if text[place] == _COLON:
            return True
    return False


@kernel
def _card_at(text: Bytes, place: int) -> int:
    """The card that two letters name, -1 if they name none."""
    code = CODE_OF[int(text[place]) << 8 | int(text[place + 1])]
    return code if code < CARDS else -1


@kernel
def _read_moves(text: Bytes, place: int, end: int, deal: Ints, codes: Ints, count: int) -> int:
    start, stop = _next_word(text, place, end)
    if start < 0 or stop - start != 1 or text[start] != _WORLD:
        return -1
    start, stop = _next_word(text, stop, end)
    if start < 0 or not _read_deal(text, start, stop, deal):
        return -1
    place = stop
    has_picked_up = is_declared = has_just = False
    while True:
        start, stop = _next_word(text, place, end)
        if start < 0:
            return -1
        if start == stop:
            return -1 if has_just else count
        if stop - start != 1:
            return -1
        who = int(text[start])
        start, place = _next_word(text, stop, end)
        if start < 0 or start == place:
            return -1
        if who == _WORLD:
            code = _world_says(text, start, place, has_just, deal)
            if code == -1:
                return -1
            has_just = False
            if code >= 0:
                codes[count] = code
                count += 1
            continue
        seat = who - _ZERO
        if has_just or not 0 <= seat < at.PLAYERS:
            return -1
        shift = seat << replay.SEAT_SHIFT
        if not is_declared and IS_KIND[text[start]] and (place - start == 1 or IS_LEVEL[text[start + 1]]):
            is_declared = True
            count = _read_declaration(text, start, place, has_picked_up, shift, codes, count)
            if count < 0:
                return -1
            continue
        code = _code(text, start, place)
        if code < 0:
            return -1
        if code == at.PICKUP:
            has_picked_up = has_just = True
        codes[count] = code | shift
        count += 1


@kernel
def _read_deal(text: Bytes, start: int, stop: int, deal: Ints) -> bool:
    if stop - start != 3 * CARDS - 1:
        return False
    deal[:] = 0
    seen = 0
    for k in range(CARDS):
        card = _card_at(text, start + 3 * k)
        if card < 0 or (k < CARDS - 1 and text[start + 3 * k + 2] not in (_DOT, _BAR)):
            return False
        deal[k // 10] |= 1 << card
        seen |= 1 << card
    return bool(seen == (1 << CARDS) - 1)


@kernel
def _world_says(text: Bytes, start: int, stop: int, is_skat: bool, deal: Ints) -> int:
    """A code, -2 for the skat that was picked up, -1 for anything else."""
    if stop - start == 4 and text[start + 2] == _DOT and _ZERO <= text[start + 3] < _ZERO + at.PLAYERS:
        mark = int(text[start]) << 8 | int(text[start + 1])
        seat = (int(text[start + 3]) - _ZERO) << replay.SEAT_SHIFT
        if mark == TI:
            return replay.TIME_OUT | seat
        if mark == LE:
            return replay.LEAVE | seat
    if is_skat and stop - start == 5 and text[start + 2] == _DOT:
        one, other = _card_at(text, start), _card_at(text, start + 3)
        if one >= 0 and other >= 0 and 1 << one | 1 << other == deal[at.PLAYERS]:
            return -2
    return -1


@kernel
def _read_declaration(
    text: Bytes, start: int, stop: int, has_picked_up: bool, shift: int, codes: Ints, count: int
) -> int:
    """Discards come first in the engine, lower number first; gives where the codes end, -1 for another form."""
    dot = start
    while dot < stop and text[dot] != _DOT:
        dot += 1
    word = _word(text, start, dot)
    declaration = -1
    for k in range(len(CONTRACTS)):
        if CONTRACTS[k] == word:
            declaration = k
    if declaration < 0 or stop - dot != (6 if has_picked_up else 0):
        return -1
    if not has_picked_up:
        codes[count] = at.HAND_GAME | shift
        codes[count + 1] = at.DECLARE + declaration | shift
        return count + 2
    one, other = _card_at(text, dot + 1), _card_at(text, dot + 4)
    if one < 0 or other < 0 or one == other or text[dot + 3] != _DOT:
        return -1
    codes[count] = min(one, other) | shift
    codes[count + 1] = max(one, other) | shift
    codes[count + 2] = at.DECLARE + declaration | shift
    return count + 3


@kernel
def _code(text: Bytes, start: int, stop: int) -> int:
    """The code of a word that a seat says, -1 for unusual ones."""
    if stop - start <= 2 and CODE_OF[_word(text, start, stop)] >= 0:
        return CODE_OF[_word(text, start, stop)]
    if stop - start >= 2 and _word(text, start, start + 2) == SC:  # with or without cards
        if (stop - start) % 3 != 2:
            return -1
        for place in range(start + 2, stop, 3):
            if text[place] != _DOT or _card_at(text, place + 1) < 0:
                return -1
        return replay.SHOW
    number = _number(text, start, stop)
    return at.BID + BID_OF[number] if 0 <= number < len(BID_OF) and BID_OF[number] >= 0 else -1


@kernel
def fits(s: State, verdict: Ints, notes: Ints) -> bool:
    """Whether a replayed record agrees with its result; penalties and doubtful ones are for the careful reader."""
    status = verdict[replay.STATUS]
    if status == replay.PASSED:
        return bool(notes[OUTCOME] == PASSED_IN)
    if status not in (replay.PLAYED, replay.SHORTENED) or s[at.WHO] == at.NOBODY:
        return False
    if notes[VALUE] not in (s[at.SCORE], verdict[replay.VALUE_ISKO]):
        return False
    is_points_right = notes[POINTS] == s[at.TOTAL] or (s[at.CONTRACT] == NULL and not s[at.SUCCESS])
    return bool(
        notes[DECLARER] == s[at.DECLARER] and notes[OUTCOME] == (WIN if s[at.SUCCESS] else LOSS)
        and notes[MATADORS] == s[at.MATADORS] and notes[OVERBID] == (1 if s[at.OVERBID] else 0)
        and is_points_right and notes[TRICKS] == s[at.TOTAL_TRICKS]
    )  # fmt: skip
