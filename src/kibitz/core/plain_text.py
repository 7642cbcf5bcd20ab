"""Text from files, bots and command lines made safe to print or to write: no terminal commands, no half characters."""

from __future__ import annotations

import json
import math
import re
import sys
from typing import Any

COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it, line ends and tabs excepted;
the last ones turn the writing direction."""
HALVES = re.compile("[\ud800-\udfff]")
"""Halves of characters: JSON and file names can hold them alone, but no encoding has them."""
UNSEEN = re.compile("[\x7f-\x9f]")
"""Commands that JSON leaves as they are."""


def printable(text: str) -> str:
    """The text with everything that a terminal would obey spelled out: `\\x1b` for an escape."""
    return HALVES.sub(_spelled, COMMANDS.sub(_spelled, text))


def one_line(text: str) -> str:
    """The text as `printable` has it, on one line."""
    return " ".join(printable(text).split())


def json_text(thing: Any, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """A thing as JSON that every reader takes: null for what is not finite, and nothing that cannot be encoded."""
    return encodable(json.dumps(_finite(thing), ensure_ascii=ascii_only, allow_nan=False, indent=indent))


def encodable(text: str) -> str:
    """JSON with half characters and what a terminal would obey as escapes; they can stand inside its strings only."""
    return UNSEEN.sub(_json_escape, HALVES.sub(_json_escape, text))


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def _json_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _finite(thing: Any) -> Any:
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    if isinstance(thing, dict):
        return {key: _finite(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_finite(value) for value in thing]
    return thing


def say(text: str) -> None:
    """One line for people, beside the output."""
    print(f"kibitz: {text}", file=sys.stderr)
