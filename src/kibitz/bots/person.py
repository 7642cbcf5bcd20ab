"""The place of a person at a table of the terminal; `kibitz play` asks the person (terminal/table.py)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.bots import read_knobs
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import OneByOne
from kibitz.core.view import View


class LeftTheTable(BadInput):
    """The person has had enough."""


class Person(OneByOne):
    """Keeps a seat for a person; asked itself, it says where people can play."""

    def __init__(self, name: str, lang: str = "en") -> None:
        self.name, self.lang = name, lang

    def act(self, view: View) -> int:
        """People are asked at a table, not as bots are."""
        raise BadInput("a person cannot be asked here: people play with `kibitz play` or `kibitz serve`")


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Person:
    """A person at the terminal."""
    read_knobs(spec, {}, knobs)
    return Person(spec, argument or "en")
