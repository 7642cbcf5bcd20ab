"""Skat at a table: the skat, declarations in full, and the list by Seeger and Fabian."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kibitz.core.game import State, Value
from kibitz.core.record import Record
from kibitz.games.skat.cards import DECK
from kibitz.games.skat.series import DEALS, seat_in_series
from kibitz.games.skat.state import DECLARE
from kibitz.games.skat.tallies import entry
from kibitz.games.skat.words import contract_text

SHEET = "series"
PILE = "skat: "


def seat_names(words: Any, lang: str) -> list[str]:
    """Forehand, middlehand and rearhand."""
    return ["Vorhand", "Mittelhand", "Hinterhand"] if lang == "de" else ["forehand", "middlehand", "rearhand"]


def beside(words: Any, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The skat, or what was laid away, as far as the seat knows it."""
    line = next(line for line in words.show(s, seat).splitlines() if line.startswith(PILE))
    words = line.removeprefix(PILE).split()
    cards = [word for word in words if word in DECK.names]
    return [{"name": "Skat", "cards": cards, "count": len(words)}] if words else []


def move_text(words: Any, s: State, action: int, lang: str) -> str:
    """A declaration in full."""
    return contract_text(action - DECLARE, lang) if action >= DECLARE else ""


def score_lines(words: Any, s: State, lang: str) -> list[str]:
    """How the deal ended, and what everybody writes down (8.1)."""
    names, written = seat_names(words, lang), entries(words, s)
    return [words.show(s, None, lang).splitlines()[-1], ", ".join(f"{name} {x:+g}" for name, x in zip(names, written))]


def entries(words: Any, s: State) -> list[float]:
    """Rule 8.1."""
    return [float(entry(s, seat)) for seat in range(3)]


def seat_of(words: Any, player: int, deal: int) -> int:
    """Rule 8.3: the seats go round."""
    return seat_in_series(player, deal)


def is_over(words: Any, options: Mapping[str, Value], deals: int, totals: Sequence[float]) -> bool:
    """Rule 8.2."""
    return deals >= DEALS


def read_iss(lines: Iterator[str]) -> Iterator[Record]:
    """The games of an archive of the Internet Skat Server that can be replayed."""
    from kibitz.games.skat.archive import read_archive

    for number, found in enumerate(read_archive(lines)):
        if found.status != "CORRUPT":
            yield found.record(number)


RECORD_READERS = {"(;GM[Skat]": read_iss}
"""Records of other programs, by how their lines begin."""
