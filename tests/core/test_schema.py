"""What a file may hold, in words; what does not fit is named with its place."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.core.errors import BadOption, BadRecord
from kibitz.core.game import make
from kibitz.core.schema import Either, Fields, Flag, Listed, Mapped, Nothing, Number, Text, Whole, line, read_json

FORM = Fields(
    {"n": Whole(0, 42), "x": Number(0.0, 1.0), "word": Text(5, ("a", "b")), "moves": Listed(Whole(0, 42), 1, 4)},
    {"flag": Flag(), "more": Mapped(Either((Whole(), Nothing()), "a whole number or null"))},
)
GOOD: dict[str, Any] = {"n": 1, "x": 0.5, "word": "a", "moves": [1, 2]}


def test_what_fits_is_let_through() -> None:
    FORM.check(GOOD)
    FORM.check({**GOOD, "x": 1, "flag": True, "more": {"a": None, "b": 3}})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"moves": [1, 2, 3, "x"]}, r"moves\[3\] is 'x': a whole number from 0 to 42 is"),
        ({"moves": []}, "moves has 0 entries: 1 to 4 are right"),
        ({"n": True}, "n is True: a whole number"),
        ({"n": 43}, "n is 43"),
        ({"n": 1.0}, "n is 1.0"),
        ({"x": 2}, "x is 2: a number from 0 to 1 is"),
        ({"x": False}, "x is False"),
        ({"word": "c"}, "word is 'c': one of a, b is"),
        ({"flag": 1}, "flag is 1: true or false is"),
        ({"more": {"a": "b"}}, "more.a is 'b': a whole number or null is"),
        ({"more": []}, r"more is \[\]: an object is"),
        ({"odd\n": 1}, r"odd\\n is no part of it: n, x, word, moves are"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        FORM.check({**GOOD, **changes})


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadRecord, match="word is missing"):
        FORM.check({name: value for name, value in GOOD.items() if name != "word"})
    with pytest.raises(BadRecord, match="it is 5: an object is"):
        FORM.check(5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON, or cut off"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "too many digits"),
        ("NaN", "holds NaN"),
        ("[1e999]", "too large a number"),
        (b"\xff", "not a text file"),
        ('"\\ud800"', "half of a surrogate pair"),
    ],
)
def test_texts_that_are_hardly_json_are_refused(text: str | bytes, said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        read_json(text)


def test_whole_surrogate_pairs_are_text() -> None:
    assert read_json('"\\ud83c\\udca1"') == "\U0001f0a1"


def test_halves_of_characters_are_read_where_file_names_may_stand() -> None:
    assert read_json('"\\udcff.py"', halves=True) == "\udcff.py"
    with pytest.raises(BadRecord, match="a text on one line is"):
        line(9).check("\udcff", "it")


@pytest.mark.parametrize("players", ["9" * 5000, "--3", "²", "3.0", "", None])
def test_an_option_that_is_no_number_is_refused(players: object) -> None:
    with pytest.raises(BadOption, match="players is a whole number from"):
        make("kuhn", players=players)
