"""Ratings agree with a published fit and their intervals cover."""

import math

import numpy as np
import pytest

from kibitz.arena.ratings import ELO, elo
from kibitz.core.errors import BadInput

# Agresti, Categorical Data Analysis, 2nd edition: the American League in 1987; row beat column so often out of 13.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
PUBLISHED = {  # log-odds above Baltimore in his Table 10.11, without home advantage; he puts the errors at about 0.3
    "Cleveland": 0.68,
    "Boston": 1.11,
    "New York": 1.25,
    "Toronto": 1.29,
    "Detroit": 1.44,
    "Milwaukee": 1.58,
}


def test_baseball_of_1987() -> None:
    league = elo(TEAMS, WINS)
    assert [rating.name for rating in league.ratings] == [*reversed(PUBLISHED), "Baltimore"]
    for team, strength in PUBLISHED.items():
        gap = league.gap(team, "Baltimore")
        assert round(gap.elo / ELO, 2) == strength
        assert round(gap.se / ELO, 1) == 0.3


def test_ratings_are_centred_and_count_games() -> None:
    ratings = elo(TEAMS, WINS).ratings
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-9)
    assert {rating.games for rating in ratings} == {78}


def test_two_bots_differ_by_the_elo_formula() -> None:
    gap = elo(["a", "b"], [[0, 75], [25, 0]]).gap("a", "b")
    assert gap.elo == pytest.approx(400 * math.log10(3))
    assert gap.se == pytest.approx(ELO * math.sqrt(1 / 75 + 1 / 25))  # of a log-odds
    assert str(gap) == "a - b +191 ± 40 Elo"


def test_draws_count_half() -> None:
    assert elo(["a", "b"], [[0, 10], [10, 0]]).gap("a", "b").elo == pytest.approx(0, abs=1e-6)


def test_intervals_cover_19_times_in_20() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([0.0, 0.4, 0.9, -1.3])
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    upper = np.triu(np.ones((4, 4), dtype=bool), 1)
    covered = []
    for _ in range(700):
        won = np.where(upper, rng.binomial(80, chance), 0)
        won = won + np.where(upper, 80 - won, 0).T
        for rating in elo("abcd", won).ratings:
            covered.append(rating.low <= truth["abcd".index(rating.name)] * ELO <= rating.high)
    assert 0.94 < np.mean(covered) < 0.96


def test_a_bot_that_lost_everything_needs_a_prior() -> None:
    wins = [[0, 5, 9], [5, 0, 9], [0, 0, 0]]
    with pytest.raises(BadInput, match=r"^random and the others .* prior=1$"):
        elo(["one", "two", "random"], wins)
    last = elo(["one", "two", "random"], wins, prior=1).ratings[-1]
    assert last.name == "random"
    assert last.elo < -200
    assert last.games == 18


def test_bots_that_never_met_are_refused() -> None:
    with pytest.raises(BadInput, match="prior=1"):
        elo("abcd", [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", "b", "c"]])
def test_names_must_fit_the_table(names: list[str]) -> None:
    with pytest.raises(BadInput, match="per distinct name"):
        elo(names, [[0, 1], [1, 0]])
