"""Scores and returns, rule by rule (chapters 7 and 8 of RULES.md)."""

import numpy as np
import pytest

from kibitz.core.game import make
from kibitz.games.coinche import REWARDS, SCORINGS
from kibitz.games.coinche.scoring import reward_of, score_of, shaping
from tests.games.coinche.dealing import SUITED, contract, finished, play

ORDER = ("announced_paper", "announced", "made_plus_announced", "made", "colver")
EXAMPLES = [  # rule 7.10: points, bid, coinched, belote of side, untakeable, then attack / defence in the order above
    ((115, 47), "100s", 0, None, False, "100/0 100/0 215/47 115/47 215/47"),
    ((95, 67), "100s", 0, 0, False, "100/0 120/0 215/67 115/67 215/67"),
    ((115, 47), "100s", 0, 1, False, "100/0 100/20 215/67 115/67 215/67"),
    ((95, 67), "100s", 0, None, False, "0/160 0/100 0/260 0/160 0/262"),
    ((75, 87), "100s", 0, 0, False, "0/160 0/120 0/280 0/180 0/282"),
    ((75, 87), "100s", 0, 0, True, "0/160 20/100 20/260 20/160 20/262"),
    ((115, 47), "100s", 1, None, False, "200/0 200/0 520/0 320/0 362/0"),
    ((95, 67), "100s", 1, None, False, "0/320 0/200 0/520 0/320 0/362"),
    ((115, 47), "100s", 2, None, False, "400/0 400/0 1040/0 640/0 462/0"),
    ((252, 0), "100s", 0, None, False, "100/0 100/0 352/0 252/0 352/0"),
    ((252, 0), "100s", 1, None, False, "200/0 200/0 520/0 320/0 452/0"),
    ((252, 0), "capot-s", 0, None, False, "250/0 250/0 500/0 500/0 502/0"),
    ((140, 22), "capot-s", 0, None, False, "0/250 0/250 0/500 0/500 0/412"),
    ((252, 0), "capot-s", 1, None, False, "500/0 500/0 1000/0 1000/0 752/0"),
    ((252, 0), "capot-s", 0, 1, False, "250/0 250/20 500/20 500/20 502/20"),
]


@pytest.mark.parametrize("scoring", ORDER)
@pytest.mark.parametrize(("points", "bid", "coinched", "belote", "kept", "scores"), EXAMPLES)
def test_worked_examples(
    scoring: str, points: tuple[int, int], bid: str, coinched: int, belote: int | None, kept: bool, scores: str
) -> None:  # rules 7.1 to 7.8, 7.10
    s = finished(points, bid, belote, scoring=scoring, coinched=coinched, belote_untakeable=kept)
    assert f"{score_of(s, 0)}/{score_of(s, 1)}" == scores.split()[ORDER.index(scoring)]


def test_the_examples_know_every_scoring() -> None:
    assert set(ORDER) == set(SCORINGS)


def test_a_surcoinche_may_count_three_times() -> None:  # rule 7.1
    s = finished((115, 47), coinched=2, surcoinche_multiplier=3)
    assert score_of(s, 0) == 3 * 260


def test_scores_can_be_rounded_to_tens() -> None:  # rule 7.9
    s = finished((116, 46), scoring="made", round10="nearest")
    assert (score_of(s, 0), score_of(s, 1)) == (120, 50)
    assert score_of(finished((115, 47), scoring="made", round10="nearest"), 0) == 120
    assert score_of(finished((99, 63), round10="nearest"), 0) == 0  # 99 do not make 100


def test_partners_receive_the_same() -> None:  # rule 8.1
    out = np.zeros(4)
    make("coinche").returns(finished((115, 47)), out)
    assert out[0] == out[2] and out[1] == out[3]


def test_score_diff_is_our_score_minus_theirs() -> None:  # rule 8.2
    s = finished((115, 47))
    assert (reward_of(s, 0), reward_of(s, 1)) == (168, -168)


MATRICES = {  # rule 8.3, bid 100: attack made, defence made, attack failed, defence failed
    "classic": (100, 0, 0, 160),
    "mirror": (100, -100, -160, 160),
    "no_defense": (100, -100, -160, 0),
    "good": (100, -100, -100, 160),
}


@pytest.mark.parametrize("reward", MATRICES)
@pytest.mark.parametrize("coinched", [0, 1, 2])
def test_the_papers_matrices(reward: str, coinched: int) -> None:  # rule 8.3
    m = (1, 2, 4)[coinched]
    made = finished((115, 47), reward=reward, coinched=coinched)
    failed = finished((95, 67), reward=reward, coinched=coinched)
    got = (reward_of(made, 0), reward_of(made, 1), reward_of(failed, 0), reward_of(failed, 1))
    assert got == tuple(m * entry for entry in MATRICES[reward])


def test_a_capot_replaces_160_by_250() -> None:  # rule 8.3
    s = finished((140, 22), "capot-s", reward="mirror")
    assert (reward_of(s, 0), reward_of(s, 1)) == (-250, 250)


def test_score_diff_of_the_papers_scoring_is_mirror() -> None:  # rule 8.2
    for points in ((115, 47), (95, 67)):
        for bid in ("100s", "160s", "capot-s"):
            paper = finished(points, bid, scoring="announced_paper")
            assert reward_of(paper, 0) == reward_of(finished(points, bid, reward="mirror"), 0)


@pytest.mark.parametrize("reward", REWARDS)
def test_a_void_deal_returns_what_was_asked_for(reward: str) -> None:  # rule 8.4
    assert play(SUITED, "pass pass pass pass", reward=reward).returns() == [0] * 4
    assert play(SUITED, "pass pass pass pass", reward=reward, all_pass_reward=-10).returns() == [-10] * 4


def test_returns_can_be_normalised() -> None:  # rule 8.5
    assert reward_of(finished((115, 47), reward="good", normalise=True), 0) == 100 / 250


def test_who_has_won() -> None:  # rule 8.6
    game = make("coinche")
    assert [game.has_won(finished((115, 47)), seat) for seat in range(4)] == [True, False, True, False]
    assert [game.has_won(finished((95, 67)), seat) for seat in range(4)] == [False, True, False, True]


def test_shaping_pays_for_each_trick() -> None:  # rule 8.7
    position = contract("80s", SUITED, "Js 7h 7d")
    out, total = np.zeros(4), np.zeros(4)
    while not position.is_over:
        before = position.state.copy()
        position.push(position.legal()[0])
        shaping(before, position.state, 0.1, False, out)
        if len(position.actions) == 4:
            assert out.tolist() == pytest.approx([2.0, 0, 2.0, 0])
            shaping(before, position.state, 0.1, True, out)
            assert out.tolist() == pytest.approx([2.0, -2.0, 2.0, -2.0])
        total += out
    assert total[0] == pytest.approx(16.2)  # all tricks: the last one's 10, never 100


def test_the_breakdown_is_printed() -> None:
    position = contract("80s", SUITED)
    while not position.is_over:
        position.push(position.legal()[0])
    shown = str(position)
    assert "80s made" in shown and "score: N+S 352   E+W 0" in shown and "belote: N+S 20" in shown
