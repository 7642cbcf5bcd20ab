"""Where the verbs write: devices stay devices, links links, and nobody's source is overwritten."""

import os
import stat
from pathlib import Path

import pytest

from kibitz.cli.main import main
from tests.core.test_files import device
from tests.naive.iss_examples import RECORDS


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0), capsys.readouterr().err


WRITING = (
    ("solve", "kuhn", "--iterations", "10", "--out"),
    ("simulate", "kuhn", "--games", "200", "--records"),
    ("match", "kuhn", "--bots", "random,random", "--deals", "50", "--records"),
    ("tournament", "kuhn", "--bots", "random,kuhn-rule", "--deals", "50", "--out"),
)


@pytest.mark.parametrize("words", WRITING, ids=lambda words: words[0])
def test_a_device_takes_what_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    null, full = device(tmp_path / "null", "/dev/null"), device(tmp_path / "full", "/dev/full")
    assert run(capsys, *words, str(null))[0] == 0
    code, err = run(capsys, *words, str(full))
    assert code == 2 and "full cannot be written: No space left on device" in err and "Traceback" not in err
    assert stat.S_ISCHR(os.stat(null).st_mode) and stat.S_ISCHR(os.stat(full).st_mode)
    assert sorted(os.listdir(tmp_path)) == ["full", "null"]


def test_records_go_through_a_link(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target, link = tmp_path / "kept.jsonl", tmp_path / "link.jsonl"
    target.touch(0o600)
    link.symlink_to(target.name)
    assert run(capsys, "simulate", "kuhn", "--games", "5", "--records", str(link))[0] == 0
    assert link.is_symlink() and len(target.read_text().splitlines()) == 5
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    source = tmp_path / "archive.jsonl"  # the name that import would choose for its own file
    source.write_text("\n".join(example.text for example in RECORDS[:2]), encoding="latin-1")
    return source


@pytest.mark.parametrize("way", ["default", "out", "dots", "symlink", "hardlink", "side", "parquet"])
def test_import_does_not_write_over_its_source(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, archive: Path, way: str
) -> None:
    link = tmp_path / "link.jsonl"
    if way == "symlink":
        link.symlink_to(archive)
    if way == "hardlink":
        os.link(archive, link)
    if way == "side":
        archive = archive.rename(tmp_path / "archive.iss.jsonl")
    more = {
        "default": [], "out": ["--out", str(archive)],
        "dots": ["--out", str(tmp_path / ".." / tmp_path.name / archive.name)], "symlink": ["--out", str(link)],
        "hardlink": ["--out", str(link)], "side": ["--out", str(tmp_path / "archive.jsonl")],
        "parquet": ["--out", str(tmp_path / "new.jsonl"), "--parquet", str(archive)],
    }[way]  # fmt: skip
    before, names = archive.read_bytes(), sorted(os.listdir(tmp_path))
    code, err = run(capsys, "records", "import", str(archive), *more)
    assert code == 2 and "is being read and would be lost: give --out another file" in err
    assert archive.read_bytes() == before and sorted(os.listdir(tmp_path)) == names


def test_export_does_not_write_over_what_it_reads(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, archive: Path
) -> None:
    source = archive.rename(tmp_path / "archive.sgf")
    assert run(capsys, "records", "import", str(source))[0] == 0
    for read in (tmp_path / "archive.jsonl", tmp_path / "archive.iss.jsonl"):
        before = read.read_bytes()
        code, err = run(capsys, "records", "export", str(tmp_path / "archive.jsonl"), "--out", str(read))
        assert code == 2 and "would be lost" in err and read.read_bytes() == before


def test_an_import_into_a_device_leaves_nothing_beside_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, archive: Path
) -> None:
    null = device(tmp_path / "null", "/dev/null")
    assert run(capsys, "records", "import", str(archive), "--out", str(null))[0] == 0
    assert sorted(os.listdir(tmp_path)) == ["archive.jsonl", "null"] and stat.S_ISCHR(os.stat(null).st_mode)
