"""Archives read by the stretch: compiled code and the careful reader agree, packed files, what is cut short."""

from __future__ import annotations

import bz2
import gzip
import json
import random
from pathlib import Path

import pytest

from kibitz.arena.skat import reading
from kibitz.arena.skat.archive import CLASSES, sort_records
from kibitz.arena.skat.reading import read_stretch, stretches
from kibitz.arena.skat.summary import TYPES, Summary, summarise
from kibitz.cli.main import main
from kibitz.core.errors import BadRecord
from kibitz.core.jit import PLAIN
from kibitz.core.streams import CutShort, inner_suffix, read_blocks
from kibitz.games.skat.iss import split_records
from tests.naive.iss_examples import EXAMPLES, RECORDS

ALL = "\n".join(example.text for example in EXAMPLES)


def agree(text: str) -> int:
    """Whether both readers say the same of every record; gives how many the compiled one read."""
    careful: list[str] = []
    found = read_stretch(text.encode())
    texts = list(split_records(text.splitlines(keepends=True)))
    assert len(found) == len(texts)
    for row, entry in enumerate(sort_records(texts)):
        careful.append(entry.status)
        assert CLASSES[found.status[row]] == entry.status, (entry.reason, texts[row])
        if entry.status == "CORRUPT":
            assert found.reasons[row] == entry.reason
            continue
        assert entry.game is not None
        assert (found.states[row] == entry.state).all() and tuple(found.deals[row]) == entry.deal
        assert tuple(found.names[place] for place in found.seats[row]) == entry.game.names
    return len(careful)


def test_both_readers_agree_on_every_example(monkeypatch: pytest.MonkeyPatch) -> None:
    assert agree(ALL) == len(EXAMPLES)
    left: list[str] = []
    monkeypatch.setattr(reading, "sort_records", lambda texts: left.extend(texts) or sort_records(texts))
    read_stretch("\n".join(example.text for example in RECORDS).encode())
    assert len(left) < len(RECORDS) / 2


@pytest.mark.parametrize("seed", range(2 if PLAIN else 12))
def test_both_readers_agree_on_damaged_records(seed: int) -> None:
    luck = random.Random(seed)
    texts = []
    for _ in range(5 if PLAIN else 60):
        text = list(luck.choice(RECORDS).text)
        for _ in range(luck.choice([1, 1, 2, 4])):
            place = luck.randrange(2, len(text) - 2)
            if luck.random() < 0.5:
                text[place] = luck.choice("0123wpysCSHDJ7.[]:#GNO -\n")
            else:
                del text[place]
        texts.append("".join(text))
    agree("\n".join(texts))


def test_stretches_end_with_records_wherever_blocks_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "archive.sgf"
    path.write_text(ALL)
    found = list(stretches(path, 5000))
    assert b"".join(found) == ALL.encode() and len(found) > 5
    assert sum(len(read_stretch(text)) for text in found) == len(EXAMPLES)
    monkeypatch.setattr(reading, "read_blocks", lambda path: read_blocks(path, 77))
    assert list(stretches(path, 5000)) == found
    path.write_bytes(b"x" * 12_000)
    assert [len(text) for text in stretches(path, 5000)] == [5000, 5000, 2000]


def test_packed_files_are_read_alike(tmp_path: Path) -> None:
    import pyarrow

    raw = ALL.encode() * 3
    zst = pyarrow.compress(raw, codec="zstd", asbytes=True)
    for ending, packed in ((".bz2", bz2.compress(raw)), (".gz", gzip.compress(raw)), (".zst", zst), ("", raw)):
        path = tmp_path / f"archive.sgf{ending}"
        path.write_bytes(packed)
        assert b"".join(read_blocks(path, 999)) == raw and inner_suffix(path) == ".sgf"
        if ending:
            path.write_bytes(packed[: len(packed) // 2])
            with pytest.raises((CutShort, BadRecord)):
                list(read_blocks(path, 999))
    with pytest.raises(BadRecord, match="no such file"):
        list(read_blocks(tmp_path / "none.sgf"))


def test_a_summary_counts_everything_once() -> None:
    whole, parts = summarise(ALL.encode()), Summary()
    for example in EXAMPLES:
        parts.add(summarise(example.text.encode()))
    assert whole.facts() == parts.facts()
    facts = whole.facts()
    assert facts["records"] == len(EXAMPLES) == sum(facts["classes"].values())
    assert whole.refused.total() == facts["classes"]["CORRUPT"] == len(read_stretch(ALL.encode()).reasons)
    assert facts["declared"] == sum(row["games"] for row in facts["types"]) and len(facts["types"]) == len(TYPES)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["records", *arguments])
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_summary_in_words_and_as_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "archive.sgf.bz2"
    path.write_bytes(bz2.compress(ALL.encode()))
    code, out, _ = run(capsys, "summary", str(path), "--plot", str(tmp_path / "archive.svg"))
    assert code == 0 and "declared games" in out and "refused" in out
    assert (tmp_path / "archive.svg").read_text().count("<path") > 5
    code, out, _ = run(capsys, "summary", str(path), "--json")
    assert code == 0 and json.loads(out)["records"] == len(EXAMPLES)


@pytest.mark.skipif(PLAIN, reason="hundreds of records take long without compiled code")
def test_a_cut_archive_is_read_as_far_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = bz2.compress("\n".join(example.text for example in RECORDS * 30).encode(), 1)
    path = tmp_path / "archive.sgf.bz2"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    target = tmp_path / "games.jsonl"
    code, _, said = run(capsys, "import", str(path), "--out", str(target))
    assert code == 2 and "cut short" in said and said.strip().count("\n") <= 2
    lines = len(target.read_bytes().splitlines())
    assert lines > 100
    code, out, said = run(capsys, "summary", str(path), "--json")
    assert code == 2 and "cut short" in said and sum(json.loads(out)["classes"].values()) >= lines


def test_an_archive_of_another_game_is_refused_and_nothing_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, target = tmp_path / "go.sgf", tmp_path / "go.jsonl"
    path.write_text("(;GM[1]FF[4];B[aa]) ;)\n" * 20)
    target.write_text("mine\n")
    for verb in ("import", "summary"):
        code, _, said = run(capsys, verb, str(path))
        assert code == 2 and "archive of another game" in said
    assert target.read_text() == "mine\n"
