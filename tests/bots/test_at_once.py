"""A table for people starts without compiling; bots that search are compiled in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.bots.preparing import expected
from kibitz.core.game import make


def play(folder: Path, *words: str, moves: str = "") -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    return subprocess.run(
        [sys.executable, "-m", "kibitz", "play", *words], input=moves, text=True, capture_output=True,
        env={**clean, "KIBITZ_CACHE": str(folder)}, timeout=600,
    )  # fmt: skip


def test_playing_compiles_nothing(tmp_path):
    ended = play(tmp_path / "cache", "leduc", "--bots", "leduc-rule", "--seed", "1", moves="call\n" * 20)
    assert ended.returncode == 0 and "returns:" in ended.stderr
    assert not list((tmp_path / "cache").rglob("*.*"))


def test_a_table_gives_the_same_game_compiled_or_not(tmp_path):
    code = (
        "from kibitz.core.at_once import without_compiling; without_compiling() if {plain} else None\n"
        "import kibitz, kibitz.core.jit as jit\n"
        "assert jit.PLAIN == {plain}\n"
        "p = kibitz.Position(kibitz.make('leduc'), seed=5); b = kibitz.bot('leduc', 'leduc-rule')\n"
        "while not p.is_over: p.push(b.act(p.view(p.turn)))\n"
        "print(p.actions, p.returns())"
    )
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    said = {
        subprocess.run(
            [sys.executable, "-c", code.format(plain=plain)], text=True, capture_output=True, env=clean, check=True
        ).stdout
        for plain in (True, False)
    }
    assert len(said) == 1


@pytest.mark.slow
def test_a_searching_bot_is_compiled_apart_and_says_so(tmp_path):
    ended = play(tmp_path / "cache", "euchre", "--bots", "pimc", "--seed", "1", moves="quit\n")
    assert ended.returncode == 0
    assert "preparing pimc for euchre, once per machine" in ended.stderr
    assert list((tmp_path / "cache").rglob("*.*"))


ONLY_LOOPS = """
import sys
from kibitz.core import dispatching, kernel_cache
if sys.argv[1:]: dispatching.compile_loops_only()
import kibitz
from kibitz.bots.pimc import practice
game = kibitz.make("NAME")
views = practice(game)[::4]
bot = kibitz.bot(game, "pimc:worlds=3")
bot.prepare(views)
print([bot.act(view) for view in views])
print(kernel_cache.compiled, file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coinche", "skat", "cego", "cego-standard", "hearts", "euchre", "belote"])
def test_a_bot_with_only_its_loops_compiled_plays_the_same(name, tmp_path):
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    runs = [
        subprocess.run(
            [sys.executable, "-c", ONLY_LOOPS.replace("NAME", name), *words], text=True, capture_output=True,
            env={**clean, "KIBITZ_CACHE": str(tmp_path / "".join(words))}, check=True,
        )
        for words in ([], ["loops"])
    ]  # fmt: skip
    assert runs[0].stdout == runs[1].stdout
    told, counted = expected(make(name)), int(runs[1].stderr)
    assert abs(told - counted) <= 4, f"write {counted} for {name} into bots/kernels.json"
