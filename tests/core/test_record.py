import json

import pytest

from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.errors import BadRecord
from kibitz.core.game import make
from kibitz.core.record import read_record, read_records, replay, write_record


@pytest.fixture
def record():
    return write_record(make("leduc"), 1, 0, ["random", "random"], [1, 1, 5, 1, 1])


def test_a_record_survives_and_replays(record):
    again = read_record(record.line())
    assert again == record
    assert replay(again).returns() == record.returns


def altered(record, **changes):
    return read_record(json.dumps({**json.loads(record.line()), **changes}))


def test_what_is_wrong_with_a_record_is_said(record):
    with pytest.raises(BadRecord, match="two different cards"):
        replay(altered(record, deal="Ks Ks"))
    with pytest.raises(BadRecord, match="returns"):
        replay(altered(record, returns=[7.0, -7.0]))
    with pytest.raises(BadRecord, match="in words but"):
        replay(altered(record, actions=["raise", *record.actions[1:]]))
    with pytest.raises(BadRecord, match="illegal"):
        replay(altered(record, ids=[0, *record.ids[1:]], actions=["fold", *record.actions[1:]]))
    with pytest.raises(BadRecord, match="not over"):
        replay(altered(record, ids=record.ids[:2], actions=record.actions[:2]))
    with pytest.raises(BadRecord, match="after the end"):
        replay(altered(record, ids=[*record.ids, 1], actions=[*record.actions, "call"]))
    with pytest.raises(BadRecord, match="version 99"):
        replay(altered(record, version=99))
    with pytest.raises(BadRecord, match="no game leducks"):
        replay(altered(record, game="leducks"))
    with pytest.raises(BadRecord, match="no JSON"):
        read_record(record.line()[:-3])
    with pytest.raises(BadRecord, match="missing"):
        read_record('{"kibitz": 1}')


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ids": [1, 1, 5, "x", 1]}, r"ids\[3\] is 'x': a whole number from 0 to"),
        ({"ids": [1, 1, 5, 1.0, 1]}, r"ids\[3\] is 1.0"),
        ({"ids": [1, True, 5, 1, 1]}, r"ids\[1\] is True"),
        ({"ids": [10**4000, 1, 5, 1, 1]}, r"ids\[0\] is 1000"),
        ({"seed": -1}, "seed is -1: a whole number from 0 to"),
        ({"seed": 2**128}, "seed is"),
        ({"options": {"players": [3]}}, r"options.players is \[3\]"),
        ({"options": {"name": "kuhn"}}, "options are not those of leduc"),
        ({"options": {"x" * 200: 1}}, "has no option"),
        ({"seats": ["a"] * 50, "returns": []}, "seats has 50 entries: leduc has 2 seats"),
        ({"seats": "ab"}, "seats is 'ab': a list is"),
        ({"returns": [1.0]}, "one for each seat"),
        ({"returns": [None, 1]}, r"returns\[0\] is None"),
        ({"actions": ["call"]}, "not as many words as numbers"),
        ({"deal": None}, "deal is None: a text on one line is"),
        ({"deal": "9" * 5000}, "deal cannot be read"),
        ({"extra": 1}, "extra is no part of it"),
        ({"deal": "\ud800"}, r"deal is '\\ud800': a text on one line is"),
    ],
)
def test_well_formed_nonsense_is_refused_with_its_place(record, changes, said):
    with pytest.raises(BadRecord, match=said):
        replay(read_record(json.dumps({**json.loads(record.line()), **changes})))


def test_what_is_hardly_json_is_no_record(record):
    for line in ("[" * 100_000, '{"kibitz": ' + "9" * 5000 + "}", '{"kibitz": NaN}', '{"kibitz": 1e999}', "\x00", "{}"):
        with pytest.raises(BadRecord, match="not a record of kibitz"):
            read_record(line)


def test_a_seed_may_have_128_bits(record):
    assert read_record(json.dumps({**json.loads(record.line()), "seed": 2**128 - 1})).seed == 2**128 - 1


def test_corrupt_lines_are_named_and_skipped_only_on_request(tmp_path, record):
    file = tmp_path / "games.jsonl"
    file.write_text(record.line() + "\n" + "{broken\n" + record.line() + "\n")
    with pytest.raises(BadRecord, match="line 2"):
        list(read_records(file))
    said: list[str] = []
    assert [number for number, _ in read_records(file, skip=True, report=said.append)] == [1, 3]
    assert "line 2" in said[0]


@pytest.mark.parametrize("bots", ["random,random", "random,leduc-rule"])
def test_records_are_the_same_bytes_for_every_batch_size_and_thread_count(tmp_path, bots):
    game = make("leduc")
    seats = seat_bots(game, bots)
    texts = set()
    for k, (batch, threads) in enumerate([(1, 1), (7, 1), (4096, 1), (7, 2), (4096, 2)]):
        file = tmp_path / f"{k}.jsonl"
        simulate(game, seats, 300, 5, batch=batch, threads=threads, records=file)
        texts.add(file.read_text())
    assert len(texts) == 1
    lines = texts.pop().splitlines()
    assert len(lines) == 300
    replay(read_record(lines[17]))
