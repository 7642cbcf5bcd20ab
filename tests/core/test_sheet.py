"""Deals written down one after the other, by bots."""

import pytest

from kibitz.bots import seat_bots
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.sheet import played


def test_deals_of_any_game_are_added_up():
    game = make("leduc")
    sheet = played(game, seat_bots(game, "leduc-rule"), seed=4, deals=5)
    assert len(sheet.lines) == 5 and sheet.totals == [sum(line[k] for line in sheet.lines) for k in range(2)]
    again = Position(game, 4, 3)
    while not again.is_over:
        again.push(seat_bots(game, "leduc-rule")[0].act(again.view(again.turn)))
    assert sheet.lines[3] == again.returns()


@pytest.mark.parametrize(
    ("bots", "sentence"), [("leduc-rule", "is played deal by deal: say how many"), ("", "takes 2 players, not 0")]
)
def test_what_cannot_be_played_is_refused(bots, sentence):
    game = make("leduc")
    with pytest.raises(BadInput, match=sentence):
        played(game, seat_bots(game, bots) if bots else [])
