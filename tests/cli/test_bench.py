"""`kibitz bench --against`: two commits by turns, ratios with their spread, and nothing left behind."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kibitz.arena.speed import Ratio
from kibitz.cli.main import main

TINY = 'import sys\ndef rates():\n    yield "sums", {sums}\n    yield "{other}", 7.0\n'


def git(folder: Path, *words: str) -> str:
    named = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", "-C", str(folder), *named, *words], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one tiny benchmark that has become faster since its first commit."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    (home / "benchmarks").mkdir(parents=True)
    (home / "src").mkdir()
    (home / "src" / "speed_of_home.py").write_text("SUMS = 100.0\n")
    (home / "benchmarks" / "tiny.py").write_text(TINY.format(sums="__import__('speed_of_home').SUMS", other="same"))
    git(home, "init", "--quiet", "--initial-branch=main")
    git(home, "add", ".")
    git(home, "commit", "--quiet", "-m", "slow")
    (home / "src" / "speed_of_home.py").write_text("SUMS = 120.0\n")
    monkeypatch.chdir(home)
    return home


def bench(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["bench", *words])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def nothing_is_left(home: Path) -> bool:
    return len(git(home, "worktree", "list").splitlines()) == 1 and not any((home.parent / "temporary").iterdir())


def test_the_clock_may_be_the_process_own(repository, capsys):
    sleepy = "import time\ndef rates():\n    start = time.perf_counter()\n    time.sleep(0.2)\n"
    sleepy += '    yield "naps", 1 / (time.perf_counter() - start)\n'
    (repository / "benchmarks" / "tiny.py").write_text(sleepy)
    naps = [
        json.loads(bench(capsys, "tiny", "--against", "HEAD", "--rounds", "1", "--json", *words)[1])["rates"][0]["new"]
        for words in ([], ["--cpu"])
    ]
    assert naps[0] < 5.1 < 20 < naps[1]
    assert bench(capsys, "tiny", "--cpu")[0] == 2


def test_both_commits_are_measured_with_one_script(repository, capsys):
    code, out, err = bench(capsys, "tiny", "--against", "HEAD", "--rounds", "2", "--json")
    assert code == 0, err
    sums, same = json.loads(out)["rates"]
    assert (sums["name"], sums["old"], sums["new"], sums["ratio"], sums["mark"]) == (
        "tiny: sums",
        100,
        120,
        1.2,
        "faster",
    )
    assert (same["least"], same["most"], same["mark"]) == (1.0, 1.0, "")
    assert nothing_is_left(repository)


def test_a_part_is_measured_alone_and_taken_from_what_an_older_script_gives(repository, capsys):
    parts = "def sums():\n    yield 'sums', 50.0\n\n\nPARTS = {'sums': sums}\n"
    (repository / "benchmarks" / "tiny.py").write_text("import new_of_home\n" + parts + "rates = None\n")
    (repository / "src" / "new_of_home.py").write_text("")
    code, out, err = bench(capsys, "tiny.sums", "--against", "HEAD", "--rounds", "2", "--json")
    assert code == 0, err
    assert [(row["name"], row["old"], row["new"]) for row in json.loads(out)["rates"]] == [("tiny: sums", 100, 50)]
    assert "round 2 of 2 (the last took" in err and "has same" not in err
    for words, hint in ((("tiny.other", "--against", "HEAD"), "its parts are sums"), (("tiny.sums",), "goes with")):
        code, _, err = bench(capsys, *words)
        assert code == 2 and hint in err and err.count("\n") == 1


def test_the_table_shows_ratio_and_spread(repository, capsys):
    _, out, _ = bench(capsys, "--against", "HEAD", "--rounds", "1")
    (line,) = [line for line in out.splitlines() if line.startswith("tiny: sums")]
    assert line.split() == ["tiny:", "sums", "100.0", "120.0", "1.200", "1.200", "to", "1.200", "faster"]


def test_a_long_name_hides_no_figure(repository, capsys):
    long = "a name of a rate that is longer than it should be, " * 2
    (repository / "benchmarks" / "tiny.py").write_text(f"def rates():\n    yield {long!r}, 1234567.0\n")
    _, out, _ = bench(capsys, "--against", "HEAD", "--rounds", "1")
    assert "1,234,567.0  1,234,567.0  1.000  1.000 to 1.000" in out


def test_a_script_that_does_not_run_there_gives_way_to_the_commits_own(repository, capsys):
    (repository / "src" / "new_of_home.py").write_text("SUMS = 90.0\n")
    (repository / "benchmarks" / "tiny.py").write_text(
        TINY.format(sums="__import__('new_of_home').SUMS", other="further")
    )
    code, out, err = bench(capsys, "tiny", "--against", "HEAD", "--rounds", "1", "--json")
    assert code == 0 and [(row["old"], row["new"], row["mark"]) for row in json.loads(out)["rates"]] == [
        (100, 90, "slower")
    ]
    assert "is measured by its own script, as today's does not run there (ModuleNotFoundError" in err
    assert "only this checkout has further" in err and "has same" in err


def test_a_benchmark_that_the_commit_does_not_have_is_one_line(repository, capsys):
    (repository / "src" / "new_of_home.py").write_text("SUMS = 90.0\n")
    (repository / "benchmarks" / "late.py").write_text(
        "from new_of_home import SUMS\ndef rates():\n    return {'a': SUMS}\n"
    )
    code, out, err = bench(capsys, "late", "tiny", "--against", "HEAD", "--rounds", "1", "--json")
    assert code == 0 and len(json.loads(out)["rates"]) == 2
    assert "late is left out" in err and "has no such benchmark" in err
    code, _, err = bench(capsys, "late", "--against", "HEAD", "--rounds", "1")
    assert code == 2 and err.splitlines()[-1] == "kibitz: nothing could be compared with HEAD"
    assert nothing_is_left(repository)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--against", "nosuch"), "there is no commit nosuch"),
        (("--against", "--quiet"), "there is no commit --quiet"),
        (("--against", "HEAD", "--rounds", "0"), "--rounds 0 is not possible"),
        (("other", "--against", "HEAD"), "there is no benchmark other"),
        (("--json",), "--json goes with --against"),
    ],
)
def test_what_cannot_be_compared_is_one_line(repository, capsys, words, hint):
    code, _, err = bench(capsys, *words)
    assert code == 2 and hint in err and err.count("\n") == 1


def test_no_git_and_no_repository_are_one_line(repository, tmp_path, capsys, monkeypatch):
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "tiny.py").write_text("")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    code, _, err = bench(capsys, "--folder", str(tmp_path / "bare"), "--against", "HEAD")
    assert code == 2 and "not a git repository" in err and err.count("\n") == 1
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = bench(capsys, "--against", "HEAD")
    assert code == 2 and "git is not installed" in err and err.count("\n") == 1


def test_ctrl_c_leaves_no_worktree_behind(repository):
    script = "import os, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(60)\n"
    (repository / "benchmarks" / "tiny.py").write_text(script)
    words = [sys.executable, "-P", "-c", "from kibitz.cli.main import main; main()", "bench", "--against", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=50, cwd=repository)
    assert done.returncode == 130 and "interrupted" in done.stderr
    assert nothing_is_left(repository)


def test_a_mark_needs_more_than_five_percent_and_doubts_when_rounds_differ():
    assert Ratio("a", 1, 1, (1.04, 1.05, 0.9)).mark == ""
    assert Ratio("a", 1, 1, (1.06, 1.2, 1.01)).mark == "faster"
    assert Ratio("a", 1, 1, (0.8, 0.9, 1.3)).mark == "slower?"


def test_every_benchmark_gives_rates():
    scripts = sorted((Path(__file__).parents[2] / "benchmarks").glob("*.py"))
    assert scripts and all("\ndef rates(" in script.read_text() for script in scripts)
