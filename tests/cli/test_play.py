"""`kibitz play` through the eyes of a person at the terminal: nothing that is hidden is printed."""

import json
import os
import re
import subprocess
import sys

import pytest

from kibitz.terminal.paint import Paint

CLAIM = re.compile(r"lays (1 card as an? [a-z]+|\d cards as [a-z]+s)")
ANSWER = re.compile(r"trust|cheat, seat \d has (lied|told the truth): seat \d takes \d+ cards?")

SEATS = ("forehand", "middlehand", "rearhand", "Vorhand", "Mittelhand", "Hinterhand")


def watched(most, *words):
    """The moves of the other seats as (seat, word, what was printed of it); in plain Python, which starts at once."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.cli.scripted", str(most), "play", *words, "--no-records"],
        capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    facts = json.loads(ran.stdout)
    assert not facts["code"]
    return [
        (move["seat"], move["word"], told_of(move["seat"], move["said"]))
        for move in facts["moves"]
        if not move["typed"]
    ]


def told_of(seat, said):
    """The line about a seat's move; the table that the person is shown next is not part of it."""
    line = said.split("\n", 1)[0]
    name, _, text = line.partition(": ")
    assert name in (f"seat {seat}", SEATS[seat % 3], SEATS[seat % 3 + 3])
    return text


@pytest.mark.parametrize("words", [("cheat-party", "--bots", "cheat-naive:p_ch=0"), ("cheat", "--bots", "random")])
def test_the_cards_of_a_claim_are_not_printed(words):
    moves = watched(60, *words, "--seat", "1", "--seed", "6", "--games", "20")
    discards = [(word, said) for _, word, said in moves if word not in ("trust", "cheat")]
    assert len(discards) > 10
    for word, said in discards:
        assert CLAIM.fullmatch(said), (word, said)
        assert f"{len(word)} card" in said
    for _, word, said in moves:
        if word in ("trust", "cheat"):
            assert ANSWER.fullmatch(said) and said.startswith(word), (word, said)


@pytest.mark.parametrize(("lang", "sentence"), [("en", "lays away a card"), ("de", "drückt eine Karte")])
def test_discards_of_skat_are_not_printed_and_cards_of_tricks_are(lang, sentence):
    moves = watched(500, "skat", "--seat", "0", "--bots", "random", "--seed", "2", "--games", "60", "--lang", lang)
    hidden = shown = pickups = due = 0
    for _, word, said in moves:
        is_card = re.fullmatch("[789TJQKA][cshd]", word)
        if due:
            assert is_card and said == sentence, (word, said)
            hidden, due = hidden + 1, due - 1
        elif is_card:
            assert said == Paint(lang).card(word)
            shown += 1
        if word == "pickup":
            pickups, due = pickups + 1, 2
    assert pickups > 1 and hidden > 2 and shown > 20
