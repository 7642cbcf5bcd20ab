"""The line that says what is being compiled, and how far it is."""

import json

import pytest

from kibitz.bots.preparing import COUNTED, expected, progress
from kibitz.core.game import make


@pytest.mark.parametrize(
    ("done", "line"),
    [
        (0, "loading pimc for skat, 3 s"),
        (12, "preparing pimc for skat: 12 of 31, once per machine, 3 s"),
        (31, "preparing pimc for skat: 31 of 31, once per machine, 3 s"),
        (32, "preparing pimc for skat: 32 kernels, once per machine, 3 s"),  # more than there were elsewhere
    ],
)
def test_the_line_says_how_much_is_done(done, line):
    assert progress("pimc for skat", 31, done, 3.4) == line


def test_nobody_has_counted_the_kernels_of_a_game_without_search():
    assert expected(make("leduc")) == 0
    assert expected(make("skat")) == expected(make("skat-null")) > 0


def test_every_count_is_of_a_game():
    assert all(expected(make(name.replace("cego_deals", "cego-solo"))) for name in json.loads(COUNTED.read_text()))
