"""Imports point downward, foreign libraries stay in their rooms, and importing kibitz is cheap."""

import ast
import subprocess
import sys
from pathlib import Path

import kibitz

PACKAGE = Path(kibitz.__file__).parent
ABOVE = {
    "core": {"core"},
    "games": {"core", "games"},
    "tabular": {"core", "games", "tabular"},
    "learn": {"core", "games", "learn", "adapters"},
    "search": {"core", "games", "search"},
    "adapters": {"core", "games", "adapters", "bots"},
    "bots": {"core", "games", "tabular", "learn", "search", "bots"},
    "arena": {"core", "games", "tabular", "learn", "search", "bots", "arena"},
}
FENCES = {
    "numba": ("core/jit.py", "core/kernel_cache.py", "core/bits.py"),
    "torch": ("learn/", "bots/net.py", "papers/"),
    "safetensors": ("learn/",),
    "matplotlib": ("arena/plots.py",),
    "gymnasium": ("adapters/", "learn/ppo.py"),
    "pettingzoo": ("adapters/",),
    "pyspiel": ("adapters/",),
    "open_spiel": ("adapters/",),
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_rooms_import_only_what_lies_below_them():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE)
        room = place.parts[0]
        if room not in ABOVE:
            continue
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "kibitz" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                assert parts[1] in ABOVE[room], f"{place} imports {name}"


def test_foreign_libraries_stay_in_their_rooms():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        for name in imports(path):
            allowed = FENCES.get(name.split(".")[0])
            assert allowed is None or place.startswith(allowed), f"{place} imports {name}"


def test_importing_kibitz_loads_nothing_heavy():
    code = "import kibitz, sys; print([m for m in ('numba', 'torch', 'scipy', 'numpy') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_help_loads_neither_numba_nor_torch():
    code = """
import sys
from kibitz.cli.main import main
try:
    main(["--help"])
except SystemExit:
    pass
print([m for m in ("numba", "torch") if m in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip().endswith("[]")
