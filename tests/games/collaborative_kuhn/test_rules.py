"""Collaborative Kuhn poker, rule by rule (numbers of RULES.md)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from kibitz.core.conformance import check
from kibitz.core.errors import BadRecord, IllegalMove
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.tree import unroll


def play(deal: str, moves: str, **options: object) -> list[float]:
    p = Position(make("collaborative-kuhn", **options), deal=deal)
    for move in moves.split():
        p.push(move)
    return p.returns()


@pytest.mark.parametrize(
    "options",
    [
        {}, {"oracle": "perfect"}, {"oracle": "noisy"}, {"oracle": "noisy", "blur": "noise", "memory": "all",
        "rewards": "tied"}, {"reading": "first", "oracle": "noisy", "memory": "all", "oracle_for": "ew"},
        {"reading": "once", "topup": 0, "schedule": "own_turn", "oracle": "noisy"},
    ],
)  # fmt: skip
def test_conforms(options: dict[str, object]) -> None:
    check(make("collaborative-kuhn", **options), 10 if PLAIN else 100)


def test_there_are_360_deals_and_54_of_them_differ() -> None:
    game = make("collaborative-kuhn")
    seen = Counter()
    for k in range(360):
        s = game.blank()
        game.deal_at(s, k)
        seen[game.words.deal_text(s)] += 1
    assert sorted(Counter(seen.values()).items()) == [(4, 18), (8, 36)]  # rule 2
    assert all(deal.split().count(card) <= 2 for deal in seen for card in "QKA")


@pytest.mark.parametrize(("reading", "decisions", "ends"), [("all", 52, 65), ("first", 12, 17), ("once", 14, 21)])
def test_the_size_of_each_reading(reading: str, decisions: int, ends: int) -> None:
    tree = unroll(make("collaborative-kuhn", reading=reading))
    assert tree.decisions == 360 * decisions
    assert tree.terminals == 360 * ends
    assert tree.infosets == 3 * decisions


@pytest.mark.parametrize("options", [{}, {"topup": 0}, {"reading": "once"}, {"rewards": "tied"}])
def test_returns_sum_to_zero(options: dict[str, object]) -> None:
    assert np.abs(unroll(make("collaborative-kuhn", **options)).utility.sum(axis=1)).max() == 0  # rule 7


def test_a_pair_beats_high_cards() -> None:
    assert play("Q A Q K", "check check check check") == [1, -1, 1, -1]  # rule 6
    assert play("A K Q K", "check check check check") == [-1, 1, -1, 1]
    assert play("A A K Q", "check check check check") == [1, -1, 1, -1]  # A K over A Q
    assert play("A A K K", "check check check check") == [0, 0, 0, 0]


def test_a_bet_called_by_all_is_for_two_chips_each() -> None:
    assert play("A Q A K", "bet call call call") == [2, -2, 2, -2]  # rules 3.2 and 4.1
    assert play("A Q A K", "bet raise call call call") == [3, -3, 3, -3]


def test_one_may_fold_the_partners_bet() -> None:
    returns = play("A Q Q K", "bet call fold")
    # rule 5: N paid 2, E 2, S 1, W is topped up to 2; the pot of 7 goes to E and W.
    assert returns == [-2, 1.5, -1, 1.5]
    # without the top-up W has paid 1: the pot of 6 is shared all the same
    assert play("A Q Q K", "bet call fold", topup=0) == [-2, 1, -1, 2]


def test_the_first_call_closes_in_reading_first() -> None:
    assert play("A Q A K", "bet call", reading="first") == [2, -2, 2, -2]  # rule 4.2


def test_everybody_acts_once_in_reading_once() -> None:
    assert play("A Q A K", "check check bet call", reading="once") == [2, -2, 2, -2]  # rule 4.3


def test_tied_rewards_pay_the_team() -> None:
    assert play("A Q Q K", "bet call fold", rewards="tied") == [-3, 3, -3, 3]  # rule 7


def test_chips_run_out_at_three() -> None:
    p = Position(make("collaborative-kuhn"), deal="A Q A K")
    with pytest.raises(IllegalMove, match="no bet to answer"):
        p.push("fold")
    p.push("bet")
    p.push("raise")
    with pytest.raises(IllegalMove, match="three chips are in"):
        p.push("raise")


def test_a_perfect_oracle_shows_the_partners_card() -> None:
    tree = unroll(make("collaborative-kuhn", oracle="perfect"))
    assert tree.infosets == 9 * 52  # rule 8.1


def test_a_noisy_oracle_gets_better() -> None:
    game = make("collaborative-kuhn", oracle="noisy")
    s = game.blank()
    game.words.read_deal("A Q K Q", s)
    p = np.zeros(4)
    for k, right in enumerate((0.0, 0.25, 0.5, 0.75)):  # rule 8.2
        game.chances(s, p)
        partner = s[12 + (k + 2) % 4]
        assert p[partner] == right
        assert p[3] == 1 - right
        game.step(s, 3)
        game.step(s, 1)


def test_the_noise_of_the_oracle_is_uniform() -> None:
    game = make("collaborative-kuhn", oracle="noisy", blur="noise", schedule="own_turn")
    s = game.blank()
    game.words.read_deal("A Q K Q", s)
    p = np.zeros(4)
    game.chances(s, p)
    assert p[:3] == pytest.approx([1 / 3] * 3)
    assert p[3] == 0


def test_bad_deals_are_refused() -> None:
    with pytest.raises(BadRecord, match="only two cards Q"):
        play("Q Q Q A", "")
    with pytest.raises(BadRecord, match="four cards"):
        play("Q J", "")
