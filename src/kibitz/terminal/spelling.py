"""Cards as people type them: `as`, `AS`, `a s`, `♠A`, `ace of spades`, and in German and French with the letters of that language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

SIGNS = {"c": "♣", "s": "♠", "h": "♥", "d": "♦"}
OUTLINES = {"c": "♧", "s": "♤", "h": "♡", "d": "♢"}
CARD = re.compile(r"([1-9]|1\d|2[0-2]|[TJQKAGR])([cshdt])")
"""A card's name: its rank, then its suit; t is the suit of a Tarock's trumps."""
SUITLESS = re.compile(r"[A2-9TJQK]")

RANKS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "T": ("10", "t", "ten"), "J": ("j", "jack"), "Q": ("q", "queen"), "K": ("k", "king"), "A": ("a", "ace"),
        "R": ("r", "rider"), "G": ("g", "gstiess"),
    },
    "de": {
        "T": ("10", "t", "zehn"), "J": ("b", "j", "bube", "bauer"), "Q": ("d", "q", "dame"), "K": ("k", "könig", "koenig"),
        "A": ("a", "ass"), "R": ("r", "reiter"), "G": ("g", "gstiess"),
    },
    "fr": {
        "T": ("10", "t", "dix"), "J": ("v", "j", "valet"), "Q": ("d", "q", "dame"), "K": ("r", "k", "roi"), "A": ("a", "as"),
        "R": ("c", "cavalier"), "G": ("g", "gstiess"),
    },
}  # fmt: skip
SUITS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {"c": ("c", "club", "clubs"), "s": ("s", "spade", "spades"), "h": ("h", "heart", "hearts"),
           "d": ("d", "diamond", "diamonds"), "t": ("t", "trump", "trumps")},
    "de": {"c": ("k", "kr", "kreuz", "c"), "s": ("p", "pik", "s"), "h": ("h", "herz"), "d": ("k", "ka", "karo", "d"),
           "t": ("t", "trumpf")},
    "fr": {"c": ("t", "trèfle", "trefle"), "s": ("p", "pique", "s"), "h": ("c", "cœur", "coeur", "h"),
           "d": ("k", "ca", "carreau", "d"), "t": ("t", "atout")},
}  # fmt: skip
"""What ranks and suits may be called, the usual letter first; where two share a letter, it is asked which is meant."""
BETWEEN = ("", "of", "de")
LETTERS = {lang: {rank: names[0].upper() for rank, names in table.items()} for lang, table in RANKS.items()}


def rank_letter(rank: str, lang: str) -> str:
    """A rank as it is printed in a language: B for a German jack, 10 for T."""
    return LETTERS[lang].get(rank, rank)


def plain(text: str) -> str:
    """What was typed without spaces, hyphens and differences of case."""
    return re.sub(r"[\s\-_]+", "", text).lower()


def cards_meant(text: str, names: Iterable[str], lang: str) -> list[str]:
    """Which of some cards a text may mean: those it names in full, or else those of which it gives the rank or the suit."""
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
    rank, suit = found[1], found[2]
    signs = [table[suit] for table in (SIGNS, OUTLINES) if suit in table]
    return [*RANKS[lang].get(rank, (rank.lower(),))], [*SUITS[lang][suit], *signs]


def house_ranks(text: str, lang: str) -> str:
    """Ranks without suits, typed with the letters of a language, in the letters of the house: `BB7` becomes JJ7."""
    letters = {names[0].upper(): rank for rank, names in RANKS[lang].items() if len(names[0]) == 1 and rank not in "RG"}
    return "".join(letters.get(letter, letter) for letter in text.upper().replace("10", "T"))
