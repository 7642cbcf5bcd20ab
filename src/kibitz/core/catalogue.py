"""Which games there are and where they come from: kibitz's own, those of installed packages,
those named on the command line.

A package offers games through the entry point group `kibitz.games`; one that is importable but not installed is named
by `--game-package` or in KIBITZ_GAME_PACKAGES. kibitz's own names are looked up first, so that nobody waits for
packages that are not asked for, and they cannot be taken.
A package that cannot be loaded costs one line, never the other games.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kibitz.core.errors import BadInput, UnknownGame
from kibitz.core.faults import Fault, fault_of
from kibitz.core.plain_text import one_line

GROUP = "kibitz.games"
"""The entry point group: the value of an entry is the package of a game."""
NAMED = "KIBITZ_GAME_PACKAGES"
"""The environment variable with further packages, separated by commas; worker processes inherit it."""
OWN = "kibitz"
DECLARED = ("PRESETS", "OPTIONS", "VERSION", "payoffs")
"""What a game's package must have before any of its modules is imported."""


@dataclass(frozen=True)
class Source:
    """A package of games: its name for import, and where it comes from, for people."""

    package: str
    origin: str


_sources: dict[str, Source] = {}
"""By the name of the game."""
_faults: dict[str, Fault] = {}
"""What was wrong with the packages that could not be loaded, by their names and those of their entry points."""
_has_own = _has_others = False
_lock = threading.RLock()


def names() -> list[str]:
    """Every game that can be made: kibitz's own in the order of their kin, then the others by where they come from."""
    _load_own()
    _load_others()
    return list(_sources)


def package_of(name: str) -> str:
    """The package a game comes from."""
    return _source(name).package


def origin_of(name: str) -> str:
    """Where a game comes from: `kibitz`, or the name and version of the distribution that brings it."""
    return _source(name).origin


def register(package: str, origin: str = "") -> None:
    """Make the games of a package known by name, in this process alone."""
    _load_own()
    _enter(Source(package, origin or package))


def name_package(package: str) -> None:
    """Add an importable package to those that are looked at, here and in all processes that are started from here."""
    global _has_others
    if not package.replace(".", "").isidentifier():
        raise BadInput(f"--game-package {package} is not possible: name a package as `import` does, like my_game")
    _see_here()
    try:
        is_there = importlib.util.find_spec(package) is not None
    except Exception:  # of a package within another, that other is imported
        is_there = False
    if not is_there:
        raise BadInput(f"--game-package {package}: no such package can be imported, neither installed nor from here")
    os.environ[NAMED] = ",".join(dict.fromkeys([*_named(), package]))
    _has_others = False


def fault_in(name: str) -> Fault | None:
    """What is wrong with a package that could not be loaded, by its name or that of its entry point."""
    _load_others()
    return _faults.get(name) or _faults.get(name.replace("-", "_"))


def _source(name: str) -> Source:
    _load_own()
    if name not in _sources:
        _load_others()
    if name not in _sources:
        near = difflib.get_close_matches(name, _sources, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(_sources)
        raise UnknownGame(f"there is no game {name}; {hint}")
    return _sources[name]


def _load_own() -> None:
    global _has_own
    with _lock:
        if not _has_own:
            for folder in importlib.import_module("kibitz.games").CATALOGUE:
                _enter(Source(f"kibitz.games.{folder}", OWN))
            _has_own = True


def _load_others() -> None:
    global _has_others
    with _lock:
        if _has_others:
            return
        _load_own()
        _has_others = True
        for entry, source in [*_command_line(), *_installed()]:
            if source.package in _faults or source.package in {known.package for known in _sources.values()}:
                continue
            try:
                _enter(source)
            except (Exception, SystemExit) as problem:
                fault = fault_of(problem, source.package)
                _faults[source.package] = _faults[entry] = fault
                _say(f"the games of {source.origin} are left out: {fault.line()}")


def _command_line() -> Iterator[tuple[str, Source]]:
    for package in _named():
        _see_here()
        yield package, Source(package, f"package {package}")


def _installed() -> Iterator[tuple[str, Source]]:
    """Entry points by distribution and name, whatever the order of the folders they were found in."""
    from importlib.metadata import entry_points

    try:
        found = list(entry_points(group=GROUP))
    except Exception as problem:  # the metadata of any installed package may be damaged
        _say(f"installed packages cannot be searched for games: {type(problem).__name__}: {problem}")
        return
    rows = []
    for entry in found:
        brought_by = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.name
        rows.append((brought_by.lower(), entry.name, Source(entry.value.strip(), brought_by)))
    for _, name, source in sorted(rows, key=lambda row: row[:2]):
        yield name, source


def _enter(source: Source) -> None:
    """Load a package and note its presets; a name that is taken stays with whoever had it."""
    if ":" in source.package:
        raise BadInput(f"an entry point names the package of a game, not {source.package}")
    presets = _presets(source.package)
    for name in presets:
        holder = _sources.setdefault(name, source)
        if holder.package != source.package:
            _say(f"{name} of {source.origin} is left out: {holder.origin} has a game of that name")


def _presets(package: str) -> Mapping[str, Mapping[str, object]]:
    """The presets that a package declares, once its declaration is known to be one."""
    module = importlib.import_module(package)
    missing = [name for name in DECLARED if not hasattr(module, name)]
    if missing:
        raise BadInput(f"a game's package must have {', '.join(DECLARED)}: {package} lacks {', '.join(missing)}")
    if not all(hasattr(option, "range_text") for option in module.OPTIONS):
        raise BadInput(f"OPTIONS of {package} must be a tuple of Option")
    known = {option.name: option.default for option in module.OPTIONS}
    presets: Mapping[str, Mapping[str, object]] = module.PRESETS
    if not isinstance(presets, Mapping) or not isinstance(getattr(module, "ABOUT", {}), Mapping):
        raise BadInput(f"PRESETS (and ABOUT) of {package} must be dictionaries by the names of games")
    for name, values in presets.items():
        if not isinstance(name, str) or not isinstance(values, Mapping) or not known.keys() >= values.keys():
            raise BadInput(f"PRESETS of {package}: {name!r} must be a name with a dictionary of options")
        module.payoffs({**known, **values})  # adapters ask every game
    return presets


def _named() -> list[str]:
    return [package for package in os.environ.get(NAMED, "").replace(" ", "").split(",") if package]


def _see_here() -> None:
    """Let packages of the current folder be found as `python -m` does, after everything that is installed."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())


def _say(text: str) -> None:
    if multiprocessing.parent_process() is None:  # what workers have to say has been said
        print(f"kibitz: {one_line(text)}", file=sys.stderr)
