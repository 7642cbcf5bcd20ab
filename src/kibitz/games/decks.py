"""Decks of cards: their names, parsed and printed. A card is its place in the deck, cards are int64 masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.core.errors import BadRecord

UNKNOWN = "??"


@dataclass(frozen=True)
class Deck:
    """The names of a deck's cards, card 0 first."""

    names: tuple[str, ...]

    def card(self, text: str) -> int:
        """The card of that name; `10h` may be said for `Th` and the other way round."""
        wanted = text.strip()
        for spelling in (wanted, wanted[:-1].upper() + wanted[-1:].lower()):
            for word in (spelling, spelling.replace("10", "T"), spelling.replace("T", "10")):
                if word in self.names:
                    return self.names.index(word)
        raise BadRecord(f"{text!r} is no card of this deck: cards are written like {self.names[0]} or {self.names[-1]}")

    def cards(self, texts: str | Iterable[str]) -> list[int]:
        """The cards named in a text or a list, none of them twice."""
        words = texts.split() if isinstance(texts, str) else list(texts)
        found = [self.card(word) for word in words]
        for card in found:
            if found.count(card) > 1:
                raise BadRecord(f"{self.names[card]} is named twice in {' '.join(words)}")
        return found

    def text(self, mask: int) -> str:
        """The cards of a mask, lowest id first."""
        return " ".join(name for card, name in enumerate(self.names) if int(mask) >> card & 1)


def mask_of(cards: Iterable[int]) -> int:
    """The mask that holds the given cards."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask


def suited(suits: str, ranks: Sequence[str]) -> tuple[str, ...]:
    """The names of a deck that goes through the suits, and through the ranks in each of them."""
    return tuple(rank + suit for suit in suits for rank in ranks)


FRENCH = Deck(suited("cdhs", "23456789TJQKA"))
"""The 52 cards, suit by suit from the twos up."""
