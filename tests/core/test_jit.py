"""Each trap of Numba that core/jit.py answers, shown to be answered."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from kibitz.core.bits import mix
from kibitz.core.game import make
from kibitz.core.jit import PLAIN, kernel, loop, specialise

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
        return {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")}

    run(code, tmp_path)
    first = machine_code()
    assert len(first) > 3
    run(code, tmp_path)
    assert machine_code() == first


@compiled_only
def test_a_change_in_another_folder_is_compiled(tmp_path):
    (tmp_path / "paper.py").write_text(
        "from kibitz.core.jit import kernel\nfrom rooms import game\n"
        "@kernel\ndef play(s):\n    return game.deal(s)\nprint(play(1))"
    )
    (tmp_path / "rooms").mkdir()
    answers = []
    for worth in (10, 200):  # of another length: Python takes its own bytecode for fresh within a second
        (tmp_path / "rooms" / "game.py").write_text(
            f"from kibitz.core.jit import kernel\n@kernel\ndef deal(s):\n    return s + {worth}\n"
        )
        answers.append(int(run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import paper", tmp_path / "cache")))
    assert answers == [11, 201]
    assert len(list(tmp_path.rglob("*.kernel"))) == 4


@compiled_only
def test_two_pieces_of_one_name_kept_by_two_processes_stay_two(tmp_path):
    code = """
        import numpy as np
        from kibitz.core.jit import specialise
        TABLE = first = second = None
        def look(i): return TABLE[i]
        def both(i): return 10 * first(i) + second(i)
        made = [specialise(look, "same", TABLE=np.array([k])) for k in (1, 2)]
        {}
    """
    for k in range(2):
        run(code.format(f"print(made[{k}](0))"), tmp_path)
    both = 'print([f(0) for f in made], specialise(both, "x", first=made[0], second=made[1])(0))'
    assert run(code.format(both), tmp_path) == "[1, 2] 12\n"


DOORS = """
    from kibitz.core.jit import kernel
    @kernel
    def inner(x):
        if x > 3:
            raise ValueError("too much")
        return x
    @kernel
    def outer(x):
        return inner(x) + 1
    def answers(function):
        for x in (1, 5, 2, 5):
            try:
                yield function(x)
            except ValueError as problem:
                yield str(problem)
    for function in ({}):
        print(*answers(function), sep=",")
"""


@compiled_only
def test_a_kernel_that_only_others_called_can_be_called_from_python_in_any_order_and_process(tmp_path):
    right = {"outer": "2,too much,3,too much", "inner": "1,too much,2,too much"}
    for first, second in (("outer", "inner"), ("inner", "outer"), ("outer", "inner")):
        lines = run(DOORS.format(f"{first}, {second}"), tmp_path / first).splitlines()
        assert lines == [right[first], right[second]]
    for alone in ("inner", "outer"):
        assert run(DOORS.format(f"{alone},"), tmp_path / "outer").splitlines() == [right[alone]]


@compiled_only
def test_the_first_kernel_of_a_process_may_be_one_that_writes_a_slice(tmp_path):
    code = """
        import numpy as np
        from kibitz.core.jit import kernel
        @kernel
        def wipe(row):
            row[1:] = 0
        row = np.arange(3)
        wipe(row)
        print(row.tolist())
    """
    assert [run(code, tmp_path) for _ in range(2)] == ["[0, 0, 0]\n"] * 2  # compiled, and found in the cache


@compiled_only
def test_a_kernel_that_came_with_its_caller_can_be_called_from_python_too(tmp_path):
    code = """
        import numpy as np
        from kibitz.core.jit import kernel
        @kernel
        def three():
            return np.zeros(3)
        @kernel
        def total(n: int) -> float:
            return three()[n]
        print(total(1), three().tolist())
    """
    assert [run(code, tmp_path) for _ in range(2)] == ["0.0 [0.0, 0.0, 0.0]\n"] * 2  # compiled, and found in the cache


@compiled_only
def test_an_array_that_does_not_fit_is_refused():
    @kernel
    def assign(place: np.ndarray, source: np.ndarray) -> None:
        place[:] = source

    assign(np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="another shape"):
        assign(np.zeros(3), np.zeros(2))


@compiled_only
def test_bounds_checks_have_a_cache_of_their_own(tmp_path):
    code = "from kibitz.core import cache_folder, kernel_cache as k; print(cache_folder.folder_for(k._settings()).name)"
    switches = ({"NUMBA_BOUNDSCHECK": "0"}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_OPT": "1"})
    assert len({run(code, tmp_path, **switch) for switch in switches}) == 3


@compiled_only
def test_an_unwritable_cache_falls_back_to_a_temporary_folder(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    code = "from kibitz.core.jit import kernel; print(kernel(lambda x: x + 1)(1))"
    assert run(code, blocked / "below", TMPDIR=str(tmp_path)) == "2\n"
    assert len(list(tmp_path.rglob("*.kernel"))) == 1


def test_templates_keep_their_defaults_and_take_anything_as_global():
    def template(x: int, y: int = 2) -> int:
        return x + y + TABLE[SPOT[0]]  # noqa: F821

    assert specialise(template, "t", TABLE=np.array([10, 20]), SPOT=(1,))(1) == 23


@kernel
def _hashes(n: int) -> int:
    code = 0
    for i in range(n):
        code = mix(code ^ i)
    return code


@kernel
def _closed(n: int) -> int:
    def twice(k: int) -> int:
        return 2 * k

    return sum([twice(k) for k in range(n)]) + np.array([n, n]).sum()


def test_a_kernel_may_have_a_function_or_a_list_in_it():
    assert _closed(4) == 20


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


@kernel
def _fresh(n: int) -> np.ndarray:
    return np.zeros(n, np.int64)


@kernel
def _length_of_fresh(n: int) -> int:
    return len(_fresh(n)) + _later(n)


@kernel
def _later(n: int) -> int:
    return n


@compiled_only
def test_a_kernel_that_is_given_an_array_lets_it_go():
    from numba.core.runtime import _nrt_python, rtsys

    _length_of_fresh(10)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    assert _length_of_fresh(1000) == 2000
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - after.free == before.alloc - before.free
    assert _later(3) == 3
    assert _length_of_fresh.targetoptions["_nrt"] and not _later.targetoptions["_nrt"]


@kernel
def _one_more(x: int) -> int:
    return x + 1


@loop
def _each_one_more(numbers) -> None:
    for k in range(len(numbers)):
        numbers[k] = _one_more(numbers[k])


@compiled_only
def test_where_only_loops_are_compiled_other_kernels_run_as_they_are(monkeypatch):
    monkeypatch.setattr("kibitz.core.dispatching._loops_only", True)
    assert _one_more(41) == 42 and not _one_more.overloads
    numbers = np.arange(3)
    _each_one_more(numbers)
    assert numbers.tolist() == [1, 2, 3] and len(_each_one_more.overloads) == 1
