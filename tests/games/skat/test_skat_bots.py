"""Skat: the rule-based player, the report of simulations, series."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot, seat_bots
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.sheet import played

pytestmark = pytest.mark.skipif(PLAIN, reason="thousands of games are played")


@pytest.mark.parametrize("name", ["skat", "skat-suit", "skat-grand", "skat-null", "skat-null-ouvert", "skat-ramsch"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rule_player_beats_random_players_from_every_seat(name: str, seat: int) -> None:
    game = make(name)
    bots = [make_bot(game, "skat-rule" if k == seat else "random") for k in range(3)]
    gains = np.concatenate([chunk.returns[:, seat] for chunk in play(game, bots, 1500, 5)])
    assert gains.mean() > 4 * gains.std() / np.sqrt(len(gains))


@pytest.mark.parametrize(
    "knobs", ["aggression=0.3", "aggression=-0.3:hand=0.3", "null=0.4", "noise=0.5", "pull=-5:keep_trump=0"]
)
def test_no_knob_makes_it_play_illegally(knobs: str) -> None:
    for name, options in (("skat", {"jumps": "on"}), ("skat-ramsch", {"schieberamsch": "on"}), ("skat-points", {})):
        game = make(name, **options)
        for _ in play(game, seat_bots(game, f"skat-rule:{knobs}"), 300, 2):
            pass  # the loop itself refuses an illegal choice


def test_aggression_is_bid_and_caution_passes() -> None:
    game = make("skat")
    bids, passed = [], []
    for aggression in (-0.3, 0.0, 0.2):
        report = simulate(game, seat_bots(game, f"skat-rule:aggression={aggression}"), 3000, 5).report
        bids.append(report["mean_bid"])
        passed.append(report["passed_in_rate"])
    assert bids == sorted(bids) and passed == sorted(passed, reverse=True)


def test_report_has_contracts_win_rates_bids_and_passed_in_deals() -> None:
    game = make("skat")
    facts = simulate(game, seat_bots(game, "skat-rule"), 4000, 5).as_json()
    assert sum(contract["games"] for contract in facts["contracts"].values()) == facts["declared"]
    assert facts["declared"] + round(facts["passed_in_rate"] * 4000) == 4000
    assert sum(contract["share"] for contract in facts["contracts"].values()) == pytest.approx(1)
    assert 0.75 < facts["declarer_win_rate"] < 0.92  # it wins about five contracts in six against itself
    assert {"clubs", "grand", "null"} <= set(facts["kinds"])
    assert 18 <= facts["mean_bid"] < 40


def test_a_series_is_36_deals_and_adds_up() -> None:
    game = make("skat")
    players = [make_bot(game, "skat-rule"), make_bot(game, "skat-rule:aggression=0.2"), make_bot(game, "random")]
    series = played(game, players, seed=4)
    assert len(series.lines) == 36 and series.is_over
    for line in series.lines:  # passed in, won by one, or lost by one for the good of the two others
        won, lost = [x for x in line if x > 50], [x for x in line if x < 0]
        assert not any(line) or (len(won) == 1 and line.count(0) == 2) or (len(lost) == 1 and line.count(40) == 2)
    assert series.totals[2] < min(series.totals[:2])
