"""Which kernels call which, read off the source text: imports, names and attributes, nothing executed.

As a program it changes each file of a copy of the package in turn and prints which fingerprints follow:
python reach.py FOLDER, where FOLDER holds the copy.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
from pathlib import Path

Kernel = tuple[str, str]
"""Module and function."""


def sources(package: Path) -> dict[str, ast.Module]:
    """Every module of the package by its name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def kernels(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions under @kernel."""
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in node.decorator_list)
    }


def callees(trees: dict[str, ast.Module]) -> dict[Kernel, set[Kernel]]:
    """The kernels each kernel reaches, itself among them."""
    direct = {
        (module, name): _used(module, node, trees)
        for module, tree in trees.items()
        for name, node in kernels(tree).items()
    }
    reached = {one: {one} for one in direct}
    grown = True
    while grown:
        grown = False
        for known in reached.values():
            more = {deep for near in known for deep in direct[near] if deep in direct}
            if not more <= known:
                known |= more
                grown = True
    return reached


def _used(module: str, node: ast.FunctionDef, trees: dict[str, ast.Module]) -> set[Kernel]:
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(where(module, part.id, trees))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            owner = ".".join(where(module, part.value.id, trees))
            if owner in trees:
                found.add(where(owner, part.attr, trees))
    return found


def where(module: str, name: str, trees: dict[str, ast.Module]) -> Kernel:
    """The module and name under which something was first defined."""
    for node in trees[module].body:
        if isinstance(node, ast.ImportFrom) and node.module in trees:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    if f"{node.module}.{alias.name}" in trees:
                        return node.module, alias.name
                    return where(node.module, alias.name, trees)
        elif (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and name in map(ast.unparse, node.targets)
        ):
            return where(module, node.value.id, trees)
    return module, name


def changed(tree: ast.Module) -> str:
    """The same module in which every kernel does one thing more that does not matter."""
    for node in kernels(tree).values():
        node.body.append(ast.parse("_changed = 0").body[0])
        node.body.insert(0, node.body.pop())
    return ast.unparse(ast.fix_missing_locations(tree))


def fingerprints(modules: list[str]) -> dict[str, str]:
    """By module and function, and the loop that plays each game, as the package on the path has them now."""
    for name in [name for name in sys.modules if name.split(".")[0] == "kibitz"]:
        del sys.modules[name]
    reach = importlib.import_module("kibitz.core.reach")
    found = {
        f"{module} {name}": reach.fingerprint(value)
        for module in modules
        for name, value in vars(importlib.import_module(module)).items()
        if hasattr(value, "py_func") and value.__module__ == module
    }
    games, fused = importlib.import_module("kibitz.core.game"), importlib.import_module("kibitz.arena.fused")
    return found | {f"loop {name}": reach.fingerprint(fused._random_loop(games.make(name))) for name in games.names()}


def in_a_child(modules: list[str]) -> dict[str, str]:
    """The fingerprints, found in a process that forgets everything afterwards."""
    read, write = os.pipe()
    if os.fork() == 0:
        with open(write, "w") as out:
            json.dump(fingerprints(modules), out)
        os._exit(0)
    os.close(write)
    with open(read) as answer:
        found: dict[str, str] = json.load(answer)
    os.wait()
    return found


def main(folder: Path) -> None:
    """Print, for each file with kernels, the kernels whose fingerprints follow a change in it."""
    sys.path.insert(0, str(folder))
    trees = sources(folder / "kibitz")
    modules = [module for module, tree in trees.items() if kernels(tree)]
    fingerprints(modules)  # loads the foreign libraries once and for all
    sys.dont_write_bytecode = True
    before = in_a_child(modules)
    follow = {}
    for module in modules:
        path = folder.joinpath(*module.split(".")).with_suffix(".py")
        if not path.exists():
            path = path.with_suffix("") / "__init__.py"
        text = path.read_text()
        path.write_text(changed(ast.parse(text)))
        after = in_a_child(modules)
        path.write_text(text)
        follow[module] = [name for name, value in before.items() if after[name] != value]
    print(json.dumps(follow))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
