"""How cards look at the terminal: suit signs and colours where it can, letters where not."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TextIO

from kibitz.terminal.spelling import CARD, SIGNS, SUITLESS, rank_letter

RED, GREEN, YELLOW, BLUE = 31, 32, 33, 34
TWO = {"h": RED, "d": RED, "t": YELLOW}
FOUR = {"h": RED, "d": BLUE, "c": GREEN, "t": YELLOW}
CLEAR = "\x1b[2J\x1b[H"
"""Wipes what is seen; what was scrolled away stays."""
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
SUITED = re.compile(r"(?<![\w♣♠♥♦])((?:\d{1,3}|[TJQKAGR]|capot-|generale-|trumps-))([cshdt])(?![\w-])")
"""A card or a bid inside a sentence."""


@dataclass(frozen=True)
class Paint:
    """What the terminal can show, and in which language."""

    lang: str = "en"
    is_coloured: bool = False
    has_signs: bool = False
    is_redrawn: bool = False
    colours: int = 2

    def suit(self, letter: str) -> str:
        """A suit's sign, or its letter."""
        return SIGNS.get(letter, letter) if self.has_signs else letter

    def tinted(self, text: str, suit: str) -> str:
        """Text in the colour of a suit."""
        tint = (FOUR if self.colours == 4 else TWO).get(suit)
        return f"\x1b[{tint}m{text}\x1b[0m" if self.is_coloured and tint else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return f"\x1b[1m{text}\x1b[0m" if self.is_coloured else text

    def faint(self, text: str) -> str:
        """Text that stands back."""
        return f"\x1b[2m{text}\x1b[0m" if self.is_coloured else text

    def card(self, name: str) -> str:
        """A card."""
        found = CARD.fullmatch(name)
        if found is None:
            return rank_letter(name, self.lang) if SUITLESS.fullmatch(name) and self.lang != "en" else name
        rank = rank_letter(found[1], self.lang) if self.has_signs or self.lang != "en" else found[1]
        return self.tinted(rank + self.suit(found[2]), found[2])

    def sentence(self, text: str, known: Collection[str]) -> str:
        """A sentence with the cards and bids in it painted, as far as they are words of the game."""

        def painted(found: re.Match[str]) -> str:
            if found[0] not in known:
                return found[0]
            is_card = CARD.fullmatch(found[0])
            return self.card(found[0]) if is_card else self.tinted(found[1] + self.suit(found[2]), found[2])

        return SUITED.sub(painted, text) if self.has_signs or self.lang != "en" else text


def paint_for(stream: TextIO, lang: str, colours: int = 2, is_scrolling: bool = False) -> Paint:
    """What a stream can show: nothing but text unless it is a terminal; NO_COLOR is heeded."""
    is_terminal = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
    return Paint(
        lang,
        is_coloured=is_terminal and not os.environ.get("NO_COLOR"),
        has_signs=(is_terminal or lang != "en") and _can_write(stream, "♠é"),
        is_redrawn=is_terminal and not is_scrolling,
        colours=colours,
    )


def width(text: str) -> int:
    """How many columns a text takes."""
    return len(ESCAPES.sub("", text))


def unprinted(text: str) -> str:
    """Text for a line that can be edited: escapes are marked as taking no room."""
    return ESCAPES.sub("\x01\\g<0>\x02", text)


def columns() -> int:
    """How wide the terminal is; where there is none, as wide as the rules are written."""
    return shutil.get_terminal_size((120, 24)).columns


def flowing(words: Iterable[str], most: int, gap: str = "   ") -> str:
    """Words one after the other, in lines that end between two of them."""
    lines: list[str] = []
    for word in words:
        if lines and width(lines[-1]) + len(gap) + width(word) <= most:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return "\n".join(lines)


def padded(text: str, columns: int) -> str:
    """Text filled up with spaces."""
    return text + " " * max(0, columns - width(text))


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
