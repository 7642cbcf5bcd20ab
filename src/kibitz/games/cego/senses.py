"""The whole game of Cego: what a seat can know, and what both games write down for it (`observe_table`).

A world is a deal together with the words that were hidden from the seat. Who held what before the exchange is drawn
uniformly, and a world in which some word of the auction or the exchange would have been illegal is thrown in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.cego import rules
from kibitz.games.cego import table as cego
from kibitz.games.cego.rules import keeps_two
from kibitz.games.cego.table import BLIND, CARDS, CLASSES, SEATS, is_void, knows_aside, unseen
from kibitz.games.pieces import slices
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.senses import spread
from kibitz.games.tricks.worlds import some

TABLE = {
    "hand": CARDS, "unseen": CARDS, "aside": CARDS, "blind": CARDS, "played": SEATS * CARDS, "when": CARDS,
    "trick": 3 * CARDS, "winning": CARDS, "winner": SEATS, "leader": SEATS, "voids": SEATS * CLASSES, "points": SEATS,
    "tricks": SEATS,
}  # fmt: skip
"""The pieces of `observe_table` with their lengths."""
HAND, UNSEEN, ASIDE, BLIND_AT, PLAYED, WHEN, TRICK, WINNING, WINNER, LEADER, VOIDS, POINTS, TRICKS = range(len(TABLE))


def starts(slices: Mapping[str, slice]) -> Ints:
    """Where an observation has the pieces of `observe_table`."""
    return np.array([slices[name].start for name in TABLE])


@kernel
def observe_table(s: State, seat: int, log: int, start: Ints, out: Singles) -> None:
    """Write the pieces of TABLE, other seats counted from the own one; the log of cards played begins at `log`."""
    spread(s[at.HAND + seat], out, start[HAND])
    spread(unseen(s, seat), out, start[UNSEEN])
    if knows_aside(s, seat):
        spread(s[at.ASIDE], out, start[ASIDE])
        spread(s[BLIND], out, start[BLIND_AT])
    for k in range(SEATS):
        other = (seat + k) & 3
        spread(s[at.PLAYED + other], out, start[PLAYED] + CARDS * k)
        for suit in range(CLASSES):
            out[start[VOIDS] + CLASSES * k + suit] = is_void(s, other, suit)
        out[start[POINTS] + k] = s[at.POINTS + other] / 158.0
        out[start[TRICKS] + k] = s[at.TRICKS + other] / 11.0
    for k in range(SEATS * s[at.DONE] + s[at.COUNT]):
        out[start[WHEN] + s[log + k]] = (k // SEATS + 1) / 11.0
    for k in range(s[at.COUNT]):
        player = (s[at.LEADER] + k - seat) & 3
        if player > 0:
            out[start[TRICK] + CARDS * (player - 1) + s[at.TABLE + k]] = 1.0
    if s[at.COUNT] > 0:
        out[start[WINNING] + s[at.BEST]] = 1.0
        out[start[WINNER] + ((s[at.BEST_SEAT] - seat) & 3)] = 1.0
    out[start[LEADER] + ((s[at.LEADER] - seat) & 3)] = 1.0


WORDS = len(rules.SPOKEN)
ORDER = (
    "hand unseen aside blind kept laid_away exposed played when trick winning winner leader single forehand soloist "
    "passed voids points tricks phase game bid said options"
)  # fmt: skip
LENGTHS = TABLE | {
    **dict.fromkeys(("kept", "laid_away", "exposed"), cego.CARDS),
    **dict.fromkeys(("single", "forehand", "soloist", "passed"), cego.SEATS), "phase": 7, "game": rules.GAMES,
    "bid": WORDS, "said": rules.MOST_SAID * WORDS, "options": 3,
}  # fmt: skip
SLICES = slices(**{name: LENGTHS[name] for name in ORDER.split()})
SENSES = SLICES["options"].stop
_START = starts(SLICES)
_AT = {name: piece.start for name, piece in SLICES.items()}
_KEPT, _LAID_AWAY, _EXPOSED, _SINGLE = (_AT[name] for name in ("kept", "laid_away", "exposed", "single"))
_FOREHAND, _SOLOIST, _PASSED, _PHASE = (_AT[name] for name in ("forehand", "soloist", "passed", "phase"))
_GAME, _BID, _SAID, _OPTIONS = (_AT[name] for name in ("game", "bid", "said", "options"))


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Everything the seat has heard and seen; the seats speak in a fixed order, so words alone tell who said what."""
    observe_table(s, seat, rules.LOG + rules.spoken(s), _START, out)
    spread(s[cego.EXPOSED], out, _EXPOSED)
    if not rules.hides_words(s, seat):
        spread(s[rules.KEPT], out, _KEPT)
        if s[rules.LAID_AWAY] >= 0:
            out[_LAID_AWAY + s[rules.LAID_AWAY]] = 1.0
    out[_SINGLE + ((s[at.DECLARER] - seat) & 3)] = 1.0
    out[_FOREHAND + ((s[at.DEALER] + 1 - seat) & 3)] = 1.0
    if s[rules.SOLOIST] >= 0:
        out[_SOLOIST + ((s[rules.SOLOIST] - seat) & 3)] = 1.0
    for k in range(cego.SEATS):
        out[_PASSED + k] = s[rules.PASSED] >> ((seat + k) & 3) & 1
    out[_PHASE + (s[at.PHASE] - cego.ANNOUNCE if s[at.PHASE] >= cego.ANNOUNCE else 6)] = 1.0
    if s[at.CONTRACT] != cego.UNDECIDED:
        out[_GAME + s[at.CONTRACT]] = 1.0
    if s[rules.BID] != 0:
        out[_BID + s[rules.BID] - cego.CARDS] = 1.0
    for k in range(s[at.MOVES] if s[at.CONTRACT] == cego.UNDECIDED else s[rules.SAID]):
        out[_SAID + WORDS * k + s[rules.LOG + k] - cego.CARDS] = 1.0
    out[_OPTIONS] = s[rules.TIE]
    out[_OPTIONS + 1] = s[rules.CONTRA_SOLO]
    out[_OPTIONS + 2] = s[rules.COMPULSORY]


@kernel
def sees(s: State, seat: int, k: int) -> bool:
    """Rule 6.5: words of keep and discard may be hidden."""
    return not (rules.hides_words(s, seat) and s[rules.SAID] <= k < rules.spoken(s))


@kernel
def blank(s: State, seat: int, out: State) -> None:
    """Hide the blind, what was kept and laid away, and what others were dealt."""
    for other in range(cego.SEATS):
        if other != seat:
            out[rules.DEALT + other] = 0
    if not cego.knows_aside(s, seat):
        out[cego.BLIND] = 0
    if rules.hides_words(s, seat):
        out[rules.KEPT] = 0
        out[rules.LAID_AWAY] = rules.BLANK


@kernel
def recall(s: State, seat: int) -> int:
    """The cards that a seat was dealt."""
    return s[rules.DEALT + seat]


@kernel
def hand_size(s: State, seat: int) -> int:
    """Who has taken up the blind and is to discard has a card too many."""
    return cego.HAND_CARDS - popcount(s[at.PLAYED + seat]) + int(s[at.PHASE] == cego.DISCARD and seat == s[at.DECLARER])


@kernel
def known(s: State, seat: int, other: int) -> int:
    """Cards kept openly, and the Geiss of who has announced Ultimo."""
    if other != s[at.DECLARER]:
        return 0
    if s[at.CONTRACT] == cego.ULTIMO:
        return 1 << cego.GEISS
    return s[rules.KEPT] if s[at.CONTRACT] >= cego.EINE_LEERE else 0


@kernel
def known_aside(s: State, seat: int) -> int:
    """What the declarer laid away he knows, what he laid away openly all know."""
    if cego.knows_aside(s, seat):
        return at.ANY
    return 1 << s[rules.LAID_AWAY] if s[at.CONTRACT] >= cego.ZWEI_LEERE and s[rules.LAID_AWAY] >= 0 else 0


@kernel
def lacking(s: State, seat: int, other: int) -> int:
    """Rule 8.4: the declarer has no trumps beyond an open discard, which was the lowest or the highest of the blind."""
    card = s[rules.LAID_AWAY]
    if other != s[at.DECLARER] or s[at.CONTRACT] < cego.ZWEI_LEERE or card < 0:
        return s[at.LACKS + other]
    below = (1 << card) - 1
    beyond = below if s[at.CONTRACT] == cego.ZWEI_LEERE else ~below & ~(1 << card)
    return s[at.LACKS + other] | (cego.TRUMPS & beyond if cego.TRUMPS >> card & 1 else cego.TRUMPS)


@kernel
def redraw(s: State, seat: int, r: rng.Rng) -> bool:
    """Draw who held what before the exchange, and the hidden words; false if some word was illegal."""
    if not cego.knows_aside(s, seat):
        undo_exchange(s, seat, r)
    for other in range(cego.SEATS):
        if other != s[at.DECLARER] or not cego.has_taken(s):
            s[rules.DEALT + other] = s[at.HAND + other] | s[at.PLAYED + other]
    return is_possible(s)


@kernel
def undo_exchange(s: State, seat: int, r: rng.Rng) -> None:
    """Draw what the declarer held before he took up the blind, and his hidden words: each way equally likely."""
    single = s[at.DECLARER]
    if not cego.has_taken(s):
        s[cego.BLIND] = s[at.ASIDE]
        if s[at.PHASE] == cego.KEEP and rules.hides_words(s, seat) and s[at.MOVES] > s[rules.SAID]:
            # Any card but the last may be said first, so every hand leaves ten words.
            s[rules.KEPT] = some(r, s[at.HAND + single] & ~(1 << highest(s[at.HAND + single])), 1)
            s[rules.LOG + s[rules.SAID]] = lowest(s[rules.KEPT])
        return
    hand = s[at.HAND + single] | s[at.PLAYED + single]
    if s[at.CONTRACT] == cego.EINE:
        s[rules.KEPT] = some(r, hand, 1)
    elif s[at.CONTRACT] == cego.CEGO and s[at.PHASE] == cego.DISCARD:
        s[rules.KEPT] = some(r, hand, 2)
    elif s[at.CONTRACT] == cego.CEGO:
        away = some(r, s[at.ASIDE], 1)
        s[rules.LAID_AWAY] = lowest(away)
        # 55 pairs of the hand, or the card laid away with one of eleven.
        s[rules.KEPT] = some(r, hand, 2) if rng.below(r, 66) < 55 else away | some(r, hand, 1)
    away = 1 << s[rules.LAID_AWAY] if s[rules.LAID_AWAY] >= 0 else 0
    s[rules.DEALT + single] = s[rules.KEPT] | (s[at.ASIDE] & ~away)
    s[cego.BLIND] = (hand | s[at.ASIDE]) & ~s[rules.DEALT + single]
    if rules.hides_words(s, seat):
        s[rules.LOG + s[rules.SAID]] = lowest(s[rules.KEPT])
        if keeps_two(s[at.CONTRACT]):
            s[rules.LOG + s[rules.SAID] + 1] = highest(s[rules.KEPT])
            if s[at.PHASE] != cego.DISCARD:
                s[rules.LOG + s[rules.SAID] + 2] = s[rules.LAID_AWAY]


@kernel
def is_possible(s: State) -> bool:
    """Whether every word before the play was legal in the deal of this world."""
    past = np.zeros(rules.LOG, np.int64)
    past[at.OWN : at.OWN + 4] = s[at.OWN : at.OWN + 4]
    for seat in range(cego.SEATS):
        past[at.HAND + seat] = s[rules.DEALT + seat]
    past[at.ASIDE] = s[cego.BLIND]
    rules.opening(past, 0)
    for k in range(rules.spoken(s)):
        word = s[rules.LOG + k] - rules.call_block(past)
        if word < 0 or not rules.calls(past) >> word & 1:
            return False
        past[at.MOVES] += 1
        rules.call(past, s[rules.LOG + k])
    return True
