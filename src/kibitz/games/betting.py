"""What the small betting games share: deals by number, moves as bits, and the words of their actions."""

from __future__ import annotations

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
