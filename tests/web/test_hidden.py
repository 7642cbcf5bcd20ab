"""What a seat is sent holds nothing that it does not know, in every game, seen at the other end of its socket."""

import json
import re

import numpy as np
import pytest

import kibitz
from kibitz.core import rng
from kibitz.core.game import names
from kibitz.core.scene import moves
from kibitz.core.view import view_of
from kibitz.web.journal import Journal
from kibitz.web.session import BOT, Deal, Player, Table
from tests.web.driving import Running, Seat

FAST = (
    "kuhn", "leduc", "collaborative-kuhn-noisy", "cheat", "coinche", "skat", "cego", "cego-standard", "hearts",
    "euchre", "belote",
)  # fmt: skip
PAIRS, MANY = 200, 10_000
CUTS = 6
"""Moments of a game that are looked at."""
LONGEST = 60
"""Moves of a game after which it is not played on."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patched, Running(tmp_path_factory.mktemp("hidden")) as running:
        patched.setattr("kibitz.web.visit.MOST_A_SECOND", 10**9)
        yield running


def redealt_pairs(game, pairs, seed=7):
    """Moments of random games, with a seat, and the same as the seat knows it with everything else dealt anew."""
    luck = np.random.default_rng(seed)
    number = 0
    while pairs > 0:
        position = kibitz.Position(game, seed, number)
        number += 1
        befores, movers = [], []
        while not position.is_over and len(befores) < LONGEST:
            befores.append(position.state.copy())
            movers.append(position.turn)
            position.push(int(luck.choice(position.legal_actions())))
        for cut in sorted({int(luck.integers(len(befores))) for _ in range(CUTS)}):
            now = kibitz.Position.at(game, befores[cut], seed)
            for seat in range(game.PLAYERS):
                other = befores[cut].copy()
                game.redeal(other, seat, rng.fresh(int(luck.integers(2**60)), 0, seat))
                yield now, other, seat, befores[:cut], movers[:cut]
                pairs -= 1


def check_hidden(server, name, pairs):
    """Every byte that comes through a seat's socket is the same in two worlds that the seat cannot tell apart."""
    game = kibitz.make(name)
    made = server.table(name, people=game.PLAYERS)
    lines = [Seat(server, link) for link in made["players"]]
    for line in lines:
        line.dealt()
    for line in lines:
        line.say({"do": "why", "card": "?"})
        line.hear("why")  # all that was said before has been read
    table = server.server.room.tables[made["id"]]
    dealt = table.deal
    try:
        for position, other, seat, befores, movers in redealt_pairs(game, pairs):
            blanked = [view_of(game, before, seat).state for before in befores]
            mine = position.state
            heard = []
            for world in (mine, other):
                position.state = world
                table.deal = Deal(position, list(range(game.PLAYERS)), "salt", True, blanked, movers, [0] * len(movers))
                lines[seat].say({"do": "lang", "lang": "en"})
                heard.append(lines[seat].line.recv(timeout=60))
            position.state = mine
            assert heard[0] == heard[1] and '"scene"' in heard[0], f"{name}, seat {seat}"
    finally:
        table.deal = dealt
        for line in lines:
            line.close()


@pytest.mark.parametrize("name", FAST)
def test_every_byte_is_the_same_when_what_is_hidden_is_dealt_anew(server, name):
    check_hidden(server, name, PAIRS)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_byte_is_the_same_in_ten_thousand_pairs(server, name):
    check_hidden(server, name, MANY)


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
                words = set(re.findall(r"\b[0-9A-Z]{1,2}[a-z]\b", text))
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
