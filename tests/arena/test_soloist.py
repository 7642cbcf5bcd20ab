"""Equations (4) to (7) on numbers worked out by hand, and the sum that must hold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.arena.seatings import form_of
from kibitz.arena.soloist import (
    delta_def,
    delta_def_joined,
    delta_sol,
    delta_sol_mixed,
    delta_tp,
    delta_tp_six,
    deltas,
    per_deal,
)  # fmt: skip
from kibitz.core.game import make

HAND_MADE = {"AvBB": 60, "BvAA": 30, "AvAA": 48, "BvBB": 36, "AvAB": 57, "BvBA": 30, "AvBA": 51, "BvAB": 33}


def test_equation_4():
    assert delta_tp(60, 30) == 10  # (60 - 30) / 3


def test_equation_5():
    assert delta_def(60, 36, 48, 30) == 3  # ((60 + 36) - (48 + 30)) / 6


def test_equation_6():
    assert delta_sol(48, 30, 60, 36) == 7  # ((48 - 30) + (60 - 36)) / 6


def test_equation_7():
    assert delta_sol_mixed(57, 33, 51, 30) == 7.5  # ((57 - 33) + (51 - 30)) / 6


def test_a_defence_that_gets_better_has_a_positive_figure():
    assert delta_def_joined(60, 57, 51) == 2  # the soloist loses 6 on average, a third of it per game


def test_six_games():
    assert delta_tp_six(60, 57, 51, 30, 33, 30) == pytest.approx((168 - 93) / 9)


def test_all_figures_of_eight_games():
    found = per_deal({name: Fraction(score) for name, score in HAND_MADE.items()})
    assert found["tp"] == 10 and found["def"] == 3 and found["sol"] == 7 and found["sol_mixed"] == Fraction(15, 2)
    assert found["def_a"] == (Fraction(120 - 57 - 51, 6) + Fraction(72 - 33 - 30, 6)) / 2
    assert found["def"] == found["def_a"] - found["def_b"]


def test_six_games_know_only_one_pure_defence_for_each_soloist():
    six = {name: Fraction(score) for name, score in HAND_MADE.items() if name not in ("AvAA", "BvBB")}
    found = per_deal(six)
    assert found["def_a"] == Fraction(120 - 57 - 51, 6) and found["def_b"] == Fraction(60 - 33 - 30, 6)
    assert "sol" not in found


@pytest.mark.parametrize(
    "whole, joined, left",
    [(1.64, 0.59, -1.06), (0.19, 0.16, -0.02), (1.14, 0.55, -0.59)],
    ids=["suit", "grand", "null"],
)
def test_the_papers_mixed_defences_make_up_its_pure_ones(whole, joined, left):
    """Tables III and V, PI against CLI: the scale of delta_def_joined is right if both halves add up to (5)."""
    assert joined - left == pytest.approx(whole, abs=0.015)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(*[st.integers(-500, 500)] * 8), min_size=2, max_size=40))
def test_soloist_and_defence_add_up_to_the_last_digit(rows):
    found = deltas(form_of(make("skat-suit"), "eight"), np.array(rows, float))
    assert found["tp"].difference.mean == found["sol"].difference.mean + found["def"].difference.mean
    exact = Fraction(sum(row[0] - row[1] for row in rows), 3 * len(rows))
    assert found["tp"].difference.mean == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


def test_four_seats_divide_by_four():
    found = deltas(form_of(make("cego-solo")), np.array([[40.0, 30.0], [30.0, 28.0]]))
    assert found["tp"].difference.mean == (10 + 2) / 2 / 4
