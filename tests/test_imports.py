"""Imports point downward, foreign libraries stay in their rooms, and importing kibitz is cheap."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import kibitz
from kibitz.core.catalogue import names
from kibitz.games import CATALOGUE

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
    "web": {"core", "search", "bots", "web"},
    "terminal": {"core", "bots", "terminal"},
}
ASKS = {
    "core/game.py": {"games"},  # loads the catalogue of games by name
    "core/position.py": {"search"},  # Position.solve asks the solver, when it is called
}
"""Modules that reach upward, inside a function."""
FENCES = {
    "numba": ("core/jit.py", "core/dispatching.py", "core/kernel_cache.py", "core/numba_names.py"),
    "torch": ("learn/", "bots/net.py", "papers/"),
    "safetensors": ("learn/",),
    "ray": ("arena/executor_ray.py", "arena/executor_node.py"),
    "matplotlib": ("arena/plots.py",),
    "gymnasium": ("adapters/", "learn/ppo_sb3.py"),
    "pettingzoo": ("adapters/",),
    "pyspiel": ("adapters/",),
    "open_spiel": ("adapters/",),
    "starlette": ("web/server.py", "web/visit.py"),
    "uvicorn": ("web/running.py",),
}


@cache
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
        allowed = ABOVE[room] | ASKS.get(place.as_posix(), set())
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "kibitz" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                assert parts[1] in allowed, f"{place} imports {name}"


def test_what_reaches_upward_does_so_only_when_asked():
    for place, rooms in ASKS.items():
        for node in ast.parse((PACKAGE / place).read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                assert node.module.split(".")[1:2] not in [[room] for room in rooms], f"{place} imports {node.module}"


def test_foreign_libraries_stay_in_their_rooms():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        for name in imports(path):
            allowed = FENCES.get(name.split(".")[0])
            assert allowed is None or place.startswith(allowed), f"{place} imports {name}"


def _families() -> set[str]:
    """The games as code would spell them; hearts are a suit as well and cannot be told apart."""
    return {*CATALOGUE, *(family.replace("_", "-") for family in CATALOGUE)} - {"hearts"}


def _is_of_one_game(place: Path) -> bool:
    """Whether a folder or file carries a game's own name, or is of a paper, or is the catalogue itself."""
    own = tuple(CATALOGUE)
    return (
        place.parts[0] == "papers"
        or place.as_posix() == "games/__init__.py"
        or any(part.startswith(own) for part in place.parts)
    )


def _said_in_code(path: Path) -> Iterator[tuple[int, str]]:
    """Names and texts of a module with their lines, docstrings and comments left out: those may tell of an example."""
    tree = ast.parse(path.read_text())
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            values = value if isinstance(value, list) else [value]
            for text in values:
                if isinstance(text, str) and id(node) not in told:
                    yield getattr(node, "lineno", 0), text


def test_no_generic_module_names_a_game():
    """Games declare, rooms ask (core/offers.py): what is one game's own stands in a folder of its name."""
    pattern = re.compile(rf"(?<![a-z])({'|'.join(sorted(_families(), key=len, reverse=True))})(?![a-z])")
    found = [
        f"{place}:{line} names a game: {text[:60]!r}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not _is_of_one_game(place := path.relative_to(PACKAGE))
        for line, text in _said_in_code(path)
        if pattern.search(re.sub("Example: .*", "", text).lower())
    ]
    assert not found, "\n".join(found)


def test_the_table_in_the_browser_names_no_game():
    for path in (PACKAGE / "web").rglob("*"):
        if path.suffix in (".py", ".js", ".json", ".css", ".html"):
            text = path.read_text().lower().replace('"suit h": "hearts"', "")
            for name in {*names(), *CATALOGUE}:
                assert not re.search(rf"\b{name}\b", text), f"{path.name} names {name}"


def test_the_table_at_the_terminal_names_no_game():
    for path in [*(PACKAGE / "terminal").glob("*.py"), PACKAGE / "cli" / "play.py"]:
        text = path.read_text().replace("kibitz play kuhn", "").replace("kuhn-rule", "")
        for name in {*names(), *CATALOGUE} - {"hearts"}:
            assert not re.search(rf"\b{name}\b", text), f"{path.name} names {name}"


def test_sockets_are_never_handed_a_state():
    """Routes and sockets know tables and what these show, neither positions nor states."""
    for name in imports(PACKAGE / "web" / "server.py"):
        assert not name.startswith(("kibitz.core.position", "kibitz.core.view", "kibitz.core.scene")), name


def test_importing_kibitz_loads_nothing_heavy():
    code = "import kibitz, sys; print([m for m in ('numba', 'torch', 'scipy', 'numpy') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_importing_kibitz_and_asking_for_help_take_less_than_half_a_second():
    for command in (["-c", "import kibitz"], ["-m", "kibitz", "--help"]):
        spent = []
        for _ in range(3):
            begun = os.times()
            subprocess.run([sys.executable, *command], capture_output=True, check=True)
            ended = os.times()
            spent.append(ended.children_user + ended.children_system - begun.children_user - begun.children_system)
        assert min(spent) < 0.5, command  # of the processor: the machine may be busy


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
