"""Bots of others live in a process of their own: whatever they do there is told in one line, and the games go on."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.analysis import opinion
from kibitz.arena.match import match
from kibitz.arena.play import play
from kibitz.bots import make_bot, stranger
from kibitz.bots.conduct import NoMove, numbers, whole
from kibitz.cli import main as line
from kibitz.core.errors import BotFailed, KibitzError
from kibitz.core.game import make
from kibitz.core.position import Position
from tests.bots.vile import Vile

FILE = Path(__file__).with_name("vile.py")
LINES = {text.split("(")[0].split()[-1]: k for k, text in enumerate(FILE.read_text().splitlines(), 1) if "def " in text}
SAID = {
    "leaves": "raised SystemExit",
    "vanishes": "ended its process with exit code 0",
    "crashes": "died of SIGSEGV",
    "raises": "raised RuntimeError: I have lost \\x1b[31mmy cards",
    "wordless": "raised Wordless: a Wordless that cannot be put into words",
    "generates": "raised GeneratorExit",
    "interrupts": "raised KeyboardInterrupt",
    "half": "which is no whole number",
    "text": "which is no whole number",
    "truth": "chose True, which is no whole number",
    "huge": "beyond all actions",
    "widens": "which is illegal",
    "mutters": "answered with what cannot be understood",
}


def some(*ways):
    """Every way, those not named among the slow ones: each takes a process or more."""
    return [way if way in ways else pytest.param(way, marks=pytest.mark.slow) for way in SAID]


def spec(way, kind="Vile", **knobs):
    return ":".join([f"python:{FILE}:{kind}", f"way={way}", *(f"{key}={value}" for key, value in knobs.items())])


@pytest.mark.parametrize("way", some("leaves", "vanishes", "wordless", "interrupts", "half", "widens"))
def test_a_bot_that_fails_is_named_with_its_file_and_line(way):
    game = make("leduc")
    found = match(game, [spec(way), "random"], 1)
    assert found.deals == 0 and found.spoiled
    failure = found.spoiled[0].failure
    at = LINES[way] + 1 if SAID[way].startswith("raised") else LINES["act"]
    assert failure.bot == spec(way) and SAID[way] in failure.reason
    assert f"(vile.py, line {at})" in failure.reason and len(failure.reason.splitlines()) == 1


@pytest.mark.parametrize("way", some("leaves", "vanishes", "widens"))
def test_simulate_says_it_in_one_line_and_leaves_with_a_code(way, capfd):
    with pytest.raises(SystemExit) as end:
        line.main(["simulate", "leduc", "--bots", spec(way), "--games", "20", "--json"])
    out, err = capfd.readouterr()
    told = [row for row in err.splitlines() if row.startswith("kibitz: ")]
    assert end.value.code == 2 and out == "" and "Traceback" not in err
    assert len(told) == 1 and spec(way) in told[0] and SAID[way] in told[0] and "vile.py, line" in told[0]


def test_what_a_bot_prints_does_not_get_into_the_result(capfd):
    with pytest.raises(SystemExit) as end:
        line.main(["match", "leduc", "--bots", f"{spec('plays')},random", "--deals", "3", "--json"])
    out, err = capfd.readouterr()
    assert not end.value.code and json.loads(out)["deals"] == 3
    assert {"vile is loaded", "vile thinks", "from below"} <= set(err.splitlines())


@pytest.mark.parametrize("way", ["naps", pytest.param("sleeps", marks=pytest.mark.slow), "computes"])
def test_the_time_for_a_move_holds_against_whatever_the_bot_does(way, tmp_path):
    game = make("leduc")
    start = time.monotonic()
    found = match(game, [spec(way, once=tmp_path / "once"), "random"], 3, move_time=0.5)
    assert time.monotonic() - start < 20
    assert found.deals == 2 and len(found.spoiled) == 1
    assert "took longer than the 0.5 s allowed for a move" in found.spoiled[0].failure.reason
    assert "vile.py, line" in found.spoiled[0].failure.reason


@pytest.mark.parametrize("kind", ["Vile", "Together"])
def test_after_its_death_a_bot_plays_on(kind, tmp_path):
    game = make("leduc")
    found = match(game, [spec("vanishes", kind, once=tmp_path / "once"), "random"], 20, 3)
    clean = match(game, [spec("plays", kind), "random"], 20, 3)
    assert (found.deals, len(found.spoiled)) == (20, 0)  # asked again, it behaves
    assert np.array_equal(found.sheet.difference, clean.sheet.difference)


def test_a_bot_that_dies_again_and_again_is_given_up(monkeypatch):
    monkeypatch.setattr(stranger, "MOST_DEATHS", 1)
    with pytest.raises(
        BotFailed, match=r"exit code 0 \(vile.py, line \d+\); it was started afresh 1 times and is given up"
    ):
        match(make("leduc"), [spec("vanishes"), "random"], 5)


def test_without_a_time_patience_ends_too(monkeypatch, tmp_path):
    monkeypatch.setattr(stranger, "PATIENCE", 0.3)
    monkeypatch.setattr(stranger, "GRACE", 0.2)
    game = make("leduc")
    with pytest.raises(BotFailed, match=r"took longer than the 0\.3 s allowed for a move and had to be killed"):
        list(play(game, [make_bot(game, spec("computes"))] * 2, 1))


@pytest.mark.parametrize(
    "text, said",
    [
        ("import sys\nsys.exit(0)\n", "cannot be loaded: SystemExit: 0 (bad.py, line 2)"),
        ("import os\nos._exit(0)\n", "ended its process with exit code 0 while it was loaded"),
        ("class Bot\n", "(bad.py, line 1)"),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
        ("while True:\n    pass\n", "was not ready to play within 2 s"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_in_one_line(tmp_path, monkeypatch, text, said):
    monkeypatch.setattr(stranger, "LOADING", 2.0 if "while" in text else 60.0)
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(KibitzError) as problem:
        make_bot(make("leduc"), f"python:{tmp_path}/bad.py:Bot")
    assert said in str(problem.value) and len(str(problem.value).splitlines()) == 1


def test_a_bot_may_tell_what_it_thinks_through_the_wall():
    game = make("leduc")
    bot = make_bot(game, spec("plays", "Opinionated"))
    found = opinion(bot, Position(game, 1, 1))
    assert found.source == "the bot" and set(found.values.values()) == {0.5}
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    assert not hasattr(make_bot(game, spec("plays")), "probabilities")


def test_a_bot_can_be_sent_to_another_process():
    game = make("leduc")
    bot = pickle.loads(pickle.dumps(make_bot(game, spec("plays"))))
    view = Position(game, 1, 1).view(0)
    assert bot.name == spec("plays") and bot.act(view) == view.legal()[0]


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def wait_for(happened, seconds=30.0):
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.05)
    return happened()


@pytest.mark.parametrize("sign, code", [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_neither_ctrl_c_nor_a_kill_leaves_a_hanging_bot_behind(tmp_path, sign, code):
    note = tmp_path / "note"
    words = ["simulate", "leduc", "--bots", spec("computes", note=note), "--games", "5", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "kibitz", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as ran:
        assert wait_for(lambda: note.exists() and note.read_text())
        bot = int(note.read_text())
        ran.send_signal(sign)
        out, _ = ran.communicate(timeout=30)
    assert (ran.returncode, out) == (code, b"") and wait_for(lambda: not is_alive(bot))


class Here(Vile):
    """The same bot as an object: it plays in this process, and is guarded as far as that goes."""

    name = "here"

    def act_batch(self, views):
        return [self.act(view) for view in views]


@pytest.mark.parametrize("way", ["leaves", "wordless", "generates", "widens", "half", "text", "truth"])
def test_an_object_is_named_too(way):
    game = make("leduc")
    found = match(game, [Here(way), "random"], 2)
    assert found.deals == 0 and SAID[way] in found.spoiled[0].failure.reason
    assert "line" in found.spoiled[0].failure.reason
    with pytest.raises(Exception if way == "wordless" else BotFailed):
        list(play(game, [Here(way)] * 2, 2))


def test_an_object_that_swallows_exceptions_is_broken_off():
    found = match(make("leduc"), [Here("naps"), "random"], 1, move_time=0.2)
    assert "took longer than the 0.2 s allowed" in found.spoiled[0].failure.reason


def test_ctrl_c_is_not_the_bots(monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        match(make("leduc"), [Here("interrupts"), "random"], 1)


def test_only_whole_numbers_are_moves():
    assert [whole(choice) for choice in (3, np.int8(3), np.uint64(3))] == [3, 3, 3]
    for choice in (3.0, "3", True, np.True_, np.float32(3), None, np.array([3]), 2**63):
        with pytest.raises(NoMove):
            whole(choice)
    assert numbers([1, np.int64(2)], 2).tolist() == [1, 2]
    for choices in ([1, 2.0], [True, 1], np.array([1.0, 2.0]), np.array([True, False]), [1], np.array([[1, 2]])):
        with pytest.raises(NoMove):
            numbers(choices, 2)
