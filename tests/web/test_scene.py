"""What a page is drawn from, in every game."""

from types import ModuleType

import numpy as np
import pytest

import kibitz
from kibitz.core.scene import moves, open_scene, public_scene, scene, score_lines
from kibitz.games.tricks.words import Words
from tests.web.test_hidden import FAST, redealt_pairs


@pytest.mark.parametrize("name", FAST)
def test_what_is_public_is_known_to_every_seat(name):
    game = kibitz.make(name)
    for position, other, seat, _, _ in redealt_pairs(game, 40, seed=3):
        here, there = public_scene(game, position.state), public_scene(game, other)
        for one in (here, there):
            assert one["moves"] == [] and one["seat"] is None
        assert here["trick"] == there["trick"] and here["turn"] == there["turn"], f"{name}, seat {seat}"


@pytest.mark.parametrize("name", FAST)
def test_a_table_can_be_played_by_what_it_offers(name):
    game = kibitz.make(name)
    position = kibitz.Position(game, 11)
    luck = np.random.default_rng(1)
    while not position.is_over:
        view = position.view()
        offered = moves(view)
        hand = scene(view)["seats"][view.seat]["cards"]
        assert {one["actions"][0] for one in offered} <= set(view.legal())
        choice = offered[int(luck.integers(len(offered)))]
        assert all(card in hand for card in choice["cards"]), choice
        for action in choice["actions"]:
            position.push(action)
    assert score_lines(position) and len(open_scene(position)["seats"]) == game.PLAYERS


def test_cards_that_are_laid_together_are_one_choice_in_hearts():
    view = kibitz.Position(kibitz.make("hearts", passing="left"), 1).view()
    offered = moves(view)
    assert len(offered) == 286 and all(len(one["cards"]) == 3 for one in offered)  # 13 over 3


def test_a_skat_player_may_lay_away_any_two_cards():
    position = kibitz.Position(kibitz.make("skat"), 3)
    while position.turn >= 0 and "pickup" not in position.legal():
        position.push("pass" if "18" not in position.legal() else "18")
    position.push("pickup")
    assert len(moves(position.view())) == 66  # 12 over 2


def test_a_discard_of_cego_is_not_laid_together_with_the_lead_that_follows():
    position = kibitz.Position(kibitz.make("cego"), 3)
    for word in ("pass", "pass", "pass", "pass", "hold", "pass", "pass", "pass", "cego"):
        position.push(word)
    assert {len(one["actions"]) for one in moves(position.view())} == {2}  # what is kept
    position.push("1t")
    position.push("7t")
    assert {len(one["actions"]) for one in moves(position.view())} == {1}


def test_how_many_cards_others_hold_is_said_without_looking_at_coinche_hands():
    position = kibitz.Position(kibitz.make("coinche"), 5)
    seats = scene(position.view(0))["seats"]
    assert [seat["count"] for seat in seats] == [8] * 4 and [len(seat["cards"]) for seat in seats] == [8, 0, 0, 0]


def test_what_words_say_about_a_table_is_asked_by_its_right_names():
    known = {
        "seat_names", "marks", "chips", "beside", "lines", "move_cards", "move_text", "score_lines", "seat_of",
        "deal_options", "entries", "is_over",
    }  # fmt: skip
    said = {
        "kuhn": "chips move_text", "leduc": "chips beside move_text", "cheat": "beside lines move_cards move_text",
        "collaborative-kuhn-noisy": "seat_names chips lines move_text", "cego": "marks deal_options is_over",
        "coinche": "seat_names marks score_lines deal_options entries is_over",
        "skat": "seat_names beside move_text score_lines entries seat_of is_over",
    }  # fmt: skip
    assert set(said) <= set(FAST)
    for name in FAST:
        words = kibitz.make(name).words
        own = {} if type(words) is Words else vars(words if isinstance(words, ModuleType) else type(words))
        assert {one for one in known if one in own} == set(said.get(name, "").split()), name
