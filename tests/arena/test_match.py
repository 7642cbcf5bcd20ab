"""A match is fair, exact and the same however it is cut up."""

import json
import math

import numpy as np
import pytest

from kibitz.arena.executor import Processes
from kibitz.arena.match import match, stages
from kibitz.arena.scoresheet import ScoreSheet
from kibitz.arena.seatings import role_names
from kibitz.bots import make_bot, rules
from kibitz.core.errors import BadInput, UnknownBot
from kibitz.core.game import make, names
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.record import read_records, replay
from tests.arena.players import Clumsy, Lowest, Lucky

DEALS = 40 if PLAIN else 400


def played(game, bots, seed, number):
    """One game the slow way."""
    position = Position(game, seed, number)
    while not position.is_over:
        position.push(bots[position.turn].act(position.view(position.turn)))
    return position.returns()


def by_hand(game, a, b, seed, number):
    """A's mean per seat and game less B's, each in every seat among the others."""
    sums, counts = [0.0, 0.0], [0, 0]
    for mine in range(game.PLAYERS):
        for pair in ((a, b), (b, a)) if game.PLAYERS > 2 else ((a, b),):
            seats = [pair[0] if seat == mine else pair[1] for seat in range(game.PLAYERS)]
            for seat, score in enumerate(played(game, seats, seed, number)):
                side = 0 if seats[seat] is a else 1
                sums[side] += score
                counts[side] += 1
    return sums[0] / counts[0] - sums[1] / counts[1]


@pytest.mark.parametrize("players", [2, 3])
def test_differences_are_those_of_games_played_the_slow_way(players):
    game = make("kuhn", players=players)
    a, b = make_bot(game, "kuhn-rule"), make_bot(game, "random")
    found = match(game, [a, b], 30, 11)
    assert found.sheet.difference == pytest.approx([by_hand(game, a, b, 11, number) for number in range(30)])
    assert found.difference.difference.mean == pytest.approx(found.sides[0].score.mean - found.sides[1].score.mean)


def self_match(game, bot, seatings=None, deals=DEALS):
    found = match(game, [bot, bot], deals, 3, seatings=seatings)
    assert len(found.sheet) == deals
    assert (found.sheet.difference == 0).all() and found.difference.p == 1
    assert all(delta.difference.mean == 0 and delta.difference.se == 0 for delta in found.deltas.values())
    assert np.array_equal(found.sheet.wins[:, 0], found.sheet.wins[:, 1])


@pytest.mark.parametrize(
    "name, options, bot",
    [
        ("kuhn", {}, "kuhn-rule"),
        ("kuhn", {"players": 3}, "kuhn-rule"),
        pytest.param("kuhn", {"players": 4}, "random", marks=pytest.mark.resized),
        ("leduc", {}, "leduc-rule"),
        ("collaborative-kuhn", {}, "random"),
        ("leduc", {}, Lucky()),
        pytest.param("kuhn", {"players": 4}, Lucky(), marks=pytest.mark.resized),
    ],
)
def test_a_self_match_is_exactly_zero_in_every_deal(name, options, bot):
    self_match(make(name, **options), bot)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_rule_bot_of_every_game_is_its_own_equal(name):
    game = make(name)
    for bot in ["random", *rules(game)]:
        self_match(game, bot, deals=200)


@pytest.mark.parametrize("seatings", ["four", "eight"])
def test_in_skat_soloist_and_defence_add_up(seatings):
    found = match(make("skat-suit"), [Lowest(), Lucky()], 12, 2, seatings=seatings)
    mean = {name: delta.difference.mean for name, delta in found.deltas.items()}
    assert mean["tp"] == mean["sol"] + mean["def"] != 0
    # Paid out over the table, what A makes per seat and game against B alone is the same figure.
    if seatings == "four":
        assert found.sides[0].score.mean == pytest.approx(mean["tp"])
    assert {role.role for role in found.roles} == {"soloist", "defender"}
    solo = match(make("skat-suit"), [Lowest(), Lowest()], 12, 2, seatings=seatings)
    assert (solo.sheet.difference == 0).all()


def as_bytes(found):
    return json.dumps(found.as_json()).encode()


def test_the_result_does_not_depend_on_how_the_deals_are_cut():
    game = make("leduc")
    wanted = match(game, ["leduc-rule", "random"], 300, 4)
    for options in ({"shard": 7}, {"shard": 100, "executor": Processes(2)}, {"batch": 5, "shard": 299}):
        found = match(game, ["leduc-rule", "random"], 300, 4, **options)
        assert as_bytes(found) == as_bytes(wanted)
    slow = [match(game, [Lucky(), "leduc-rule"], 60, 4, **options) for options in ({}, {"batch": 3, "shard": 13})]
    assert as_bytes(slow[0]) == as_bytes(slow[1])


def test_json_has_what_it_promises():
    found = match(make("kuhn"), ["kuhn-rule", "random"], 200, 1).as_json()
    assert {"game", "bots", "deals", "games", "difference", "sides", "roles"} <= set(found)
    assert set(found["difference"]) == {"mean", "se", "low", "high", "p"}
    assert all({"bot", "mean", "se", "win_rate"} <= set(side) for side in found["sides"])
    assert found["games"] == 400 and found["bots"] == ["kuhn-rule", "random"]
    json.dumps(found, allow_nan=False)


def test_one_deal_has_no_error_but_is_a_result():
    found = match(make("kuhn"), ["kuhn-rule", "random"], 1).as_json()
    assert found["difference"]["se"] is None and found["difference"]["p"] is None
    json.dumps(found, allow_nan=False)


def test_records_replay_and_come_deal_by_deal(tmp_path):
    path = tmp_path / "games.jsonl"
    found = match(make("kuhn", players=3), ["kuhn-rule", "random"], 10, 6, records=path, shard=4)
    records = [record for _, record in read_records(path)]
    assert len(records) == found.games == 60
    for k, record in enumerate(records):
        assert record.number == k // 6
        assert replay(record).returns() == record.returns
        letters = ["A" if bot == "kuhn-rule" else "B" for bot in record.seats]
        assert "".join(letters) == found.form.names[k % 6]
    total = sum(score for record in records for score, bot in zip(record.returns, record.seats) if bot == "kuhn-rule")
    assert found.sides[0].score.mean == pytest.approx(total / 90)


def test_a_side_may_be_of_two_kinds(tmp_path):
    path = tmp_path / "games.jsonl"
    match(make("collaborative-kuhn"), [[Lowest("one"), Lowest("two")], "random"], 3, records=path)
    assert next(read_records(path))[1].seats == ["one", "random", "two", "random"]


def test_a_match_stops_once_it_is_sure_enough():
    game = make("leduc")
    wide = match(game, ["leduc-rule", "random"], 20_000, 1, until=1.0)
    narrow = match(game, ["leduc-rule", "random"], 20_000, 1, until=0.3)
    assert 1250 == wide.deals < narrow.deals <= 20_000
    low, high = narrow.difference.difference.interval()
    assert high - low < 0.3
    assert stages(100, 1.0) == [(0, 7), (7, 13), (13, 25), (25, 50), (50, 100)]
    assert stages(2, 0.1) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("way", ["raises", "illegal"])
def test_a_failing_bot_is_named_and_its_deals_do_not_count(way):
    game = make("leduc")
    bot = Clumsy(way)
    found = match(game, [bot, "random"], 120, 2)
    clean = match(game, [Lowest(), "random"], 120, 2)
    spoiled = {one.failure.number for one in found.spoiled}
    assert 0 < len(spoiled) < 120 and found.deals == 120 - len(spoiled)
    kept = np.isin(clean.sheet.deals, found.sheet.deals)
    assert np.array_equal(found.sheet.difference, clean.sheet.difference[kept])
    told = found.as_json()["failures"][0]
    assert told["bot"] == bot.name and told["game"] == 2 * told["deal"] + ["AB", "BA"].index(told["seating"]) + 1
    assert told["record"]["seats"][told["seat"]] == bot.name


def test_a_match_in_which_everything_fails_still_has_an_end():
    class Never(Lowest):
        def act(self, view):
            raise OSError("no")

    found = match(make("kuhn"), [Never("never"), "random"], 5)
    assert found.deals == 0 and len(found.spoiled) == 10
    assert found.as_json()["difference"]["mean"] is None
    json.dumps(found.as_json(), allow_nan=False)


def test_a_score_sheet_survives_a_file(tmp_path):
    game = make("leduc")
    found = match(game, [Clumsy("raises"), "random"], 40, 2)
    sheet, about = found.sheet, (found.form, len(role_names(game, found.form)), 0, 40)
    sheet.save(tmp_path / "sheet.npz")
    again = ScoreSheet.load(tmp_path / "sheet.npz", *about)
    assert again.spoiled == sheet.spoiled and np.array_equal(again.difference, sheet.difference)
    assert ScoreSheet.load(tmp_path / "missing.npz", *about) is None
    (tmp_path / "broken.npz").write_bytes(b"PK not really")
    assert ScoreSheet.load(tmp_path / "broken.npz", *about) is None


def test_role_errors_treat_a_deal_as_one():
    found = match(make("kuhn"), ["kuhn-rule", "random"], 300, 1)
    seat0 = next(role for role in found.roles if role.role == "seat 0" and role.bot == "kuhn-rule")
    column = found.sheet.role_sums[:, 0, 0]
    assert seat0.score.mean == pytest.approx(column.mean())
    assert seat0.score.se == pytest.approx(column.std(ddof=1) / math.sqrt(300))


@pytest.mark.parametrize(
    "bots, deals, problem, sentence",
    [
        (["random"], 10, BadInput, "between two, not 1"),
        (["random", ""], 10, BadInput, "without a bot"),
        (["random", "kuhn-rul"], 10, UnknownBot, "did you mean kuhn-rule"),
        (["random", "random"], 0, BadInput, "0 deals cannot be played"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(bots, deals, problem, sentence):
    with pytest.raises(problem, match=sentence):
        match(make("kuhn"), bots, deals)
