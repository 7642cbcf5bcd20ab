"""Cego's sub-games as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import BadRecord
from kibitz.core.game import Game, State
from kibitz.core.shapes import Floats
from kibitz.games.cego import table as cego
from kibitz.games.cego.words import TarockWords, count_text, points_text
from kibitz.games.cego_deals.rules import RESTRICT, STANDARD_HALVES, SUBGAME, TIE, fits, won
from kibitz.games.tricks import layout as at

AIMS = (
    "seat 0 needs 40 of 79 points",
    "seat 0 needs 40 of 79 points",
    "seat 0 must win the last trick with 1t",
    "seat 0 must win no trick",
    "seat 0 must win exactly one trick",
    "most points lose",
)


class DealsWords(TarockWords):
    """The text of the sub-games."""

    def piles(self, s: State) -> list[int | list[int]]:
        """The four hands as dealt and the blind, before any exchange."""
        hands = [int(s[at.HAND + seat] | s[at.PLAYED + seat]) for seat in range(cego.SEATS)]
        return [(hands[0] | int(s[at.ASIDE])) & ~int(s[cego.BLIND]), *hands[1:], int(s[cego.BLIND])]

    def read_deal(self, text: str, s: State) -> None:
        """Write a deal into a blank state and make the exchange of Standard-Cego."""
        super().read_deal(text, s)
        subgame, hand = int(s[SUBGAME]), int(s[at.HAND] | s[at.ASIDE]) & ~int(s[cego.BLIND])
        if not fits(subgame, s[RESTRICT], hand):
            why = self._misfit(s, subgame, hand)
            raise BadRecord(f"{cego.TITLES[subgame]} is not played with this hand of seat 0: {why}")

    def _misfit(self, s: State, subgame: int, hand: int) -> str:
        """What rule 4.3 misses in a hand."""
        trumps, top, high = (hand & cego.TRUMPS).bit_count(), (hand & cego.TOP_TRUMPS).bit_count(), hand & cego.HIGH
        if subgame == cego.ULTIMO and not hand >> cego.GEISS & 1:
            return "it must hold 1t"
        if subgame == cego.STANDARD:
            has, wanted = points_text(int(cego.worth(hand))), points_text(STANDARD_HALVES)
            return f"it is worth {has} and restrict=on asks for {wanted}"
        if subgame == cego.BETTEL:
            return f"restrict=on asks for 11 low cards, and {self.cards_text(s, high)} are high"
        if subgame == cego.PICCOLO:
            return f"restrict=on asks for exactly one high card, not {high.bit_count()}"
        solo = "8 trumps, or 7 with two of 17t or above and at most two plain suits"
        wanted = solo if subgame == cego.SOLO else "8 trumps with two of 17t or above"
        return f"restrict=on asks for {wanted}; it has {trumps} trumps, {top} of them 17t or above"

    def report(self, game: Game, tallies: Floats, games: int) -> dict[str, Any]:
        """How often each card won a trick, as a share of all tricks."""
        tricks = max(1.0, float(tallies.sum()))
        order = np.argsort(-tallies, kind="stable")
        shares = {cego.TAROCK.names[card]: round(float(tallies[card]) / tricks, 6) for card in order}
        return {"tricks_per_game": round(tricks / games, 4), "card_wins": shares}


def headline(s: State) -> str:
    """The sub-game and its aim."""
    return f"{cego.TITLES[s[SUBGAME]]}: {AIMS[s[SUBGAME]]}"


def result_text(s: State) -> str:
    """Who has won, once what lies aside is turned up."""
    if cego.counts_points(s) and not count_text(s):
        return "what lies aside is counted now"
    winners = ", ".join(str(seat) for seat in range(cego.SEATS) if won(s, seat))
    tie = " (all tied seats lose)" if s[SUBGAME] == cego.RAEUBER and s[TIE] else ""
    result = f"won by seat {winners}" if winners else "nobody won"
    return f"{count_text(s)}, {result}" if cego.counts_points(s) else result + tie
