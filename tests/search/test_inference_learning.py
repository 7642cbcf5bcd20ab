"""Learning from records: examples, the split by deals and players, the tables, and what comes with kibitz."""

import json

import numpy as np
import pytest

from kibitz.arena.explanation import explanation
from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot
from kibitz.cli.main import main
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat.knowledge import dealt_hand
from kibitz.games.skat.state import CONTRACT, DECLARER, PHASE, PLAYING
from kibitz.search.skat.inference import examples, ki
from kibitz.search.skat.inference.configurations import configurations, sampled
from kibitz.search.skat.inference.history import before_play, bounds, cards_played, decisions, moments
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import random_policies
from kibitz.search.skat.inference.pool import STRANGER, TABLES
from kibitz.search.skat.inference.records import (
    NEW_DEALS,
    NEW_PLAYERS,
    TRAINING,
    held_out_players,
    part_of,
    read_games,
)  # fmt: skip
from tests.naive.iss_examples import RECORDS

CROWD = ("skat-rule:null=0.3", "skat-rule:noise=0.1", "skat-rule:aggression=0.1")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    game = make("skat")
    simulate(game, [make_bot(game, spec) for spec in CROWD], 60, 11, records=path)
    return path


@pytest.fixture(scope="module")
def games(records):
    return list(read_games([records]))


def test_records_are_read_as_declared_games(games):
    assert 40 < len(games) <= 60
    for played in games:
        assert played.names == CROWD
        start = before_play(played.state)
        assert start[PHASE] == PLAYING and cards_played(start) == 0
        assert [int(hand).bit_count() for hand in configurations(start).hands[0]] == [10, 10, 10]


def test_archives_of_the_skat_server_are_read(tmp_path):
    path = tmp_path / "archive.sgf"
    path.write_text("\n".join(example.text for example in RECORDS) + "\nnot a record\n")
    found = list(read_games([path]))
    assert len(found) > 5
    assert all(cards_played(played.state) > 0 for played in found)
    lessons, _ = examples.gather(make("skat"), found, frozenset())
    assert {"bid", "pickup", "suit"} <= {lesson.name for lesson in lessons}


def test_replaying_a_story_ends_where_the_game_ended(games):
    game = make("skat")
    for played in games[:10]:
        passed = [(cards_played(state), card) for state, card in moments(game, played.state)]
        assert [number for number, _ in passed] == list(range(cards_played(played.state)))
        assert [decision.card for decision in decisions(game, played.state)] == [card for _, card in passed]


def test_data_is_split_by_deal_and_by_player(games):
    parts = [part_of(played, seat, frozenset({CROWD[1]})) for played in games for seat in range(3)]
    assert set(parts) == {TRAINING, NEW_DEALS, NEW_PLAYERS}
    assert all(part_of(played, 1, frozenset({CROWD[1]})) == NEW_PLAYERS for played in games)
    by_deal = {played.deal: part_of(played, 0, frozenset()) for played in games}
    assert all(part_of(played, 2, frozenset()) == by_deal[played.deal] for played in games)
    assert held_out_players(["a", "b"]) == frozenset()
    assert 0 < len(held_out_players([f"player {k}" for k in range(200)])) < 60


def test_examples_are_what_was_done(games):
    lessons, tables = examples.gather(make("skat"), games, frozenset())
    found = {lesson.name: lesson for lesson in lessons}
    for lesson in lessons:
        rows = np.arange(len(lesson))
        if lesson.form == examples.CHOICE:
            assert lesson.allowed[rows, lesson.target].all(), lesson.name
        if lesson.form == examples.PAIR:
            assert lesson.allowed[rows[:, None], lesson.target].all()
            assert (lesson.allowed.sum(axis=1) == 12).all()
        if lesson.form == examples.PLACES:
            unseen = lesson.target >= 0
            assert (unseen == lesson.allowed.any(axis=2)).all()
    assert len(found["bid"]) == 3 * len(games)
    assert (found["bid"].target[:, 0] <= found["bid"].target[:, 1]).all()
    assert set(tables) == set(ki.shapes())


def test_tables_know_that_a_declarer_has_trumps(games):
    _, tables = examples.gather(make("skat"), games, frozenset())
    suit_after_pickup = tables["declarer_trumps"][0]
    assert suit_after_pickup[6:9].mean() > 0 > suit_after_pickup[1:4].mean()


def test_bounds_of_bids_hold_for_whoever_declares(games):
    for played in games:
        low, high = bounds(played.state)
        assert (low <= high).all() and low[played.state[DECLARER]] >= 0
        assert int(dealt_hand(played.state, 0)).bit_count() == 10


def test_imitation_learns_what_players_do(records, tmp_path):
    out = tmp_path / "learned"
    arguments = ["train", "skat", "--method", "imitation", "--records", str(records), "--out", str(out)]
    arguments += ["--with", "seconds=3", "--with", "layers=16", "--held-out", CROWD[1]]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code in (0, None)
    about = json.loads((out / "about.json").read_bytes())
    suit = about["networks"]["suit"]["losses"]
    assert suit["training"] < suit["uniform"]
    assert {"new deals", "new players"} <= set(suit)
    assert (out / "tables.npz").exists() and (out / "bid.npz").exists()


def test_the_pool_is_varied_and_has_a_stranger():
    game = make("skat")
    names = {name for table in TABLES for name in table.seats}
    assert len(names) >= 6 and STRANGER in names
    for name in names:
        assert make_bot(game, name)


@pytest.mark.parametrize("name", ["ni", "ki", "cli", "pi", "pif"])
def test_shipped_modules_play_out_of_the_box(name):
    game = make("skat-grand")
    bot = make_bot(game, f"pimc:{name}:worlds=2")
    position = Position(game, 2, 1)
    for _ in range(14):
        position.push(int(np.flatnonzero(position.mask())[0]))
    before = position.view(position.turn)
    assert before.mask[bot.act(before)]


def test_shipped_policies_hold_the_truth_likelier_than_chance(games):
    game = make("skat")
    module = PolicyInference(300)
    gains = []
    for played in games[:12]:
        for state, _ in moments(game, played.state):
            if cards_played(state) == 9:
                for seat in range(3):
                    view = view_of(game, state, seat)
                    logs = module.log_weights(view, sampled(view, 300))
                    true = module.log_weights(view, configurations(state))[0]
                    gains.append(true - np.log(np.exp(logs).mean()))
    assert np.mean(gains) > 0.5


def test_a_searching_bot_gives_its_reasons():
    game = make("skat-suit")
    position = Position(game, 4, 2)
    for _ in range(12):
        position.push(int(np.flatnonzero(position.mask())[-1]))
    while len(position.legal()) < 2:
        position.push(position.legal()[0])
    seat = position.turn
    bot = make_bot(game, "pimc:pi:worlds=4")
    bot.weigher = PolicyInference(200, random_policies(3))
    why = explanation(bot, position.view(seat))
    assert why is not None and set(why.values) == set(position.legal())
    assert 1 <= why.effective <= why.worlds <= 4
    assert why.places and all(sum(chances.values()) == pytest.approx(1.0) for chances in why.places.values())
    assert explanation(make_bot(game, "skat-rule"), position.view(seat)) is None
    assert position.state[CONTRACT] >= 0
