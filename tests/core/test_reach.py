"""A fingerprint changes with whatever a kernel can reach, in any file, and with nothing else."""

import ast
import importlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import kibitz
from kibitz.core.game import make, names, package_of
from kibitz.core.jit import PLAIN, kernel, specialise
from kibitz.core.reach import fingerprint, forget
from tests.naive import reach as naive

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")

FILES = {
    "top": """
        import numpy as np
        from kibitz.core.jit import kernel
        import middle
        from outside.hook import hook

        @kernel
        def play(s):
            return middle.step(s) + later(s) + hook(s)

        @kernel
        def later(s):
            return middle.LIMIT
    """,
    "middle": """
        from kibitz.core.jit import kernel
        from tables import LIMIT, POWER, Phase
        import bottom

        @kernel
        def step(s, by=2):
            '''One step.'''
            if s == Phase.PLAY:
                return POWER[s] * by
            return bottom.count(s)

        @kernel
        def unused(s):
            return 17
    """,
    "tables": """
        import enum
        import numpy as np

        class Phase(enum.IntEnum):
            BID = 0
            PLAY = 1

        POWER = np.array([3, 1, 4, 1, 5])
        LIMIT = 9
        SPARE = 26
    """,
    "bottom": """
        from kibitz.core.jit import kernel
        from plain import meaning

        @kernel
        def count(s):
            return s + meaning(s)
    """,
    "plain": """
        from numba.extending import overload

        def meaning(s):
            return s

        @overload(meaning)
        def _meaning(s):
            def compiled(s):
                return s
            return compiled
    """,
    "outside/hook": """
        from kibitz.core.jit import kernel
        WEIGHTS = (2, (7, 1))

        @kernel
        def hook(s):
            return WEIGHTS[1][0] * s
    """,
}
CHANGES = {
    "a callee": ("middle", "return POWER[s] * by", "return POWER[s] + by"),
    "a default": ("middle", "by=2", "by=3"),
    "a function that is defined later": ("top", "return middle.LIMIT", "return -middle.LIMIT"),
    "the callee of a callee": ("bottom", "return s + meaning(s)", "return s - meaning(s)"),
    "an entry of a table": ("tables", "4, 1, 5", "4, 1, 6"),
    "the type of a table": ("tables", "5])", "5], np.int32)"),
    "a number": ("tables", "LIMIT = 9", "LIMIT = 8"),
    "a member of an enum": ("tables", "PLAY = 1", "PLAY = 2"),
    "what a plain function is compiled to": ("plain", "        return s", "        return s + 1"),
    "a hook of another package": ("outside/hook", "* s", "+ s"),
    "a number deep in a tuple": ("outside/hook", "(7, 1)", "(8, 1)"),
}
KEPT = {
    "a function nobody calls": ("middle", "return 17", "return 18"),
    "a number nobody uses": ("tables", "SPARE = 26", "SPARE = 27"),
    "a comment": ("bottom", "from plain", "# why not?\nfrom plain"),
    "an empty line": ("top", "import middle", "\nimport middle"),
}


def write(folder: Path, change: tuple[str, str, str] | None = None) -> None:
    for name, text in FILES.items():
        text = textwrap.dedent(text)
        if change and change[0] == name:
            assert change[1] in text
            text = text.replace(change[1], change[2])
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def look(tmp_path, monkeypatch):
    """The fingerprint of `play` after a change."""
    number = itertools.count()

    def look_at(change: tuple[str, str, str] | None) -> str:
        folder = tmp_path / str(next(number))
        write(folder, change)
        monkeypatch.syspath_prepend(folder)
        for name in ("top", "middle", "tables", "bottom", "plain", "outside", "outside.hook"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        top = importlib.import_module("top")
        return fingerprint(top.play)

    return look_at


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_that_matters_changes_the_fingerprint(what, look):
    assert look(None) != look(CHANGES[what])


@pytest.mark.parametrize("what", KEPT)
def test_a_change_that_cannot_matter_keeps_the_fingerprint(what, look):
    assert look(None) == look(KEPT[what])


def test_every_process_finds_the_same_fingerprint(tmp_path):
    code = """
        from kibitz.core.game import make, names, package_of
        from kibitz.core.turns import turns
        from kibitz.core.reach import fingerprint
        game = make("leduc")
        print([fingerprint(f) for f in (turns(game).settle, game.step, game.observe, game.redeal)])
    """
    seen = set()
    for seed in "12":
        env = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", textwrap.dedent(code)]
        seen.add(subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert len(seen) == 1


game = None
TABLE = None


def _template(s: int) -> int:
    return game.PLAYERS + TABLE[s]


def test_one_name_with_other_tables_or_games_has_another_fingerprint():
    two, three = make("kuhn"), make("kuhn", players=3)
    tables = np.arange(4), np.arange(4) + 1
    seen = {fingerprint(specialise(_template, "one", game=g.kernels, TABLE=t)) for g in (two, three) for t in tables}
    assert len(seen) == 4


def test_only_what_is_named_of_a_bound_module_counts():
    def bound(**more: int) -> str:
        space = ModuleType("space")
        vars(space).update({"PLAYERS": 2, **more})
        return fingerprint(specialise(_template, "one", game=space, TABLE=(1, 2)))

    assert bound() == bound(ACTIONS=9)
    assert bound() != bound(PLAYERS=3)


def test_an_overload_stands_in_the_file_of_its_function():
    found = 0
    for module in Path(kibitz.__file__).parent.rglob("*.py"):
        if "overload" not in (text := module.read_text()):
            continue
        tree = ast.parse(text)
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for mark in (mark for node in ast.walk(tree) for mark in getattr(node, "decorator_list", ())):
            if isinstance(mark, ast.Call) and ast.unparse(mark.func).split(".")[-1] == "overload":
                assert ast.unparse(mark.args[0]) in defined, f"{module}: the cache would not see {ast.unparse(mark)}"
                found += 1
    assert found > 3


@pytest.mark.slow
def test_a_change_in_any_file_is_seen_by_every_kernel_that_calls_into_it(tmp_path):
    package = Path(kibitz.__file__).parent
    shutil.copytree(package, tmp_path / "kibitz", ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, naive.__file__, str(tmp_path)], env=env, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr
    seen = {module: set(names) for module, names in json.loads(done.stdout).items()}
    trees = naive.sources(package)
    reached = naive.callees(trees)
    must = {f"{one[0]} {one[1]}": {module for module, _ in known} for one, known in reached.items()}
    for name in names():
        parts = [naive.where(f"{package_of(name)}.rules", part, trees) for part in ("deal", "turn", "step", "returns")]
        must[f"loop {name}"] = {module for part in parts for module, _ in reached[part]}
    for name, modules in must.items():
        blind = sorted(module for module in modules if name not in seen[module])
        assert not blind, f"{name} would run the old code of {blind}"
    folders = [(name.split()[0].rpartition(".")[0], module) for name, modules in must.items() for module in modules]
    assert sum(module.rpartition(".")[0] != folder for folder, module in folders) > 100  # calls into another folder
    assert min(map(len, seen.values())) < 10  # and a change is not a change for all


def test_a_callee_that_was_compiled_before_changes_nothing():
    """Or whoever starts second would compile again what the first has kept."""

    @kernel
    def inner(x: int) -> int:
        return x + 1

    @kernel
    def outer(x: int) -> int:
        return inner(x) * 2

    before = fingerprint(outer)
    inner(1)
    forget()
    assert fingerprint(outer) == before
