"""Each trap of Numba that core/jit.py answers, shown to be answered."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from kibitz.core import jit
from kibitz.core.bits import mix
from kibitz.core.game import make
from kibitz.core.jit import PLAIN, cache_folder, kernel, specialise

compiled_only = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


def run(code: str, cache: Path, **more: str) -> str:
    env = {**os.environ, "KIBITZ_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0", **more}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


game = None


def _players() -> int:
    return game.PLAYERS


def test_two_specialisations_of_one_template_run_their_own_rules():
    two, three = make("kuhn"), make("kuhn", players=3)
    first = specialise(_players, two.tag, game=two.kernels)
    second = specialise(_players, three.tag, game=three.kernels)
    assert (first(), second()) == (2, 3)


@compiled_only
def test_two_specialisations_have_their_own_names_in_the_cache():
    two, three = make("kuhn"), make("kuhn", players=3)
    names = {specialise(_players, g.tag, game=g.kernels).py_func.__qualname__ for g in (two, three)}
    assert len(names) == 2


def test_sizes_follow_the_options_and_the_default_modules_stay():
    from kibitz.games.kuhn import rules

    assert make("kuhn", players=4).LONGEST == 7
    assert rules.PLAYERS == 2
    assert make("kuhn").LONGEST == 3


@compiled_only
def test_a_second_process_finds_every_kernel_in_the_cache(tmp_path):
    code = """
        from kibitz.core.game import make
        from kibitz.core.position import Position
        Position(make("kuhn"), seed=1).push("bet")
    """

    def machine_code() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}

    run(code, tmp_path)
    first = machine_code()
    assert len(first) > 3
    run(code, tmp_path)
    assert machine_code() == first


@compiled_only
def test_a_changed_callee_in_another_file_changes_the_cache_folder(tmp_path):
    package = tmp_path / "kibitz"
    (package / "core").mkdir(parents=True)
    (package / "games" / "kuhn").mkdir(parents=True)
    callee = package / "core" / "rng.py"
    callee.write_text("x = 1")
    before, jit.PACKAGE = jit.PACKAGE, package
    try:
        cache_folder.cache_clear()
        first = cache_folder(("games/kuhn",))
        callee.write_text("x = 2")
        cache_folder.cache_clear()
        assert cache_folder(("games/kuhn",)) != first
    finally:
        jit.PACKAGE = before
        cache_folder.cache_clear()


@compiled_only
def test_bounds_checks_have_a_cache_of_their_own(tmp_path):
    code = "from kibitz.core.jit import cache_folder; print(cache_folder(('arena',)).name)"
    assert run(code, tmp_path, NUMBA_BOUNDSCHECK="0") != run(code, tmp_path, NUMBA_BOUNDSCHECK="1")


@compiled_only
def test_an_unwritable_cache_falls_back_to_a_temporary_folder(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    out = run("from kibitz.core.rng import fresh, below; print(below(fresh(1), 52))", blocked / "below")
    assert 0 <= int(out) < 52


def test_other_peoples_numba_settings_stay_as_they_were():
    from numba.core import config

    before = config.CACHE_DIR
    kernel(lambda x: x)
    assert before == config.CACHE_DIR


@kernel
def _hashes(n: int) -> int:
    code = 0
    for i in range(n):
        code = mix(code ^ i)
    return code


def test_hashes_that_wrap_around_are_the_same_compiled_and_plain():
    code = 0
    for i in range(1000):
        code = mix(code ^ i)
    assert _hashes(1000) == code


def test_masks_stay_signed_words():
    cards = np.zeros(1, np.int64)
    cards[0] |= 1 << 53
    assert cards.dtype == np.int64
    assert cards[0] >> 53 == 1
