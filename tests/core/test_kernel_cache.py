"""Entries of the cache: whole or not there, checked before they are trusted, compiled again when they are damaged."""

import errno
import os
import pickle
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kibitz.core import cache_folder, kernel_cache
from kibitz.core.jit import PLAIN, specialise
from kibitz.core.kernel_cache import FORMAT, HEAD, Damaged, read_entry, write_entry

compiled_only = pytest.mark.skipif(PLAIN, reason="nothing is compiled")
PAYLOAD = bytes(range(256)) * 8


def test_what_is_written_is_read(tmp_path):
    assert read_entry(tmp_path / "entry") is None
    for payload in (PAYLOAD, b"", b"x"):
        write_entry(tmp_path / "entry", payload)
        assert read_entry(tmp_path / "entry") == payload
    assert [path.name for path in tmp_path.iterdir()] == ["entry"]


def test_no_changed_byte_and_no_other_length_passes(tmp_path):
    entry = tmp_path / "entry"
    write_entry(entry, PAYLOAD)
    good = entry.read_bytes()
    rng = np.random.default_rng(1)
    places = [*range(HEAD + 4), *rng.integers(HEAD, len(good), 100)]
    damages = [good[:k] + bytes([good[k] ^ 1 << int(rng.integers(8))]) + good[k + 1 :] for k in places]
    damages += [good[:k] for k in (*range(HEAD + 2), len(good) - 1)] + [good + b"\0", good + good, b"\0" * len(good)]
    for damage in damages:
        entry.write_bytes(damage)
        with pytest.raises(Damaged):
            read_entry(entry)


def _folder(entry: Path) -> None:
    entry.mkdir()


def _pipe(entry: Path) -> None:
    os.mkfifo(entry, 0o600)


def _link(entry: Path) -> None:
    write_entry(entry.with_name("elsewhere"), PAYLOAD)
    entry.symlink_to("elsewhere")


def _open_to_others(entry: Path) -> None:
    write_entry(entry, PAYLOAD)
    entry.chmod(0o620)


@pytest.mark.skipif(os.name != "posix", reason="asks for pipes and modes")
@pytest.mark.parametrize("put", [_folder, _pipe, _link, _open_to_others])
def test_what_is_no_file_of_ours_is_not_read(put, tmp_path):
    put(tmp_path / "entry")
    with pytest.raises(Damaged):
        read_entry(tmp_path / "entry")


@pytest.mark.skipif(os.name != "posix", reason="asks who owns a file")
def test_a_file_of_another_user_is_not_read(tmp_path, monkeypatch):
    write_entry(tmp_path / "entry", PAYLOAD)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(Damaged):
        read_entry(tmp_path / "entry")


def test_an_entry_that_is_used_is_not_old(tmp_path):
    write_entry(tmp_path / "entry", PAYLOAD)
    os.utime(tmp_path / "entry", (1, 1))
    read_entry(tmp_path / "entry")
    assert time.time() - (tmp_path / "entry").stat().st_atime < 60


TABLE = None


def _look(i: int) -> int:
    return TABLE[i]


@pytest.fixture
def look(tmp_path, monkeypatch) -> Callable[[], tuple[int, int]]:
    """Call a kernel as a new process would; tells the answer and how often the cache had it."""
    monkeypatch.setattr(cache_folder, "folder_for", lambda settings: tmp_path)
    kernel_cache._complain.cache_clear()

    def call() -> tuple[int, int]:
        kernel = specialise(_look, "test", TABLE=np.array([7]))
        return kernel(0), sum(kernel.stats.cache_hits.values())

    return call


def _raising(payload: bytes) -> bytes:
    class Wrong:
        def __reduce__(self):
            return eval, ("{}['an old version']",)

    return pickle.dumps(Wrong())


def _cut(payload: bytes) -> bytes:
    return payload[: len(payload) // 2]


def _other_words(payload: bytes) -> bytes:
    return pickle.dumps(("not", "machine", "code"))


@compiled_only
def test_a_second_look_comes_from_the_cache(look):
    assert look() == (7, 0)
    assert look() == (7, 1)


@compiled_only
@pytest.mark.parametrize("damage", [_raising, _cut, _other_words, lambda payload: b""])
def test_what_cannot_be_loaded_is_compiled_again_with_a_line(damage, look, tmp_path, capsys):
    look()
    (entry,) = tmp_path.glob("*.kernel")
    write_entry(entry, damage(read_entry(entry)))  # the checksum is right
    assert look() == (7, 0)
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert str(entry) in line
    assert look() == (7, 1)
    assert capsys.readouterr().err == ""


@compiled_only
@pytest.mark.parametrize("damage", [b"", b"\0" * 4096, FORMAT, pickle.dumps("1.0")])
def test_a_damaged_file_is_compiled_again_with_a_line(damage, look, tmp_path, capsys):
    look()
    (entry,) = tmp_path.glob("*.kernel")
    entry.write_bytes(damage)
    assert look() == (7, 0)
    assert capsys.readouterr().err.count("\n") == 1
    assert look() == (7, 1)


@compiled_only
def test_a_folder_in_the_place_of_an_entry_costs_lines_only(look, tmp_path, capsys):
    look()
    (entry,) = tmp_path.glob("*.kernel")
    entry.unlink()
    (entry / "mine").mkdir(parents=True)
    assert look() == look() == (7, 0)
    assert str(entry) in capsys.readouterr().err
    assert (entry / "mine").is_dir()


@compiled_only
def test_a_full_disk_costs_one_line_that_names_the_folder(look, tmp_path, capsys, monkeypatch):
    def replace(*paths: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", replace)
    assert look() == look() == (7, 0)
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert str(tmp_path) in line
    assert "no space left on device" in line
    assert list(tmp_path.iterdir()) == []


@compiled_only
def test_recompiling_sees_a_global_bound_anew(look):
    kernel = specialise(_look, "anew", TABLE=np.array([1]))
    assert kernel(0) == 1
    kernel.py_func.__globals__["TABLE"] = np.array([2])
    kernel.recompile()
    assert kernel(0) == 2


GAMES = """
    from kibitz.arena.play import play
    from kibitz.bots import seat_bots
    from kibitz.core.game import make
    game = make("kuhn")
    print([chunk.returns.sum(0).tolist() for chunk in play(game, seat_bots(game, "random"), 1000)])
"""


def start(cache: Path) -> subprocess.Popen[str]:
    env = {**os.environ, "KIBITZ_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", textwrap.dedent(GAMES)]
    return subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return out, errors


@compiled_only
@pytest.mark.slow
def test_whatever_happens_to_the_files_the_games_are_the_same_and_the_cache_heals(tmp_path):
    right, _ = finish(start(tmp_path))
    rng = np.random.default_rng(5)
    for _ in range(3):
        entries = sorted(tmp_path.rglob("*.kernel"))
        contents = [entry.read_bytes() for entry in entries]
        for entry, good in zip(entries, contents):
            place = int(rng.integers(len(good)))
            other = contents[int(rng.integers(len(contents)))]
            flipped = good[:place] + bytes([good[place] ^ 1 << int(rng.integers(8))]) + good[place + 1 :]
            damages = [
                b"",
                good[:place],
                flipped,
                rng.bytes(len(good)),
                good[:place] + rng.bytes(64),
                good[:place] + other,
            ]
            entry.write_bytes(damages[int(rng.integers(len(damages)))])
        out, errors = finish(start(tmp_path))
        assert out == right
        assert "is damaged" in errors
        assert finish(start(tmp_path)) == (right, "")


@compiled_only
@pytest.mark.slow
def test_writers_that_are_killed_or_write_together_leave_nothing_broken(tmp_path):
    rng = np.random.default_rng(6)
    for _ in range(5):
        writers = [start(tmp_path) for _ in range(2)]
        time.sleep(float(rng.uniform(1, 6)))
        for writer in writers:
            writer.kill()
            writer.communicate()
    results = [finish(process) for process in [start(tmp_path) for _ in range(3)]]
    assert len(set(results)) == 1
    assert results[0][1] == ""
    for entry in tmp_path.rglob("*.kernel"):
        assert read_entry(entry) is not None
