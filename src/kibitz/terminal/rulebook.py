"""A game's RULES.md, chapter by chapter and rule by rule."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from importlib.resources import files
from textwrap import fill

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of

CHAPTER = re.compile(r"^## +(\d+)\.? +(.*)$", re.MULTILINE)
RULE = re.compile(r"^\**(\d+(?:\.\d+)?)\.?\** ", re.MULTILINE)
STARTS = re.compile(r"\s*(\||[-*#] |\d+\.|    )")
"""How a line begins that does not go on with the one before: a row of a table, an item, a number, code."""


def rules_text(game: Game, asked: str, columns: int) -> str:
    """The chapters of the rules, or one of them by its number, or one rule, or the rules with a word in them, in lines
    that end between two words."""
    return "\n".join(fill(line, columns) if line else "" for line in _lines(_asked(game, asked)))


def _lines(text: str) -> Iterator[str]:
    """Paragraphs, items and rows, each as one line however it was broken in the file."""
    held = ""
    for line in text.splitlines():
        if held and line.strip() and not STARTS.match(line):
            held += " " + line.strip()
            continue
        if held:
            yield held
        held = line.rstrip()
        if not held:
            yield ""
    yield held


def _asked(game: Game, asked: str) -> str:
    text = _text(game)
    chapters = {found[1]: _until(text, found, CHAPTER) for found in CHAPTER.finditer(text)}
    rules = {found[1]: _until(text, found, RULE, CHAPTER) for found in RULE.finditer(text)}
    if not asked and not chapters:
        return text.strip()
    if not asked:
        return "\n".join(body.splitlines()[0].removeprefix("## ") for body in chapters.values())
    if asked in chapters:
        return chapters[asked].removeprefix("## ")
    if asked in rules:
        return rules[asked]
    found = [body for body in rules.values() if asked.lower() in body.lower()]
    if not found:
        raise BadInput(
            f"there is no rule {asked}: chapters are {', '.join(chapters)}, rules are numbered like "
            f"{next(iter(rules), '1.1')}"
        )
    return "\n".join(found)


def _until(text: str, found: re.Match[str], *ends: re.Pattern[str]) -> str:
    """From a heading to the next."""
    rest = [end.start() for pattern in ends for end in pattern.finditer(text, found.end())]
    return text[found.start() : min(rest, default=len(text))].strip().replace("**", "")


def _text(game: Game) -> str:
    package = package_of(game.name)
    home = getattr(importlib.import_module(package), "RULES", package)
    try:
        return files(home).joinpath("RULES.md").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError):
        raise BadInput(f"{game.name} has no written rules") from None
