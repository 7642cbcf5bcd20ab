"""The bot that asks a person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from kibitz.bots import read_knobs
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import Game
from kibitz.core.policy import OneByOne
from kibitz.core.position import read_move
from kibitz.core.view import View

QUIT = "quit"


class LeftTheTable(BadInput):
    """The person has had enough."""


class Person(OneByOne):
    """Shows a person what the seat may know and reads a move; asks again until it is legal. `quit` leaves the table."""

    def __init__(self, name: str, lang: str = "en") -> None:
        self.name, self.lang = name, lang

    def act(self, view: View) -> int:
        """The move the person types."""
        print(f"\n{show(view, self.lang)}", file=sys.stderr)
        words = [translate(view.game, view.game.words.ACTION_WORDS[action], self.lang) for action in view.legal()]
        while True:
            print(f"seat {view.seat}, your move ({' '.join(words)}): ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise BadInput("the input ended before the game did")
            if line.strip().lower() == QUIT:
                raise LeftTheTable(f"seat {view.seat} has left the table")
            try:
                return read_move(view.game, view.state, view.mask, back(view.game, line.strip(), self.lang))
            except IllegalMove as problem:
                said = [translate(view.game, word, self.lang) for word in str(problem).split(" ")]
                print(" ".join(said), file=sys.stderr)


def show(view: View, lang: str = "en") -> str:
    """The table as the seat sees it, in a language the game speaks."""
    if lang == "en":
        return str(view)
    return str(view.game.words.show(view.state, view.seat, lang))


def translate(game: Game, word: str, lang: str) -> str:
    """An action's word in a language."""
    return str(_language(game, lang).get(word, word))


def back(game: Game, word: str, lang: str) -> str:
    """The house word for a word in a language."""
    return next((house for house, foreign in _language(game, lang).items() if foreign == word), word)


def _language(game: Game, lang: str) -> Mapping[str, str]:
    languages: Mapping[str, Mapping[str, str]] = {"en": {}} | getattr(game.words, "LANGUAGES", {})
    if lang not in languages:
        raise BadInput(f"{game.name} does not speak {lang}: it speaks {', '.join(languages)}")
    return languages[lang]


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Person:
    """A person at the terminal."""
    read_knobs(spec, {}, knobs)
    return Person(spec, argument or "en")
