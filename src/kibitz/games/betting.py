"""What games without tricks share: deals by number, moves as bits, and the words of the small betting games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools

ACTION_WORDS = ("fold", "call", "raise")
SYNONYMS = {"check": "call", "bet": "raise"}


@kernel
def ordered_deals(cards: int, seats: int) -> int:
    """Number of ways to deal a card to every seat."""
    count = 1
    for k in range(seats):
        count *= cards - k
    return count


@kernel
def deal_in_order(s: State, place: int, k: int, cards: int, seats: int) -> None:
    """Write the k-th ordered deal from a slot on, seat 0's card changing slowest."""
    left = ordered_deals(cards, seats)
    taken = 0
    for seat in range(seats):
        left //= cards - seat
        skipped = k // left
        k %= left
        card = 0
        while taken >> card & 1 or skipped > 0:
            skipped -= not taken >> card & 1
            card += 1
        s[place + seat] = card
        taken |= 1 << card


@kernel
def side(s: State, seat: int) -> int:
    """Everybody plays for himself."""
    return seat


@kernel
def write_moves(bits: int, mask: Bools) -> int:
    """The legal actions as a mask, from their bits; returns how many there are."""
    count = 0
    for action in range(len(mask)):
        mask[action] = bits >> action & 1
        count += bits >> action & 1
    return count


def spell(text: str) -> str:
    """The house word for what a person typed."""
    return SYNONYMS.get(text.lower(), text.lower())


@dataclass(frozen=True)
class OneCardEach:
    """The text of a game in which every seat has one card; negative is a card that is not known."""

    names: Sequence[str]
    slot: int
    """Where the state has the card of seat 0."""
    seats: int

    def card_text(self, card: int) -> str:
        """The name of a card, question marks for one that is not known."""
        return "?" * len(self.names[0]) if card < 0 else self.names[card]

    def deal_text(self, s: State) -> str:
        """Everybody's card, seat 0 first: `K J`."""
        return " ".join(self.card_text(card) for card in s[self.slot : self.slot + self.seats])

    def hand(self, s: State, seat: int) -> list[str]:
        """The seat's card."""
        return [self.card_text(s[self.slot + seat])]
