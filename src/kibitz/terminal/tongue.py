"""One language at the table: its own sentences, and those of the game through the game's catalogue.

Games speak English. A catalogue (core/languages.py) is a plain table from English sentences to sentences of another
language; `{}` stands for what differs, and is translated in its turn: "{} is turned up" -> "{} wird aufgedeckt". What a
catalogue lacks is kept in `missing`, which tests look at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.languages import languages_of, sentences_of
from kibitz.core.scene import seat_names
from kibitz.terminal.spelling import CARD

SEAT = re.compile(r"\bseat (\d)\b")
ATOM = re.compile(r"[-+±]?[\d.,/:%×?*–]+|[A2-9TJQK]+|\?+|-")
"""What is the same in every language, or painted later: numbers, ranks, cards nobody knows."""
JOINTS = ("\n", "; ", "   ", "  ", ", ", ": ", " + ", " ")
"""Where a text that no sentence fits may be cut; every piece must then be in the table."""


class Tongue:
    """The language of one table."""

    def __init__(self, game: Game, lang: str = "en") -> None:
        spoken = languages_of(game)
        if lang not in spoken:
            raise BadInput(f"{game.name} does not speak {lang}: it speaks {', '.join(spoken)}")
        self.game, self.lang = game, lang
        self.table: Mapping[str, str] = sentences_of(game, lang, "terminal")
        self.known = frozenset(part for word in game.words.ACTION_WORDS for part in word.split("|"))
        self.missing: list[str] = []
        self._before: dict[str, str] = {}
        self.english = seat_names(game)
        self.seats = [self.hear(name) for name in self.english]

    def say(self, sentence: str, *given: object) -> str:
        """A sentence of the table's own, with what belongs into its gaps."""
        if self.lang != "en" and sentence not in self.table:
            self.missing.append(sentence)
        return self.table.get(sentence, sentence).format(*given)

    def hear(self, text: str) -> str:
        """What the game says in English, in this language."""
        if self.lang == "en" or not text.strip():
            return text
        if text not in self._before:
            found = self._heard(text, 0)
            if found is None:
                self.missing.append(text)
            self._before[text] = text if found is None else found
        return self._before[text]

    def named(self, text: str) -> str:
        """A text of the game with seats called as they are at this table."""
        players = self.game.PLAYERS
        return SEAT.sub(lambda found: self.english[int(found[1])] if int(found[1]) < players else found[0], text)

    def _heard(self, text: str, depth: int) -> str | None:
        bare = text.strip()
        if bare in self.table:
            return text.replace(bare, self.table[bare])
        if (
            not bare
            or ATOM.fullmatch(bare)
            or CARD.fullmatch(bare)
            or (bare in self.known and SUITED_CALL.fullmatch(bare))
        ):
            return text
        if depth > 12:
            return None
        for pattern, sentence in _patterns(tuple(self.table)):
            found = pattern.fullmatch(bare)
            if found is None:
                continue
            pieces = [self._heard(piece, depth + 1) for piece in found.groups()]
            if all(piece is not None for piece in pieces):
                return text.replace(bare, self.table[sentence].format(*pieces))
        for joint in JOINTS:
            if joint in bare:
                pieces = [self._heard(piece, depth + 1) for piece in bare.split(joint)]
                if all(piece is not None for piece in pieces):
                    joined = self.table.get(joint, joint).join(piece for piece in pieces if piece is not None)
                    return text.replace(bare, joined)
        return None


SUITED_CALL = re.compile(r"(\d{1,3}|capot-|generale-)[shdcnt]|[CSHDGN][HSZO]{0,2}")


@lru_cache(maxsize=64)
def _patterns(sentences: tuple[str, ...]) -> list[tuple[re.Pattern[str], str]]:
    """Sentences with gaps as patterns, those that say most first."""
    gapped = sorted((one for one in sentences if "{" in one), key=lambda one: -len(re.sub(r"\{\d?\}", "", one)))
    return [(re.compile("(.+?)".join(map(re.escape, re.split(r"\{\d?\}", one))), re.DOTALL), one) for one in gapped]
