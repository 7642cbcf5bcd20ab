"""The cache's folder: nobody else's files are touched, and nobody else's are trusted."""

import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from kibitz.core import cache_folder
from kibitz.core.cache_folder import DAY, ENTRY, FOLDER, MARKER, PART, STALE_DAYS

OURS = "0123456789abcdef"
posix_only = pytest.mark.skipif(os.name != "posix", reason="asks who owns a file")


@pytest.fixture
def find(tmp_path, monkeypatch):
    """Look for the cache as a new process would, with KIBITZ_CACHE and the temporary folder inside tmp_path."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "asked"))
    return cache_folder._root.__wrapped__


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAY
    os.utime(path, (then, then), follow_symlinks=False)


def marked(folder: Path, swept: float = 2) -> Path:
    folder.mkdir(parents=True, mode=0o700)
    (folder / MARKER).touch()
    age(folder / MARKER, swept)
    return folder


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_folders_of_other_people_stay(find, tmp_path):
    asked = tmp_path / "asked"
    for place in (
        "empty",
        OURS,
        "old",
        f"{FOLDER}/empty",
        f"{FOLDER}/{OURS}",
        f"{FOLDER}/thesis",
        f"{FOLDER}/skat-tournaments",
    ):
        (asked / place).mkdir(parents=True, mode=0o700)
    (asked / FOLDER).chmod(0o700)
    for place in ("old/thesis.tex", f"{FOLDER}/{OURS}/thesis{ENTRY}", f"{FOLDER}/thesis/{MARKER}"):
        (asked / place).write_text("years of work")
    for path in sorted(asked.rglob("*"), reverse=True):
        age(path, 1000)
    before = everything(asked)
    assert find() == asked / FOLDER
    assert everything(asked) == before


def test_of_our_own_folders_only_old_entries_go(find, tmp_path):
    mine = marked(tmp_path / "asked" / FOLDER / OURS)
    names = {
        f"old{ENTRY}": STALE_DAYS + 1,
        f"new{ENTRY}": 1,
        f".killed{PART}": 2,
        f".now{PART}": 0.1,
        "notes.txt": 1000,
    }
    for name, days in names.items():
        (mine / name).touch()
        age(mine / name, days)
    find()
    assert everything(mine) == {MARKER, f"new{ENTRY}", f".now{PART}", "notes.txt"}


def test_a_folder_with_nothing_left_goes(find, tmp_path):
    old = marked(tmp_path / "asked" / FOLDER / OURS)
    (old / f"old{ENTRY}").touch()
    age(old / f"old{ENTRY}", 100)
    fresh = marked(tmp_path / "asked" / FOLDER / OURS[::-1], swept=0)
    find()
    assert not old.exists()
    assert fresh.exists()  # somebody may be about to write there


def test_a_link_under_our_kind_of_name_is_not_followed(find, tmp_path):
    elsewhere = marked(tmp_path / "elsewhere")
    (elsewhere / f"old{ENTRY}").touch()
    age(elsewhere / f"old{ENTRY}", 100)
    (tmp_path / "asked" / FOLDER).mkdir(parents=True, mode=0o700)
    (tmp_path / "asked" / FOLDER / OURS).symlink_to(elsewhere)
    find()
    assert everything(elsewhere) == {MARKER, f"old{ENTRY}"}


def test_dangling_links_stop_nothing(find, tmp_path):
    mine = marked(tmp_path / "asked" / FOLDER / OURS)
    for place in (tmp_path / "asked", tmp_path / "asked" / FOLDER, mine):
        (place / "nowhere").symlink_to("/nonexistent/nowhere")
        (place / OURS[::-1]).symlink_to("/nonexistent/nowhere")
        (place / f"gone{ENTRY}").symlink_to("/nonexistent/nowhere")
    age(mine / f"gone{ENTRY}", 100)
    assert find() == tmp_path / "asked" / FOLDER
    assert not (mine / f"gone{ENTRY}").is_symlink()


def test_writers_beside_a_sweep_stop_nothing(find, tmp_path):
    root = tmp_path / "asked" / FOLDER
    root.mkdir(parents=True, mode=0o700)
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            folder = root / f"{number % 7:016x}"
            folder.mkdir(exist_ok=True)
            for name in (MARKER, f"a{ENTRY}", f".b{PART}"):
                (folder / name).touch()
                age(folder / name, 100)
            for name in (f"a{ENTRY}", f".b{PART}", MARKER):
                (folder / name).unlink(missing_ok=True)
            number += 1

    def patient() -> None:
        while not done.is_set():
            with suppress(OSError):  # the sweep took a folder away
                write()

    writers = [threading.Thread(target=patient) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(200):
            assert find() == root
    finally:
        done.set()
        for writer in writers:
            writer.join()


@posix_only
def test_the_folder_is_made_for_us_alone(find, tmp_path):
    before = os.umask(0)
    try:
        assert stat.S_IMODE(find().stat().st_mode) == 0o700
    finally:
        os.umask(before)


@posix_only
@pytest.mark.parametrize("spoil", ["others can write it", "it belongs to another user", "it is a link", "it is a file"])
def test_a_folder_that_is_not_ours_alone_is_left_with_a_line(spoil, find, tmp_path, monkeypatch, capsys):
    asked = tmp_path / "asked" / FOLDER
    asked.parent.mkdir()
    if spoil == "it is a file":
        asked.touch()
    elif spoil == "it is a link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        asked.symlink_to(tmp_path / "theirs")
    else:
        asked.mkdir(mode=0o700)
    if spoil == "others can write it":
        asked.chmod(0o770)
    if spoil == "it belongs to another user":
        belongs_to_others(asked, monkeypatch)
    second = tmp_path / "temporary" / f"{FOLDER}-{os.geteuid()}"
    assert find() == second / FOLDER
    assert stat.S_IMODE(second.stat().st_mode) == 0o700
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert str(asked) in line and str(second) in line
    assert os.environ["KIBITZ_CACHE"] == str(second)  # processes started from here share it
    assert find() == second / FOLDER
    assert capsys.readouterr().err == ""


@posix_only
def test_where_the_usual_temporary_folder_is_taken_too_a_fresh_one_is_made(find, tmp_path, monkeypatch, capsys):
    (tmp_path / "asked").touch()
    taken = tmp_path / "temporary" / f"{FOLDER}-{os.geteuid()}"
    (taken / FOLDER).mkdir(parents=True)
    taken.chmod(0o777)
    found = find()
    assert found.parent.parent == taken.parent
    assert found.parent != taken
    assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
    assert capsys.readouterr().err.count("\n") == 1


def test_without_any_place_nothing_is_kept_and_a_line_says_so(find, tmp_path, monkeypatch, capsys):
    (tmp_path / "asked").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "asked"))
    assert find() is None
    assert capsys.readouterr().err.count("\n") == 1


@posix_only
def test_without_a_home_no_folder_called_tilde_is_made(find, tmp_path, monkeypatch):
    for name in ("KIBITZ_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    assert find().parent.parent == tmp_path / "temporary"
    assert everything(tmp_path) <= {"temporary", *(f"temporary/{name}" for name in everything(tmp_path / "temporary"))}


def test_a_fresh_folder_goes_with_its_process(tmp_path):
    (tmp_path / "taken").touch()
    (tmp_path / f"{FOLDER}-{os.geteuid() if os.name == 'posix' else 'cache'}").touch()
    code = "from kibitz.core import cache_folder; print(cache_folder.folder_for('x'))"
    env = {**os.environ, "KIBITZ_CACHE": str(tmp_path / "taken"), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    made = Path(done.stdout.strip())
    assert made.is_relative_to(tmp_path)
    assert not made.exists()
    assert done.stderr.count("\n") == 1


def belongs_to_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root can give a folder away; for everybody else the look at it is bent."""
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = real(path)
        if path == folder:
            found = os.stat_result((*found[:4], os.geteuid() + 1, *found[5:]))
        return found

    monkeypatch.setattr(Path, "lstat", lstat)
