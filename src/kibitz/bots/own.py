"""Bots of the user's own, by the place of their class: `python:FILE.py:Class` or `python:module.Class`.

They play in a process of their own (`stranger.py`), where that can be had;
a bot that is handed over as an object plays here.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.bots.conduct import described, innermost, whole
from kibitz.core.errors import BadInput, KibitzError
from kibitz.core.game import Game
from kibitz.core.policy import Bot, OneByOne
from kibitz.core.shipped import lent
from kibitz.core.view import View


class Thinker(OneByOne):
    """An object that only has `act`, as a bot."""

    def __init__(self, name: str, inner: Any) -> None:
        self.name, self.inner = name, inner

    def act(self, view: View) -> int:
        """The action the object chooses at one view."""
        return whole(self.inner.act(view))


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Bot:
    """The bot that a class makes, in a process of its own."""
    place, name = _split(spec, argument)
    if place.endswith(".py"):
        argument = f"{lent(place)}:{name}"
        if not lent(place).is_file():
            raise BadInput(f"{spec}: there is no file {place}")
    if sys.platform == "win32":  # no socket can be handed to a child there
        return made(game, spec, argument, knobs)
    from kibitz.bots.stranger import meet

    return meet(game, spec, argument, knobs)


def made(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Bot:
    """The bot that a class makes, here; a class that asks for `game` is given it, knobs are its keyword arguments."""
    kind = _class_at(spec, argument)
    given: dict[str, Any] = {key: _value(value) for key, value in knobs.items()}
    try:
        takes = inspect.signature(kind)
        if "game" in takes.parameters:
            given["game"] = game
        takes.bind(**given)
    except (TypeError, ValueError) as problem:
        raise BadInput(
            f"{spec}: {kind.__name__} cannot be made with {', '.join(given) or 'nothing'}: {problem}"
        ) from None
    with _blamed(spec, f"{kind.__name__} cannot be made"):
        return _as_bot(spec, kind(**given))


def _as_bot(spec: str, made: Any) -> Bot:
    if not callable(getattr(made, "act", None)):
        raise BadInput(f"{spec}: {type(made).__name__} has no act(view), so it is no bot")
    if not callable(getattr(made, "act_batch", None)):
        return Thinker(spec, made)
    made.name = spec
    bot: Bot = made
    return bot


def _split(spec: str, argument: str) -> tuple[str, str]:
    """The file or module, and the class in it."""
    place, _, name = argument.rpartition(":") if ":" in argument else argument.rpartition(".")
    if not place or not name or argument.endswith(".py"):
        raise BadInput(f"{spec}: a bot of your own is python:FILE.py:Class or python:module.Class")
    return place, name


def _class_at(spec: str, argument: str) -> Any:
    place, name = _split(spec, argument)
    module = _file(spec, Path(place)) if place.endswith(".py") else _module(spec, place)
    kind = vars(module).get(name)
    if not inspect.isclass(kind):
        raise BadInput(f"{spec}: there is no class {name} in {place}")
    return kind


def _file(spec: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise BadInput(f"{spec}: there is no file {path}")
    name = f"kibitz_own_{path.stem}_{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    _reach(path.resolve().parent)
    sys.modules[name] = module  # a dataclass in the file looks for its module there
    try:
        with _blamed(spec, f"{path} cannot be loaded"):
            found.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _module(spec: str, name: str) -> ModuleType:
    _reach(Path.cwd())
    with _blamed(spec, f"{name} cannot be imported"):
        return importlib.import_module(name)


@contextmanager
def _blamed(spec: str, what: str) -> Iterator[None]:
    """One line for whatever goes wrong in the user's code, leaving included; only Ctrl-C stays what it is."""
    try:
        yield
    except (KibitzError, KeyboardInterrupt):
        raise
    except BaseException as problem:
        raise BadInput(f"{spec}: {what}: {described(problem)}{innermost(problem)}") from problem


def _reach(folder: Path) -> None:
    """Let the user's code import what lies beside it, as it could if Python had been started there."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
