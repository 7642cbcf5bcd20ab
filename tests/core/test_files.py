"""Files that are whole or not there: devices stay devices, links links, and what a kill left is swept."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from kibitz.core.errors import BadInput
from kibitz.core.files import LOCK, check_writable, is_part, sole_writer, sweep_folder, whole_file

HOLD = """
import sys, time
from pathlib import Path
from kibitz.core.files import sole_writer, whole_file
what, path = sys.argv[1], Path(sys.argv[2])
with sole_writer(path, "trained") if what == "folder" else whole_file(path):
    print("held", flush=True)
    time.sleep(60)
"""


def holding(what: str, path: Path) -> subprocess.Popen[str]:
    """A process that holds a folder, or is in the middle of writing a file."""
    words = [sys.executable, "-c", HOLD, what, str(path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def killed(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def write(path: Path, text: str = "new") -> None:
    with whole_file(path) as file:
        file.write(text.encode())


def device(path: Path, like: str) -> Path:
    """A device node of our own: tests that go wrong as root must not cost anybody /dev/null."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.stat(like).st_rdev)
        with open(path, "wb"):
            pass
    except PermissionError:
        pytest.skip("only root can make device nodes, and not everywhere")
    return path


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    null = device(tmp_path / "null", "/dev/null")
    check_writable(null)
    write(null)
    with whole_file(null) as file:
        np.savez(file, numbers=np.arange(5))  # wants to go back in what it wrote
    assert stat.S_ISCHR(os.stat(null).st_mode) and os.listdir(tmp_path) == ["null"]


def test_a_full_device_is_told_and_stays(tmp_path: Path) -> None:
    full = device(tmp_path / "full", "/dev/full")
    with pytest.raises(BadInput, match="full cannot be written: No space left on device"):
        write(full)
    assert stat.S_ISCHR(os.stat(full).st_mode) and os.listdir(tmp_path) == ["full"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text()), daemon=True)
    listener.start()
    write(pipe)
    listener.join(10)
    assert heard == ["new"] and pipe.is_fifo()


def test_a_link_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link", tmp_path / "far" / "target"
    link.symlink_to(Path("far") / "target")
    write(link, "through a link to nothing yet")
    assert link.is_symlink() and target.read_text() == "through a link to nothing yet"
    write(link)
    assert link.is_symlink() and not target.is_symlink() and target.read_text() == "new"
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(BadInput, match="cannot be written"):
        write(link)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_of_an_old_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(mode)
    with whole_file(path) as file:
        file.write(b"new")
        assert not os.fstat(file.fileno()).st_mode & 0o077  # nobody reads it before it is whole
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    write(tmp_path / "ours")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, "old")
    with pytest.raises(KeyError), whole_file(path) as file:
        file.write(b"half")
        raise KeyError
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


def test_what_a_killed_writer_left_is_swept_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    writer = holding("file", path)
    (left,) = tmp_path.iterdir()
    assert is_part(left.name)
    sweep_folder(tmp_path)
    assert left.exists(), "its writer lives"
    killed(writer)
    others = tmp_path / ".diary.txt.77.part"
    others.touch()
    write(path)
    assert sorted(os.listdir(tmp_path)) == [others.name, "results.jsonl"]
    sweep_folder(tmp_path)
    assert os.listdir(tmp_path) == ["results.jsonl"]


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with whole_file(path) as slow:
        slow.write(b"slow" * 1000)
        write(path, "quick")
        assert path.read_text() == "quick"
    assert path.read_text() == "slow" * 1000 and os.listdir(tmp_path) == ["file"]


def test_a_folder_has_one_writer_and_its_lock_dies_with_it(tmp_path: Path) -> None:
    other = holding("folder", tmp_path / "run")
    held = rf"run is being trained by process {other.pid} on .+: wait for it, or give another --out"
    with pytest.raises(BadInput, match=held), sole_writer(tmp_path / "run", "trained"):
        pass
    killed(other)
    assert (tmp_path / "run" / LOCK).exists()
    again = pytest.raises(BadInput, match=f"process {os.getpid()} ")
    with sole_writer(tmp_path / "run", "trained"), again, sole_writer(tmp_path / "run", "trained"):
        pass
    assert not list((tmp_path / "run").iterdir())
