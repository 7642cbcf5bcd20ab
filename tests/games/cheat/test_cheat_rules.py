"""The numbered rules of RULES.md, played out as deals in text."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.core import rng
from kibitz.core.errors import BadOption, BadRecord, IllegalMove
from kibitz.core.game import make
from kibitz.core.position import Position
from tests.games.cheat.tables import fewer, play

DEAL = "0: A23357 | 224567"
THREE = {"players": 3, "ranks": 5, "cards_each": 0, "allow_pass": 1, "max_turns": 25}
THREE_DEAL = "1: AA2335 | A224455 | A233445"


def hand(p: Position, seat: int) -> str:
    return str(p.game.words.handful_text(int(p.state[p.game.parts["senses"].at.HAND + seat]), 0))


def test_first_player_is_drawn_and_every_seat_gets_its_cards() -> None:  # 2.1, 2.2
    game = make("cheat-paper")
    firsts = [Position(game, seed=1, number=k).turn for k in range(fewer(400, 60))]
    assert 0.3 < np.mean(firsts) < 0.7
    p = Position(game, seed=1)
    assert len(hand(p, 0)) == len(hand(p, 1)) == 6
    assert {Position(make("cheat-paper", first_player=1), seed=1, number=k).turn for k in range(20)} == {1}


@pytest.mark.resized
def test_whole_pack_is_dealt_from_the_first_player() -> None:  # 2.3
    p = Position(make("cheat", **THREE, first_player=1), seed=1)
    assert [len(hand(p, seat)) for seat in range(3)] == [6, 7, 7]


def test_any_one_to_four_cards_of_the_hand_may_be_laid() -> None:  # 3.2, 1.3 of the state machine's counts
    p = play(DEAL, "")
    legal = p.legal()
    assert "A" in legal and "33" in legal and "2335" in legal
    assert "333" not in legal and "A2335" not in legal and "4" not in legal
    coefficients = np.ones(1)
    for held in (1, 1, 2, 0, 1, 0, 1):
        coefficients = np.convolve(coefficients, np.ones(held + 1))
    assert len(legal) == coefficients[1:5].sum()


def test_there_are_331_actions_in_half_a_pack_and_2381_in_a_whole_one() -> None:  # 8.18
    assert make("cheat-paper").ACTIONS == 329 + 2
    assert make("cheat-whole").ACTIONS == 2379 + 2
    assert make("cheat-tiny").ACTIONS == 9 + 2


def test_caught_liar_takes_the_pile() -> None:  # 4.5, 4.8
    p = play(DEAL, "23 cheat")
    assert hand(p, 0) == "A23357"
    assert p.turn == 1 and "rank 2" in str(p)


def test_challenger_of_the_truth_takes_the_pile() -> None:  # 4.5
    p = play(DEAL, "A cheat")
    assert hand(p, 1) == "A224567" and hand(p, 0) == "23357"


def test_trusted_discards_stay_and_the_next_loser_takes_all() -> None:  # 4.6, 4.5
    p = play(DEAL, "23 trust 24 cheat")
    assert hand(p, 1) == "22234567"
    assert hand(p, 0) == "A357" and p.turn == 0


def test_mixing_true_and_false_cards_is_a_lie() -> None:  # 3.5
    assert hand(play(DEAL, "A2 cheat"), 0) == "A23357"


@pytest.mark.resized
def test_last_cards_win_when_trusted_when_true_and_not_when_caught() -> None:  # 5.1, 5.2
    small = {"ranks": 3, "copies": 2, "cards_each": 1, "max_turns": 4}
    won = play("0: 2 | 3", "2 trust", "cheat", **small)
    assert won.returns() == [1, -1] and str(won).endswith("over: won by seat 0, who has no cards left")
    assert play("0: A | 3", "A cheat", "cheat", **small).returns() == [1, -1]
    caught = play("0: 2 | 3", "2 cheat", "cheat", **small)
    assert not caught.is_over and caught.turn == 1 and hand(caught, 0) == "2"


def test_turn_limit_is_a_draw_or_goes_to_the_fewest_cards() -> None:  # 5.3, 8.8
    drawn = play("0: 23 | 23", "2 cheat 3 cheat 2 cheat 3 trust", "cheat-tiny")
    assert drawn.is_over and drawn.returns() == [0, 0] and not drawn.won(0)
    assert str(drawn).endswith("over: a draw after all 4 turns")
    fewest = play("0: 23 | 23", "2 cheat 3 cheat 2 cheat 3 trust", "cheat-tiny", on_limit="fewest_cards")
    assert fewest.returns() == [-1, 1] and fewest.won(1)
    assert str(fewest).endswith("over: won by seat 1 with the fewest cards after all 4 turns")


def test_rank_goes_round_and_the_discarder_too() -> None:  # 1.3, 4.8
    p = play(DEAL, "A trust 2 trust 3 trust 4 trust 5 trust 6 trust 7 trust")
    assert p.turn == 1 and "rank A" in str(p)


def test_rank_goes_back_to_the_ace_after_a_challenge_if_told() -> None:  # 8.10
    assert "rank A" in str(play(DEAL, "2 trust 2 cheat", reset_on_challenge=1))


@pytest.mark.resized
def test_others_are_asked_from_the_left_and_the_first_cheat_ends_it() -> None:  # 4.1, 4.4
    p = play(THREE_DEAL, "A trust", "cheat", **THREE)
    assert p.turn == 0
    p.push("cheat")
    assert hand(p, 0) == "AAA2335" and p.turn == 2


@pytest.mark.resized
def test_pass_is_a_turn_without_a_claim() -> None:  # 3.6
    p = play(THREE_DEAL, "pass", "cheat", **THREE)
    assert p.turn == 2 and "rank 2" in str(p)
    with pytest.raises(IllegalMove):
        play(DEAL, "pass")


@pytest.mark.resized
def test_places_share_the_payoff_rank() -> None:  # 8.13
    p = play(THREE_DEAL, "", "cheat", **THREE, payoff="rank", on_limit="fewest_cards")
    while not p.is_over:
        p.push("pass")
    assert p.returns() == [1.0, -0.5, -0.5]


def test_known_cards_follow_rule_6_6() -> None:
    p = play("0: 2255AA | A33467", "2 trust 3 trust 5 cheat")
    # Seat 0's five as a three is a lie: seat 1 saw its own three and the five go to seat 0.
    senses = p.game.parts["senses"]
    assert p.game.words.handful_text(int(p.state[senses.at.KNOWN + 2]), 0) == "35"
    p = play("0: 2255AA | A33467", "2 trust 3 trust 5 cheat 6 trust 2 cheat")
    assert p.game.words.handful_text(int(p.state[senses.at.KNOWN + 2]), 0) == "2356"


@pytest.mark.resized
def test_answers_given_at_once_are_not_heard_before_the_last() -> None:  # 8.15
    options = {**THREE, "simultaneous_challenge": 1}
    doubt = play(THREE_DEAL, "2 cheat", "cheat", **options)
    trust = play(THREE_DEAL, "2 trust", "cheat", **options)
    assert doubt.turn == trust.turn == 0
    assert doubt.view(0).state.tobytes() == trust.view(0).state.tobytes()
    assert doubt.view(2).state.tobytes() != trust.view(2).state.tobytes()
    doubt.push("trust")
    trust.push("trust")
    assert hand(doubt, 1) == "A224455" and len(hand(trust, 1)) == 6
    assert doubt.game.infoset(doubt.state, 0) != trust.game.infoset(trust.state, 0)


def test_pure_lies_have_no_true_card() -> None:  # 8.16
    legal = play(DEAL, "", lie_mode="pure").legal()
    assert "A" in legal and "23" in legal and "A2" not in legal


@pytest.mark.resized
def test_a_position_that_comes_again_is_a_draw_if_told() -> None:  # 8.14
    p = play("0: 223344 | 223344", "", "cheat", repetition_limit=2)
    turns = 0
    while not p.is_over:
        p.push("3" if "rank 2" in str(p) else "2")
        p.push("cheat")
        turns += 1
    assert turns == 14  # seven ranks and two seats come round together
    assert p.returns() == [0, 0] and str(p).endswith("over: a draw, the same position has come up too often")


@pytest.mark.resized
def test_discards_can_be_spelled_card_by_card() -> None:  # 8.17
    p = play(DEAL, "3 3 2 lay", one_by_one=1)
    whole = play(DEAL, "233")
    assert hand(p, 0) == hand(whole, 0) == "A57"
    assert p.turn == 1
    p.push("cheat")
    assert hand(p, 0) == "A23357"
    big = make("cheat-party", max_discard=8, one_by_one=1)
    assert big.ACTIONS == 2 + 1 + 13


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cards_each": 15}, "at most 14 each"),
        ({"players": 8, "ranks": 2, "copies": 2, "cards_each": 0}, "8 players and 4 cards"),
        ({"max_discard": 5}, "there are 4 cards of each rank"),
        ({"ranks": 13, "decks": 2, "cards_each": 0}, "203,489 different discards"),
        ({"first_player": 2}, "seats are 0 to 1"),
        ({"copies": 8, "decks": 2}, "at most 15"),
        ({"repetition_limit": 1}, "at least 2"),
        ({"max_turns": 0}, "a whole number from 1"),
        ({"suits": 1}, "no option suits"),
    ],
)
def test_impossible_options_are_refused_with_the_reason(options: dict[str, object], reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        make("cheat", **options)


@pytest.mark.parametrize(
    ("moves", "word", "reason"),
    [
        ("", "44", "it holds A23357, with no 4"),
        ("", "333", "with 2 3"),
        ("", "cheat", "nothing is claimed yet"),
        ("2", "2", "seat 0's claim of 1 x A: trust or cheat"),
        ("", "8", "no move here"),
        ("", "AAAAA", "no move here"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(moves: str, word: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        play(DEAL, moves).push(word)


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ("A23357 | 224567", "does not begin with its first player"),
        ("2: A23357 | 224567", "does not begin with its first player"),
        ("0: A23357", "it takes 2"),
        ("0: A2335 | 224567", "seat 0 has 5 cards"),
        ("0: A23358 | 224567", "8 in the hand of seat 0 is no rank"),
        ("0: 222357 | 224567", "2 is dealt 5 times"),
    ],
)
def test_bad_deals_are_refused_with_the_reason(deal: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        play(deal, "")


def test_people_may_type_loosely() -> None:
    p = play(DEAL, "")
    p.push("3 2 3")
    p.push("Bullshit!")
    assert hand(p, 0) == "A23357"


def test_show_hides_what_a_seat_cannot_see() -> None:
    p = play(DEAL, "23 trust 24")
    text = p.game.words.show(p.state, 0)
    assert "seat 1: ????   in the pile: ??" in text
    assert "seat 0 (you): A357   in the pile: 23" in text
    assert "seat 1's claim of 2 x 2: seat 0 says trust or cheat" in text


def test_luck_of_the_deal_is_uniform() -> None:  # 2.2
    game = make("cheat-paper")
    senses, words = game.parts["senses"], game.words
    aces = np.zeros(5)
    s = game.blank()
    n = fewer(20_000, 500)
    for k in range(n):
        game.deal(s, rng.fresh(11, k))
        aces[words.handful_text(int(s[senses.at.HAND + 1]), 0).count("A")] += 1
    assert aces @ np.arange(5) / n == pytest.approx(6 / 7, abs=4 * 0.8 / n**0.5)
