"""Cards as people type them: `as`, `AS`, `a s`, `♠A`, `ace of spades`,
and in other languages with the letters of that language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from kibitz.core.languages import spellings as called

SIGNS = {"c": "♣", "s": "♠", "h": "♥", "d": "♦"}
OUTLINES = {"c": "♧", "s": "♤", "h": "♡", "d": "♢"}
CARD = re.compile(r"([1-9]|1\d|2[0-2]|[TJQKAGR])([cshdt])")
"""A card's name: its rank, then its suit; t is the suit of a Tarock's trumps."""
SUITLESS = re.compile(r"[A2-9TJQK]")

BETWEEN = ("", "of", "de")


def rank_letter(rank: str, lang: str) -> str:
    """A rank as it is printed in a language: B for a German jack, 10 for T."""
    return called(lang, "ranks").get(rank, (rank,))[0].upper()


def plain(text: str) -> str:
    """What was typed without spaces, hyphens and differences of case."""
    return re.sub(r"[\s\-_]+", "", text).lower()


def cards_meant(text: str, names: Iterable[str], lang: str) -> list[str]:
    """Which of some cards a text may mean: those it names in full,
    or else those of which it gives the rank or the suit."""
    wanted, cards = plain(text), [name for name in names if CARD.fullmatch(name)]
    whole = [name for name in cards if wanted in spellings(name, lang)]
    return whole or [name for name in cards if wanted in halves(name, lang)]


@cache
def spellings(name: str, lang: str) -> frozenset[str]:
    """All that means one card."""
    ranks, suits = _parts(name, lang)
    both = [rank + link + suit for rank in ranks for suit in suits for link in BETWEEN]
    return frozenset([*both, *(suit + rank for rank in ranks for suit in suits)])


@cache
def halves(name: str, lang: str) -> frozenset[str]:
    """A card's rank alone, or its suit alone."""
    ranks, suits = _parts(name, lang)
    return frozenset([*ranks, *suits])


def _parts(name: str, lang: str) -> tuple[list[str], list[str]]:
    found = CARD.fullmatch(name)
    assert found is not None
    return [*called(lang, "ranks").get(found[1], (found[1].lower(),))], suit_names(found[2], lang)


def suit_names(suit: str, lang: str) -> list[str]:
    """All that means a suit: its names in a language, and its signs."""
    return [*called(lang, "suits").get(suit, (suit,)), *(table[suit] for table in (SIGNS, OUTLINES) if suit in table)]


def house_ranks(text: str, lang: str) -> str:
    """Ranks without suits, typed with the letters of a language, in the letters of the house: `BB7` becomes JJ7."""
    ranks = called(lang, "ranks").items()
    letters = {names[0].upper(): rank for rank, names in ranks if len(names[0]) == 1 and rank not in "RG"}
    return "".join(letters.get(letter, letter) for letter in text.upper().replace("10", "T"))
