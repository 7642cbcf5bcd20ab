"""Cego's sub-games: what a seat can know."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import popcount
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.cego import table as cego
from kibitz.games.cego.senses import TABLE, observe_table, starts
from kibitz.games.cego_deals.rules import LOG, RESTRICT, SUBGAME, TIE, exchange, fits
from kibitz.games.pieces import slices
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.senses import spread
from kibitz.games.tricks.worlds import MOST_CARDS, limit_cards, some, sort_cards

ORDER = "hand unseen aside blind played when trick winning winner leader single voids points tricks game options"
LENGTHS = TABLE | {"single": cego.SEATS, "game": 6, "options": 2}
SLICES = slices(**{name: LENGTHS[name] for name in ORDER.split()})
SENSES = SLICES["options"].stop
_START = starts(SLICES)
_SINGLE, _GAME, _OPTIONS = (SLICES[name].start for name in ("single", "game", "options"))
PAPER_SLICES = slices(
    hand=cego.CARDS, others=cego.CARDS, winning=cego.CARDS, first=cego.CARDS, second=cego.CARDS, third=cego.CARDS,
    team=cego.SEATS, winner=cego.SEATS, leader=cego.SEATS,
)  # fmt: skip
_OTHERS, _WINNING, _FIRST = (PAPER_SLICES[name].start for name in ("others", "winning", "first"))
_TEAM, _WINNER, _LEADER = (PAPER_SLICES[name].start for name in ("team", "winner", "leader"))


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Everything the seat has seen, other seats counted from its own: who played what and when, voids, points."""
    observe_table(s, seat, LOG, _START, out)
    if s[at.DECLARER] >= 0:
        out[_SINGLE + ((s[at.DECLARER] - seat) & 3)] = 1.0
    out[_GAME + s[SUBGAME]] = 1.0
    out[_OPTIONS] = s[RESTRICT]
    out[_OPTIONS + 1] = s[TIE]


@kernel
def observe_paper(s: State, seat: int, out: Singles) -> None:
    """The paper's 336 bits, seats counted absolutely (rule 5.1)."""
    spread(s[at.HAND + seat], out, 0)
    spread(cego.unseen(s, seat), out, _OTHERS)
    if s[at.COUNT] > 0:
        out[_WINNING + s[at.BEST]] = 1.0
        out[_WINNER + s[at.BEST_SEAT]] = 1.0
    for k in range(s[at.COUNT]):
        out[_FIRST + cego.CARDS * k + s[at.TABLE + k]] = 1.0
    for other in range(cego.SEATS):
        out[_TEAM + other] = cego.side(s, other) == cego.side(s, seat)
    out[_LEADER + s[at.LEADER]] = 1.0


OBSERVATIONS = {"paper": Observation(PAPER_SLICES["leader"].stop, observe_paper, PAPER_SLICES)}


@kernel
def blank(s: State, seat: int, out: State) -> None:
    """Rule 4.8: hide the blind."""
    if not cego.knows_aside(s, seat):
        out[cego.BLIND] = 0


@kernel
def recall(s: State, seat: int) -> int:
    """The blind that the seat took up."""
    return s[cego.BLIND] if cego.knows_aside(s, seat) else 0


@kernel
def known(s: State, seat: int, other: int) -> int:
    """Rule 4.5: who plays an Ultimo has the Geiss."""
    return 1 << cego.GEISS if s[SUBGAME] == cego.ULTIMO and other == s[at.DECLARER] else 0


@kernel
def known_aside(s: State, seat: int) -> int:
    """Rule 4.8."""
    return at.ANY if cego.knows_aside(s, seat) else 0


@kernel
def lacking(s: State, seat: int, other: int) -> int:
    """Rule 4.3: besides what it has shown, the single player of a Bettel has no high cards, that of a Piccolo one."""
    is_low = s[SUBGAME] == cego.BETTEL or (s[SUBGAME] == cego.PICCOLO and s[at.PLAYED + other] & cego.HIGH != 0)
    return s[at.LACKS + other] | (cego.HIGH if s[RESTRICT] == 1 and other == s[at.DECLARER] and is_low else 0)


@kernel
def sort(s: State, seat: int, hidden: int, barred: Ints, pools: Ints, least: Ints, most: Ints) -> None:
    """The limits of rule 4.3, as far as pools have them; they leave out no possible world."""
    single = (s[at.DECLARER] - seat - 1) & 3
    special = 0
    low, high = 0, MOST_CARDS
    if s[RESTRICT] == 1 and seat != s[at.DECLARER]:
        if s[SUBGAME] == cego.SOLO or s[SUBGAME] == cego.ULTIMO:
            special = cego.TRUMPS
            held = s[at.PLAYED + s[at.DECLARER]] | s[at.HAND + s[at.DECLARER]] & known(s, seat, s[at.DECLARER])
            low = max(0, (7 if s[SUBGAME] == cego.SOLO else 8) - popcount(held & cego.TRUMPS))
        elif s[SUBGAME] == cego.PICCOLO:
            special = cego.HIGH
            high = 1
    sort_cards(hidden & ~special, barred, pools, least, most)
    if special:
        limit_cards(hidden & special, barred, single, low, high, pools, least, most)


@kernel
def possible(s: State, seat: int, filled: Ints, home: Ints) -> bool:
    """Whether the single player's hand, where he has a place of his own, fits a Solo, Ultimo, Bettel or Piccolo."""
    single, game = s[at.DECLARER], s[SUBGAME]
    if seat == single or game == cego.STANDARD or game == cego.RAEUBER:
        return True
    hand = s[at.PLAYED + single] | s[at.HAND + single] & known(s, seat, single) | filled[home[(single - seat - 1) & 3]]
    return popcount(hand) > cego.HAND_CARDS or fits(game, s[RESTRICT], hand)


@kernel
def redraw(s: State, seat: int, r: rng.Rng) -> bool:
    """Whether the single player's cards fit the game; in Standard-Cego the exchange is drawn too."""
    if not cego.knows_aside(s, seat):
        s[cego.BLIND] = s[at.ASIDE]
    if seat == s[at.DECLARER] or s[at.DECLARER] < 0:
        return True
    hand = s[at.HAND + s[at.DECLARER]] | s[at.PLAYED + s[at.DECLARER]]
    return undo_exchange(s, hand, r) if s[SUBGAME] == cego.STANDARD else fits(s[SUBGAME], s[RESTRICT], hand)


@kernel
def undo_exchange(s: State, hand: int, r: rng.Rng) -> bool:
    """Guess which two cards were kept and which blind card was laid away; true, with the blind set, if rule 4.2 agrees.

    All guesses are equally likely, so that trying again with new cards after a wrong one makes all deals equally
    likely.
    """
    legage = s[at.ASIDE]
    kept = some(r, hand, 2)
    laid_away = some(r, legage, 1)
    dealt = kept | (legage & ~laid_away)
    if not fits(cego.STANDARD, s[RESTRICT], dealt):
        return False
    exchanged = np.zeros(LOG, np.int64)
    exchanged[at.HAND] = dealt
    exchanged[cego.BLIND] = (hand & ~kept) | laid_away
    exchange(exchanged)
    s[cego.BLIND] = exchanged[cego.BLIND]
    return exchanged[at.HAND] == hand
