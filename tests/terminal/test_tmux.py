"""`kibitz play` on a real terminal, driven through tmux: signs, colours, a table that is redrawn, three languages."""

import os
import shutil
import subprocess
import sys
import time
import uuid

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")]
PROMPTS = {"en": "your move", "de": "dein Zug", "fr": "à vous"}


class Terminal:
    """One tmux session with a command in it."""

    def __init__(self, folder, *words):
        self.socket = f"kibitz-{uuid.uuid4().hex[:8]}"
        paths = os.pathsep.join(path for path in sys.path if path)
        env = {"XDG_DATA_HOME": str(folder), "PYTHONPATH": paths, "LC_ALL": "C.UTF-8", "NO_COLOR": ""}
        given = [f"{key}={value}" for key, value in env.items()]
        self._tmux(
            "-u", "new-session", "-d", "-x", "130", "-y", "50", "env", *given, sys.executable, "-m", "kibitz", *words
        )
        self._tmux("set-option", "-g", "remain-on-exit", "on")

    def _tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True, check=True).stdout

    def screen(self, *, colours=False):
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def wait(self, text, seconds=90):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if text in (shown := self.screen()):
                return shown
            time.sleep(0.2)
        raise AssertionError(f"{text!r} did not appear:\n{self.screen()}")

    def type(self, text):
        self._tmux("send-keys", text, "Enter")

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def opened(tmp_path):
    made = []

    def open_one(*words):
        made.append(Terminal(tmp_path, *words))
        return made[-1]

    yield open_one
    for terminal in made:
        terminal.close()


@pytest.mark.parametrize("lang", PROMPTS)
@pytest.mark.parametrize("name", ["coinche", "skat", "cego", "cheat", "leduc"])
def test_a_table_is_shown_and_left_in_three_languages(opened, name, lang):
    terminal = opened("play", name, "--lang", lang, "--seed", "3", "--scroll")
    terminal.wait(f"{PROMPTS[lang]} (")
    terminal.type("?")
    terminal.wait({"en": "leave the table", "de": "den Tisch verlassen", "fr": "quitter la table"}[lang])
    terminal.type({"en": "quit", "de": "ende", "fr": "quitter"}[lang])
    terminal.wait({"en": "seed 3", "de": "Seed 3", "fr": "graine 3"}[lang])


def test_the_table_is_redrawn_in_place_with_signs_and_colours(opened):
    terminal = opened("play", "coinche", "--bots", "coinche-strong", "--seed", "3", "--colours", "4")
    shown = terminal.wait("your move (")
    assert "10♠ K♠" in shown and "\x1b[32m" in terminal.screen(colours=True)
    terminal.type("pass")
    shown = terminal.wait("trick 1")
    assert shown.count("(you)") == 1 and "*" in shown


def test_a_game_of_poker_is_played_to_its_end_and_kept(opened, tmp_path):
    terminal = opened("play", "leduc", "--seed", "1")
    for _ in range(4):
        shown = terminal.wait("your move (") if "returns:" not in terminal.screen() else ""
        if "returns:" in terminal.screen() or not shown:
            break
        terminal.type("call")
        time.sleep(1)
    terminal.wait("kibitz analyse")
    assert (tmp_path / "kibitz" / "played" / "leduc.jsonl").read_text().count("\n") == 1
