"""The catalogues of languages: one TOML file a language, in `kibitz/languages`,
with a section for each room and each game.

    [terminal]                         # what a room says itself
    "{} leads" = "{} spielt aus"

    [skat]                             # what a game says: the section has the name of its package
    "points" = "Augen"

A game reads the sections that its words name as CATALOGUES (games on the kit `tricks`), then its own, which goes first.
A package elsewhere brings files of the same form in a folder `languages` of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of

HOME = "kibitz"
ENGLISH = "en"
GAP = re.compile(r"\{\d?\}")
Sentences = Mapping[str, str]
Spellings = Mapping[str, tuple[str, ...]]


def spoken() -> list[str]:
    """The languages that there are catalogues for, English first."""
    found = sorted(path.name.removesuffix(".toml") for path in files(HOME).joinpath("languages").iterdir())
    return [ENGLISH, *(lang for lang in found if lang != ENGLISH)]


def languages_of(game: Game) -> list[str]:
    """What can be spoken at a table of this game, English first."""
    own = package_of(game.name).rsplit(".", 1)[-1]
    return [lang for lang in spoken() if lang == ENGLISH or any(own in book for book in _books(game, lang))]


def sentences_of(game: Game, lang: str, room: str) -> Sentences:
    """The sentences of a room and of a game, by what they are in English."""
    sections = [room, *getattr(game.words, "CATALOGUES", ()), package_of(game.name).rsplit(".", 1)[-1]]
    found: dict[str, str] = {}
    for section in sections:
        for book in _books(game, lang):
            found |= book.get(section, {})
    return found


@cache
def catalogue(lang: str, *sections: str) -> Sentences:
    """The sentences of some sections of kibitz's own catalogue; what a later one has goes first."""
    return {said: other for section in sections for said, other in _read(HOME, lang).get(section, {}).items()}


@cache
def spellings(lang: str, what: str) -> Spellings:
    """What the `ranks` or `suits` of cards are called in a language, the usual letter first."""
    return {name: tuple(said) for name, said in _read(HOME, lang)["cards"][what].items()}


def _books(game: Game, lang: str) -> list[Mapping[str, Mapping[str, str]]]:
    package = package_of(game.name)
    return [_read(place, lang) for place in dict.fromkeys((HOME, package))]


@cache
def _read(package: str, lang: str) -> Mapping[str, Mapping[str, Any]]:
    """The sections of one file; none if there is no such file."""
    path = files(package).joinpath("languages", f"{lang}.toml")
    if not path.is_file():
        return {}
    place = f"languages/{lang}.toml of {package}"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadInput(f"{place} cannot be read: {problem}") from None
    for section, table in found.items():
        if section != "cards":
            _check(f"{place}, [{section}]", table)
    return found


def _check(place: str, table: object) -> None:
    if not isinstance(table, Mapping):
        raise BadInput(f"{place} is not possible: every sentence stands in a section")
    for sentence, other in table.items():
        if not isinstance(other, str):
            raise BadInput(f'{place}: "{sentence}" must be a sentence in quotation marks')
        if len(GAP.findall(sentence)) != len(GAP.findall(other)):
            raise BadInput(f'{place}: "{other}" must have as many {{}} as "{sentence}"')
