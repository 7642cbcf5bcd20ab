"""The whole game of Cego: what a seat can know, written as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import mix
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cego.rules import (
    BID,
    BLANK,
    COMPULSORY,
    CONTRA_SOLO,
    DEALER,
    DEALT,
    GAMES,
    KEPT,
    LAID_AWAY,
    LOG,
    MOST_SAID,
    MOVES,
    PASSED,
    PHASE,
    SAID,
    SIZE,
    SOLOIST,
    START,
    TIE,
    WORDS,
    hides_words,
    knows_blind,
)
from kibitz.games.cego.worlds import redeal
from kibitz.games.tarock import (
    ASIDE,
    BEST,
    BEST_SEAT,
    BLIND,
    CARDS,
    CLASSES,
    COUNT,
    EXPOSED,
    GAME,
    HAND,
    LEADER,
    PLAYED,
    SEATS,
    SINGLE,
    TAKEN,
    TRICK,
    UNDECIDED,
    VOIDS,
    WON,
    unseen,
)

__all__ = ["SENSES", "SLICES", "infoset", "observe", "redeal", "view"]

LENGTHS = {
    "hand": CARDS, "unseen": CARDS, "aside": CARDS, "blind": CARDS, "kept": CARDS, "laid_away": CARDS, "exposed": CARDS,
    "played": SEATS * CARDS, "when": CARDS, "trick": 3 * CARDS, "winning": CARDS, "winner": SEATS, "leader": SEATS,
    "single": SEATS, "forehand": SEATS, "soloist": SEATS, "passed": SEATS, "voids": SEATS * CLASSES, "points": SEATS,
    "tricks": SEATS, "phase": 7, "game": GAMES, "bid": WORDS, "said": MOST_SAID * WORDS, "options": 3,
}  # fmt: skip
_ENDS = np.cumsum(list(LENGTHS.values()))
SLICES = {name: slice(int(end) - length, int(end)) for (name, length), end in zip(LENGTHS.items(), _ENDS, strict=True)}
SENSES = int(_ENDS[-1])
_AT = {name: piece.start for name, piece in SLICES.items()}
_UNSEEN, _ASIDE, _BLIND, _KEPT = (_AT[name] for name in ("unseen", "aside", "blind", "kept"))
_LAID_AWAY, _EXPOSED, _PLAYED, _WHEN = (_AT[name] for name in ("laid_away", "exposed", "played", "when"))
_TRICK, _WINNING, _WINNER, _LEADER = (_AT[name] for name in ("trick", "winning", "winner", "leader"))
_SINGLE, _FOREHAND, _SOLOIST, _PASSED = (_AT[name] for name in ("single", "forehand", "soloist", "passed"))
_VOIDS, _POINTS, _TRICKS, _PHASE = (_AT[name] for name in ("voids", "points", "tricks", "phase"))
_GAME, _BID, _SAID, _OPTIONS = (_AT[name] for name in ("game", "bid", "said", "options"))


@kernel
def view(s: State, seat: int, out: State) -> None:
    """What was said and played openly and the seat's own cards; hidden cards are empty masks (rule 6.5)."""
    out[:SIZE] = s[:SIZE]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = out[DEALT + other] = 0
    if not knows_blind(s, seat):
        out[ASIDE] = out[BLIND] = 0
    if hides_words(s, seat):
        out[KEPT] = 0
        out[LAID_AWAY] = BLANK
        last = s[MOVES] if s[START] == 0 else s[START]
        out[LOG + s[SAID] : LOG + last] = BLANK


@kernel
def spread(cards: int, out: NDArray[np.float32], start: int) -> None:
    """Write a mask as 54 bits."""
    for card in range(CARDS):
        out[start + card] = cards >> card & 1


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Everything the seat has heard and seen, other seats counted from its own."""
    spread(s[HAND + seat], out, 0)
    hidden = unseen(s, seat)
    if knows_blind(s, seat):
        hidden &= ~s[ASIDE]
        spread(s[ASIDE], out, _ASIDE)
        spread(s[BLIND], out, _BLIND)
    spread(hidden, out, _UNSEEN)
    if not hides_words(s, seat):
        spread(s[KEPT], out, _KEPT)
        if s[LAID_AWAY] >= 0:
            out[_LAID_AWAY + s[LAID_AWAY]] = 1.0
    observe_auction(s, seat, out)
    observe_table(s, seat, out)


@kernel
def observe_auction(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Who has said what; the seats speak in a fixed order, so the words alone tell."""
    out[_SINGLE + ((s[SINGLE] - seat) & 3)] = 1.0
    out[_FOREHAND + ((s[DEALER] + 1 - seat) & 3)] = 1.0
    if s[SOLOIST] >= 0:
        out[_SOLOIST + ((s[SOLOIST] - seat) & 3)] = 1.0
    for k in range(SEATS):
        out[_PASSED + k] = s[PASSED] >> ((seat + k) & 3) & 1
    out[_PHASE + s[PHASE]] = 1.0
    if s[GAME] != UNDECIDED:
        out[_GAME + s[GAME]] = 1.0
    if s[BID] != 0:
        out[_BID + s[BID] - CARDS] = 1.0
    last = s[MOVES] if s[GAME] == UNDECIDED else s[SAID]
    for k in range(last):
        out[_SAID + WORDS * k + s[LOG + k] - CARDS] = 1.0
    out[_OPTIONS] = s[TIE]
    out[_OPTIONS + 1] = s[CONTRA_SOLO]
    out[_OPTIONS + 2] = s[COMPULSORY]


@kernel
def observe_table(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The cards on the table, who played what and when, voids shown, points and tricks."""
    spread(s[EXPOSED], out, _EXPOSED)
    for k in range(SEATS):
        other = (seat + k) & 3
        spread(s[PLAYED + other], out, _PLAYED + CARDS * k)
        for suit in range(CLASSES):
            out[_VOIDS + CLASSES * k + suit] = s[VOIDS] >> (CLASSES * other + suit) & 1
        out[_POINTS + k] = s[WON + other] / 158.0
        out[_TRICKS + k] = s[TAKEN + other] / 11.0
    if s[START] > 0:
        for k in range(s[MOVES] - s[START]):
            out[_WHEN + s[LOG + s[START] + k]] = (k // SEATS + 1) / 11.0
    for k in range(s[COUNT]):
        player = (s[LEADER] + k - seat) & 3
        if player > 0:
            out[_TRICK + CARDS * (player - 1) + s[TRICK + k]] = 1.0
    if s[COUNT] > 0:
        out[_WINNING + s[BEST]] = 1.0
        out[_WINNER + ((s[BEST_SEAT] - seat) & 3)] = 1.0
    out[_LEADER + ((s[LEADER] - seat) & 3)] = 1.0


@kernel
def infoset(s: State, seat: int) -> int:
    """The seat's dealt cards, the blind if it took it up, and every word it heard in order: perfect recall."""
    key = mix(s[DEALT + seat] ^ (seat << 60))
    if knows_blind(s, seat):
        key = mix(key ^ s[BLIND])
    hidden_from = s[SAID] if hides_words(s, seat) else s[MOVES]
    hidden_to = s[START] if s[START] > 0 else s[MOVES]
    for k in range(s[MOVES]):
        word = BLANK if hidden_from <= k < hidden_to else s[LOG + k]
        key = mix(key ^ (word + 2))
    return key
