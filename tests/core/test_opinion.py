"""What a bot thinks at a view, in words."""

import pytest

from kibitz.core.opinion import Opinion

EVEN = {"Ah": 0.5, "Kh": 0.5}
VALUES = {"Kh": 40.0, "Ah": 60.0}


@pytest.mark.parametrize(
    ("opinion", "words"),
    [
        (Opinion("a", "Ah", {"Ah": 1.0}, "", {}), "it is the only move"),
        (Opinion("a", "Ah", EVEN, "20 draws", {}), ""),
        (Opinion("a", "Ah", EVEN, "", {"Kh": -0.5, "Ah": 1.25}), "worth +1.25; next best Kh with -0.50"),
        (
            Opinion("a", "Ah", EVEN, "", VALUES, 20, {"Kh": 0.45, "Ah": 0.7}),
            "ahead in 70 % of 20 imagined deals; next best Kh with 45 %",
        ),
        (
            Opinion("a", "Ah", EVEN, "", VALUES, 20, {"Kh": 1.0, "Ah": 1.0}),
            "worth +60.00 on average over 20 imagined deals; next best Kh with +40.00",
        ),
        (
            Opinion("a", "Ah", EVEN, "", {"Kh": 60.0, "Ah": 60.0}, 20, {"Kh": 1.0, "Ah": 1.0}),
            "worth +60.00 on average over 20 imagined deals; Kh is as good",
        ),
    ],
)
def test_a_reason_is_one_line(opinion, words):
    assert "; ".join(sentence.format(*given) for sentence, given in opinion.reason()) == words
