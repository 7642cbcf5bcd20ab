"""A table without a browser: moves are numbered, nobody moves for another,
and nothing that was acknowledged is lost."""

import json

import pytest

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.core.record import read_record, replay
from kibitz.web.journal import Journal, read_events
from kibitz.web.session import BOT, PERSON, Player, Table, commitment, compared_lines, reopened


def table_of(folder, name="leduc", people=1):
    game = kibitz.make(name)
    players = [
        Player(PERSON if k < people else BOT, f"p{k}", "" if k < people else "random") for k in range(game.PLAYERS)
    ]
    table = Table("t1", game, players, Journal(folder / "t1.jsonl"))
    table.begin()
    table.next_deal()
    return table


def finish(table):
    while table.turn_of() is not None:
        table.play(table.turn_of(), table.deal.due, table.deal.position.legal_actions()[:1])
    return table.finish()


def again(table):
    said = []
    return reopened(read_events(table.journal.path, said.append), table.journal, said.append), said


def test_a_move_that_answers_another_decision_changes_nothing(tmp_path):
    table = table_of(tmp_path, people=2)
    mover = table.turn_of()
    table.play(mover, 0, [1])
    with pytest.raises(KibitzError, match="has been made"):
        table.play(mover, 0, [1])
    assert table.deal.due == 1


def test_nobody_moves_for_another(tmp_path):
    table = table_of(tmp_path, people=2)
    with pytest.raises(KibitzError, match="not your turn"):
        table.play(1 - table.turn_of(), 0, [1])


def test_of_several_moves_all_are_made_or_none(tmp_path):
    table = table_of(tmp_path)
    with pytest.raises(KibitzError):
        table.play(table.turn_of(), 0, [1, 1])
    assert table.deal.due == 0 and not [e for e in read_events(table.journal.path, print) if e["e"] == "move"]


def test_a_table_is_reopened_at_its_last_move(tmp_path):
    table = table_of(tmp_path)
    table.play(table.turn_of(), 0, [1])
    found, said = again(table)
    assert (
        not said and found.deal.position.actions == table.deal.position.actions and found.deal.salt == table.deal.salt
    )
    assert found.who(table.players[0].token) == ("player", 0)
    finish(table)
    table.next_deal()
    found, _ = again(table)
    assert found.sheet.lines == table.sheet.lines and len(found.deals) == 1 and found.deal.due == 0


def test_a_damaged_line_is_named_and_the_deal_goes_on_before_it(tmp_path):
    table = table_of(tmp_path)
    for _ in range(2):
        table.play(table.turn_of(), table.deal.due, [1])
    lines = table.journal.path.read_text().splitlines()
    lines[2] = lines[2][:9]
    table.journal.path.write_text("\n".join(lines) + "\n")
    found, said = again(table)
    assert found.deal.due == 0 and "t1.jsonl line 3 skipped" in said[0] and "before move 1" in said[1]


def test_a_deal_is_bound_before_it_is_played(tmp_path):
    table = table_of(tmp_path)
    shown = table.message(0)
    assert "end" not in shown and str(table.deal.position.seed) not in json.dumps(shown)
    finish(table)
    end = table.message(0)["end"]
    assert commitment(int(end["seed"]), end["salt"]) == shown["commitment"]
    assert kibitz.Position(table.game, int(end["seed"])).hand(0) == end["hands"][0]


def test_spectators_see_the_cards_only_once_the_deal_is_over_and_open(tmp_path):
    table = table_of(tmp_path)
    assert all(not seat["cards"] for seat in table.message(None)["scene"]["seats"])
    table.set(is_open=False)
    finish(table)
    assert "end" not in table.message(None)
    table.set(is_open=True)
    assert table.message(None)["end"]["hands"]


def test_people_are_marked_in_records(tmp_path):
    table = table_of(tmp_path)
    record = finish(table)
    assert record.seats == ["person:p0", "random"]
    assert replay(read_record(record.line())).is_over


def test_moves_are_taken_back_only_from_bots(tmp_path):
    table = table_of(tmp_path, "kuhn")
    table.play(table.turn_of(), 0, [0])
    assert table.message(0)["back"]
    table.take_back(0)
    assert table.deal.due == 0 and again(table)[0].deal.due == 0
    both = table_of(tmp_path / "b", "kuhn", people=2)
    both.play(both.turn_of(), 0, [0])
    with pytest.raises(KibitzError, match="all others are bots"):
        both.take_back(0)


def test_the_same_cards_again_are_not_written_down(tmp_path):
    table = table_of(tmp_path)
    finish(table)
    seed, lines = table.deal.position.seed, len(table.sheet.lines)
    table.again(0, 1)
    assert table.deal.position.seed == seed and table.deal.seats == [1, 0]
    finish(table)
    assert len(table.sheet.lines) == lines


def test_skat_seats_go_round_and_the_list_follows_the_players(tmp_path):
    table = table_of(tmp_path, "skat")
    assert table.deal.seats == [0, 1, 2]
    while table.turn_of() is not None:
        legal = table.deal.position.legal()
        action = table.deal.position.read("pass" if "pass" in legal else legal[0])
        table.play(table.turn_of(), table.deal.due, [action])
    table.finish()
    table.next_deal()
    assert table.deal.seats == [2, 0, 1] and table.sheet.name == "series"


def test_a_match_of_coinche_goes_on_with_the_next_dealer_and_the_score(tmp_path):
    table = table_of(tmp_path, "coinche")
    assert table.message(0)["scene"]["seats"][3]["marks"] == ["dealer"]
    finish(table)
    table.next_deal()
    assert table.message(0)["scene"]["seats"][0]["marks"] == ["dealer"]
    assert table.deal.position.game.options["total_ns"] == table.sheet.totals[0]


def test_a_match_that_is_over_is_followed_by_another(tmp_path):
    table = table_of(tmp_path, "coinche")
    finish(table)
    table.sheet.lines[:] = [[9000.0, 0.0, 9000.0, 0.0]]
    assert table.sheet.is_over
    table.next_deal()
    assert not table.sheet.lines and table.deal.position.game.options["total_ns"] == 0


def test_being_ahead_of_a_bot_has_an_error():
    row = compared_lines({"x": [1.0, 3.0, 2.0]})[0]
    assert row["mean"] == 2.0 and abs(row["error"] - 0.577) < 0.01 and compared_lines({"x": [1.0]})[0]["error"] is None
