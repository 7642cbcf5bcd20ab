"""Languages are whole: every sentence that a seat meets at the terminal is in the table of its language."""

import ast
import random
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

import kibitz.terminal
from kibitz.bots.person import LeftTheTable
from kibitz.core import languages
from kibitz.core.errors import BadInput
from kibitz.core.game import make, names, package_of, register
from kibitz.core.languages import catalogue, languages_of, sentences_of, spellings, spoken
from kibitz.core.position import Position
from kibitz.terminal.tongue import Tongue
from tests.terminal.typed import seated, typed

ROOM = Path(kibitz.terminal.__file__).parent
PEEK_HOME = Path(__file__).parents[2] / "examples" / "own_game" / "src" / "kibitz_peek"


def test_every_sentence_of_the_table_is_in_both_tables():
    said = set()
    for path in [*ROOM.glob("*.py"), ROOM.parent / "cli" / "play.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "say":
                said |= {part.value for part in node.args[:1] if isinstance(part, ast.Constant)}
    for lang in spoken()[1:]:
        assert not said - set(sentences_of(make("kuhn"), lang, "terminal")), lang


def test_cards_have_names_in_every_language():
    for what in ("ranks", "suits"):
        assert [sorted(spellings(lang, what)) for lang in spoken()] == [sorted(spellings("en", what))] * len(spoken())


def test_a_word_may_differ_from_game_to_game_and_kit_games_share_the_rest():
    assert sentences_of(make("skat"), "de", "terminal")["points"] == "Augen"
    assert sentences_of(make("hearts"), "de", "terminal")["points"] == "Punkte"
    assert sentences_of(make("hearts"), "fr", "terminal")["spades"] == "pique"
    assert "spades" not in sentences_of(make("kuhn"), "fr", "terminal")


UNSPACED = re.compile(r"[^\s(][:;!?](?=\s|$)")


def test_french_has_a_space_before_high_punctuation():
    for section in ("terminal", "tricks", *{package_of(name).rsplit(".", 1)[-1] for name in names()}):
        assert not [text for text in catalogue("fr", section).values() if UNSPACED.search(text)]
    for game, lines in (("leduc", ("conseil", "relancer")), ("cego", ("passe", "zwei-leere", "conseil", "zzz"))):
        out = typed(game, *lines, lang="fr", bots="rule", seed=3)[0].replace("??", "")
        assert " : " in out and not UNSPACED.search(out), UNSPACED.search(out)
    assert Tongue(make("cheat"), "fr").hear("cheat, seat 1 has lied: seat 1 takes 3 cards").count(" : ") == 1


PEEK = """[peek_abroad]
"peek" = "spicken"
"{} to move" = "{} ist dran"
"""


def test_a_game_of_another_package_brings_its_own_catalogue(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    home = shutil.copytree(PEEK_HOME, tmp_path / "peek_abroad")
    for path in home.glob("*.py"):
        path.write_text(
            path.read_text().replace("kibitz_peek", "peek_abroad").replace('"peek": {}', '"peek-abroad": {}')
        )
    (home / "languages").mkdir()
    (home / "languages" / "de.toml").write_text(PEEK)
    register("peek_abroad")
    game = make("peek-abroad")
    assert Tongue(game, "de").hear("seat 0 to move, peek") == "Platz 0 ist dran, spicken"
    (home / "languages" / "fr.toml").write_text('[peek_abroad]\n"{} to move" = "à vous"\n')
    languages._read.cache_clear()
    with pytest.raises(BadInput, match=r"fr.toml of peek_abroad, \[peek_abroad\]: .*as many \{\} as"):
        languages_of(game)


@pytest.mark.parametrize("lang", ["de", "fr"])
@pytest.mark.parametrize(
    "end",
    [
        "won by seat 1, who has no cards left",
        "won by seat 0, 2 with the fewest cards after all 200 turns",
        "a draw after all 200 turns",
        "a draw, the same position has come up too often",
    ],
)
def test_why_a_game_of_cheat_is_over_is_said_in_every_language(end, lang):
    tongue = Tongue(make("cheat-party"), lang)
    assert "seat" not in tongue.hear(f"over: {end}") and not tongue.missing


FAST = (
    "kuhn", "leduc", "collaborative-kuhn-noisy", "cheat", "cheat-party", "coinche", "skat", "skat-ramsch", "cego",
    "cego-solo", "cego-raeuber", "hearts", "euchre", "belote",
)  # fmt: skip
MOST_LINES = 60


@pytest.mark.parametrize("lang", ["de", "fr"])
@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in names()]
)
def test_nothing_a_seat_meets_is_left_in_english(name, lang):
    luck = random.Random(5)
    assert languages_of(make(name)) == ["en", "de", "fr"]
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
