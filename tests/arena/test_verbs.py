"""The verbs match, tournament, replay and analyse at the command line."""

import csv
import io
import json

import numpy as np
import pytest

import kibitz.bots
from kibitz.arena.analysis import moments, opinion, position_at, recorded_game
from kibitz.bots import make_bot
from kibitz.cli import main as line
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.game import make
from tests.arena import players

VERBS = ("match", "tournament", "replay", "analyse")


@pytest.fixture(autouse=True)
def _verbs(monkeypatch):
    for verb in VERBS:
        monkeypatch.setitem(line.VERBS, verb, "")


@pytest.fixture
def clumsy(monkeypatch):
    """Makes clumsy:WAY a bot that can be named."""
    monkeypatch.setattr(players, "seat", lambda game, spec, way, knobs: players.Clumsy(way), raising=False)
    monkeypatch.setitem(kibitz.bots.GENERAL, "clumsy", ("tests.arena.players", "fails"))


def run(capsys, *words):
    with pytest.raises(SystemExit) as end:
        line.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return end.value.code or 0, out, err


@pytest.fixture
def games(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    assert (
        run(capsys, "match", "leduc", "--bots", "leduc-rule,random", "--deals", 20, "--records", path, "--json")[0] == 0
    )
    return path


def test_match_prints_one_json_object(capsys):
    code, out, _ = run(
        capsys, "match", "leduc", "--bots", "leduc-rule,random", "--deals", 100, "--seed", 1, "--json", "--bootstrap"
    )
    found = json.loads(out)
    assert code == 0 and found["games"] == 200 and found["difference"]["bootstrap_low"] < found["difference"]["mean"]


def test_match_prints_tables(capsys):
    code, out, _ = run(capsys, "match", "leduc", "--bots", "leduc-rule,random", "--deals", 100)
    assert code == 0 and "leduc-rule less random" in out
    _, out, _ = run(capsys, "match", "leduc", "--bots", "leduc-rule,random", "--deals", 100, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["bot"] for row in rows[:2]] == ["leduc-rule", "random"] and float(rows[0]["mean"]) > 0


def test_tournament_writes_its_file_and_prints_it(capsys, tmp_path):
    words = [
        "tournament",
        "kuhn",
        "--bots",
        "kuhn-rule,random,kuhn-rule:call=1",
        "--deals",
        50,
        "--out",
        tmp_path / "t.json",
    ]
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0 and json.loads((tmp_path / "t.json").read_text()) == json.loads(out)
    assert (tmp_path / "t.json.shards").is_dir()
    _, out, _ = run(capsys, *words, "--csv")
    assert len(list(csv.DictReader(io.StringIO(out)))) == 3
    code, out, _ = run(capsys, *words, "--plot", tmp_path / "t.svg")
    assert "mean lead" in out and (tmp_path / "t.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("verb", ["match", "tournament"])
def test_a_failing_bot_is_named_and_the_exit_code_is_not_zero(capsys, clumsy, verb):
    code, out, err = run(capsys, verb, "leduc", "--bots", "clumsy:raises,random", "--deals", 30, "--json")
    found = json.loads(out)
    assert code == 1 and found["failures"][0]["bot"] == "clumsy-raises"
    assert "clumsy-raises in seat" in err and "I have lost my cards" in err and '"deal":' in err


def test_a_slow_bot_is_named(capsys, clumsy):
    code, out, _ = run(
        capsys, "match", "leduc", "--bots", "clumsy:slow,random", "--deals", 6, "--move-time", 0.05, "--json"
    )
    assert code == 1 and "0.05 s" in json.loads(out)["failures"][0]["reason"]


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["match", "kuhn", "--bots", "random"], "between two, not 1"),
        (["match", "kuhn", "--set", "players=3", "--bots", "random,random", "--seatings", "four"], "no soloist"),
        (["match", "kuhn", "--bots", "random,random", "--until", "-1"], "above 0"),
        (["match", "kuhn", "--bots", "random,random", "--move-time", "0"], "above 0"),
        (["match", "kuhn", "--bots", "random,random", "--deals", "0"], "--deals 0 is not possible"),
        (["match", "khun", "--bots", "random,random"], "did you mean kuhn"),
        (["tournament", "kuhn", "--bots", "random,random"], "takes part twice"),
        (["replay", "nowhere.jsonl"], "cannot be read"),
        (["analyse", "nowhere.jsonl"], "cannot be read"),
    ],
)
def test_bad_requests_are_one_line_and_exit_code_2(capsys, words, sentence):
    code, out, err = run(capsys, *words)
    assert code == 2 and out == "" and sentence in err and err.count("\n") == 1


def test_replay_shows_what_the_mover_knew(capsys, games):
    code, out, _ = run(capsys, "replay", games, "--game", 7)
    assert code == 0 and "what seat 0 knew" in out and "(you)" in out and "returns" in out
    _, out, _ = run(capsys, "replay", games, "--game", 7, "--json")
    found = json.loads(out)
    record = recorded_game(games, 7)
    assert [move["action"] for move in found["moves"]] == record.actions and found["returns"] == record.returns
    other_card = record.deal.split()[1]
    assert all(other_card not in move["knew"][0] for move in found["moves"] if move["move"] == 0)
    _, out, _ = run(capsys, "replay", games, "--game", 7, "--all")
    assert "what seat 1 knew" in out


def test_a_game_that_was_broken_off_can_be_replayed_and_analysed(capsys, clumsy, tmp_path):
    path = tmp_path / "broken.jsonl"
    run(capsys, "match", "leduc", "--bots", "clumsy:raises,random", "--deals", 30, "--records", path, "--json")
    records = [json.loads(text) for text in path.read_text().splitlines()]
    number = next(k for k, record in enumerate(records, 1) if not record["returns"])
    code, out, _ = run(capsys, "replay", path, "--game", number)
    assert code == 0 and "broken off" in out
    move = len(records[number - 1]["ids"])
    code, out, _ = run(capsys, "analyse", path, "--game", number, "--move", move, "--bots", "leduc-rule", "--json")
    assert code == 0 and json.loads(out)["played"] is None


def test_analyse_gives_each_bots_choice_and_weights(capsys, games):
    code, out, _ = run(capsys, "analyse", games, "--game", 7, "--move", 0, "--bots", "random,leduc-rule", "--json")
    found = json.loads(out)
    assert code == 0 and [one["bot"] for one in found["opinions"]] == ["random", "leduc-rule"]
    for one in found["opinions"]:
        assert sum(one["probabilities"].values()) == pytest.approx(1) and one["choice"] in found["legal"]
    assert 0.4 < found["opinions"][0]["probabilities"]["call"] < 0.6
    code, out, _ = run(capsys, "analyse", games, "--game", 7, "--move", 0, "--bots", "random")
    assert code == 0 and "1000 draws" in out


def test_an_opinion_is_what_the_bot_did_in_the_game(games):
    for number in (1, 2, 3, 4):
        record = recorded_game(games, number)
        for place, word in enumerate(record.actions):
            position = position_at(record, place)
            if position.turn >= 0:
                bot = make_bot(position.game, record.seats[position.turn])
                assert opinion(bot, position, draws=1).choice == word


def test_a_bot_may_say_what_its_actions_are_worth_and_how_likely(games):
    class Sage(players.Lowest):
        def values(self, view):
            return [0.5, 1.5, 2.5]

        def probabilities(self, views):
            return views.masks / views.masks.sum(axis=1, keepdims=True)

    told = opinion(Sage("sage"), position_at(recorded_game(games, 1), 0))
    assert told.source == "the bot" and told.values == {"call": 1.5, "raise": 2.5}
    assert told.probabilities == {"call": 0.5, "raise": 0.5}


def test_moves_and_games_that_are_not_there_are_refused(games):
    record = recorded_game(games, 1)
    last = len(games.read_text().splitlines())
    for number in (4000, 0, -1):
        with pytest.raises(BadInput, match=f"no game {number}: its games are 1 to {last}"):
            recorded_game(games, number)
    with pytest.raises(BadInput, match=f"there is no move 99: the game's moves are 0 to {len(record.ids) - 1}"):
        position_at(record, 99)
    with pytest.raises(BadInput, match="the game is over"):
        opinion(make_bot(make("leduc"), "random"), position_at(record, len(record.ids)))
    broken = type(record)(**{**vars(record), "ids": [9] * len(record.ids)})
    with pytest.raises(BadRecord, match=r"ids\[0\] is 9: a whole number from 0 to 2 is"):
        list(moments(broken))


def test_words_that_disagree_with_numbers_are_refused_wherever_a_record_is_read(capsys, games, tmp_path):
    record = json.loads(games.read_text().splitlines()[0])
    last = len(record["ids"]) - 1
    path = tmp_path / "forged.jsonl"
    path.write_text(json.dumps({**record, "actions": [*record["actions"][:last], "nonsense"]}) + "\n")
    for words in (("replay", path), ("replay", path, "--json"), ("analyse", path, "--bots", "random")):
        code, _, said = run(capsys, *words)
        assert code == 2 and f"move {last} is nonsense in words but" in said


def test_analyse_of_a_whole_game_puts_the_unlikeliest_decisions_first(capsys, games, tmp_path):
    code, out, _ = run(capsys, "analyse", games, "--game", 7, "--bots", "leduc-rule", "--json")
    found = json.loads(out)["decisions"]
    assert code == 0 and found and all(0 <= one["chance"] <= 1 and one["cost"] is None for one in found)
    code, out, _ = run(capsys, "analyse", games, "--game", 7, "--bots", "leduc-rule", "--seat", 0)
    assert code == 0 and "decisions" in out
    assert run(capsys, "analyse", games, "--game", 7, "--seat", 0)[1] == out  # leduc-rule is the best bot
    assert run(capsys, "analyse", games, "--bots", "random", "--seat", 5)[0] == 2


def test_analyse_with_values_says_what_a_decision_cost(capsys):
    from kibitz.arena.analysis import decisions
    from kibitz.cli.analyse import _show_opinions
    from kibitz.core.game import make
    from kibitz.core.policy import OneByOne
    from kibitz.core.record import write_record

    class Sure(OneByOne):
        name = "sure"

        def act(self, view):
            return view.legal()[0]

        def values(self, view):
            out = np.full(view.game.ACTIONS, np.nan)
            out[view.legal()] = range(len(view.legal()), 0, -1)
            return out

    record = write_record(make("kuhn"), 1, 0, ["a", "b"], [1, 1])
    _show_opinions([opinion(Sure(), position_at(record, 0))], ["pass", "bet"], "bet")
    assert "in brackets what sure says it is worth, in points of the game" in capsys.readouterr().out
    assert [one.cost for one in decisions(record, Sure())] == [1.0, 1.0]


def test_a_person_is_not_simulated(capsys):
    code, _, err = run(capsys, "simulate", "kuhn", "--bots", "person,random", "--games", 2)
    assert code == 2 and "kibitz play" in err
