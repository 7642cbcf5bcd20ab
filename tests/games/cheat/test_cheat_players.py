"""The rule players, behaviour statistics and the learners' abstractions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from kibitz.arena.cheat.behaviour import KINDS, measure
from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, further_part, make
from kibitz.core.position import Position
from tests.games.cheat.tables import fewer, moves_of, play

NAIVE = "cheat-naive"


def win_rate(game: Game, bots: str, games: int) -> float:
    return simulate(game, seat_bots(game, bots), fewer(games, 20), seed=2).win_rate[0]


@pytest.mark.parametrize(("bot", "least"), [("cheat-heuristic", 0.97), ("cheat-heuristic:thr=0", 0.92)])
def test_heuristic_beats_naive(bot: str, least: float) -> None:
    assert win_rate(make("cheat-paper"), f"{bot},{NAIVE}", 4000) >= least - fewer(0, 1) * 0.15


@pytest.mark.resized
def test_heuristic_beats_naive_with_half_a_pack() -> None:
    assert win_rate(make("cheat-half"), f"cheat-heuristic,{NAIVE}", 500) >= 0.97


@pytest.mark.resized
def test_heuristic_beats_three_naive_players() -> None:
    assert win_rate(make("cheat-party"), f"cheat-heuristic,{NAIVE},{NAIVE},{NAIVE}", fewer(100, 20)) >= 0.97


def test_naive_is_better_than_random() -> None:
    assert win_rate(make("cheat-paper"), f"{NAIVE},random", 4000) > fewer(0, 1) * -0.2 + 0.48


@pytest.mark.resized
def test_players_are_never_illegal_in_any_variant() -> None:
    for options in ({"lie_mode": "pure"}, {"one_by_one": 1}, {"one_by_one": 1, "lie_mode": "pure"}):
        for mode in (0, 1, 2):
            outcome = simulate(
                make("cheat", **options),
                seat_bots(make("cheat", **options), f"{NAIVE}:mode={mode},cheat-heuristic"),
                fewer(200, 10),
            )
            assert outcome.games == fewer(200, 10)


def test_report_of_simulate_counts_behaviour() -> None:
    game = make("cheat-paper")
    outcome = simulate(game, seat_bots(game, f"cheat-heuristic:thr=0,{NAIVE}:p_ch=0"), fewer(1000, 50), seed=1)
    honest, trusting = outcome.report["behaviour"]
    assert honest["needless_lying_rate"] == 0.0 and honest["lying_rate"] > 0.1
    assert trusting["challenge_rate"] < 0.1
    assert trusting["challenge_success"] in (None, 1.0)  # only impossible claims, and an honest seat makes few
    assert outcome.report["draw_rate"] == 0.0
    assert outcome.report["mean_turns"] == pytest.approx(outcome.mean_length / 2)


def test_behaviour_by_hand_and_claim_adds_up_to_the_report() -> None:
    game = make("cheat-paper")
    bots = seat_bots(game, f"cheat-heuristic,{NAIVE}")
    games = fewer(300, 20)
    seen = measure(game, bots, games, seed=6)
    report = simulate(game, bots, games, seed=6).report["behaviour"]
    for seat in range(2):
        for kind in KINDS:
            assert seen.of(kind, seat).sum() == report[seat]["counts"][kind]
        assert float(seen.lying_rate(seat)) == pytest.approx(report[seat]["lying_rate"])
        assert float(seen.challenge_rate(seat)) == pytest.approx(report[seat]["challenge_rate"])
    assert np.isnan(seen.lying_rate(0, "hand")[0])
    assert seen.challenge_rate(1, "claim").shape == (5,)
    assert seen.challenge_success(0, "hand and claim").shape == (29, 5)
    with pytest.raises(BadInput, match="cannot be told by"):
        seen.lying_rate(0, "suit")


@cache
def abstraction_of(game: Game) -> Any:
    return further_part(game, "abstraction")


def key(p: Position, name: str, seat: int) -> int:
    return int(abstraction_of(p.game).ABSTRACTIONS[name](p.state, seat))


def test_keys_forget_what_they_should_and_no_more() -> None:
    straight = play("0: A23357 | 224567", "A trust 2 trust")
    other_cards = play("0: A23357 | 224567", "A trust 4 trust")
    for name in ("counts", "paper", "rel"):
        assert key(straight, name, 0) == key(other_cards, name, 0)
        assert key(straight, name, 0) != key(straight, name, 1)
    later = play("0: A23357 | 224567", "A trust 2 cheat 2 cheat")  # other counts, other rank
    assert key(later, "counts", 0) != key(straight, "counts", 0)
    assert straight.game.infoset(straight.state, 1) != other_cards.game.infoset(other_cards.state, 1)


def test_turned_keys_do_not_change_when_all_ranks_are_turned() -> None:
    now = play("0: AA2237 | 344556", "")
    same = play("1: 344556 | AA2237", "")
    assert key(now, "rel", 0) == key(same, "rel", 1)  # one table serves both seats
    assert key(now, "counts", 0) == key(same, "counts", 1)
    later = play("0: 456677 | 223344", "4 cheat 3 cheat")  # both took their lies back: rank 3, full hands
    twin = play("0: 234455 | 667733", "")  # 456677 at rank 3 is 234455 at rank A
    assert key(later, "rel", 0) == key(twin, "rel", 0)
    assert key(later, "counts", 0) != key(twin, "counts", 0)


def test_paper_key_knows_neither_rank_nor_claim() -> None:
    one = play("0: A23357 | 224567", "2")
    assert key(one, "paper", 1) != key(play("0: A23357 | 224567", ""), "paper", 1)
    first = play("0: A23357 | 224567", "2 cheat")
    third = play("0: A23357 | 224567", "2 cheat 4 cheat 2 cheat")
    assert key(first, "paper", 1) == key(third, "paper", 1)
    assert key(first, "rel", 1) != key(third, "rel", 1)


def test_features_keep_small_hands_card_by_card() -> None:
    big = [play(f"0: {hand} | 224567", "") for hand in ("234567", "235566")]
    assert key(big[0], "features", 0) == key(big[1], "features", 0)
    small = [play(f"0: {hand} | 2256", "", "cheat", cards_each=4) for hand in ("2345", "2347")]
    assert key(small[0], "features", 0) != key(small[1], "features", 0)


def test_hands_forget_the_pile_so_that_a_smaller_game_fits_into_a_larger_one() -> None:
    six = play("0: A23457 | 224567", "57 trust 67 trust")  # rank 3, four cards each, four in the pile
    four = play("0: A267 | 2256", "", "cheat", cards_each=4)  # A234 at rank 3 is A267 at rank A
    assert key(six, "hands", 0) == key(four, "hands", 0)
    assert key(six, "rel", 0) != key(four, "rel", 0)


def test_abstract_discards_lay_the_farthest_false_cards() -> None:  # 9.5
    p = play("0: A23456 | 224567", "")
    abstract = abstraction_of(p.game)
    words, pairs = p.game.words.ACTION_WORDS, abstract.PAIRS
    meant = {pair: words[abstract.concrete_action(p.state, 2 + k)] for k, pair in enumerate(pairs) if pair[0] <= 1}
    assert meant[1, 0] == "A" and meant[0, 1] == "6" and meant[0, 2] == "46" and meant[1, 3] == "A246"
    assert len(pairs) == 14 and abstract.ABSTRACT_ACTIONS == 16


def abstract_action(p: Position, action: int) -> int:
    """The abstract action that an action of the game belongs to: fewer cards come first, then more true ones."""
    at, words = p.game.parts["rules"].at, p.game.words
    if action < at.BASE:
        return action
    word = words.ACTION_WORDS[action]
    laid, true = len(word), word.count(words.NAMES[p.state[at.RANK]])
    return at.BASE + laid * (laid + 1) // 2 - 1 + laid - true


@pytest.mark.parametrize("preset", ["cheat-paper", "cheat-tiny"])
def test_abstract_actions_map_back_and_forth(preset: str) -> None:
    game = make(preset)
    abstract = abstraction_of(game)
    mask = np.zeros(abstract.ABSTRACT_ACTIONS, np.bool_)
    for number in range(fewer(60, 5)):
        for p in moves_of(game, number, 40):
            n = abstract.abstract_legal(p.state, mask)
            legal = p.legal_actions()
            assert n == mask.sum()
            for action in np.flatnonzero(mask):
                real = abstract.concrete_action(p.state, int(action))
                assert real in legal
                assert abstract_action(p, real) == action
            assert {abstract_action(p, action) for action in legal} == set(np.flatnonzero(mask))


def test_keys_and_abstract_actions_need_only_the_view() -> None:
    game = make("cheat-paper")
    abstract = abstraction_of(game)
    mask, seen = (np.zeros(abstract.ABSTRACT_ACTIONS, np.bool_) for _ in range(2))
    for p in moves_of(game, 3, 60):
        seat, view = p.turn, p.view(p.turn)
        for kernel in abstract.ABSTRACTIONS.values():
            assert kernel(p.state, seat) == kernel(view.state, seat)
        abstract.abstract_legal(p.state, mask)
        abstract.abstract_legal(view.state, seen)
        assert (mask == seen).all()
        for action in np.flatnonzero(mask):
            assert abstract.concrete_action(p.state, int(action)) == abstract.concrete_action(view.state, int(action))
