"""What a file may hold: a format is written down once, in these words, and checked before anything uses what was read.

    SCORE = Fields({"mean": Number(), "games": Whole(1, 10**12)})
    SCORE.check(read_json(data), "score")

A value that does not fit raises BadRecord with its place and what would be right: `ids[3] is 'x': a whole number from 0
to 42 is`. Numbers are never taken for flags or words for numbers.
Arrays in .npz files have their own words in `core/arrays.py`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kibitz.core.errors import BadRecord

MOST_COUNT = 2**62
"""More than anything here is ever counted to; sums of two still fit 64 bits."""
MOST_TEXT = 100_000
MOST_JSON = 1 << 28
"""Bytes; no text of ours is longer."""
SHOWN = 60
HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


class Part(Protocol):
    """One value of a format."""

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        ...


def misfit(place: str, value: Any, right: str) -> BadRecord:
    """The error for a value that does not fit."""
    return BadRecord(f"{place} is {shown(value)}: {right} is")


def shown(value: Any) -> str:
    """A value for a message: short, on one line, printable."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list) and len(value) > 5:
        return f"a list of {len(value)}"
    text = ascii(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    low: int = 0
    high: int = MOST_COUNT

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise misfit(place, value, f"a whole number from {self.low} to {self.high}")


@dataclass(frozen=True)
class Number:
    """A number that is finite, within bounds."""

    low: float = -1e300
    high: float = 1e300

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if type(value) not in (int, float) or not self.low <= value <= self.high:
            bounds = "" if (self.low, self.high) == (-1e300, 1e300) else f" from {self.low:g} to {self.high:g}"
            raise misfit(place, value, f"a number{bounds}")


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if type(value) is not bool:
            raise misfit(place, value, "true or false")


@dataclass(frozen=True)
class Text:
    """A text, perhaps one of a few, or of a pattern that `right` puts into words."""

    most: int = MOST_TEXT
    among: tuple[str, ...] = ()
    pattern: str = ""
    right: str = ""
    least: int = 0

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if not isinstance(value, str) or (self.among and value not in self.among):
            raise misfit(place, value, f"one of {', '.join(self.among)}" if self.among else self.right or "a text")
        if not self.least <= len(value) <= self.most:
            raise misfit(place, value, f"a text of {self.least} to {self.most:,} characters")
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise misfit(place, value, self.right)


@dataclass(frozen=True)
class Listed:
    """A list of values of one kind."""

    of: Part
    least: int = 0
    most: int = 1_000_000

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if not isinstance(value, list):
            raise misfit(place, value, "a list")
        if not self.least <= len(value) <= self.most:
            sizes = str(self.least) if self.least == self.most else f"{self.least} to {self.most:,}"
            raise BadRecord(f"{place} has {len(value)} entries: {sizes} are right")
        for k, one in enumerate(value):
            self.of.check(one, f"{place}[{k}]")


@dataclass(frozen=True)
class Mapped:
    """An object whose keys are anything and whose values are of one kind."""

    of: Part
    most: int = 10_000

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if not isinstance(value, dict):
            raise misfit(place, value, "an object")
        if len(value) > self.most:
            raise BadRecord(f"{place} has {len(value)} entries: {self.most:,} at most are right")
        for key, one in value.items():
            self.of.check(one, f"{place}.{shown(key)[1:-1]}" if place else shown(key)[1:-1])


@dataclass(frozen=True)
class Fields:
    """An object with named parts, some of which may be missing; others are refused unless there is `rest` for them."""

    parts: Mapping[str, Part]
    optional: Mapping[str, Part] = field(default_factory=dict)
    rest: Part | None = None

    def check(self, value: Any, place: str = "") -> None:
        """Raise BadRecord unless the value fits."""
        if not isinstance(value, dict):
            raise misfit(place or "it", value, "an object")
        within = f"{place}." if place else ""
        for name in self.parts:
            if name not in value:
                raise BadRecord(f"{within}{name} is missing")
        for name, one in value.items():
            part = self.parts.get(name) or self.optional.get(name) or self.rest
            if part is None:
                raise BadRecord(f"{within}{shown(name)[1:-1]} is no part of it: {', '.join(self.parts)} are")
            part.check(one, f"{within}{shown(name)[1:-1]}")


@dataclass(frozen=True)
class Either:
    """A value that fits one of several parts; `right` says which."""

    parts: tuple[Part, ...]
    right: str

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        for part in self.parts:
            try:
                part.check(value, place)
                return
            except BadRecord:
                continue
        raise misfit(place, value, self.right)


@dataclass(frozen=True)
class Nothing:
    """Null."""

    def check(self, value: Any, place: str) -> None:
        """Raise BadRecord unless the value fits."""
        if value is not None:
            raise misfit(place, value, "null")


@dataclass(frozen=True)
class Anything:
    """Whatever JSON can say: for parts that are kept and never used."""

    def check(self, value: Any, place: str) -> None:
        """Everything fits."""


def line(most: int) -> Text:
    """A text on one line, without control characters and halves of characters."""
    return Text(most, pattern=r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]*", right="a text on one line")


OPTIONS = Mapped(Either((Whole(-(10**9), 10**9), line(100)), "a whole number or a word"), 100)
"""The options of a game."""


def read_json(data: bytes | str, most: int = MOST_JSON, *, halves: bool = False) -> Any:
    """What a JSON text says; whatever is wrong with it raises BadRecord.

    `halves` of characters are let through where names of files may stand, which can be any bytes.
    """
    if len(data) > most:
        raise BadRecord(f"it is too long: {most:,} bytes at most are right")
    try:
        text = data.decode() if isinstance(data, bytes) else data
        found = json.loads(text, parse_constant=_no_number, parse_float=_number)
        if not halves and HALF_PAIR.search(text):
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except BadRecord:
        raise
    except json.JSONDecodeError:
        raise BadRecord("it is no JSON, or cut off") from None
    except UnicodeDecodeError:
        raise BadRecord("it is not a text file") from None
    except UnicodeEncodeError:
        raise BadRecord("it holds half of a surrogate pair, which is no text") from None
    except RecursionError:
        raise BadRecord("it is nested too deeply") from None
    except ValueError:  # Python reads whole numbers of some thousand digits at most
        raise BadRecord("it holds a number of too many digits") from None


def read_json_file(path: Path, most: int = MOST_JSON, *, halves: bool = False) -> Any:
    """What a file of JSON says; OSError if it cannot be read."""
    if path.stat().st_size > most:
        raise BadRecord(f"it is too long: {most:,} bytes at most are right")
    return read_json(path.read_bytes(), most, halves=halves)


def _no_number(word: str) -> float:
    raise BadRecord(f"it holds {word}, which is no number")


def _number(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise BadRecord(f"it holds {word[:SHOWN]}, which is too large a number")
    return value
