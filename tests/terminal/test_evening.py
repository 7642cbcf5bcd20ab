"""Games one after the other: seats, the list, matches, records, and what is said at the end."""

import json
import re

import pytest

from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.record import read_records, replay
from kibitz.terminal.evening import Evening
from kibitz.terminal.keeping import Keeper, usual_place
from tests.terminal.typed import seated


def evening(name, path=None, games=None, match=False, seat=0, bots="random", **options):
    """A sitting at which the person plays the first legal move."""
    table, game, out = seated(name, seat=seat, bots=bots, **options)
    table.source = lambda: table.deal.position.legal()[0] + "\n"
    made = Evening(game, table.bots, table, Keeper(path), 11, match, games)
    made.play()
    made.say_where()
    return made, out.getvalue()


def test_seats_go_round_and_the_list_is_kept(tmp_path):
    made, out = evening("leduc", tmp_path / "leduc.jsonl", games=4)
    assert [made.seats(number) for number in range(3)] == [[0, 1], [1, 0], [0, 1]]
    assert len(made.lines) == 4 and "game 4" in out and "leduc" not in made.names
    assert out.count("   =") == 4 and "seed 11" in out


def test_games_are_kept_as_records_and_the_end_says_how_to_look_at_them(tmp_path):
    path = tmp_path / "deep" / "games.jsonl"
    keeper = Keeper(path)
    keeper.check()
    _, out = evening("leduc", path, games=2)
    _, out = evening("leduc", path)
    records = [record for _, record in read_records(path)]
    assert len(records) == 3 and all(replay(record).is_over for record in records)
    assert records[0].seats == ["person", "random"] and records[1].seats == ["random", "person"]
    assert f"kibitz analyse {path} --game 3 --seat 0 --bots leduc-rule" in out
    assert f"kibitz replay {path} --game 3" in out


def test_a_file_that_cannot_be_written_is_said_before_the_first_game(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="name a file with --records, or say --no-records"):
        Keeper(tmp_path / "file" / "x.jsonl").check()


def test_records_lie_in_the_folder_for_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert usual_place("skat") == tmp_path / "kibitz" / "played" / "skat.jsonl"


def test_a_match_of_coinche_goes_to_its_target():
    made, out = evening("coinche", match=True, bots="coinche-simple", target=300)
    totals = made.sheet.totals
    assert max(totals) >= 300 and totals[0] == totals[2] and len(made.lines) > 1
    assert "the match is over: " in out and "game 1, a match to 300 points" in out


def test_a_series_of_skat_is_written_by_seeger_and_fabian():
    made, out = evening("skat", match=True, bots="skat-rule", games=6)
    assert [made.sheet.seat_of(0)] == [0] and len(made.lines) == 6
    written = {x for line in made.lines for x in line}
    assert all(x in (0, 40) or abs(x) > 50 for x in written)
    assert "game 2, a series of 36 deals" in out
    assert "so far " in out and re.search(r"[+-]\d+ for the (won|lost) game, [+-]50 by Seeger-Fabian", out)


def test_the_money_of_cego_is_added_up():
    made, _ = evening("cego", match=True, bots="cego-rule", games=3)
    assert all(sum(line) == 0 for line in made.lines) and len(made.lines) == 3


def test_a_game_without_a_match_says_so():
    with pytest.raises(BadInput, match="--games N"):
        evening("leduc", match=True)


def test_a_game_that_is_left_is_not_kept(tmp_path):
    path = tmp_path / "x.jsonl"
    table, game, _ = seated("leduc", source=lambda: "quit\n")
    with pytest.raises(BadInput):
        Evening(game, table.bots, table, Keeper(path), 1).play()
    assert not path.exists() or not path.read_text()


def test_the_strongest_rules_are_the_opponents_by_default():
    from kibitz.bots import make_bot, strongest_rule

    assert strongest_rule(make("coinche")) == "coinche-strong-plus"
    assert make_bot(make("coinche"), "rule").name == "coinche-strong-plus"
    assert json.dumps(make_bot(make("cheat"), "rule").name)
