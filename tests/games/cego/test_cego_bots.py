"""The rule-based players: never illegal, clearly stronger than random, in every game and on both sides."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.papers.cego import low_cards, paper_low_cards
from kibitz.papers.chart_drawing import draw
from kibitz.papers.charts import bars

GAMES = 20 if PLAIN else 4_000
RULE, RANDOM = "cego-rule", "random"
AGAINST_RANDOM = {"standard": 2.5, "solo": 2.5, "ultimo": 0.7, "bettel": 0.05, "piccolo": 0.015, "raeuber": 0.05}
"""By how much the rule gains over random play as the single player (in Räuber: in seat 0), at least."""
AS_OPPONENTS = {"standard": 4.0, "solo": 5.0, "ultimo": 0.1, "bettel": 0.08, "piccolo": 0.1}
"""By how much three of them lower the result of a single player, at least; Ultimo's is the rule itself."""


def mean_of_seat_0(name: str, spec: str, **options: object) -> float:
    game = make(name, **options)
    return float(
        np.mean(np.concatenate([chunk.returns[:, 0] for chunk in play(game, seat_bots(game, spec), GAMES, 17)]))
    )


@pytest.mark.parametrize("subgame", AGAINST_RANDOM)
def test_single_player_beats_random_play(subgame: str) -> None:
    random = mean_of_seat_0(f"cego-{subgame}", RANDOM)
    rule = mean_of_seat_0(f"cego-{subgame}", ",".join([RULE, RANDOM, RANDOM, RANDOM]))
    assert PLAIN or rule - random > AGAINST_RANDOM[subgame]


@pytest.mark.parametrize("subgame", AS_OPPONENTS)
def test_opponents_beat_random_play(subgame: str) -> None:
    single = RULE if subgame == "ultimo" else RANDOM
    against_random = mean_of_seat_0(f"cego-{subgame}", ",".join([single, RANDOM, RANDOM, RANDOM]))
    against_rule = mean_of_seat_0(f"cego-{subgame}", ",".join([single, RULE, RULE, RULE]))
    assert PLAIN or against_random - against_rule > AS_OPPONENTS[subgame]


def test_whole_game() -> None:
    assert PLAIN or mean_of_seat_0("cego", ",".join([RULE, RANDOM, RANDOM, RANDOM])) > 15
    assert PLAIN or mean_of_seat_0("cego", ",".join([RANDOM, RULE, RULE, RULE])) < -50
    for options in ({"contra_solo": "on"}, {"compulsory_solo": "on"}, {"dealer": 1}):
        mean_of_seat_0("cego", RULE, **options)  # a compiled bot that chose an illegal word would raise


def test_low_cards_are_the_largest_set_below_the_limit() -> None:
    shares = np.full(54, 0.8 / 24)
    shares[sorted(paper_low_cards())] = 0.18 / 30
    shares /= shares.sum()
    assert set(low_cards(shares)) == paper_low_cards() and len(paper_low_cards()) == 30
    chart = bars(np.sort(shares)[::-1], 24, ("high cards", "low cards"), "card", "share")
    assert draw(chart).count("<rect") - draw({**chart, "values": chart["values"][:1]}).count("<rect") == 53
