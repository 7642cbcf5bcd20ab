"""Cego's sub-games: actions, deals and states as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadRecord
from kibitz.core.game import OVER, Game, State
from kibitz.games.cego_deals import SUBGAMES
from kibitz.games.cego_deals.deals import STANDARD_HALVES, exchange, fits
from kibitz.games.cego_deals.rules import LOG, RESTRICT, SUBGAME, TIE, counts_points, knows_aside, start, turn, won
from kibitz.games.tarock import (
    ASIDE,
    BETTEL,
    BLIND,
    COUNT,
    GEISS,
    HAND,
    HIGH,
    PICCOLO,
    RAEUBER,
    SEATS,
    SOLO,
    STANDARD,
    TAROCK,
    TOP_TRUMPS,
    TRICKS,
    TRUMPS,
    ULTIMO,
    VOIDS,
    single_halves,
    worth,
)
from kibitz.games.tarock_words import (
    aside_text,
    cards_text,
    hand,
    piles_text,
    points,
    points_text,
    read_piles,
    seats_text,
    spell_card,
    trick,
    trick_before,
    trick_number,
    trick_text,
    unseen_text,
    void_text,
    why_not_play,
)

__all__ = [
    "ACTION_WORDS", "contract", "deal_text", "hand", "last_trick", "points", "read_deal", "report", "show", "spell",
    "told", "trick", "unseen", "why_not",
]  # fmt: skip

ACTION_WORDS = TAROCK.names
TITLES = ("Standard-Cego", "Solo", "Ultimo", "Bettel", "Piccolo", "Räuber")
AIMS = (
    "seat 0 needs 40 of 79 points",
    "seat 0 needs 40 of 79 points",
    "seat 0 must win the last trick with 1t",
    "seat 0 must win no trick",
    "seat 0 must win exactly one trick",
    "most points lose",
)


def spell(text: str) -> str:
    """The card word for what a person typed: `10C`, `gstiess`, `Tc`."""
    return spell_card(text)


def deal_text(s: State) -> str:
    """The four hands as dealt and the blind, before any exchange."""
    hands = [int(s[HAND + seat]) for seat in range(SEATS)]
    hands[0] = (hands[0] | int(s[ASIDE])) & ~int(s[BLIND])
    return piles_text([*hands, int(s[BLIND])])


def read_deal(text: str, s: State) -> None:
    """Write a deal into a blank state and make the exchange of Standard-Cego."""
    piles = read_piles(text)
    subgame = int(s[SUBGAME])
    if not fits(subgame, s[RESTRICT], piles[0]):
        raise BadRecord(f"{SUBGAMES[subgame]} is not played with this hand of seat 0: {_misfit(subgame, piles[0])}")
    start(s)
    s[HAND : HAND + SEATS] = piles[:SEATS]
    s[BLIND] = s[ASIDE] = piles[SEATS]
    if subgame == STANDARD:
        exchange(s)


def _misfit(subgame: int, hand: int) -> str:
    """What rule 4.3 misses in a hand."""
    trumps, top, high = (hand & TRUMPS).bit_count(), (hand & TOP_TRUMPS).bit_count(), hand & HIGH
    if subgame == ULTIMO and not hand >> GEISS & 1:
        return "it must hold 1t"
    if subgame == STANDARD:
        return f"it is worth {points_text(int(worth(hand)))} and restrict=on asks for {points_text(STANDARD_HALVES)}"
    if subgame == BETTEL:
        return f"restrict=on asks for 11 low cards, and {cards_text(high)} are high"
    if subgame == PICCOLO:
        return f"restrict=on asks for exactly one high card, not {high.bit_count()}"
    wanted = (
        "8 trumps, or 7 with two of 17t or above and at most two plain suits"
        if subgame == SOLO
        else "8 trumps with two of 17t or above"
    )
    return f"restrict=on asks for {wanted}; it has {trumps} trumps, {top} of them 17t or above"


def why_not(s: State, action: int) -> str:
    """Why a card may not be played here."""
    return why_not_play(s, action)


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat sees of a move: the card."""
    return TAROCK.names[after[LOG + SEATS * before[TRICKS] + before[COUNT]]]


def unseen(s: State, seat: int) -> list[str]:
    """The cards the seat has neither held nor seen played or laid aside (rule 4.8)."""
    return unseen_text(s, seat, int(s[ASIDE] | s[BLIND]) if knows_aside(s, seat) else 0)


def last_trick(s: State) -> dict[int, str]:
    """The last complete trick, in the order played."""
    return trick_before(s, LOG)


def contract(s: State) -> str:
    """The sub-game, and its single player where there is one."""
    return TITLES[s[SUBGAME]] + ("" if s[SUBGAME] == RAEUBER else " by seat 0")


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    subgame = int(s[SUBGAME])
    lines = [f"{TITLES[subgame]}: {AIMS[subgame]}   {trick_number(s)}"]
    marks = ["" if subgame == RAEUBER else "single" if holder == 0 else "opponent" for holder in range(SEATS)]
    lines += seats_text(s, seat, marks)
    known = seat is None or bool(knows_aside(s, seat))
    lines.append(f"{'Legage' if subgame == STANDARD else 'blind':<23} {aside_text(int(s[ASIDE]), known)}")
    if s[VOIDS]:
        lines.append(f"{'have none of':<23} {void_text(int(s[VOIDS]))}")
    player = int(turn(s))
    if player != OVER:
        return "\n".join([*lines, f"{'trick':<23} {trick_text(s)}", f"seat {player} to play"])
    winners = ", ".join(str(holder) for holder in range(SEATS) if _has_won(s, holder, known))
    return "\n".join([*lines, _result(s, known, winners)])


def _has_won(s: State, holder: int, known: bool) -> bool:
    """Whether a seat is seen to have won: in Solo and Standard that takes the cards lying aside."""
    return (known or not counts_points(s)) and bool(won(s, holder))


def _result(s: State, known: bool, winners: str) -> str:
    if not counts_points(s):
        tie = " (all tied seats lose)" if s[SUBGAME] == RAEUBER and s[TIE] else ""
        return f"over: won by seat {winners}{tie}" if winners else f"over: nobody won{tie}"
    if not known:
        return "over: what lies aside is counted now"
    halves = int(single_halves(s))
    return f"over: {points_text(halves)} against {points_text(158 - halves)}, won by seat {winners}"


def report(game: Game, tallies: NDArray[np.float64], games: int) -> dict[str, Any]:
    """How often each card won a trick, as a share of all tricks."""
    tricks = max(1.0, float(tallies.sum()))
    shares = {
        TAROCK.names[card]: round(float(tallies[card]) / tricks, 6) for card in np.argsort(-tallies, kind="stable")
    }
    return {"tricks_per_game": round(tricks / games, 4), "card_wins": shares}
