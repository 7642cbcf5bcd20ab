"""Skat: records of the Internet Skat Server, read, replayed, sorted, written."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.arena.simulate import simulate
from kibitz.arena.skat.archive import Entry, read_archive, sort_records
from kibitz.bots import seat_bots
from kibitz.cli.main import main
from kibitz.core.errors import BadRecord
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.record import read_record, replay
from kibitz.games.skat.iss import canonical_contract, read_text, record_line, split_records, write_line
from kibitz.games.skat.state import SCORE
from tests.naive import skat as naive
from tests.naive.iss_examples import EDITS, EXAMPLES, RECORDS, Example

SPLIT = {"split", "split-null", "ouvert-with-cards"}
"""Records in a form that ISS itself does not write any more: read, but written in the canonical one."""
FIT_ISS_ALONE = {"schwarz-announced-lost", "schneider-announced-lost", "schneider-announced-no-trick"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_is_sorted_into_its_class(example: Example) -> None:  # 12.8
    entry = sort_records([example.text])[0]
    assert entry.status == example.expected, entry.reason
    assert bool(entry.reason) == (entry.status == "CORRUPT")


@pytest.mark.parametrize("example", [x for x in RECORDS if x.name not in SPLIT], ids=lambda example: example.name)
def test_text_to_game_to_text_is_the_identity(example: Example) -> None:
    assert read_text(example.text).line() == example.text


@pytest.mark.parametrize("example", [x for x in EXAMPLES if x.name != "odd-moves"], ids=lambda example: example.name)
def test_writing_is_idempotent_and_keeps_the_class(example: Example) -> None:
    line = read_text(example.text).line()
    assert read_text(line).line() == line
    assert sort_records([line])[0].status == example.expected


@pytest.mark.parametrize(
    ("word", "canonical"),
    [
        ("GHO", "GO"),
        ("CHOSZ", "CO"),
        ("NHO", "NOH"),
        ("CHSZ", "CHZ"),
        ("CZH", "CHZ"),
        ("CHS", "CHS"),
        ("N", "N"),
        ("HHS", "HHS"),
    ],
)
def test_declarations_are_put_in_canonical_form(word: str, canonical: str) -> None:
    assert canonical_contract(word) == canonical


def test_lost_announced_games_are_right_by_either_reading() -> None:  # 12.7
    old = next(x for x in RECORDS if x.name == "ouvert-lost-old-value")
    assert sort_records([old.text])[0].record(0).options["announced_loss"] == "isko"
    new = next(x for x in RECORDS if x.name == "schwarz-announced-lost")
    assert sort_records([new.text])[0].record(0).options["announced_loss"] == "iss"


def test_a_record_is_read_by_isko_unless_it_fits_the_other_reading_alone() -> None:  # 12.7
    for example in RECORDS:
        entry = sort_records([example.text])[0]
        if entry.status != "CORRUPT":
            wanted = "iss" if example.name in FIT_ISS_ALONE else "isko"
            assert entry.record(0).options["announced_loss"] == wanted, example.name


def test_a_hidden_card_in_an_open_trick_does_not_hide_the_deal() -> None:  # 12.4, 12.8
    entry = sort_records([next(x.text for x in EDITS if x.name == "unknown-card-before-leaving")])[0]
    plain = sort_records([next(x.text for x in RECORDS if x.name == "defender-left")])[0]
    assert entry.status == "SHORTENED" and entry.ids == plain.ids and entry.state is not None
    assert int(entry.state[SCORE]) == 50


@pytest.mark.parametrize("text", ["(;" * 200_000, "(;" + "A[" * 200_000 + ";)", "(;\n" + "x\n" * 200_000])
def test_long_nonsense_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    begun = time.perf_counter()
    texts = list(split_records(text.splitlines(keepends=True)))
    for one in texts[:100]:
        assert sort_records([one])[0].status == "CORRUPT"
    assert time.perf_counter() - begun < 5.0


def test_records_of_ours_replay(tmp_path: Path) -> None:
    for example in EXAMPLES:
        entry = sort_records([example.text])[0]
        if entry.status in ("PLAYED", "PASSED"):
            record = read_record(entry.record(3).line())
            assert replay(record).is_over
        elif entry.status != "CORRUPT":
            assert entry.record(3).returns == []


def test_records_are_found_among_junk() -> None:
    one, two = RECORDS[0].text, RECORDS[1].text
    half = one[: len(one) // 2]
    lines = ["junk\n", f"{one}{two}\n", "more ;) junk\n", half + "\n", two.replace(" 1 ", "\n1 "), "\n", half]
    found = list(split_records(lines))
    assert [sort_records([text])[0].status for text in found] == ["PLAYED", "PLAYED", "CORRUPT", "PLAYED", "CORRUPT"]


def test_simulated_games_are_written_and_read_back(tmp_path: Path) -> None:
    game = make("skat")
    path = tmp_path / "out.sgf"
    simulate(game, seat_bots(game, "random"), 5 if PLAIN else 300, 3, records=path)
    entries = list(read_archive(path.read_text().splitlines(keepends=True)))
    assert {entry.status for entry in entries} <= {"PLAYED", "PASSED"} and len(entries) == (5 if PLAIN else 300)
    for entry in entries:
        assert read_text(entry.text).line() == entry.text


def test_what_iss_has_no_words_for_is_refused() -> None:
    p = Position(make("skat-suit"))
    with pytest.raises(BadRecord, match="without an auction"):
        write_line(p.game, p.deal_text, [], ["a", "b", "c"])
    p = Position(make("skat-ramsch"))
    with pytest.raises(BadRecord, match="a Ramsch cannot be written"):
        write_line(p.game, p.deal_text, [33, 33, 33], ["a", "b", "c"])


# Damaged lines

ALPHABET = "CSHDGN789TJQKA012wps yOZRE.;()[]:-?|\x00ü"


def damage(text: str, luck: random.Random) -> str:
    """One to three small accidents: letters lost, changed or doubled, moves swapped or lost, numbers changed."""
    for _ in range(luck.randint(1, 3)):
        kind = luck.randrange(6)
        if kind == 0:
            at = luck.randrange(len(text))
            text = text[:at] + text[at + luck.randint(1, 3) :]
        elif kind == 1:
            at = luck.randrange(len(text))
            text = text[:at] + luck.choice(ALPHABET) + text[at + 1 :]
        elif kind == 2:
            at = luck.randrange(len(text))
            text = text[:at] + luck.choice(ALPHABET) + text[at:]
        else:
            words = text.split(" ")
            one, two = luck.randrange(len(words)), luck.randrange(len(words))
            if kind == 3:
                words[one], words[two] = words[two], words[one]
            elif kind == 4:
                words[one] = words[two]
            else:
                del words[one]
            text = " ".join(words)
        if not text:
            return "(;"
    return text


def assert_the_rules_allow_it(entry: Entry) -> None:
    """Replay an accepted record in the naive game and compare with its own result line."""
    assert entry.game is not None
    piles = [[card[1] + card[0].lower() for card in pile] for pile in _piles(entry.game.moves[0][1])]
    record = entry.record(0)
    other = naive.Game(piles[:3], piles[3], jumps="on", announced_loss=record.options["announced_loss"])
    for word in record.actions:
        other.play(word)  # asserts that it is legal
    if entry.status in ("PLAYED", "PASSED"):
        theirs = entry.game.result.split()
        ours = other.iss_result().split()
        assert other.turn is None
        assert set(ours[:2]) <= set(theirs)
        assert not {"win", "loss", "penalty"} & set(theirs) - set(ours)
        if entry.status == "PLAYED":
            assert {word for word in ours if word[:2] in ("v:", "m:", "t:")} <= set(theirs)


def _piles(deal: str) -> list[list[str]]:
    cards = deal.replace("|", ".").split(".")
    return [cards[:10], cards[10:20], cards[20:30], cards[30:]]


@pytest.mark.parametrize("count", [50 if PLAIN else 3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_damaged_lines_neither_crash_nor_get_through(count: int) -> None:
    luck = random.Random(8)
    sources = [example.text for example in RECORDS]
    lines = [damage(luck.choice(sources), luck) + "\n" for _ in range(count)]
    kinds: dict[str, int] = {}
    for entry in read_archive(lines):
        kinds[entry.status] = kinds.get(entry.status, 0) + 1
        if entry.status != "CORRUPT":
            assert_the_rules_allow_it(entry)
        else:
            assert entry.reason
    assert kinds["CORRUPT"] > count // 2
    assert kinds.get("PLAYED", 0) > 0  # damage to a name or a date is no damage


# The command line


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(["records", *words])
    return int(stop.value.code or 0), capsys.readouterr().out


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.cli import main as door

    monkeypatch.setitem(door.VERBS, "records", "read and write foreign records")


def test_import_and_export_give_a_file_back(tmp_path: Path, mounted: None, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "archive.sgf"
    source.write_bytes(b"junk \xff\n" + "\n".join(example.text for example in [*RECORDS, *EDITS]).encode("latin-1"))
    code, out = run(capsys, "import", str(source), "--json")
    facts = json.loads(out)
    assert code == 0 and facts["records"] == len(RECORDS) + len(EDITS)
    good = [x for x in [*RECORDS, *EDITS] if x.expected != "CORRUPT"]
    assert facts["classes"]["CORRUPT"] == facts["records"] - len(good) == sum(facts["corrupt"].values())
    code, _ = run(capsys, "export", str(tmp_path / "archive.jsonl"), "--out", str(tmp_path / "back.sgf"))
    back = (tmp_path / "back.sgf").read_text().splitlines()
    assert code == 0 and back == [read_text(example.text).line() for example in good]


def test_export_of_simulated_games(tmp_path: Path, mounted: None, capsys: pytest.CaptureFixture[str]) -> None:
    game = make("skat")
    path = tmp_path / "games.jsonl"
    simulate(game, seat_bots(game, "random"), 5, 3, records=path)
    code, _ = run(capsys, "export", str(path), "--json")
    assert code == 0
    for entry in read_archive(path.with_suffix(".sgf").read_text().splitlines(keepends=True)):
        assert entry.status in ("PLAYED", "PASSED")


def test_export_refuses_what_is_no_game(tmp_path: Path, mounted: None, capsys: pytest.CaptureFixture[str]) -> None:
    record = sort_records([RECORDS[0].text])[0].record(0)
    path = tmp_path / "games.jsonl"

    def exported(**changes: object) -> tuple[int, str]:
        path.write_text(json.dumps({"kibitz": 1, **vars(record), **changes}) + "\n")
        with pytest.raises(SystemExit) as stop:
            main(["records", "export", str(path)])
        return int(stop.value.code or 0), capsys.readouterr().err

    assert exported()[0] == 0
    code, said = exported(ids=[33] * 300, actions=["pass"] * 300)
    assert code == 2 and "line 1: move" in said
    code, said = exported(ids=[*record.ids[:3], 400, *record.ids[4:]])
    assert code == 2 and "ids[3] is 400: a whole number from 0 to" in said
    code, said = exported(actions=["20", *record.actions[1:]])
    assert code == 2 and "move 0 is 20 in words but 18 in numbers" in said
    path.with_suffix(".iss.jsonl").write_text('{"number":0,"class":"PLAYED","iss":{"moves":[["w",7]]}}\n')
    code, said = exported()
    assert code == 2 and ".iss.jsonl line 1: iss." in said


def test_export_gives_back_only_the_game_that_the_record_tells(
    tmp_path: Path, mounted: None, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "archive.sgf"
    source.write_text(RECORDS[0].text + "\n")
    run(capsys, "import", str(source))
    games = tmp_path / "archive.jsonl"
    other = sort_records([RECORDS[1].text])[0].record(0)
    games.write_text(other.line() + "\n")
    with pytest.raises(SystemExit) as stop:
        main(["records", "export", str(games)])
    assert stop.value.code == 2 and "is another game" in capsys.readouterr().err


def test_import_of_a_missing_file_is_one_sentence(
    tmp_path: Path, mounted: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = run(capsys, "import", str(tmp_path / "none.sgf"))
    assert code == 2


def test_names_are_written_without_what_a_line_cannot_hold() -> None:
    record = replace(sort_records([RECORDS[0].text])[0].record(0), seats=["python:b\udcff.py", "[b]\n", "c#"])
    line = record_line(make(record.game, **record.options), record)
    assert line.encode().decode() == line
    assert read_text(line).names == ("python:b.py", "b", "c")
