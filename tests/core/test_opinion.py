"""What a bot thinks at a view, in words."""

import numpy as np
import pytest

from kibitz.core.game import make
from kibitz.core.opinion import Opinion
from kibitz.core.policy import Together
from kibitz.core.position import Position

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


def test_an_opinion_with_values_says_what_they_count():
    assert str(Opinion("a", "Ah", EVEN, "", VALUES)).endswith("\nworth is counted in points of the game")
    assert "counted" not in str(Opinion("a", "Ah", EVEN, "", {}))


def test_a_bot_that_decides_the_same_whatever_its_luck_is_asked_once():
    class First(Together):
        name, asked = "first", 0

        def act_batch(self, views):
            First.asked += len(views)
            return np.array([mask.argmax() for mask in views.masks])

    view = Position(make("kuhn"), seed=1).view()
    assert First().explain(view).source == "1 draw"
    assert First.asked == 2  # for how it mixes and for its choice
