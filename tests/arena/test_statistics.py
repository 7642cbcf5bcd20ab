"""The statistics agree with textbooks, with SciPy, and cover what they claim to cover."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kibitz.arena.statistics import (
    Score,
    Tally,
    WinRate,
    bootstrap,
    combined_se,
    error_decimals,
    holm,
    narrow_enough,
    paired,
    score,
    win_rate,
    z_score,
)
from kibitz.core.errors import BadInput

# Student (1908), The Probable Error of a Mean: extra hours of sleep by two drugs on the same ten patients.
FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_a_score_prints_mean_error_unit_and_count() -> None:
    assert str(Score(0.31, 0.08, 20000, "deal")) == "+0.31 ± 0.08 per deal (n=20000)"


@pytest.mark.parametrize(
    ("mean", "se", "text"),
    [
        (-0.055512, 0.00123, "-0.0555 ± 0.0012"),
        (1.0, 0.096, "+1.00 ± 0.10"),
        (312.4, 25.2, "+312 ± 25"),
        (4000.0, 812.0, "+4000 ± 812"),
        (0.5, 0.0, "+0.5 ± 0"),
        (0.5, math.nan, "+0.5 ± ?"),
    ],
)
def test_a_score_is_rounded_as_its_error_deserves(mean: float, se: float, text: str) -> None:
    assert Score(mean, se, 10).short == text


@given(st.floats(1e-9, 1e6))
def test_one_or_two_digits_of_an_error_are_printed(error: float) -> None:
    assert math.isclose(float(f"{error:.{error_decimals(error)}f}"), error, rel_tol=0.15)


def test_student_sleep_data() -> None:
    compared = paired(SECOND_DRUG, FIRST_DRUG, unit="patient")
    assert compared.difference.mean == pytest.approx(1.58)
    assert compared.t == pytest.approx(4.0621, abs=5e-5)
    assert compared.p == pytest.approx(0.002833, abs=5e-7)
    assert (compared.difference.low, compared.difference.high) == pytest.approx((0.7001142, 2.4598858), abs=1e-6)


def test_bots_that_never_differ_are_not_different() -> None:
    same = paired([1, 2, 3], [1, 2, 3])
    assert (same.t, same.p) == (0, 1)
    always_better = paired([2, 3, 4], [1, 2, 3])
    assert (always_better.t, always_better.p) == (math.inf, 0)


def test_a_single_value_has_no_error() -> None:
    alone = score([3.0])
    assert alone.mean == 3
    assert all(math.isnan(value) for value in (alone.se, alone.low, alone.high))
    assert not narrow_enough(alone, 100)


@pytest.mark.parametrize("values", [[], [[1.0, 2.0]], [1.0, math.nan]])
def test_what_is_not_a_flat_list_of_numbers_is_refused(values: list[float]) -> None:
    with pytest.raises(BadInput, match="flat list of finite numbers"):
        score(values)


# Newcombe (1998), Two-sided confidence intervals for the single proportion, Table I, method 3.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_of_newcombe(wins: int, games: int, low: float, high: float) -> None:
    rate = WinRate(wins, games)
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=5e-5)
    theirs = stats.binomtest(wins, games).proportion_ci(method="wilson")
    assert (rate.low, rate.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_win_rates_read_well_and_draws_count_half() -> None:
    assert str(WinRate(145_000, 250_000)) == "58.00 % [57.81, 58.19] (n=250000)"
    assert WinRate(10.5, 20).rate == 0.525
    assert WinRate(0, 0).short == "no games"
    assert (WinRate(5, 5).high, WinRate(0, 5).low) == (1, 0)
    with pytest.raises(BadInput, match="6 wins in 5 games"):
        WinRate(6, 5)


def test_games_that_stand_alone_have_no_effect_on_the_interval() -> None:
    rng = np.random.default_rng(14)
    alone = win_rate(rng.integers(0, 2, 5000), np.ones(5000))
    assert (alone.effect, alone.deals) == (pytest.approx(1.0, abs=1e-3), 5000)
    wilson = WinRate(alone.wins, 5000)
    assert (alone.low, alone.high) == pytest.approx((wilson.low, wilson.high), abs=1e-4)


def test_partners_who_win_together_count_as_one() -> None:
    wins = 2 * np.random.default_rng(15).integers(0, 2, 5000)
    together = win_rate(wins, np.full(5000, 2))
    one = WinRate(wins.sum() / 2, 5000)
    assert together.games == 10_000 and together.effect == pytest.approx(2.0, abs=0.01)
    assert (together.rate, together.se) == pytest.approx((one.rate, one.se), rel=1e-3)


def test_seatings_that_balance_each_other_narrow_the_interval_only_with_many_deals() -> None:
    few, many = (win_rate(np.full(deals, 2), np.full(deals, 4)) for deals in (5, 5000))
    assert few.low < 0.35 and few.high > 0.65  # five deals that agree prove little
    assert 0 < many.high - many.low < 0.001


def test_a_clustered_rate_of_0_or_1_has_the_interval_of_its_deals() -> None:
    never, always = win_rate(np.zeros(1000), np.full(1000, 4)), win_rate(np.full(1000, 4), np.full(1000, 4))
    deals = WinRate(0, 1000)
    assert (never.low, always.high) == (0.0, 1.0)
    assert never.high == pytest.approx(deals.high, rel=0.01) and always.low == pytest.approx(1 - deals.high, rel=0.01)
    assert (win_rate([], []).games, win_rate([0], [0]).short) == (0, "no games")
    alone = win_rate([1], [2])
    assert 0 < alone.low < 0.5 < alone.high < 1


def test_an_effect_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="effect of 0"):
        WinRate(1, 2, 0)


def test_score_intervals_cover_19_times_in_20() -> None:
    samples = np.random.default_rng(1).normal(2.0, 3.0, (20_000, 6))
    covered = [s.low <= 2.0 <= s.high for s in map(score, samples)]
    assert 0.94 < np.mean(covered) < 0.96


def test_score_intervals_cover_for_card_game_returns() -> None:
    samples = np.random.default_rng(2).choice([-120.0, 0.0, 20.0, 50.0], p=[0.1, 0.3, 0.3, 0.3], size=(8000, 400))
    covered = [s.low <= 9.0 <= s.high for s in map(score, samples)]
    assert 0.94 < np.mean(covered) < 0.96


def test_win_rate_intervals_cover_19_times_in_20() -> None:
    rng = np.random.default_rng(3)
    truth = rng.uniform(0.05, 0.95, 20_000)
    rates = [WinRate(int(wins), 200) for wins in rng.binomial(200, truth)]
    assert 0.94 < np.mean([rate.low <= p <= rate.high for rate, p in zip(rates, truth, strict=True)]) < 0.96


def test_paired_p_values_are_uniform_when_nothing_differs() -> None:
    luck, first, second = np.random.default_rng(4).normal(size=(3, 2500, 12))
    p = np.array([paired(luck[i] + first[i], luck[i] + second[i]).p for i in range(2500)])
    assert 0.04 < np.mean(p < 0.05) < 0.06


@pytest.mark.slow
def test_bootstrap_intervals_cover_19_times_in_20() -> None:
    samples = np.random.default_rng(5).normal(1.0, 1.0, (2500, 100))
    ends = [bootstrap(row, seed=i, resamples=499) for i, row in enumerate(samples)]
    assert 0.94 < np.mean([low <= 1.0 <= high for low, high in ends]) < 0.96


def test_bootstrap_is_the_same_for_the_same_seed() -> None:
    values = np.random.default_rng(6).exponential(size=200)
    assert bootstrap(values, seed=7) == bootstrap(values, seed=7) != bootstrap(values, seed=8)


def test_bootstrap_resamples_columns_together() -> None:
    played = np.random.default_rng(9).integers(1, 20, 300)
    low, high = bootstrap(2.0 * played, played, statistic=lambda a, b, axis: a.mean(axis) / b.mean(axis))
    assert (low, high) == pytest.approx((2.0, 2.0))


def test_bootstrap_of_many_values_agrees_with_student() -> None:
    values = np.random.default_rng(10).normal(size=6000)
    assert bootstrap(values, resamples=2000) == pytest.approx(score(values).interval(), abs=0.002)


def test_bootstrap_of_constant_values_is_a_point() -> None:
    assert bootstrap([2.0, 2.0, 2.0]) == (2.0, 2.0)


def test_looking_five_times_keeps_the_promise() -> None:
    rng = np.random.default_rng(11)
    values = rng.choice([-1.0, 1.0], size=(2000, 1000))
    wrong = 0
    for row in values:
        looks = [score(row[:n]) for n in (200, 400, 600, 800, 1000)]
        wrong += any(not low <= 0 <= high for low, high in (look.interval(0.99) for look in looks))
    assert wrong / len(values) < 0.05


def test_stopping_on_width_leaves_the_interval_honest() -> None:
    # The spread of each match differs, so that they stop at different looks.
    rng = np.random.default_rng(12)
    covered = []
    for spread in rng.uniform(1, 3, 4000):
        values = rng.normal(0.0, spread, 1000)
        looks = (score(values[:n]) for n in (200, 400, 600, 800))
        stopped = next((look for look in looks if narrow_enough(look, 0.5)), score(values))
        covered.append(stopped.low <= 0 <= stopped.high)
    assert 0.94 < np.mean(covered) < 0.96


def test_narrow_enough_asks_for_99_per_cent_and_100_values() -> None:
    measured = Score(0.0, 0.1, 10_000)
    width = 2 * 0.1 * stats.t.ppf(0.995, 9999)
    assert narrow_enough(measured, width + 1e-9)
    assert not narrow_enough(measured, width - 1e-9)
    assert not narrow_enough(Score(0.0, 0.0, 99), 1.0)
    assert narrow_enough(WinRate(5000, 10_000), 0.04, looks=1)


def test_holm_corrects_as_in_r() -> None:
    # p.adjust(c(.01, .04, .03, .005), "holm") in R
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])


def test_holm_is_wrong_about_any_true_null_at_most_one_time_in_20() -> None:
    p = np.random.default_rng(13).uniform(size=(5000, 8))
    assert np.mean([holm(row).min() < 0.05 for row in p]) < 0.06


def test_z_scores_combine_both_errors() -> None:
    assert combined_se(3.0, 4.0) == 5.0
    assert z_score(Score(10.0, 3.0, 50), 5.0, 4.0) == 1.0
    assert z_score(WinRate(60, 100), 0.5) == pytest.approx(0.1 / math.sqrt(0.24 / 100))
    assert z_score(1.5, 1.5) == 0
    assert z_score(1.0, 1.5) == -math.inf


returns = st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=1, max_size=40)


@given(returns, st.integers(1, 7))
def test_tallies_are_the_same_for_any_number_of_shards(rows: list[list[float]], shards: int) -> None:
    whole = Tally.of(rows)
    parts = [Tally.of(rows[i::shards]) for i in range(shards) if rows[i::shards]]
    assert Tally.merged(parts) == Tally.merged(reversed(parts)) == whole


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_tallies_are_exact(values: list[float]) -> None:
    tally = Tally.of([[value] for value in values])
    assert tally.sums[0] == sum(map(Fraction, values))
    assert tally.squares[0] == sum(Fraction(value) ** 2 for value in values)


def test_a_tally_gives_the_score_of_its_seat() -> None:
    table = np.random.default_rng(14).integers(-200, 300, (5000, 4))
    ours, plain = Tally.of(table).score(2, "deal"), score(table[:, 2], "deal")
    assert (ours.mean, ours.se) == pytest.approx((plain.mean, plain.se), rel=1e-12)
    assert (ours.n, ours.unit) == (5000, "deal")
    assert math.isnan(Tally.of([[1.0, -1.0]]).score(0).se)


def test_tallies_of_other_tables_do_not_merge() -> None:
    with pytest.raises(BadInput, match="2 and of 3 seats"):
        Tally.of([[1, 2]]) + Tally.of([[1, 2, 3]])
    with pytest.raises(BadInput, match=r"returns\[n, seats\]"):
        Tally.of([1.0, 2.0])
    with pytest.raises(BadInput, match="at least one game"):
        Tally.of(np.empty((0, 2))).score(0)
