"""Cego's sub-games: what a seat can know."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import mix, popcount
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.games.cego_deals.deals import exchange, fits
from kibitz.games.cego_deals.rules import LOG, RESTRICT, SIZE, SUBGAME, TIE, knows_aside
from kibitz.games.tarock import (
    ASIDE,
    BEST,
    BEST_SEAT,
    BETTEL,
    BLIND,
    BLIND_CARDS,
    CARDS,
    CLASSES,
    COUNT,
    GEISS,
    HAND,
    HAND_CARDS,
    HIGH,
    LEADER,
    PICCOLO,
    PLAYED,
    RAEUBER,
    SEATS,
    SINGLE,
    SOLO,
    STANDARD,
    SUITS,
    TABLE,
    TAKEN,
    TRICK,
    TRICKS,
    TRUMP,
    TRUMPS,
    ULTIMO,
    VOIDS,
    WON,
    unseen,
)
from kibitz.games.tarock_worlds import BINS, MOST_POOLS, add_pool, closed_by_voids, draw_world, ways
from kibitz.games.tricks.worlds import some


def slices(**lengths: int) -> dict[str, slice]:
    """Named pieces of a tensor, one behind the other."""
    found, start = {}, 0
    for name, length in lengths.items():
        found[name] = slice(start, start + length)
        start += length
    return found


SLICES = slices(
    hand=CARDS,
    unseen=CARDS,
    aside=CARDS,
    blind=CARDS,
    played=SEATS * CARDS,
    when=CARDS,
    trick=3 * CARDS,
    winning=CARDS,
    winner=SEATS,
    leader=SEATS,
    single=SEATS,
    voids=SEATS * CLASSES,
    points=SEATS,
    tricks=SEATS,
    game=6,
    options=2,
)
SENSES = SLICES["options"].stop
PAPER_SLICES = slices(
    hand=CARDS,
    others=CARDS,
    winning=CARDS,
    first=CARDS,
    second=CARDS,
    third=CARDS,
    team=SEATS,
    winner=SEATS,
    leader=SEATS,
)
PAPER_SENSES = PAPER_SLICES["leader"].stop
_AT = {name: piece.start for name, piece in SLICES.items()}
_UNSEEN, _ASIDE, _BLIND, _PLAYED, _WHEN = (_AT[name] for name in ("unseen", "aside", "blind", "played", "when"))
_TRICK, _WINNING, _WINNER, _LEADER = (_AT[name] for name in ("trick", "winning", "winner", "leader"))
_SINGLE, _VOIDS, _POINTS, _TRICKS = (_AT[name] for name in ("single", "voids", "points", "tricks"))
_GAME, _OPTIONS = _AT["game"], _AT["options"]
_TEAM = PAPER_SLICES["team"].start


@kernel
def view(s: State, seat: int, out: State) -> None:
    """The table and the seat's own cards; hidden cards are empty masks (rule 4.8)."""
    out[:SIZE] = s[:SIZE]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = 0
    if not knows_aside(s, seat):
        out[ASIDE] = out[BLIND] = 0


@kernel
def spread(cards: int, out: NDArray[np.float32], start: int) -> None:
    """Write a mask as 54 bits."""
    for card in range(CARDS):
        out[start + card] = cards >> card & 1


@kernel
def observe(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """Everything the seat has seen, other seats counted from its own: who played what and when, voids, points."""
    hidden = unseen(s, seat)
    if knows_aside(s, seat):
        hidden &= ~s[ASIDE]
        spread(s[ASIDE], out, _ASIDE)
        spread(s[BLIND], out, _BLIND)
    spread(s[HAND + seat], out, 0)
    spread(hidden, out, _UNSEEN)
    for k in range(SEATS):
        other = (seat + k) & 3
        spread(s[PLAYED + other], out, _PLAYED + CARDS * k)
        for suit in range(CLASSES):
            out[_VOIDS + CLASSES * k + suit] = s[VOIDS] >> (CLASSES * other + suit) & 1
        out[_POINTS + k] = s[WON + other] / 158.0
        out[_TRICKS + k] = s[TAKEN + other] / 11.0
    for k in range(SEATS * s[TRICKS] + s[COUNT]):
        out[_WHEN + s[LOG + k]] = (k // SEATS + 1) / 11.0
    for k in range(s[COUNT]):
        player = (s[LEADER] + k - seat) & 3
        if player > 0:
            out[_TRICK + CARDS * (player - 1) + s[TRICK + k]] = 1.0
    if s[COUNT] > 0:
        out[_WINNING + s[BEST]] = 1.0
        out[_WINNER + ((s[BEST_SEAT] - seat) & 3)] = 1.0
    out[_LEADER + ((s[LEADER] - seat) & 3)] = 1.0
    out[_SINGLE + ((s[SINGLE] - seat) & 3)] = s[SUBGAME] != RAEUBER
    out[_GAME + s[SUBGAME]] = 1.0
    out[_OPTIONS] = s[RESTRICT]
    out[_OPTIONS + 1] = s[TIE]


@kernel
def observe_paper(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The paper's 336 bits, seats counted absolutely (rule 5.1)."""
    hidden = unseen(s, seat)
    if knows_aside(s, seat):
        hidden &= ~s[ASIDE]
    spread(s[HAND + seat], out, 0)
    spread(hidden, out, CARDS)
    if s[COUNT] > 0:
        out[2 * CARDS + s[BEST]] = 1.0
        out[_TEAM + SEATS + s[BEST_SEAT]] = 1.0
    for k in range(s[COUNT]):
        out[(3 + k) * CARDS + s[TRICK + k]] = 1.0
    for other in range(SEATS):
        same = other == seat if s[SUBGAME] == RAEUBER else (other == s[SINGLE]) == (seat == s[SINGLE])
        out[_TEAM + other] = same
    out[_TEAM + 2 * SEATS + s[LEADER]] = 1.0


OBSERVATIONS = {"paper": Observation(PAPER_SENSES, observe_paper, PAPER_SLICES)}


@kernel
def infoset(s: State, seat: int) -> int:
    """The cards dealt to the seat, those it exchanged, and every card played in order: perfect recall."""
    key = mix((s[HAND + seat] | s[PLAYED + seat]) ^ (seat << 60))
    if knows_aside(s, seat):
        key = mix(key ^ s[ASIDE])
        key = mix(key ^ s[BLIND])
    for k in range(SEATS * s[TRICKS] + s[COUNT]):
        key = mix(key ^ s[LOG + k])
    return key


@kernel
def redeal(s: State, seat: int, r: rng.Rng) -> None:
    """Draw the hidden cards anew, uniformly over the deals that fit the voids shown, the restriction and the exchange."""
    pools = np.zeros(MOST_POOLS, np.int64)
    least = np.zeros((MOST_POOLS, BINS), np.int64)
    most = np.zeros((MOST_POOLS, BINS), np.int64)
    size = np.zeros(BINS, np.int64)
    bins = np.zeros(BINS, np.int64)
    held = sort_unseen(s, seat, pools, least, most, size)
    table = ways(pools, least, most, size)
    single = (s[SINGLE] - seat - 1) & 3
    while True:
        draw_world(r, table, pools, least, most, size, bins)
        if seat == s[SINGLE]:
            break
        bins[single] |= held
        if s[SUBGAME] == STANDARD:
            if undo_exchange(s, bins[single] | s[PLAYED + s[SINGLE]], bins[3], r):
                break
        elif fits(s[SUBGAME], s[RESTRICT], bins[single] | s[PLAYED + s[SINGLE]]):
            break
    for b in range(BINS - 1):
        s[HAND + ((seat + 1 + b) & 3)] = bins[b]
    if not knows_aside(s, seat):
        s[ASIDE] = bins[3]
        if s[SUBGAME] != STANDARD:
            s[BLIND] = bins[3]


@kernel
def sort_unseen(
    s: State,
    seat: int,
    pools: NDArray[np.int64],
    least: NDArray[np.int64],
    most: NDArray[np.int64],
    size: NDArray[np.int64],
) -> int:
    """Fill in pools, limits and sizes for `ways`; returns cards that the single player must hold.

    The limits leave out no possible world; what they let through too much (fewer than two top trumps, say) is thrown in.
    """
    hidden = unseen(s, seat)
    for b in range(BINS - 1):
        size[b] = HAND_CARDS - popcount(s[PLAYED + ((seat + 1 + b) & 3)])
    size[3] = BLIND_CARDS
    if knows_aside(s, seat):
        hidden &= ~s[ASIDE]
        size[3] = 0
    low = np.zeros(BINS, np.int64)
    high = np.zeros(BINS, np.int64)
    single = (s[SINGLE] - seat - 1) & 3
    shown = s[PLAYED + s[SINGLE]]
    held = 0
    if s[SUBGAME] == ULTIMO and seat != s[SINGLE]:
        held = hidden & (1 << GEISS)
        hidden &= ~held
        size[single] -= popcount(held)
    choosy = seat != s[SINGLE] and s[RESTRICT] == 1
    for suit in range(CLASSES):
        closed_by_voids(s[VOIDS], seat, suit, high)
        cards = hidden & SUITS[suit]
        if choosy and (s[SUBGAME] == BETTEL or s[SUBGAME] == PICCOLO):
            add_pool(pools, least, most, cards & ~HIGH, low, high)
            wanted = 1 if s[SUBGAME] == PICCOLO and shown & HIGH == 0 else 0
            high[single] = min(high[single], wanted)
            cards &= HIGH
        if choosy and suit == TRUMP and (s[SUBGAME] == SOLO or s[SUBGAME] == ULTIMO):
            needed = 7 if s[SUBGAME] == SOLO else 8
            low[single] = max(0, needed - popcount((shown | held) & TRUMPS))
        add_pool(pools, least, most, cards, low, high)
    return held


@kernel
def undo_exchange(s: State, hand: int, legage: int, r: rng.Rng) -> bool:
    """Guess which two cards were kept and which blind card was laid away; true, with the blind set, if rule 4.2 agrees.

    All guesses are equally likely, so that trying again with new cards after a wrong one makes all deals equally likely.
    """
    kept = some(r, hand, 2)
    laid_away = some(r, legage, 1)
    blind = (hand & ~kept) | laid_away
    dealt = kept | (legage & ~laid_away)
    if not fits(STANDARD, s[RESTRICT], dealt):
        return False
    exchanged = np.zeros(TABLE, np.int64)
    exchanged[HAND] = dealt
    exchanged[BLIND] = blind
    exchange(exchanged)
    if exchanged[HAND] != hand:
        return False
    s[BLIND] = blind
    return True
