"""What open cards are worth in a game of the kit: the deal is finished on paper, then scored by its game."""

import numpy as np
import pytest

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.tricks import layout as at
from kibitz.search.solver.payoff import TrickPayoff
from tests.search.test_solver import endings, kit_of, unbroken


def returns_of(name: str, s: np.ndarray) -> list[float]:
    out = np.zeros(4)
    make(name).returns(s, out)
    return [float(x) for x in out]


@pytest.mark.parametrize("name", ["euchre", "belote"])
def test_a_deal_finished_on_paper_pays_what_it_pays_at_the_table(name: str) -> None:
    luck, payoff, game = np.random.default_rng(1), TrickPayoff(kit_of(name)), make(name)
    slot, mask = at.TRICKS if payoff.kit.by_tricks else at.POINTS, np.zeros(game.ACTIONS, np.bool_)
    for s in endings(name, 3, 8 if PLAIN else 40):
        end, seat = s.copy(), int(s[at.TURN])
        while game.turn(end) >= 0:
            game.legal(end, mask)
            game.step(end, int(luck.choice(np.flatnonzero(mask))))
        gain = sum(int(end[slot + k] - s[slot + k]) for k in (seat, (seat + 2) % 4))
        assert returns_of(name, payoff.finished(s, seat, gain)) == returns_of(name, end)


def test_points_that_others_take_are_not_taken_by_one_of_them_alone() -> None:
    s = unbroken(kit_of("hearts"), np.random.default_rng(0))
    assert returns_of("hearts", TrickPayoff(kit_of("hearts")).finished(s, 2, 0))[2] == 0  # rule 4.1, no moon


def test_a_side_that_gets_everything_gets_the_capot() -> None:
    p = Position(make("belote"), 1)
    p.push(next(word for word in p.legal() if word != "pass"))
    taker, held = int(p.state[at.DECLARER]), 3 << 8 * int(p.state[at.CONTRACT]) + 4
    belote = [20 if int(p.state[at.HAND + seat]) & held == held else 0 for seat in range(4)]
    ours = sum(belote[taker % 2 :: 2])
    paid = returns_of("belote", TrickPayoff(kit_of("belote")).finished(p.state, taker, 162))
    assert paid[taker] == 252 + ours - (sum(belote) - ours)  # rule 4.2
