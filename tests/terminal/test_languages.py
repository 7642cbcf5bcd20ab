"""Languages are whole: every sentence that a seat meets at the terminal is in the table of its language."""

import ast
import random
from contextlib import suppress
from pathlib import Path

import pytest

import kibitz.terminal
from kibitz.bots.person import LeftTheTable
from kibitz.core.game import make, names
from kibitz.core.position import Position
from kibitz.terminal.sentences import SENTENCES
from kibitz.terminal.tongue import languages
from tests.terminal.typed import seated

ROOM = Path(kibitz.terminal.__file__).parent


def test_every_sentence_of_the_table_is_in_both_tables():
    said = set()
    for path in [*ROOM.glob("*.py"), ROOM.parent / "cli" / "play.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "say":
                said |= {part.value for part in node.args[:1] if isinstance(part, ast.Constant)}
    for lang, table in SENTENCES.items():
        assert not said - set(table), lang
        for sentence, other in table.items():
            assert sentence.count("{}") == other.count("{}"), sentence


FAST = (
    "kuhn", "leduc", "collaborative-kuhn-noisy", "cheat", "cheat-party", "coinche", "skat", "skat-ramsch", "cego", "cego-solo",
    "cego-raeuber", "hearts", "euchre", "belote",
)  # fmt: skip
MOST_LINES = 60


@pytest.mark.parametrize("lang", ["de", "fr"])
@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in names()]
)
def test_nothing_a_seat_meets_is_left_in_english(name, lang):
    luck = random.Random(5)
    assert languages(make(name)) == ["en", "de", "fr"]
    table, game, _ = seated(name, lang)
    left = [MOST_LINES]

    def line():
        left[0] -= 1
        if left[0] < 0:
            raise LeftTheTable("enough")
        if luck.random() < 0.3:  # somebody who tries what is not allowed, and asks
            return luck.choice([*game.words.ACTION_WORDS[:200], "zzz", "?", "undo", "last", "score"]) + "\n"
        return luck.choice(table.deal.position.legal()) + "\n"

    table.source = line
    with suppress(LeftTheTable):
        for number in range(6):
            table.play(Position(game, 2, number))
    assert not table.tongue.missing, sorted(set(table.tongue.missing))[:20]
