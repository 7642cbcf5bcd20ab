"""Sueca: two partnerships, 40 cards, trumps by a card that the dealer shows. Numbers are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadRecord
from kibitz.core.game import Game, Option, Payoffs, State, Value
from kibitz.core.jit import kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks import words
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.play import partners
from kibitz.games.tricks.tables import Contract

VERSION = 1
OPTIONS: tuple[Option, ...] = ()
PRESETS: dict[str, dict[str, int | str]] = {"sueca": {}}
ABOUT = {"sueca": "Sueca: two partnerships, aces and sevens, trumps by a card that the dealer shows"}

SUITS, RANKS = "cdhs", "23456QJK7A"  # ranks from the weakest up
DECK = Deck(suited(SUITS, RANKS))
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
CONTRACTS = tuple(Contract(suit, RANKS, trumps=suit, points=POINTS) for suit in SUITS)
STARTS = tuple(f"seat {dealer} deals and shows {card}" for dealer in range(4) for card in DECK.names)


@kernel
def shuffle(s: State, r: rng.Rng, pack: NDArray[np.int64]) -> int:
    """Rule 1.3: seat k is dealt cards 10 k to 10 k + 9, the dealer shows its first; both as a place in STARTS."""
    rng.shuffle(r, pack, 40)
    dealer = rng.below(r, 4)
    return 40 * dealer + pack[10 * dealer]


@kernel
def opening(s: State, start: int) -> None:
    """Rules 1.3, 2.1 and 2.2, from a place in STARTS."""
    s[at.DEALER] = start // 40
    s[at.TURNED] = start % 40
    s[at.CONTRACT] = s[at.TURNED] // 10
    s[at.TURN] = s[at.LEADER] = (s[at.DEALER] + 1) % 4


@kernel
def known(s: State, seat: int, other: int) -> int:
    """Rule 1.3: everybody has seen the card that the dealer showed."""
    return 1 << s[at.TURNED] if other == s[at.DEALER] else 0


@kernel
def observe_own(s: State, seat: int, out: NDArray[np.float32]) -> None:
    """The card shown, for networks: the dealer must see, too, what the others know of its hand."""
    out[s[at.TURNED]] = 1.0


@kernel
def game_points(s: State) -> int:
    """Rule 3, for seats 0 and 2."""
    points, tricks = s[at.POINTS] + s[at.POINTS + 2], s[at.TRICKS] + s[at.TRICKS + 2]
    most = max(points, 120 - points)
    worth = 4 if tricks == 0 or tricks == 10 else 2 if most > 90 else 1 if most > 60 else 0
    return worth if points > 60 else -worth


@kernel
def score(s: State, out: NDArray[np.float64]) -> None:
    """Rule 3.1: what one side scores the other loses."""
    for seat in range(4):
        out[seat] = game_points(s) if seat % 2 == 0 else -game_points(s)


@kernel
def tally(s: State, counts: NDArray[np.float64]) -> None:
    """Count what the deals are worth, from 0 to 4."""
    counts[abs(game_points(s))] += 1.0


class Words(words.Words):
    """The words of the kit, and what they cannot know."""

    def read_deal(self, text: str, s: State) -> None:
        """Rule 1.3: the card shown is one of the dealer's."""
        super().read_deal(text, s)
        dealer, card = int(s[at.DEALER]), DECK.names[s[at.TURNED]]
        if card not in self.hand(s, dealer):
            raise BadRecord(f"seat {dealer} cannot show {card}: it holds {' '.join(self.hand(s, dealer))}")

    def report(self, game: Game, tallies: NDArray[np.float64], games: int) -> dict[str, Any]:
        """How often a deal is worth 0, 1, 2 and 4."""
        return {"deals_worth": {str(worth): int(tallies[worth]) for worth in (0, 1, 2, 4)}}


def seatings(values: Mapping[str, Value]) -> str:
    """Partners are of one kind in a match."""
    return "teams"


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 3.3: all tricks count four."""
    return Payoffs(-4.0, 4.0, 0.0)


GAME = TrickGame(
    "sueca", deck=DECK, suits=SUITS, seats=4, each=10, contracts=CONTRACTS, side=partners, score=score,
    shuffle=shuffle, opening=opening, starts=STARTS, start=lambda s: 40 * int(s[at.DEALER]) + int(s[at.TURNED]),
    known=known, own_senses=40, observe_own=observe_own, tallies=5, tally=tally, words=Words,
    headline=lambda s: f"Sueca, seat {s[at.DEALER]} has shown {DECK.names[s[at.TURNED]]}",
)  # fmt: skip
