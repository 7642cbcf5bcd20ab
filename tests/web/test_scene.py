"""What a seat is sent holds nothing that it does not know, in every game."""

import json
import re

import numpy as np
import pytest

import kibitz
from kibitz.core import rng
from kibitz.core.game import further_part, names
from kibitz.core.scene import moves, open_scene, public_scene, scene, score_lines
from kibitz.core.view import view_of
from kibitz.web.journal import Journal
from kibitz.web.session import BOT, Deal, Player, Table

FAST = (
    "kuhn",
    "leduc",
    "collaborative-kuhn-noisy",
    "cheat",
    "coinche",
    "skat",
    "cego",
    "cego-standard",
    "hearts",
    "euchre",
    "belote",
)
PAIRS, MANY = 200, 10_000


def redealt_pairs(game, pairs, seed=7):
    """Positions of random games, with a seat, and the same as the seat knows it with everything else dealt anew."""
    luck = np.random.default_rng(seed)
    number = 0
    while pairs > 0:
        position = kibitz.Position(game, seed, number)
        number += 1
        steps = int(luck.integers(0, 60))
        befores, movers = [], []
        while steps and not position.is_over:
            befores.append(position.state.copy())
            movers.append(position.turn)
            position.push(int(luck.choice(position.legal_actions())))
            steps -= 1
        if position.is_over:
            continue
        for seat in range(game.PLAYERS):
            other = position.state.copy()
            game.redeal(other, seat, rng.fresh(int(luck.integers(2**60)), 0, seat))
            yield position, other, seat, befores, movers
            pairs -= 1


def sent(game, position, state, seat, befores, movers, folder):
    """Every byte that a player in a seat is sent."""
    table = Table("t", game, [Player(BOT, "x", "random") for _ in range(game.PLAYERS)], Journal(folder / "t.jsonl"))
    kept = position.state
    position.state = state
    try:
        blanked = [view_of(game, before, seat).state for before in befores]
        choices = [0] * len(befores)
        table.deal = Deal(position, list(range(game.PLAYERS)), "salt", True, blanked, list(movers), choices)
        return json.dumps(table.message(seat)), json.dumps(scene(view_of(game, state, seat)))
    finally:
        position.state = kept


def check_hidden(name, pairs, folder):
    game = kibitz.make(name)
    for position, other, seat, befores, movers in redealt_pairs(game, pairs):
        mine = sent(game, position, position.state, seat, befores, movers, folder)
        assert mine == sent(game, position, other, seat, befores, movers, folder), f"{name}, seat {seat}"


@pytest.mark.parametrize("name", FAST)
def test_every_byte_is_the_same_when_what_is_hidden_is_dealt_anew(name, tmp_path):
    check_hidden(name, PAIRS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_byte_is_the_same_in_ten_thousand_pairs(name, tmp_path):
    check_hidden(name, MANY, tmp_path)


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


def test_how_many_cards_others_hold_is_said_without_looking_at_coinche_hands():
    position = kibitz.Position(kibitz.make("coinche"), 5)
    seats = scene(position.view(0))["seats"]
    assert [seat["count"] for seat in seats] == [8] * 4 and [len(seat["cards"]) for seat in seats] == [8, 0, 0, 0]


def test_every_module_about_a_table_is_asked_by_its_right_names():
    known = {
        "seat_names", "marks", "chips", "beside", "lines", "move_cards", "move_text", "score_lines", "seat_of",
        "deal_options", "entries", "is_over",
    }  # fmt: skip
    for name in FAST:
        module = further_part(kibitz.make(name), "scene")
        own = {
            key
            for key, value in vars(module or object).items()
            if getattr(value, "__module__", "") == getattr(module, "__name__", "-")
        }
        assert own <= known | {"target", "read_iss"}, name


def check_traffic(name, games, folder):
    """Search everything that is sent during whole games for cards that the seat has not seen."""
    game = kibitz.make(name)
    luck = np.random.default_rng(2)
    table = Table("t", game, [Player(BOT, "x", "random") for _ in range(game.PLAYERS)], Journal(folder / "t.jsonl"))
    searched = 0
    for _ in range(games):
        deal = table.next_deal()
        game = deal.position.game
        while not deal.position.is_over:
            for player, seat in enumerate(deal.seats):
                text = json.dumps(table.message(player))
                words = set(re.findall(r"[0-9A-Z]{1,2}[a-z]\b", text))
                unseen = set(game.words.unseen(view_of(game, deal.position.state, seat).state, seat))
                assert not words & unseen, f"{name}: seat {seat} was sent {words & unseen}"
                searched += len(text)
            offered = moves(deal.position.view())
            table.play(table.turn_of(), deal.due, offered[int(luck.integers(len(offered)))]["actions"])
        table.finish()
        table.deals.clear()
    return searched


@pytest.mark.parametrize("name", ["coinche", "skat", "cego", "hearts"])
def test_no_card_that_was_not_seen_is_ever_sent(name, tmp_path):
    assert check_traffic(name, 2, tmp_path) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coinche", "skat", "cego", "hearts", "euchre", "belote"])
def test_the_traffic_of_a_thousand_games_holds_no_unseen_card(name, tmp_path):
    check_traffic(name, 1000, tmp_path)
