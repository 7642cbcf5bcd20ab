"""The metrics of PLAYERS.md chapter 5 agree with the naive ones and come with counts and errors."""

import json
import math
import random

import numpy as np
import pytest

from kibitz.arena.play import play as play_games
from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.coinche.metrics import NAMES, Metrics, measure, metrics
from tests.games.coinche.dealing import SUITED, contract, naive_game, play, play_out
from tests.naive import coinche_players as naive

DEALS = 10 if PLAIN else 100


@pytest.mark.parametrize(
    ("preset", "options", "bots"),
    [
        ("coinche", {}, "random"),
        ("coinche", {}, "coinche-simple,coinche-strong,coinche-simple,coinche-strong"),
        ("coinche-paper", {"reward": "good", "all_pass_reward": -10}, "random"),
        (
            "coinche-paper",
            {"paper_coinche_swaps_attack": 1, "belote": 1},
            "random,coinche-strong,random,coinche-strong",
        ),
    ],
)
def test_metrics_agree_with_the_naive_ones(preset: str, options: dict[str, object], bots: str) -> None:
    game = make(preset, **options)
    seats = seat_bots(game, bots)
    tallies = np.zeros(game.TALLIES)
    games = []
    for chunk in play_games(game, seats, DEALS, 3, keep_log=True):
        tallies += chunk.tallies
        for row in range(len(chunk.length)):
            other = naive_game(game, Position(game, 3, chunk.first + row))
            for action in chunk.log[row, : chunk.moves[row]]:
                other.play(game.words.ACTION_WORDS[action])
            games.append(other)
    for side, ours in enumerate(metrics(tallies)):
        for name, value in naive.metrics(games, side).items():
            assert ours[name].mean == pytest.approx(value, nan_ok=True), name


def test_simulate_reports_one_object_per_side() -> None:
    game = make("coinche")
    outcome = simulate(game, seat_bots(game, "coinche-simple,coinche-strong,coinche-simple,coinche-strong"), DEALS, 3)
    both = json.loads(json.dumps(outcome.as_json(), allow_nan=False))["metrics"]
    assert [side["seats"] for side in both] == [[0, 2], [1, 3]]
    for side in both:
        assert set(NAMES) <= set(side) and side["n"]["reward_mean"] == DEALS
        low, high = side["interval"]["attack_rate"]
        assert low < side["attack_rate"] < high and side["se"]["attack_rate"] > 0
    assert both[0]["attack_rate"] + both[1]["attack_rate"] == pytest.approx(1)
    assert both[0]["coinche_rate"] == 0 and both[0]["coinche_success"] is None


def tallied(position: Position) -> tuple[Metrics, Metrics]:
    """The metrics of one deal."""
    counts = np.zeros(position.game.TALLIES)
    position.game.tally(position.state, counts)
    return metrics(counts)


def test_a_coinche_is_counted_for_who_made_it() -> None:  # rule 5.13
    position = play_out(play(SUITED, "80s coinche surcoinche"), random.Random(1))
    ours, theirs = tallied(position)
    assert (ours["coinched_rate"].mean, ours["surcoinche_rate"].mean, ours["surcoinche_success"].mean) == (1, 1, 1)
    assert (theirs["coinche_rate"].mean, theirs["surcoinched_rate"].mean, theirs["coinche_success"].mean) == (1, 1, 0)
    assert ours["bid_precision"].n == 0 and ours["bid_precision_all"].mean == 102  # 162 and belote against 80
    assert ours["episode_actions"].mean == 35 and ours["table_turns"].mean == 9


def test_a_capot_is_measured_against_250() -> None:  # rule 5.12
    ours, theirs = tallied(play_out(contract("capot-s", SUITED, belote=False), random.Random(1)))
    assert (ours["bid_precision"].mean, ours["capot_rate"].mean, ours["contract_value"].mean) == (2, 1, 250)
    assert theirs["capot_rate"].n == 0 and math.isnan(theirs["capot_rate"].mean)


def test_a_void_deal_has_no_attack() -> None:  # rules 5.1 and 5.13
    ours, _ = tallied(play(SUITED, "pass pass pass pass"))
    assert ours["void_rate"].mean == 1 and ours["attack_rate"].n == 0 and ours["attack_rate_all"].mean == 0
    assert ours["table_turns"].mean == 1 and ours["episode_actions"].mean == 4


def test_shaped_rewards_stand_beside_the_plain_ones() -> None:  # rule 5.11
    ours, theirs = tallied(play_out(contract("80s", SUITED, reward="good"), random.Random(1)))
    assert ours["reward_attacker"].mean == 80 and ours["reward_attacker_shaped"].mean == pytest.approx(96.2)
    assert theirs["reward_defender"].mean == -80 and theirs["reward_defender_shaped"].mean == -80


def test_means_come_with_errors() -> None:
    sample = [3.0, 5.0, 10.0, 2.0]
    found = measure(4, sum(sample), sum(x * x for x in sample))
    assert found.se == pytest.approx(float(np.std(sample, ddof=1)) / 2) and found.low < found.mean < found.high
    assert math.isnan(measure(0, 0, 0).mean) and math.isnan(measure(1, 5, 25).se)
    assert measure(10, 0, 0, is_rate=True).high == pytest.approx(0.2775, abs=1e-3)  # Wilson's interval for 0 of 10
