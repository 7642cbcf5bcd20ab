"""The page's own words: every language has all of them, and no page asks for one that is not there."""

import json
import re
from pathlib import Path

import kibitz.web

STATIC = Path(kibitz.web.__file__).parent / "static"
WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((STATIC / "words").glob("*.json"))}


def test_every_language_has_the_same_words_with_the_same_gaps():
    assert set(WORDS) == {"en", "de", "fr"}
    for lang, words in WORDS.items():
        assert words.keys() == WORDS["en"].keys(), lang
        for key, text in words.items():
            assert text.strip() and set(re.findall(r"{\d}", text)) == set(re.findall(r"{\d}", WORDS["en"][key])), (
                lang,
                key,
            )


def test_pages_ask_for_words_that_are_there():
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))
    asked = set(re.findall(r"\bt\(\"([^\"]+)\"", scripts))
    assert len(asked) > 60 and asked <= WORDS["en"].keys(), asked - WORDS["en"].keys()
