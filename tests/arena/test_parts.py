"""Work shared out by hand: parts that are joined give the same bytes, and what is missing is told."""

import json
import time

import pytest

from kibitz.arena.cutting import shards_of
from kibitz.arena.executor import Processes
from kibitz.arena.games import Games, cut_games, games_shelf, in_chunks, play_games
from kibitz.arena.match import match
from kibitz.arena.parts import Part, answers, do_part, part_of
from kibitz.arena.shards import play_shard, sheet_shelf
from kibitz.arena.simulate import simulate, simulate_pieces
from kibitz.arena.tournament import programme, tournament
from kibitz.bots import seat_bots
from kibitz.cli.main import main
from kibitz.core.errors import BadInput
from kibitz.core.game import make

BOTS = ["kuhn-rule", "random", "kuhn-rule:bluff=1"]


def parts(n):
    return [Part(number, n) for number in range(1, n + 1)]


def test_every_piece_belongs_to_one_part():
    for n in (1, 3, 7):
        assert all(sum(part.has(place) for part in parts(n)) == 1 for place in range(20))


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3", "1/1000000", "1.5/3"])
def test_a_part_that_is_none_says_what_one_is(text):
    with pytest.raises(BadInput, match="like 2/8"):
        part_of(text)


def test_parts_joined_give_the_bytes_of_the_whole_tournament(tmp_path):
    game, folder = make("kuhn"), tmp_path / "shards"
    _, _, wholes = programme(game, BOTS, 50, 3)
    pieces = [piece for cut in shards_of(wholes, 8) for piece in cut]
    for part in parts(3)[::-1]:
        with pytest.raises(BadInput, match="pieces are not in"):
            tournament(game, BOTS, 50, 3, shards=folder, shard=8, join=True)
        do_part(play_shard, pieces, part, sheet_shelf(folder))
    joined = tournament(game, BOTS, 50, 3, shards=folder, shard=8, join=True)
    assert json.dumps(joined.as_json()) == json.dumps(tournament(game, BOTS, 50, 3).as_json())


def test_a_part_does_not_do_again_what_is_kept(tmp_path):
    (pieces,) = shards_of(programme(make("kuhn"), BOTS[:2], 40, 3)[2], 5)
    seen = []
    assert do_part(play_shard, pieces, Part(1, 2), sheet_shelf(tmp_path), None, seen.append) == (4, 4)
    assert do_part(play_shard, pieces, Part(1, 2), sheet_shelf(tmp_path), None, seen.append) == (0, 4)
    assert len(seen) == 8
    next(tmp_path.glob("*.npz")).write_bytes(b"half a fi")
    assert do_part(play_shard, pieces, Part(1, 2), sheet_shelf(tmp_path)) == (1, 4)


def test_a_match_keeps_its_shards_if_it_is_asked_to(tmp_path):
    known = match(make("kuhn"), BOTS[:2], 40, 3)
    kept = match(make("kuhn"), BOTS[:2], 40, 3, shards=tmp_path, shard=10)
    assert len(list(tmp_path.glob("*.npz"))) == 4
    again = match(make("kuhn"), BOTS[:2], 40, 3, shards=tmp_path, shard=10, join=True)
    assert known.as_json() == kept.as_json() == again.as_json()


def test_games_played_in_pieces_have_the_records_and_the_sums_of_one_run(tmp_path):
    game = make("leduc")
    one = simulate(game, seat_bots(game, "leduc-rule,random"), 5000, 7, records=tmp_path / "one.jsonl")
    whole = Games(game, ("leduc-rule", "random"), 7, 0, 5000, records=".jsonl")
    for part in parts(2):
        do_part(play_games, cut_games(whole, 700), part, games_shelf(tmp_path / "shards"))
    found = simulate_pieces(whole, tmp_path / "two.jsonl", shelf=games_shelf(tmp_path / "shards"), size=700, join=True)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    known, other = one.as_json(), found.as_json()
    assert {key: other[key] for key in known if "second" not in key} == {
        key: known[key] for key in known if "second" not in key
    }


def test_chunks_are_the_same_whatever_the_pieces():
    whole = Games(make("kuhn"), ("random", "random"), 1, 0, 100)
    for size in (1, 7, 30, 100):
        found = list(in_chunks(map(play_games, cut_games(whole, size)), 30))
        assert [len(chunk.length) for chunk in found] == [30, 30, 30, 10]
        assert sum(chunk.tallies.sum() for chunk in found) == play_games(whole).tallies.sum()


def test_a_damaged_piece_of_games_is_played_again(tmp_path):
    whole = Games(make("kuhn"), ("random", "random"), 1, 0, 20)
    shelf = games_shelf(tmp_path)
    (known,) = answers(play_games, [whole], None, shelf)
    (path,) = tmp_path.glob("*.npz")
    assert shelf.read(whole) is not None
    path.write_bytes(path.read_bytes()[:200])
    assert shelf.read(whole) is None
    (again,) = answers(play_games, [whole], None, shelf)
    assert (again.returns == known.returns).all() and shelf.read(whole) is not None


def slow_first(piece):
    number, mark = piece
    if number == 0:
        for _ in range(600):
            if mark.exists():
                break
            time.sleep(0.1)
    else:
        mark.touch()
    return number


def test_processes_keep_a_piece_as_soon_as_it_is_done(tmp_path):
    kept = []
    pieces = [(number, tmp_path / "mark") for number in range(6)]
    assert list(Processes(2).run(slow_first, pieces, lambda piece, answer: kept.append(answer))) == list(range(6))
    assert kept[0] != 0 and sorted(kept) == list(range(6))


def refused(capsys, *words):
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("kibitz:")]
    return line


@pytest.mark.parametrize(
    "words, line",
    [
        (["--part", "1/2"], "--part needs --out FILE"),
        (["--join"], "--join needs --out FILE"),
        (["--part", "1/2", "--join", "--out", "a.json"], "exclude each other"),
        (["--part", "3/2", "--out", "a.json"], "like 2/8"),
        (["--part", "1/2", "--out", "a.json", "--cluster", "auto"], "leave out --part"),
        (["--cluster", "auto", "--processes", "2"], "exclude each other"),
        (["--cluster", "here"], "HOST:PORT"),
        (["--join", "--out", "a.json"], "are not in a.json.shards"),
    ],
)
def test_what_cannot_be_shared_is_told_in_one_line(capsys, tmp_path, monkeypatch, words, line):
    monkeypatch.chdir(tmp_path)
    assert line in refused(capsys, "tournament", "kuhn", "--bots", "random,kuhn-rule", "--deals", "10", *words)
    assert not (tmp_path / "a.json").exists()


def test_a_dry_run_says_what_it_would_cost_and_plays_nothing(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ask = ["tournament", "kuhn", "--bots", ",".join(BOTS), "--deals", "100000", "--out", "a.json", "--dry-run"]
    with pytest.raises(SystemExit):
        main([*ask, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["pieces"] == 3 * 7 and found["core_hours"] > 0 and found["worker_megabytes"] > 10
    waits = [found["seconds_with_workers"][str(n)] for n in (1, 10, 100, 1000)]
    assert waits == sorted(waits, reverse=True) and waits[0] > waits[1]
    assert list(tmp_path.iterdir()) == []


def test_records_of_a_simulation_in_parts_at_the_command_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ask = ["simulate", "kuhn", "--games", "300", "--seed", "5", "--records"]
    share = ["--shards", "pieces", "--piece", "70"]
    for more in (["a.jsonl"], ["b.jsonl", *share, "--part", "1/2"], ["b.jsonl", *share, "--part", "2/2"]):
        with pytest.raises(SystemExit) as left:
            main([*ask, *more])
        assert left.value.code == 0
    assert not (tmp_path / "b.jsonl").exists()
    with pytest.raises(SystemExit):
        main([*ask, "b.jsonl", *share, "--join"])
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert (
        "leave" in refused(capsys, *ask, "c.jsonl", *share, "--join", "--seed", "6")
        and not (tmp_path / "c.jsonl").exists()
    )
